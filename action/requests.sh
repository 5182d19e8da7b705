# Functions for the scripts github.sh, gitlab.sh and gitea.sh, which source this file and update pull requests or
# merge requests ("requests"). Each script sets these variables:
#
#   server, repository   address of the server, and path of the repository on it
#   user                 user name for pushing with TOKEN
#   sign                 character before the number of a request, # or !
#   ours                 owner of the branches that are updated, as in the rows of requests
#
# and defines these functions, which call the API of the server:
#
#   requests             prints a row for each request: number, base, branch, owner of the branch, author
#   may_write AUTHOR     succeeds if the user may push to the repository
#   is_protected BRANCH  succeeds if the branch is protected, or if that is not known
#   author               prints the user of the token
#   comments N           prints the IDs of the comments on request N that are by AUTHOR and start with MARK
#   edit N ID FILE       replaces a comment by the content of FILE
#   add N FILE           adds a comment with the content of FILE
#
# Then it calls start and update_requests.
#
# With ALL=true, three kinds of requests are skipped: those that git merges without the driver, those of
# authors who may not push (read access is enough to open a request), and those of protected branches. The
# default branch is never updated. With METHOD=rebase, branches are rebased. A table of the results is
# printed and appended to the file SUMMARY.

export MARK='<!-- git-merge-yaml -->'

# start creates an empty temporary repository with the server as its remote, and changes to it. Git sends the
# token only to this server. Its header is in the environment, which other users of the machine cannot read.
start() {
	work=$(mktemp -d "${TMPDIR:-/tmp}/git-merge-yaml.XXXXXX")
	trap 'rm -rf "$work"' EXIT
	trap 'exit 2' INT TERM
	header="AUTHORIZATION: basic $(printf '%s:%s' "$user" "$TOKEN" | base64 | tr -d '\n')"
	export GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0="http.$server/.extraheader" GIT_CONFIG_VALUE_0="$header"
	git init -q --bare "$work/repository"
	cd "$work/repository"
	git remote add origin "$server/$repository.git"
}

# use_api sets the address of the API and the header with the token. The header is in a file that only this user
# can read, because other users of the machine can read the arguments of curl. api sends a request.
use_api() { # URL HEADER
	url=$1
	(umask 077 && printf 'header = "%s"\n' "$2" >"$work/curl")
}
api() { # PATH [OPTION...]
	path=$1
	shift
	curl --config "$work/curl" --fail --silent --show-error "$@" "$url/$path"
}

# ask prints the output of a jq query for a response. each does so for each item of a list, from all its pages.
ask() { # QUERY PATH [OPTION...]
	query=$1
	shift
	api "$@" >"$work/answer" && jq -r "$query" "$work/answer"
}
each() { # QUERY PATH [OPTION...]
	item=$1
	shift
	page=0 length=1
	while [ "$length" != 0 ]; do
		page=$((page + 1))
		# The first line is the number of items on the page.
		ask "length, (.[] | $item)" "$@" --get --data "$pages" --data "page=$page" >"$work/page" || return
		read -r length <"$work/page"
		tail -n +2 "$work/page"
	done
}
pages=per_page=100

# Writes the file $2 as a comment on request $1. It replaces an existing comment that starts with MARK, but only
# if the user of the token wrote it, since other users can write MARK, too. If $3 is "old", it does not
# add a new comment.
AUTHOR=
comment() {
	{ echo "$MARK"; cat "$2"; } >"$work/body.md"
	[ -n "$AUTHOR" ] || AUTHOR=$(author)
	[ -n "$AUTHOR" ] || return
	export AUTHOR
	comments "$1" >"$work/ids" || return
	id=$(head -n 1 "$work/ids")
	if [ -n "$id" ]; then
		edit "$1" "$id" "$work/body.md" >/dev/null
	elif [ "${3:-}" != old ]; then
		add "$1" "$work/body.md" >/dev/null
	fi
}

