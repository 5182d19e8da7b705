#!/bin/sh
# Makes docs/replay.png anew: the page of replay about the tour's history, in Chromium.
set -eu
top=$(cd "$(dirname "$0")/.." && pwd)
cd "$top/cmd/git-merge-yaml/internal/show/browser"
exec go test -count=1 -run '^TestPicture$' . -args -picture "$top/docs/replay.png"
