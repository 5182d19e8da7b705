#!/bin/sh
# Merges the target branch into the branches of merge requests: of MERGE_REQUEST, or of all open merge requests
# into the branch of the pipeline that have the label LABEL. With ALL=true, instead of those with the label, it
# updates all with a conflict in git without the driver. If a conflict remains, it writes one comment on the
# merge request; the next run replaces the comment.
#
# TOKEN is a project access token with write access to the repository and the API. METHOD is merge or rebase.
# GitLab sets the other variables. A table with the result of each merge request is appended to the file
# SUMMARY. It needs git, git-merge-yaml, curl and jq. The exit code is 1 if a merge request has a conflict,
# and 2 if an update failed.
set -eu

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
. "$here/requests.sh"
server=$CI_SERVER_URL repository=$CI_PROJECT_PATH ours=$CI_PROJECT_ID user=git-merge-yaml sign='!'
BASE=${CI_COMMIT_BRANCH:-}
case ${MERGE_REQUEST:-} in
*[!0-9]*)
	echo "gitlab.sh: MERGE_REQUEST is no number" >&2
	exit 2
	;;
?*) ALL= ;; # one merge request was requested
esac
all=projects/$CI_PROJECT_ID/merge_requests

requests() {
	row='[.iid, .target_branch, .source_branch, (if "\(.source_project_id)" == env.CI_PROJECT_ID then .source_project_id else "another project" end), (.author.id // "none")] | @tsv'
	if [ -n "${MERGE_REQUEST:-}" ]; then
		ask "$row" "$all/$MERGE_REQUEST"
	elif [ "${ALL:-}" = true ]; then
		each "$row" "$all" --data-urlencode "target_branch=$BASE" --data state=opened
	else
		each "$row" "$all" --data-urlencode "target_branch=$BASE" --data-urlencode "labels=$LABEL" --data state=opened
	fi
}

# 30 is the access level of developers.
may_write() { [ "$(ask '.access_level >= 30' "projects/$CI_PROJECT_ID/members/all/$1")" = true ]; }
is_protected() { [ "$(ask .protected "projects/$CI_PROJECT_ID/repository/branches/$(url_encode "$1")")" != false ]; }

author() { ask .id user; }
comments() { each 'select("\(.author.id)" == env.AUTHOR and (.body | startswith(env.MARK))) | .id' "$all/$1/notes"; }
edit() { api "$all/$1/notes/$2" --request PUT --form "body=<$3"; }
add() { api "$all/$1/notes" --form "body=<$2"; }

start
use_api "$CI_API_V4_URL" "PRIVATE-TOKEN: $TOKEN"
update_requests
