#!/bin/sh
# Moves the tag that users of the action refer to (v0 for a release v0.1.0). The tag
# gets a new commit, in which action/checksums.txt has the checksums of the archives.
#
#   scripts/release/action.sh v0.1.0 dist/checksums.txt
set -eu

version=$1
major=${version%%.*}
sums=$(grep ' git-merge-yaml_.*\.tar\.gz$' "$2")
cd "$(dirname "$0")/../.."
sed -n '/^#/p' action/checksums.txt >checksums.new
echo "$sums" >>checksums.new
mv checksums.new action/checksums.txt

for who in AUTHOR COMMITTER; do
	export "GIT_${who}_NAME=git-merge-yaml" "GIT_${who}_EMAIL=git-merge-yaml@users.noreply.github.com"
done
git checkout -q --detach
git add action/checksums.txt
git commit -q -m "action: pin $version"
git tag -f "$major"
git push -f "${REMOTE:-origin}" "refs/tags/$major"
