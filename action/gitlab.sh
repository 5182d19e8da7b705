#!/bin/sh
# Updates merge requests with their target branch: MERGE_REQUEST, or all open
# ones of the pipeline's branch that have the label LABEL. Conflicts become one
# comment on the merge request, which the next run writes anew.
#
# TOKEN is a project access token that may write the repository and use the API;
# the rest is set by GitLab. It needs git, git-merge-yaml, curl and jq. It exits
# with 1 if a conflict is left in any of them, with 2 on any failure.
set -eu

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
mark='<!-- git-merge-yaml -->'
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
api() { # PATH [OPTION...]
	path=$1
	shift
	curl --config "$work/curl" --fail --silent --show-error "$@" "$CI_API_V4_URL/projects/$CI_PROJECT_ID/$path"
}

requests() {
	row='[.iid, .target_branch, .source_branch, .source_project_id] | @tsv'
	if [ -n "${MERGE_REQUEST:-}" ]; then
		api "merge_requests/$MERGE_REQUEST" | jq -r "$row"
	else
		api merge_requests --get --data-urlencode "target_branch=$CI_COMMIT_BRANCH" --data-urlencode "labels=$LABEL" \
			--data state=opened --data per_page=100 | jq -r ".[] | $row"
	fi
}

# Writes the comment of merge request $1: the file $2. A comment that is there is
# written anew; with "old" nothing is said where there is none.
comment() {
	{ echo "$mark"; cat "$2"; } >"$work/body.md"
	id=$(api "merge_requests/$1/notes?per_page=100&sort=desc" |
		jq -r --arg mark "$mark" '[.[] | select(.body | startswith($mark)) | .id][0] // empty')
	if [ -n "$id" ]; then
		api "merge_requests/$1/notes/$id" --request PUT --form "body=<$work/body.md" >/dev/null
	elif [ "${3:-}" != old ]; then
		api "merge_requests/$1/notes" --form "body=<$work/body.md" >/dev/null
	fi
}

result=0
requests >"$work/requests"
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
		echo "No conflict is left: $branch has all of $base." >"$work/report.md"
		comment "$number" "$work/report.md" old
		;;
	1) comment "$number" "$work/report.md" ;;
	esac
	[ "$code" -le "$result" ] || result=$code
done <"$work/requests"
exit "$result"
