#!/usr/bin/env bash
# Fills in what other people's registries want of a release: an entry for aqua's,
# a recipe for conda-forge, a package for nixpkgs. It needs nix, for its hashes.
#
#   scripts/release/recipes.sh v0.1.0 DIST
#
# in a checkout of the tag, where DIST is what goreleaser made; they go to DIST/recipes.
set -euo pipefail
version=${1#v}
dist=$(cd "$2" && pwd)
cd "$(dirname "$0")/../.."

sources=$dist/git-merge-yaml-$version.tar.gz
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
# hash_of is the hash of a folder as nix keeps it.
hash_of() { nix --extra-experimental-features nix-command --store dummy:// hash path --sri "$1"; }
tar -xzf "$sources" -C "$tmp"
(cd "$tmp/git-merge-yaml-$version" && go mod vendor -o "$tmp/vendor")
source_hash=$(hash_of "$tmp/git-merge-yaml-$version")
vendor_hash=$(hash_of "$tmp/vendor")

mkdir -p "$dist/recipes"
for recipe in aqua.yaml conda.yaml package.nix; do
	sed -e "s|@VERSION@|$version|" \
		-e "s|@SHA256@|$(sha256sum <"$sources" | cut -d ' ' -f 1)|" \
		-e "s|@SOURCE_HASH@|$source_hash|" \
		-e "s|@VENDOR_HASH@|$vendor_hash|" \
		"scripts/release/$recipe" >"$dist/recipes/$recipe"
done
! grep -l '@[A-Z_0-9]*@' "$dist/recipes"/*
