# What the scripts for GitHub, GitLab and Gitea have in common; they read it. Each sets the
# names below and begins with a call of start:
#
#   server, repository   where the branches are
#   user                 as whom git pushes with TOKEN
#   sign                 what stands before a number, # or !
#   ours                 whose branches are updated, in the rows of requests
#
# and says how its server is asked:
#
#   requests             a row per request: number, base, branch, whose branch it is, and who opened it
#   may_write AUTHOR     whether that person may push to the repository
#   is_protected BRANCH  whether the branch is; what cannot be told is
#   author               whose token this is
#   comments N           the ids of the comments by AUTHOR that begin with MARK
#   edit N ID FILE, add N FILE
#
# With ALL=true, requests that git alone merges are left, and so are those that somebody opened who may
# not push, and protected branches: to open a request, reading is enough. The default branch is never updated.
# With METHOD=rebase branches are rebased. A table of what became of each goes to stdout and to the file SUMMARY.

export MARK='<!-- git-merge-yaml -->'

# start makes a repository for the branches, and goes there. The token is git's alone, and only
# for this server; it is in no file that others read.
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

# curl for an API: its header is in a file, since everybody sees arguments.
use_api() { # URL HEADER
	url=$1
	(umask 077 && printf 'header = "%s"\n' "$2" >"$work/curl")
}
api() { # PATH [OPTION...]
	of=$1
	shift
	curl --config "$work/curl" --fail --silent --show-error "$@" "$url/$of"
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
	page=0 length=1
	while [ "$length" != 0 ]; do
		page=$((page + 1))
		ask ".[] | $item" "$@" --get --data "$pages" --data "page=$page" || return
		length=$(jq length "$work/answer")
	done
}
pages=per_page=100

# Writes the comment of request $1: the file $2. A comment that is there is written anew, if
# it is by the owner of the token: anybody can begin one so. With "old" nothing is said
# where there is none.
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

# A text as a part of an address: each byte as %XX.
encoded() {
	printf %s "$1" | LC_ALL=C od -An -v -tx1 | tr -d '\n' | tr ' ' '%'
}

# The default branch of the server's repository.
default_branch() {
	git ls-remote --symref origin HEAD | sed -n 's,^ref: refs/heads/\(.*\)	HEAD$,\1,p'
}

# What git without the driver makes of each branch, in one go: preview has a line of JSON
# for each. Without it every branch is tried.
foresee() {
	git fetch -q --no-tags origin '+refs/heads/*:refs/remotes/origin/*' || return
	git-merge-yaml preview --json "origin/$BASE" >"$work/preview" || : >"$work/preview"
}

# Whether git alone merges branch $1; what is not known is tried.
merges() {
	grep -F "\"name\":\"origin/$1\"," "$work/preview" | grep -Eq '"state":"(merged|clean)"'
}

# A row of the table: request, branch and result, as code that nothing ends.
tell() {
	printf '| %s%s | `%s` | %s |\n' "$sign" "$1" "$(printf %s "$2" | tr '`|\n' '???')" "$3" >>"$work/rows"
}

# Updates request $1, of base $2 and branch $3.
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
	0) tell "$1" "$3" 'is up to date' ;;
	1) tell "$1" "$3" 'is in conflict, see the comment' ;;
	2)
		echo "$sign$1: this failed, see above"
		tell "$1" "$3" 'failed, see the log'
		;;
	esac
}

# Updates all requests, and exits with the worst of what came out. One that fails does not
# keep the others back.
update_requests() {
	result=0
	requests >"$work/requests" || exit 2
	: >"$work/rows"
	[ -s "$work/requests" ] || exit 0
	default=$(default_branch)
	[ -n "$default" ] || { echo "the default branch of $repository is not known" >&2; exit 2; }
	[ "${ALL:-}" != true ] || foresee || exit 2
	while IFS='	' read -r number base branch owner by; do
		if [ "$owner" != "$ours" ]; then
			echo "$sign$number is a branch of $owner: branches of forks are not updated"
		elif [ "$branch" = "$default" ]; then
			echo "$sign$number is of $branch, the default branch, which is not updated"
		elif [ "${ALL:-}" = true ] && ! may_write "$by"; then
			echo "$sign$number is by $by, who may not push here as far as is known: the label asks for an update"
		elif [ "${ALL:-}" = true ] && is_protected "$branch"; then
			echo "$sign$number is of $branch, which is protected as far as is known: the label asks for an update"
		elif [ "${ALL:-}" = true ] && merges "$branch"; then
			tell "$number" "$branch" 'merges as it is'
		else
			update "$number" "$base" "$branch"
			[ "$code" -le "$result" ] || result=$code
		fi
	done <"$work/requests"
	[ ! -s "$work/rows" ] || { printf '| | branch | |\n|---|---|---|\n' && cat "$work/rows"; } | tee -a "${SUMMARY:-/dev/null}"
	exit "$result"
}
