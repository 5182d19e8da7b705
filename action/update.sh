#!/bin/sh
# Merges the branch BASE into BRANCH with git-merge-yaml, and pushes BRANCH.
# Servers that you do not run know no merge drivers; a job that runs this does.
#
#   BASE=main BRANCH=topic REPOSITORY=a/b HEAD_REPOSITORY=a/b sh update.sh
#
# With METHOD=rebase the commits of BRANCH are put on BASE instead; it refuses where merges are among them.
# It exits with 0 if BRANCH has all of BASE now, with 1 if a conflict is left
# (nothing is pushed, and REPORT, by default conflicts.md, says what to decide),
# and with 2 on any failure. A branch of another repository is refused.
#
# The team's rules are those of BASE, whatever BRANCH has.
#
# Nothing of either branch is run: hooks are off, submodules and files of LFS
# are left where they are, and the merge happens in a work tree of its own.
set -eu

# A log takes lines that begin with :: or have ##[ for commands, and a terminal what has
# control characters: no name of a branch or a file is to be one.
harmless() {
	LC_ALL=C tr '\000-\010\013-\037\177' '?' | sed 's/##\[/## [/g; s/^/'"$1"': /'
}

fail() {
	echo "$(printf %s "$*" | tr '\n' '?')" | harmless update.sh >&2
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
cleanup() {
	git worktree remove --force "$tree" 2>/dev/null || :
	git update-ref -d "$replayed" 2>/dev/null || :
	rm -rf "$scratch"
}
trap cleanup EXIT
trap 'exit 2' INT TERM

# The attributes are git's weakest: those of the repository win.
printf '%s merge=yaml\n' '*.yaml' '*.yml' >"$scratch/attributes"
quiet_git() {
	git -c core.hooksPath=/dev/null -c core.attributesFile="$scratch/attributes" \
		-c merge.yaml.own="$own" -c merge.yaml.rulesFrom="$base" "$@"
}

# Runs git, and shows what it says.
shown() {
	said=0
	quiet_git "$@" >"$scratch/said" 2>&1 </dev/null || said=$?
	harmless git <"$scratch/said" >&2
	return "$said"
}

fetch() {
	[ "$(git rev-parse --is-shallow-repository)" = false ] || deepen=--unshallow
	shown fetch -q ${deepen:-} --no-tags --no-recurse-submodules "$remote" \
		"+refs/heads/$BASE:refs/remotes/$remote/$BASE" "+refs/heads/$BRANCH:refs/remotes/$remote/$BRANCH" ||
		fail "cannot fetch $BASE and $BRANCH of $remote"
}

# A word as a shell reads it: also what begins with #, -, = or ~ means more to one.
word() {
	case $1 in
	[!A-Za-z0-9._/@+]* | *[!A-Za-z0-9._/@#=+-]*) printf "'%s'" "$(printf %s "$1" | sed "s/'/'\\\\''/g")" ;;
	*) printf %s "$1" ;;
	esac
}

write_report() {
	printf 'This branch does not merge with its base by itself. To decide what is left:\n\n'
	echo "    git fetch $(word "$remote") && git checkout $(word "$BRANCH") && git $method $(word "$remote/$BASE")"
	printf '    git merge-yaml resolve -i\n\n'
	quiet_git -C "$tree" merge-yaml explain --markdown --own "$own" 2>"$scratch/said" || unexplained
}

# What is unmerged, as git quotes names, as far as a comment has room for it.
unexplained() {
	printf 'This cannot be explained:\n\n'
	{ head -n 20 "$scratch/said" && git -C "$tree" diff --name-only --diff-filter=U; } >"$scratch/names"
	head -n 300 "$scratch/names" | cut -c 1-150 | sed 's/^/    /'
	more=$(($(wc -l <"$scratch/names") - 300))
	[ "$more" -le 0 ] || printf '\nand %s more.\n' "$more"
}

# The branch's work is one's own: for versions and other fields that
# a team's rules decide by that (docs/helm.md). Nothing in the work tree says it.
[ "$method" = rebase ] && own=theirs || own=ours

# Puts the branch on its base without a work tree, where git can; not in a clone, where
# git takes the attributes of what is checked out.
replay() {
	[ "$(git rev-parse --is-bare-repository)" = true ] || return
	quiet_git update-ref "$replayed" "$before"
	quiet_git replay --onto "$base" "$base..$replayed" >"$scratch/updates" 2>/dev/null || return
	read -r _ _ after _ <"$scratch/updates" || after=$(git rev-parse "$replayed") # later ones of git update it
}

# Git asks no driver about files that one side deleted; a rule of the team may say what becomes of them.
by_rule() {
	while [ -n "$(git -C "$tree" ls-files -u)" ]; do
		resolved=0
		quiet_git -C "$tree" merge-yaml resolve --own "$own" >"$scratch/said" 2>&1 || resolved=$?
		harmless git-merge-yaml <"$scratch/said" >&2
		[ "$resolved" = 0 ] && [ -z "$(git -C "$tree" ls-files -u)" ] || return 1
		case $method in
		merge) shown -C "$tree" commit -q --no-edit && return ;;
		rebase) shown -C "$tree" -c core.editor=: rebase --continue && return ;;
		esac
	done
	return 1
}

rebase() { replay || in_tree rebase -q "$base"; }
merge() { in_tree merge -q --no-edit -m "Merge branch '$BASE' into $BRANCH" "$base"; }
in_tree() {
	shown worktree add -q --detach "$tree" "$before" || fail "cannot check out $BRANCH"
	shown -C "$tree" "$@" || by_rule || return
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
if "$method"; then
	shown push -q --force-with-lease="refs/heads/$BRANCH:$before" "$remote" "$after:refs/heads/$BRANCH" || fail "cannot push $BRANCH; was it pushed to meanwhile?"
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
