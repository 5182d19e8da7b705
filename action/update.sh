#!/bin/sh
# Merges the branch BASE into BRANCH with git-merge-yaml, and pushes BRANCH.
# Hosted servers do not support merge drivers, so a CI job runs this script instead.
#
#   BASE=main BRANCH=topic REPOSITORY=a/b HEAD_REPOSITORY=a/b sh update.sh
#
# With METHOD=rebase, it rebases BRANCH onto BASE instead; this fails if BRANCH has merge commits. The exit code is:
#
#   0   BRANCH contains all commits of BASE now
#   1   a conflict remains: nothing is pushed, and the file REPORT (default: conflicts.md) describes the conflicts
#   2   a failure, or BRANCH is in another repository
#
# The team's rules and git's attributes are read from BASE, not from BRANCH: .gitattributes of a branch could select
# merge=union, which resolves every conflict. While the script runs, info/attributes of the repository has them.
#
# No code of either branch is run: hooks are disabled, submodules and LFS files
# are not fetched, and the merge happens in a separate work tree.
set -eu

# Replaces control characters, and text that the log of a CI job would treat as a command: :: at the start of a
# line, or ##[. Names of branches and files can contain them. Each line is prefixed with $1.
sanitize() {
	LC_ALL=C tr '\000-\010\013-\037\177' '?' | sed 's/##\[/## [/g; s/^/'"$1"': /'
}

fail() {
	echo "$(printf %s "$*" | tr '\n' '?')" | sanitize update.sh >&2
	exit 2
}

for name in BASE BRANCH REPOSITORY HEAD_REPOSITORY; do
	eval "value=\${$name:-}"
	[ -n "$value" ] || fail "$name is not set; see the top of this file"
done
[ "$REPOSITORY" = "$HEAD_REPOSITORY" ] || fail "$BRANCH is a branch of $HEAD_REPOSITORY: branches of forks are not updated"
method=${METHOD:-merge}
case $method in
merge | rebase) ;;
*) fail "METHOD is $method: want merge or rebase" ;;
esac
remote=${REMOTE:-origin}
report=${REPORT:-conflicts.md}
export GIT_TERMINAL_PROMPT=0 GIT_LFS_SKIP_SMUDGE=1
export GIT_AUTHOR_NAME="${GIT_AUTHOR_NAME:-git-merge-yaml}" GIT_AUTHOR_EMAIL="${GIT_AUTHOR_EMAIL:-git-merge-yaml@localhost}"
export GIT_COMMITTER_NAME="${GIT_COMMITTER_NAME:-$GIT_AUTHOR_NAME}" GIT_COMMITTER_EMAIL="${GIT_COMMITTER_EMAIL:-$GIT_AUTHOR_EMAIL}"

command -v git-merge-yaml >/dev/null || fail "git-merge-yaml is not on the PATH"
for branch in "$BASE" "$BRANCH"; do
	git check-ref-format "refs/heads/$branch" && git check-ref-format --branch "$branch" >/dev/null 2>&1 || fail "$branch is no name of a branch"
	! printf %s "$branch" | LC_ALL=C grep -q "$(printf '\342\200[\252-\256]\|\342\201[\246-\251]')" || fail "$branch has characters that turn text around"
done

scratch=$(mktemp -d "${TMPDIR:-/tmp}/git-merge-yaml.XXXXXX")
tree=$scratch/tree replayed=refs/heads/git-merge-yaml/$$
attributes=
cleanup() {
	[ -z "$attributes" ] || { cat "$scratch/own" 2>/dev/null >"$attributes" || rm -f "$attributes"; }
	git worktree remove --force "$tree" 2>/dev/null || :
	git update-ref -d "$replayed" 2>/dev/null || :
	rm -rf "$scratch"
}
trap cleanup EXIT
trap 'exit 2' INT TERM

# Attributes in this file have the lowest priority in git: the repository's attributes override them.
printf '%s merge=yaml\n' '*.yaml' '*.yml' >"$scratch/attributes"
quiet_git() {
	git -c core.hooksPath=/dev/null -c core.attributesFile="$scratch/attributes" \
		-c merge.yaml.own="$own" -c merge.yaml.rulesFrom="$base" "$@"
}

# Runs git and prints its sanitized output to stderr.
show_git() {
	code=0
	quiet_git "$@" >"$scratch/output" 2>&1 </dev/null || code=$?
	[ ! -s "$scratch/output" ] || sanitize git <"$scratch/output" >&2
	return "$code"
}

fetch() {
	[ "$(git rev-parse --is-shallow-repository)" = false ] || deepen=--unshallow
	show_git fetch -q ${deepen:-} --no-tags --no-recurse-submodules "$remote" \
		"+refs/heads/$BASE:refs/remotes/$remote/$BASE" "+refs/heads/$BRANCH:refs/remotes/$remote/$BRANCH" ||
		fail "cannot fetch $BASE and $BRANCH of $remote"
}

# Prints a word quoted for a shell, if necessary. A word that starts with #, -, = or ~ is quoted, too.
shell_quote() {
	case $1 in
	[!A-Za-z0-9._/@+]* | *[!A-Za-z0-9._/@#=+-]*) printf "'%s'" "$(printf %s "$1" | sed "s/'/'\\\\''/g")" ;;
	*) printf %s "$1" ;;
	esac
}

# Prints the report in Markdown: the commands for merging locally, and the conflicts.
write_report() {
	printf 'This branch does not merge with its base by itself. To decide what is left:\n\n'
	echo "    git fetch $(shell_quote "$remote") && git checkout $(shell_quote "$BRANCH") && git $method $(shell_quote "$remote/$BASE")"
	printf '    git merge-yaml resolve -i\n\n'
	quiet_git -C "$tree" merge-yaml explain --markdown --own "$own" 2>"$scratch/output" || list_unmerged
}

