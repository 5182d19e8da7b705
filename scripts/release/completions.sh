#!/bin/sh
# Writes the shell completions to a folder, for archives and packages:
#
#   scripts/release/completions.sh DIR
set -eu
cd "$(dirname "$0")/../.."
mkdir -p "$1"
go run ./cmd/git-merge-yaml completion bash >"$1/git-merge-yaml.bash"
go run ./cmd/git-merge-yaml completion zsh >"$1/_git-merge-yaml"
go run ./cmd/git-merge-yaml completion fish >"$1/git-merge-yaml.fish"
