#!/bin/sh
# Updates pull requests with their base: that of the event, or after a push all
# open ones of that base that have the label or, with ALL=true, that git alone leaves in
# conflict. Conflicts become one comment on
# the pull request, which the next run writes anew. A pull request that fails does not
# keep the others back.
#
# The action sets: REPOSITORY, SERVER, TOKEN, and PULL_REQUEST or BASE and LABEL or ALL. A
# table of what became of each goes to the file SUMMARY.
# It needs git, git-merge-yaml and gh, and changes nothing in the folder it is
# started in. It exits with 1 if a conflict is left in any of them, with 2 on any
# failure.
set -eu

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
mark='<!-- git-merge-yaml -->'
export GH_TOKEN="$TOKEN"
work=$(mktemp -d "${TMPDIR:-/tmp}/git-merge-yaml.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 2' INT TERM

# The token is git's alone, and only for this server; it is in no file.
header="AUTHORIZATION: basic $(printf 'x-access-token:%s' "$TOKEN" | base64 | tr -d '\n')"
export GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0="http.$SERVER/.extraheader" GIT_CONFIG_VALUE_0="$header"
git init -q "$work/repository"
cd "$work/repository"
git remote add origin "$SERVER/$REPOSITORY.git"

# The pull requests to update: their number, base, branch and whose branch.
pulls() {
	row='[.number, .base.ref, .head.ref, (.head.repo.full_name // "none")] | @tsv'
	if [ -n "${PULL_REQUEST:-}" ]; then
		gh api "repos/$REPOSITORY/pulls/$PULL_REQUEST" --jq "$row"
	else
		gh api --method GET --paginate "repos/$REPOSITORY/pulls" --raw-field state=open --raw-field base="$BASE" --raw-field per_page=100 \
			--jq ".[] | select(env.ALL == \"true\" or any(.labels[]; .name == env.LABEL)) | $row"
	fi
}

# Whose token this is. An app has no user of its own that the other API would tell.
know_login() {
	[ -n "$LOGIN" ] || LOGIN=$(gh api graphql --raw-field query='{viewer{login}}' --jq .data.viewer.login)
	export LOGIN
	[ -n "$LOGIN" ]
}

# Writes the comment of pull request $1: the file $2. A comment that is there is
# written anew, if it is by the owner of the token: anybody can begin one so. With
# "old" nothing is said where there is none.
comment() {
	{ echo "$mark"; cat "$2"; } >"$work/body.md"
	know_login && gh api --paginate "repos/$REPOSITORY/issues/$1/comments?per_page=100" \
		--jq ".[] | select(.user.login == env.LOGIN and (.body | startswith(\"$mark\"))) | .id" >"$work/ids" || return
	id=$(head -n 1 "$work/ids")
	if [ -n "$id" ]; then
		gh api --method PATCH "repos/$REPOSITORY/issues/comments/$id" --field "body=@$work/body.md" >/dev/null
	elif [ "${3:-}" != old ]; then
		gh api --method POST "repos/$REPOSITORY/issues/$1/comments" --field "body=@$work/body.md" >/dev/null
	fi
}

# What git without the driver makes of each branch, in one go: preview has a line of JSON
# for each.
foresee() {
	git fetch -q --no-tags origin '+refs/heads/*:refs/remotes/origin/*' && git-merge-yaml preview --json "origin/$BASE" >"$work/preview"
}

# Whether git alone merges branch $1; what is not known is tried.
merges() {
	grep -F "\"name\":\"origin/$1\"," "$work/preview" | grep -Eq '"state":"(merged|clean)"'
}

# A row of the table: pull request, branch and result, as code that nothing ends.
tell() {
	printf '| #%s | `%s` | %s |\n' "$1" "$(printf %s "$2" | tr '`|\n' '???')" "$3" >>"$work/rows"
}

# The worst of all results.
result=0
LOGIN=
worst() { [ "$1" -le "$result" ] || result=$1; }

pulls >"$work/pulls" || exit 2
: >"$work/rows"
[ "${ALL:-}" != true ] || foresee || exit 2
while IFS='	' read -r number base branch owner; do
	if [ "$owner" != "$REPOSITORY" ]; then
		echo "#$number is a branch of $owner: branches of forks are not updated"
		continue
	fi
	if [ "${ALL:-}" = true ] && merges "$branch"; then
		tell "$number" "$branch" 'merges as it is'
		continue
	fi
	code=0
	BASE=$base BRANCH=$branch HEAD_REPOSITORY=$owner REPORT=$work/report.md sh "$here/update.sh" </dev/null || code=$?
	case $code in
	0)
		printf 'No conflict is left:\n\n    %s has all of %s\n' "$branch" "$base" >"$work/report.md"
		comment "$number" "$work/report.md" old || code=2
		;;
	1) comment "$number" "$work/report.md" || code=2 ;;
	*) code=2 ;;
	esac
	case $code in
	0) tell "$number" "$branch" 'is up to date' ;;
	1) tell "$number" "$branch" 'is in conflict, see the comment' ;;
	2)
		echo "#$number: this failed, see above"
		tell "$number" "$branch" 'failed, see the log'
		;;
	esac
	worst "$code"
done <"$work/pulls"
[ ! -s "$work/rows" ] || { printf '| | branch | |\n|---|---|---|\n' && cat "$work/rows"; } >>"${SUMMARY:-/dev/null}"
exit "$result"
