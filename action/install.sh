#!/bin/sh
# Installs git-merge-yaml into a folder. It downloads the release that is pinned in checksums.txt next to this
# file. If none is pinned for this machine, it builds the program from the repository that contains this file.
#
#   sh install.sh DIR
#
# RELEASES is the address of the releases (default: the project's releases on GitHub).
set -eu

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
releases=${RELEASES:-https://github.com/git-merge-yaml/git-merge-yaml/releases/download}
dir=$1
mkdir -p "$dir"

case $(uname -m) in
x86_64 | amd64) arch=amd64 ;;
aarch64 | arm64) arch=arm64 ;;
*) arch=none ;;
esac
system=$(uname -s | tr '[:upper:]' '[:lower:]')
line=$(grep "git-merge-yaml_.*_${system}_$arch\\.tar\\.gz\$" "$here/checksums.txt" || :)

if [ -z "$line" ]; then
	command -v go >/dev/null || { echo "install.sh: no release for $system/$arch is pinned, and there is no go to build one" >&2; exit 2; }
	# The parent folders may belong to another project: do not use its Go workspace or the version of its repository.
	vcs=false
	[ ! -e "$here/../.git" ] || vcs=auto
	(cd "$here/.." && GOWORK=off GOFLAGS=-mod=readonly GOTOOLCHAIN=local go build -buildvcs="$vcs" -tags urfave_cli_no_docs -trimpath -o "$dir/" ./cmd/git-merge-yaml)
	exit 0
fi

archive=${line##* }
version=${archive#git-merge-yaml_}
version=v${version%%_*}
scratch=$(mktemp -d "${TMPDIR:-/tmp}/git-merge-yaml.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
curl --fail --silent --show-error --location --retry 3 --output "$scratch/$archive" "$releases/$version/$archive"
echo "$line" | (cd "$scratch" && sha256sum -c --quiet -) || { echo "install.sh: $archive is not the one that checksums.txt pins" >&2; exit 2; }
tar -xzf "$scratch/$archive" -C "$scratch"
mv -f "$scratch/bin/git-merge-yaml" "$dir/"
