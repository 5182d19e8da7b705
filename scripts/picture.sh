#!/bin/sh
# Updates docs/replay.png: a screenshot, by Chromium, of the page of replay for the history in scripts/tour.
set -eu
top=$(cd "$(dirname "$0")/.." && pwd)
cd "$top/cmd/git-merge-yaml/internal/show/browser"
exec go test -count=1 -run '^TestPicture$' . -args -picture "$top/docs/replay.png"
