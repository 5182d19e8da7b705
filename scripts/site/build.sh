#!/usr/bin/env bash
# Builds the web site from docs/ into a folder: all pages, the help of each command, a search,
# and the playground. It needs node.
#
#   scripts/site/build.sh DIR
set -euo pipefail
[ $# = 1 ] || { echo "usage: scripts/site/build.sh DIR" >&2; exit 2; }
mkdir -p "$1"
out=$(cd "$1" && pwd)
cd "$(dirname "$0")/../.."

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cp scripts/site/package.json scripts/site/package-lock.json "$tmp"
mkdir -p "$tmp/.vitepress" "$tmp/commands" "$tmp/public"
cp scripts/site/config.mjs "$tmp/.vitepress/config.mjs"
cp docs/*.md docs/*.svg docs/*.png "$tmp"
mv "$tmp/README.md" "$tmp/index.md"

go build -pgo off -o "$tmp/git-merge-yaml" ./cmd/git-merge-yaml
commands=$("$tmp/git-merge-yaml" --help | sed -n '/^COMMANDS:/,/^$/s/^   \([a-z][a-z0-9]*\)  .*/\1/p')
[ "$commands" ] || { echo "build.sh: no commands in the output of --help" >&2; exit 1; }
for command in $commands; do
	printf -- '---\naside: false\n---\n# %s\n\n```\n%s\n```\n' "$command" "$("$tmp/git-merge-yaml" "$command" --help)" >"$tmp/commands/$command.md"
done

(cd "$tmp" && npm install --silent --no-audit --no-fund && SITE_OUT=$out npm run --silent build)
go run ./scripts/playground "$out/playground"
