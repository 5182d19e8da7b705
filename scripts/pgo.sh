#!/bin/sh
# Writes cmd/git-merge-yaml/default.pgo, a profile of merges: all cases of testdata/merge, and generated files from 2 KB
# to 1 MB. go build makes the functions faster that were busy in it. Run this before a release; it takes a minute.
set -eu
cd "$(dirname "$0")/.."
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
go test ./merge/internal/engine -run '^$' -bench '^BenchmarkCases$|^BenchmarkMerge$/./(2KB|100KB|1MB)/short' -benchtime 1s -cpuprofile "$dir/profile" -o "$dir/test" -pgo off
mv "$dir/profile" cmd/git-merge-yaml/default.pgo
ls -l cmd/git-merge-yaml/default.pgo
