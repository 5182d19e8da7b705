#!/bin/sh
# Updates pull requests with their base: that of the event, or after a push all
# open ones of that base that have the label or, with ALL=true, that git alone leaves in
# conflict and that are by people who may push. Conflicts become one comment on the pull request, which the next run writes anew.
#
# The action sets: REPOSITORY, SERVER, TOKEN, METHOD, and PULL_REQUEST or BASE and LABEL or ALL. A
# table of what became of each goes to the file SUMMARY.
# It needs git, git-merge-yaml and gh, and changes nothing in the folder it is
# started in. It exits with 1 if a conflict is left in any of them, with 2 on any
# failure.
set -eu

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
. "$here/requests.sh"
server=$SERVER repository=$REPOSITORY ours=$REPOSITORY user=x-access-token sign='#'
export GH_TOKEN="$TOKEN"
[ -z "${PULL_REQUEST:-}" ] || ALL= # it was asked for

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
	case $(gh api "repos/$REPOSITORY/collaborators/$(encoded "$1")/permission" --jq .permission) in admin | write) ;; *) return 1 ;; esac
}
is_protected() { [ "$(gh api "repos/$REPOSITORY/branches/$(encoded "$1")" --jq .protected)" != false ]; }

# An app has no user of its own that the other API would tell.
author() { gh api graphql --raw-field query='{viewer{login}}' --jq .data.viewer.login; }
comments() {
	gh api --paginate "repos/$REPOSITORY/issues/$1/comments?per_page=100" \
		--jq '.[] | select(.user.login == env.AUTHOR and (.body | startswith(env.MARK))) | .id'
}
edit() { gh api --method PATCH "repos/$REPOSITORY/issues/comments/$2" --field "body=@$3"; }
add() { gh api --method POST "repos/$REPOSITORY/issues/$1/comments" --field "body=@$2"; }

start
update_requests
