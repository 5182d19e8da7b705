#!/usr/bin/env bash
# Writes the files for other package registries, with the version and the hashes of a release: an entry for
# the registry of aqua, a recipe for conda-forge, and a package for nixpkgs. It needs nix for the hashes.
#
#   scripts/release/recipes.sh v0.1.0 DIST
#
# Run it in a checkout of the tag. DIST is the output folder of goreleaser; the files are written to DIST/recipes.
set -euo pipefail
version=${1#v}
dist=$(cd "$2" && pwd)
cd "$(dirname "$0")/../.."

sources=$dist/git-merge-yaml-$version.tar.gz
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
# hash_of prints the hash that nix uses for a folder.
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
