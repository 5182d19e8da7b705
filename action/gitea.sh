#!/bin/sh
# Updates pull requests like github.sh, with the same settings, by the API of Gitea and Forgejo.
# It needs git, git-merge-yaml, curl and jq.
set -eu

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
. "$here/requests.sh"
server=$SERVER repository=$REPOSITORY ours=$REPOSITORY user=x-access-token sign='#' pages=limit=50
export BASE="${BASE:-}" LABEL="${LABEL:-}" ALL="${ALL:-}"
[ -z "${PULL_REQUEST:-}" ] || ALL= # one pull request was requested
of_repository=repos/$REPOSITORY

requests() {
	row='[.number, .base.ref, .head.ref, (.head.repo.full_name // "none"), (.user.login // "none")] | @tsv'
	if [ -n "${PULL_REQUEST:-}" ]; then
		ask "$row" "$of_repository/pulls/$PULL_REQUEST"
	else
		each "select(.base.ref == env.BASE and (env.ALL == \"true\" or any(.labels[]?; .name == env.LABEL))) | $row" "$of_repository/pulls" --data state=open
	fi
}

# Only a token of an administrator of the repository can read the permissions of other users.
may_write() {
	case $(ask .permission "$of_repository/collaborators/$(url_encode "$1")/permission") in owner | admin | write) ;; *) return 1 ;; esac
}
is_protected() { [ "$(ask .protected "$of_repository/branches/$(url_encode "$1")")" != false ]; }

# The token of a job cannot read its own user, which is the same for all jobs: gitea-actions.
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
