#!/bin/sh
# Checks the merges of a pull request, however they were made, with git-merge-yaml. It lists each edit of one
# side that a merge lost.
#
#   BASE=origin/main sh check.sh
#
# It checks the commits of HEAD (default: HEAD) that BASE does not have, with the team's rules in BASE. It prints
# the list as Markdown and appends it to the file SUMMARY. The exit code is 0 if nothing was lost, 1 if something
# was lost, and 2 if the check failed or was not complete. No code of the repository is run.
set -eu

base=${BASE:?BASE is not set; see the top of this file}
head=${HEAD:-HEAD}
found=$(mktemp)
trap 'rm -f "$found"' EXIT

code=0
git -c color.ui=never merge-yaml check -- "$base..$head" >"$found" 2>&1 || code=$?
case $code in
0)
	headline='Every edit of either side is in the merges of this branch.'
	! grep -q '^accepted in [0-9a-f]*: ' "$found" ||
		headline='Merge commits accept these differences (trailer `Merge-Yaml-Accept`). Review them; all other edits of either side are in the merges.'
	! grep -q ': deleted by .*, modified by .* in the merge$' "$found" ||
		headline='No edit of a file that both sides have is lost. These files were deleted on one side: review them.'
	;;
1) headline='These merges lost edits, or have something that neither side has. Merge again (`git merge-yaml explain COMMIT PATH` shows how). If it was meant, and the team'"'"'s file of the base has `check: {accept: trailers}`, add a line `Merge-Yaml-Accept: PATH: REASON` at the end of the message of the merge commit.' ;;
*)
	headline='The merges could not all be checked.'
	code=2
	;;
esac
# The log of a CI job treats lines that start with ::, also after blanks, or contain ##[ as commands. Such text in the
# output can only come from the repository, for example from file names, so it is changed.
{
	printf '### Merges of YAML\n\n%s\n\n' "$headline"
	head -n 200 "$found" | LC_ALL=C tr '\000-\010\013-\037\177' '?' | sed 's/##\[/## [/g; s/^[[:space:]]*::/: :/; s/^/    /'
	more=$(($(wc -l <"$found") - 200))
	[ "$more" -le 0 ] || printf '\nand %s more lines.\n' "$more"
} | tee -a "${SUMMARY:-/dev/null}"
exit "$code"
