#!/bin/sh
# Checks the merges of a pull request, whoever or whatever made them, with
# git-merge-yaml: each edit of one side that a merge lost is listed.
#
#   BASE=origin/main sh check.sh
#
# HEAD, by default HEAD, is what is checked, from BASE on, by the team's rules of BASE. The list goes to stdout and to
# the file SUMMARY, as Markdown. It exits with 0 if nothing was lost, with 1 if something was,
# and with 2 on any failure or if anything was not checked. It runs nothing of the repository.
set -eu

base=${BASE:?BASE is not set; see the top of this file}
head=${HEAD:-HEAD}
found=$(mktemp)
trap 'rm -f "$found"' EXIT

code=0
git -c color.ui=never merge-yaml check -- "$base..$head" >"$found" 2>&1 || code=$?
case $code in
0) said='Every edit of either side is in the merges of this branch.' ;;
1) said='These merges lost edits, or made something up. If it was meant, say so in the review; else merge again: `git merge-yaml explain COMMIT PATH` tells how.' ;;
*)
	said='The merges could not all be checked.'
	code=2
	;;
esac
# A log takes lines that begin with ::, behind blanks too, or have ##[ for commands; the program writes neither.
{
	printf '### Merges of YAML\n\n%s\n\n' "$said"
	head -n 200 "$found" | LC_ALL=C tr '\000-\010\013-\037\177' '?' | sed 's/##\[/## [/g; s/^[[:space:]]*::/: :/; s/^/    /'
	more=$(($(wc -l <"$found") - 200))
	[ "$more" -le 0 ] || printf '\nand %s more lines.\n' "$more"
} | tee -a "${SUMMARY:-/dev/null}"
exit "$code"
