#!/bin/sh
# Merges the base into the branches of pull requests: of PULL_REQUEST, or of all open pull requests with the base
# BASE that have the label LABEL. With ALL=true, instead of those with the label, it updates all with a conflict
# in git without the driver, if their authors may push. If a conflict remains, it writes one comment on the
# pull request; the next run replaces the comment.
#
# The action sets REPOSITORY, SERVER, TOKEN, METHOD, and either PULL_REQUEST, or BASE with LABEL or ALL. A table
# with the result of each pull request is appended to the file SUMMARY.
# It needs git, git-merge-yaml and gh, and does not change the current folder. The exit code is 1 if a pull
# request has a conflict, and 2 if an update failed.
set -eu

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
. "$here/requests.sh"
server=$SERVER repository=$REPOSITORY ours=$REPOSITORY user=x-access-token sign='#'
export GH_TOKEN="$TOKEN"
[ -z "${PULL_REQUEST:-}" ] || ALL= # one pull request was requested

requests() {
	row='[.number, .base.ref, .head.ref, (.head.repo.full_name // "none"), (.user.login // "none")] | @tsv'
	if [ -n "${PULL_REQUEST:-}" ]; then
		gh api "repos/$REPOSITORY/pulls/$PULL_REQUEST" --jq "$row"
	else
		gh api --method GET --paginate "repos/$REPOSITORY/pulls" --raw-field state=open --raw-field base="$BASE" --raw-field per_page=100 \
			--jq ".[] | select(env.ALL == \"true\" or any(.labels[]; .name == env.LABEL)) | $row"
	fi
}

may_write() {
	case $(gh api "repos/$REPOSITORY/collaborators/$(url_encode "$1")/permission" --jq .permission) in admin | write) ;; *) return 1 ;; esac
}
is_protected() { [ "$(gh api "repos/$REPOSITORY/branches/$(url_encode "$1")" --jq .protected)" != false ]; }

# The REST API does not return the user of an app; the GraphQL API does.
author() { gh api graphql --raw-field query='{viewer{login}}' --jq .data.viewer.login; }
comments() {
	gh api --paginate "repos/$REPOSITORY/issues/$1/comments?per_page=100" \
		--jq '.[] | select(.user.login == env.AUTHOR and (.body | startswith(env.MARK))) | .id'
}
edit() { gh api --method PATCH "repos/$REPOSITORY/issues/comments/$2" --field "body=@$3"; }
add() { gh api --method POST "repos/$REPOSITORY/issues/$1/comments" --field "body=@$2"; }

start
update_requests
