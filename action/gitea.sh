#!/bin/sh
# Does what github.sh does, on Gitea and Forgejo: with the same settings, by their API. It
# needs git, git-merge-yaml, curl and jq.
set -eu

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
. "$here/requests.sh"
server=$SERVER repository=$REPOSITORY ours=$REPOSITORY user=x-access-token sign='#' pages=limit=50
export BASE="${BASE:-}" LABEL="${LABEL:-}" ALL="${ALL:-}"
[ -z "${PULL_REQUEST:-}" ] || ALL= # it was asked for
of_repository=repos/$REPOSITORY

requests() {
	row='[.number, .base.ref, .head.ref, (.head.repo.full_name // "none"), (.user.login // "none")] | @tsv'
	if [ -n "${PULL_REQUEST:-}" ]; then
		ask "$row" "$of_repository/pulls/$PULL_REQUEST"
	else
		each "select(.base.ref == env.BASE and (env.ALL == \"true\" or any(.labels[]?; .name == env.LABEL))) | $row" "$of_repository/pulls" --data state=open
	fi
}

# Only a token of somebody who administers the repository may ask what others may do.
may_write() {
	case $(ask .permission "$of_repository/collaborators/$(encoded "$1")/permission") in owner | admin | write) ;; *) return 1 ;; esac
}
is_protected() { [ "$(ask .protected "$of_repository/branches/$(encoded "$1")")" != false ]; }

# The token of a job may not ask who it is: it is the one that all jobs have.
author() { ask .login user 2>/dev/null || echo gitea-actions; }
comments() {
	ask '.[] | select(.user.login == env.AUTHOR and (.body | startswith(env.MARK))) | .id' "$of_repository/issues/$1/comments"
}
body() { jq -Rs '{body: .}' "$1" >"$work/body.json"; }
edit() { body "$3" && api "$of_repository/issues/comments/$2" --request PATCH --header 'Content-Type: application/json' --data "@$work/body.json"; }
add() { body "$2" && api "$of_repository/issues/$1/comments" --header 'Content-Type: application/json' --data "@$work/body.json"; }

start
use_api "$SERVER/api/v1" "Authorization: token $TOKEN"
update_requests
