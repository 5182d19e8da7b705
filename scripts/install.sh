#!/bin/sh
# Builds git-merge-yaml, installs it for this user with its manual and the
# completions of bash, zsh and fish, tells git to use it for YAML files, and
# shows one merge in a scratch repository.
#
#   scripts/install.sh [--no-configure | --uninstall]
#
# It writes the program to GOBIN or ~/.local/bin, the manual to share/man beside
# that, the completions to ~/.local/share (XDG_DATA_HOME); to the user's git
# configuration (unless told --no-configure), to go's caches and to a temporary
# folder, and nowhere else. Run again, it updates all that. --uninstall removes
# it.
set -eu

fail() {
	echo "install.sh: $*" >&2
	exit 1
}

mode=configure
[ $# -le 1 ] || fail "want one option at most: --no-configure or --uninstall"
case ${1-} in
'') ;;
--no-configure | --uninstall) mode=${1#--} ;;
-h | --help) sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//p;}' "$0"; exit 0 ;;
*) fail "unknown option $1; there are --no-configure and --uninstall" ;;
esac

command -v git >/dev/null || fail "git is missing; get it from https://git-scm.com/downloads"
[ -n "${HOME:-}" ] || fail "HOME is not set"

command -v go >/dev/null || fail "go is missing; get it from https://go.dev/dl/"
bin=$(go env GOBIN)
bin=${bin:-$HOME/.local/bin}
program=$bin/git-merge-yaml$(go env GOEXE)
# man looks for pages beside the folders of PATH that are called bin.
data=${XDG_DATA_HOME:-$HOME/.local/share}
case $bin in
*/bin) man=${bin%/bin}/share/man/man1/git-merge-yaml.1 ;;
*) man=$data/man/man1/git-merge-yaml.1 ;;
esac
bash=${BASH_COMPLETION_USER_DIR:-$data/bash-completion}/completions/git-merge-yaml
zsh=$data/zsh/site-functions/_git-merge-yaml
fish=$data/fish/vendor_completions.d/git-merge-yaml.fish

if [ "$mode" = uninstall ]; then
	[ ! -x "$program" ] || "$program" uninstall
	for file in "$program" "$man" "$bash" "$zsh" "$fish"; do
		[ ! -e "$file" ] || { rm -f "$file" && echo "Removed $file"; }
	done
	echo "What install --local wrote into a repository stays there; git merges by lines" \
		"without the program"
	exit 0
fi

source=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
scratch=$(mktemp -d "${TMPDIR:-/tmp}/git-merge-yaml.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM

# Builds into bin. The tag leaves out a generator of manual pages, which would
# cost a third of a millisecond at every start.
build() {
	mkdir -p "$bin"
	vcs=auto # without the checkout's own history there is no version to stamp
	git -C "$source" rev-parse >/dev/null 2>&1 || vcs=false
	(cd "$source" && GOWORK=off GOFLAGS=-mod=readonly GOBIN=$bin go install -buildvcs=$vcs -tags urfave_cli_no_docs ./cmd/git-merge-yaml)
	echo "Installed $program"
	case ":$PATH:" in
	*":$bin:"*) ;;
	*) echo "  $bin is not on your PATH: git calls the program by its full path; for" \
		"\`git merge-yaml\` add to your shell's profile:" && echo "    export PATH=\"$bin:\$PATH\"" ;;
	esac
}

add_help() {
	mkdir -p "${man%/*}" "${bash%/*}" "${zsh%/*}" "${fish%/*}"
	cp "$source/docs/git-merge-yaml.1" "$man"
	"$program" completion bash >"$bash"
	"$program" completion zsh >"$zsh"
	"$program" completion fish >"$fish"
	echo "  the manual, for git help merge-yaml: $man"
	echo "  completions: $bash"
	echo "    $zsh (its folder has to be in zsh's fpath)"
	echo "    $fish"
}

configure() {
	echo
	if [ "$mode" = no-configure ]; then
		echo "Left your git configuration as it is; this makes it: $program install"
		return
	fi
	echo "Telling git to merge YAML files with it, for this user:"
	told=$("$program" install)
	echo "$told" | sed 's/^/  /'
	echo "  (to undo this: $program uninstall; to undo all: scripts/install.sh --uninstall)"
}

# Git in the scratch folder knows no configuration but its own.
scratch_git() {
	(
		cd "$scratch/repo"
		unset GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE XDG_CONFIG_HOME GIT_MERGE_YAML
		export HOME="$scratch" GIT_CONFIG_NOSYSTEM=1 GIT_CONFIG_GLOBAL=/dev/null
		"$@"
	)
}

version() { # NAME REPLICAS IMAGE
	cat >"$scratch/repo/web.yaml" <<-END
		kind: Deployment
		metadata:
		  name: web
		spec:
		  replicas: $2
		  image: registry.example.com/web:$3
	END
	scratch_git git add web.yaml
	scratch_git git -c user.name=you -c user.email=you@example.com commit -q -m "$1"
}

merge() {
	scratch_git git -c user.name=you -c user.email=you@example.com merge -q --no-edit side >/dev/null 2>&1 || :
	sed 's/^/    /' "$scratch/repo/web.yaml"
}

show() {
	mkdir "$scratch/repo"
	scratch_git git init -q
	version base '2 # two are enough' 1.0
	scratch_git git branch side
	version ours '3 # two were not' 1.0
	scratch_git git checkout -q side
	version theirs '2 # two are enough' 1.1
	scratch_git git checkout -q -
	echo
	echo "One side changes the replicas, the other the image. Git by itself:"
	merge
	scratch_git git reset -q --hard
	scratch_git "$program" install --local --attributes=info >/dev/null
	echo "Git with git-merge-yaml:"
	merge
}

build
add_help
configure
show
