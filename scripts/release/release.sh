#!/usr/bin/env bash
# Builds a release in a checkout of its tag: archives, packages, signatures and recipes in dist/, and the
# tag that users of the action refer to, which is pushed to REMOTE (default: origin). With PUBLISH=yes, it
# also publishes the release.
#
#   scripts/release/release.sh v0.1.0
set -euo pipefail
version=$1
cd "$(dirname "$0")/../.."
[ "$(git describe --exact-match --tags)" = "$version" ] || { echo "release.sh: $version is not checked out" >&2; exit 1; }
command -v nix >/dev/null || { echo "release.sh: nix is not installed, which the hashes of a recipe need" >&2; exit 1; }
grep -qF "## [${version#v}]" docs/changelog.md || { echo "release.sh: docs/changelog.md has no heading for ${version#v}" >&2; exit 1; }

skip=publish,docker
[ "${PUBLISH-}" != yes ] || skip=
goreleaser release --clean ${skip:+--skip="$skip"}
scripts/release/recipes.sh "$version" dist

if [ "${PUBLISH-}" = yes ]; then
	gh release upload "$version" dist/recipes/*
	image=ghcr.io/git-merge-yaml/git-merge-yaml
	cosign sign --yes "$image@$(docker buildx imagetools inspect "$image:${version#v}" --format '{{.Manifest.Digest}}')"
fi
scripts/release/action.sh "$version" dist/checksums.txt