# Prints a text encoded for a URL: each byte as %XX.
url_encode() {
	printf %s "$1" | LC_ALL=C od -An -v -tx1 | tr -d '\n' | tr ' ' '%'
}

# Prints the name of the default branch of the repository on the server.
default_branch() {
	git ls-remote --symref origin HEAD | sed -n 's,^ref: refs/heads/\(.*\)	HEAD$,\1,p'
}

# Fetches all branches and previews their merges without the driver: the file preview gets a line of JSON for each
# branch. If the preview fails, the file is empty and all branches are updated.
preview_merges() {
	git fetch -q --no-tags origin '+refs/heads/*:refs/remotes/origin/*' || return
	git-merge-yaml preview --json "origin/$BASE" >"$work/preview" || : >"$work/preview"
}

# Succeeds if, by the preview, git merges branch $1 without the driver. It fails if that is not known.
merges_cleanly() {
	grep -F "\"name\":\"origin/$1\"," "$work/preview" | grep -Eq '"state":"(merged|clean)"'
}

# Adds a row to the table: request $1, branch $2 and result $3. Characters that would end the code or the cell
# are replaced in the name of the branch.
add_row() {
	printf '| %s%s | `%s` | %s |\n' "$sign" "$1" "$(printf %s "$2" | tr '`|\n' '???')" "$3" >>"$work/rows"
}

# Updates request $1, with base $2 and branch $3. It adds a row to the table, and writes or replaces the comment.
# It sets code: 0 if the branch is up to date, 1 if there is a conflict, 2 if the update failed.
update() {
	code=0
	BASE=$2 BRANCH=$3 REPOSITORY=$repository HEAD_REPOSITORY=$repository REPORT=$work/report.md sh "$here/update.sh" </dev/null || code=$?
	case $code in
	0)
		printf 'No conflict is left:\n\n    %s has all of %s\n' "$3" "$2" >"$work/report.md"
		comment "$1" "$work/report.md" old || code=2
		;;
	1) comment "$1" "$work/report.md" || code=2 ;;
	*) code=2 ;;
	esac
	case $code in
	0) add_row "$1" "$3" 'is up to date' ;;
	1) add_row "$1" "$3" 'is in conflict, see the comment' ;;
	2)
		echo "$sign$1: this failed, see above"
		add_row "$1" "$3" 'failed, see the log'
		;;
	esac
}

# Updates all requests and exits with the highest code. After a failure it continues with the next request.
update_requests() {
	result=0
	requests >"$work/requests" || exit 2
	: >"$work/rows"
	[ -s "$work/requests" ] || exit 0
	default=$(default_branch)
	[ -n "$default" ] || { echo "the default branch of $repository is not known" >&2; exit 2; }
	[ "${ALL:-}" != true ] || preview_merges || exit 2
	while IFS='	' read -r number base branch owner by; do
		if [ "$owner" != "$ours" ]; then
			echo "$sign$number is a branch of $owner: branches of forks are not updated"
		elif [ "$branch" = "$default" ]; then
			echo "$sign$number is of $branch, the default branch, which is not updated"
		elif [ "${ALL:-}" = true ] && ! may_write "$by"; then
			echo "$sign$number is by $by, who may not push here as far as is known: the label asks for an update"
		elif [ "${ALL:-}" = true ] && is_protected "$branch"; then
			echo "$sign$number is of $branch, which is protected as far as is known: the label asks for an update"
		elif [ "${ALL:-}" = true ] && merges_cleanly "$branch"; then
			add_row "$number" "$branch" 'merges as it is'
		else
			update "$number" "$base" "$branch"
			[ "$code" -le "$result" ] || result=$code
		fi
	done <"$work/requests"
	[ ! -s "$work/rows" ] || { printf '| | branch | |\n|---|---|---|\n' && cat "$work/rows"; } | tee -a "${SUMMARY:-/dev/null}"
	exit "$result"
}
