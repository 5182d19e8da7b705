#!/bin/sh
# Builds the program from this checkout and times whole merges with it, each in
# turn with git merge-file, and with mergiraf if that is on PATH.
#
#   scripts/bench.sh [-runs N] [-only KIND] [-hostile] [-cmd 'PROGRAM %O %A %B']
#
# It writes to a temporary folder only. Ratios hold on a busy machine,
# milliseconds do not.
set -eu

source=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
scratch=$(mktemp -d "${TMPDIR:-/tmp}/git-merge-yaml-bench.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM

cd "$source"
go build -buildvcs=false -tags urfave_cli_no_docs -o "$scratch/git-merge-yaml" ./cmd/git-merge-yaml
go build -buildvcs=false -o "$scratch/bench" ./scripts/bench
mkdir "$scratch/work"
cd "$scratch/work"
"$scratch/bench" -cmd "$scratch/git-merge-yaml -q %O %A %B" "$@"
if command -v mergiraf >/dev/null; then
	# it knows YAML by the path
	"$scratch/bench" -cmd 'mergiraf merge --git %O %A %B -p x.yaml' "$@"
fi