# Prints the error of "git merge-yaml explain" and the unmerged files. It limits their number and their length
# to the size of a comment.
list_unmerged() {
	printf 'This cannot be explained:\n\n'
	{ head -n 20 "$scratch/output" && git -C "$tree" diff --name-only --diff-filter=U; } >"$scratch/names"
	head -n 300 "$scratch/names" | cut -c 1-150 | sed 's/^/    /'
	more=$(($(wc -l <"$scratch/names") - 300))
	[ "$more" -le 0 ] || printf '\nand %s more.\n' "$more"
}

# The branch is the own side, for fields that a team's rules decide by the own side, such as versions
# (docs/helm.md). It has to be set because the work tree has no branch from which to derive it.
[ "$method" = rebase ] && own=theirs || own=ours

# Rebases the branch with git replay, which needs no work tree, and sets after. It fails if git cannot do so, or if
# the repository is not bare, because git would then use the attributes of the checked-out files.
replay() {
	[ "$(git rev-parse --is-bare-repository)" = true ] || return
	quiet_git update-ref "$replayed" "$before"
	quiet_git replay --onto "$base" "$base..$replayed" >"$scratch/updates" 2>/dev/null || return
	read -r _ _ after _ <"$scratch/updates" || after=$(git rev-parse "$replayed") # newer versions of git update the ref themselves
}

# Git does not call the driver for files that one side deleted. This resolves them by the team's rules and continues
# the merge or rebase. It fails if a conflict remains.
resolve_by_rules() {
	while [ -n "$(git -C "$tree" ls-files -u)" ]; do
		resolved=0
		quiet_git -C "$tree" merge-yaml resolve --own "$own" >"$scratch/output" 2>&1 || resolved=$?
		sanitize git-merge-yaml <"$scratch/output" >&2
		[ "$resolved" = 0 ] && [ -z "$(git -C "$tree" ls-files -u)" ] || return 1
		case $method in
		merge) show_git -C "$tree" commit -q --no-edit && return ;;
		rebase) show_git -C "$tree" -c core.editor=: rebase --continue && return ;;
		esac
	done
	return 1
}

# Writes the attribute "merge" that each file has in BASE into info/attributes, which has precedence over the files in
# BRANCH. All other attributes that change how git merges, or converts files, are switched off there. A file gets a
# line only if its attribute is not the one that YAML files and other files have anyway.
use_attributes_of_base() {
	GIT_INDEX_FILE=$scratch/index git read-tree "$base"
	git diff-tree -r -z --name-only "$base" "$before" >"$scratch/paths"
	GIT_INDEX_FILE=$scratch/index git -c core.attributesFile="$scratch/attributes" check-attr --cached -z --stdin merge \
		<"$scratch/paths" >"$scratch/values"
	# NUL and line feed change places: each path, name and value is a line. A path becomes a quoted pattern.
	LC_ALL=C tr '\n\000' '\001\n' <"$scratch/values" | LC_ALL=C sed '
		s/[][*?\\]/\\&/g; s/[\\"]/\\&/g; s/'"$(printf '\001')"'/\\n/g
		N; N; s/\(.*\)\nmerge\n\([^\n]*\)$/"\/\1" merge=\2/
		s/merge=unspecified$/!merge/; s/merge=set$/merge/; s/merge=unset$/-merge/
		/\.ya\{0,1\}ml" merge=yaml$/d; /\.ya\{0,1\}ml" !merge$/!{ / !merge$/d; }' >"$scratch/lines"
	info=$(git rev-parse --path-format=absolute --git-path info/attributes)
	mkdir -p "${info%/*}"
	[ ! -e "$info" ] || cp "$info" "$scratch/own"
	attributes=$info
	{
		echo '* -text !eol !crlf !ident !filter !working-tree-encoding !conflict-marker-size !merge'
		cat "$scratch/attributes" "$scratch/lines"
	} >"$info"
}

rebase() { replay || run_in_tree rebase -q "$base"; }
merge() { run_in_tree merge -q --no-edit -m "Merge branch '$BASE' into $BRANCH" "$base"; }
run_in_tree() {
	show_git worktree add -q --detach "$tree" "$before" || fail "cannot check out $BRANCH"
	show_git -C "$tree" "$@" || resolve_by_rules || return
	after=$(git -C "$tree" rev-parse HEAD)
}

base=refs/remotes/$remote/$BASE
fetch
git-merge-yaml install --local --attributes none >/dev/null || fail "cannot configure git"
before=$(git rev-parse "refs/remotes/$remote/$BRANCH")
if git merge-base --is-ancestor "$base" "$before"; then
	echo "$BRANCH has all of $BASE already"
	exit 0
fi
if [ "$method" = rebase ] && [ -n "$(git rev-list --merges -n 1 "$base..$before")" ]; then
	fail "$BRANCH has merges that $BASE has not, which a rebase would lose: METHOD=merge keeps them"
fi
use_attributes_of_base
if "$method"; then
	show_git push -q --force-with-lease="refs/heads/$BRANCH:$before" "$remote" "$after:refs/heads/$BRANCH" || fail "cannot push $BRANCH; was it pushed to meanwhile?"
	case $method in
	merge) echo "merged $BASE into $BRANCH" ;;
	rebase) echo "rebased $BRANCH onto $BASE" ;;
	esac
	exit 0
fi
[ -n "$(git -C "$tree" ls-files -u)" ] || fail "the $method did not start; see above"
write_report >"$report" || fail "cannot write $report"
echo "$BRANCH has conflicts with $BASE: see $report"
exit 1
