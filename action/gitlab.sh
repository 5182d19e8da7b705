#!/bin/sh
# Updates merge requests with their target branch: MERGE_REQUEST, or all open
# ones of the pipeline's branch that have the label LABEL. Conflicts become one
# comment on the merge request, which the next run writes anew. A merge request that
# fails does not keep the others back.
#
# TOKEN is a project access token that may write the repository and use the API;
# the rest is set by GitLab. It needs git, git-merge-yaml, curl and jq. It exits
# with 1 if a conflict is left in any of them, with 2 on any failure.
set -eu

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
export MARK='<!-- git-merge-yaml -->'
work=$(mktemp -d "${TMPDIR:-/tmp}/git-merge-yaml.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 2' INT TERM

header="AUTHORIZATION: basic $(printf 'git-merge-yaml:%s' "$TOKEN" | base64 | tr -d '\n')"
export GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0="http.$CI_SERVER_URL/.extraheader" GIT_CONFIG_VALUE_0="$header"
git init -q "$work/repository"
cd "$work/repository"
git remote add origin "$CI_SERVER_URL/$CI_PROJECT_PATH.git"

# The token is in a file for curl, since everybody sees arguments.
(umask 077 && printf 'header = "PRIVATE-TOKEN: %s"\n' "$TOKEN" >"$work/curl")
requests_of=projects/$CI_PROJECT_ID/merge_requests
api() { # PATH [OPTION...]
	of=$1
	shift
	curl --config "$work/curl" --fail --silent --show-error "$@" "$CI_API_V4_URL/$of"
}

# What jq makes of an answer, or of each item of a list, page by page.
ask() { # QUERY PATH [OPTION...]
	query=$1
	shift
	api "$@" >"$work/answer" && jq -r "$query" "$work/answer"
}
each() { # QUERY PATH [OPTION...]
	item=$1
	shift
	page=0 length=100
	while [ "$length" = 100 ]; do
		page=$((page + 1))
		ask ".[] | $item" "$@" --get --data per_page=100 --data "page=$page" || return
		length=$(jq length "$work/answer")
	done
}

requests() {
	row='[.iid, .target_branch, .source_branch, .source_project_id] | @tsv'
	if [ -n "${MERGE_REQUEST:-}" ]; then
		ask "$row" "$requests_of/$MERGE_REQUEST"
	else
		each "$row" "$requests_of" --data-urlencode "target_branch=$CI_COMMIT_BRANCH" --data-urlencode "labels=$LABEL" --data state=opened
	fi
}

# Whose token this is.
know_author() {
	[ -n "$AUTHOR" ] || AUTHOR=$(ask .id user)
	export AUTHOR
	[ -n "$AUTHOR" ]
}

# Writes the comment of merge request $1: the file $2. A comment that is there is
# written anew, if it is by the owner of the token: anybody can begin one so. With
# "old" nothing is said where there is none.
comment() {
	{ echo "$MARK"; cat "$2"; } >"$work/body.md"
	notes=$requests_of/$1/notes
	know_author && each 'select("\(.author.id)" == env.AUTHOR and (.body | startswith(env.MARK))) | .id' "$notes" >"$work/ids" || return
	id=$(head -n 1 "$work/ids")
	if [ -n "$id" ]; then
		api "$notes/$id" --request PUT --form "body=<$work/body.md" >/dev/null
	elif [ "${3:-}" != old ]; then
		api "$notes" --form "body=<$work/body.md" >/dev/null
	fi
}

# The worst of all results.
result=0
AUTHOR=
worst() { [ "$1" -le "$result" ] || result=$1; }

case ${MERGE_REQUEST:-} in
*[!0-9]*)
	echo "gitlab.sh: MERGE_REQUEST is no number" >&2
	exit 2
	;;
esac
requests >"$work/requests" || exit 2
while IFS='	' read -r number base branch project; do
	if [ "$project" != "$CI_PROJECT_ID" ]; then
		echo "!$number is a branch of another project: branches of forks are not updated"
		continue
	fi
	code=0
	BASE=$base BRANCH=$branch REPOSITORY=$CI_PROJECT_PATH HEAD_REPOSITORY=$CI_PROJECT_PATH REPORT=$work/report.md \
		sh "$here/update.sh" </dev/null || code=$?
	case $code in
	0)
		printf 'No conflict is left:\n\n    %s has all of %s\n' "$branch" "$base" >"$work/report.md"
		comment "$number" "$work/report.md" old || code=2
		;;
	1) comment "$number" "$work/report.md" || code=2 ;;
	*) code=2 ;;
	esac
	[ "$code" != 2 ] || echo "!$number: this failed, see above"
	worst "$code"
done <"$work/requests"
exit "$result"
