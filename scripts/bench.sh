#!/bin/sh
# Builds git-merge-yaml from this checkout and times its merges. Each merge is a whole process and alternates
# with a process of git merge-file. If mergiraf is on PATH, it is timed in the same way.
#
#   scripts/bench.sh [-runs N] [-only KIND] [-hostile] [-cmd 'PROGRAM %O %A %B']
#
# It writes only to a temporary folder. On a busy machine, the ratios are still meaningful; the times are not.
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
	# mergiraf detects YAML by the extension of the path
	"$scratch/bench" -cmd 'mergiraf merge --git %O %A %B -p x.yaml' "$@"
fi
