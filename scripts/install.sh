#!/bin/sh
# Builds git-merge-yaml and installs it for this user, with its manual and the
# completions of bash, zsh and fish. Then it configures git to use it for YAML
# files, and shows one merge in a temporary repository.
#
#   scripts/install.sh [--no-configure | --uninstall]
#
# It needs git and the version of Go in go.mod. --uninstall needs only git.
#
# It writes the program to GOBIN or ~/.local/bin, the manual to share/man next
# to that folder, and the completions to ~/.local/share (XDG_DATA_HOME). It also
# writes to the user's git configuration (not with --no-configure), to the
# caches of go, and to a temporary folder. Run it again to update all of these.
# --uninstall removes them, except for the caches.
set -eu

fail() {
	echo "install.sh: $*" >&2
	exit 1
}

mode=configure
usage="usage: scripts/install.sh [--no-configure | --uninstall]"
[ $# -le 1 ] || fail "too many arguments; $usage"
case ${1-} in
'') ;;
--no-configure | --uninstall) mode=${1#--} ;;
-h | --help) sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//p;}' "$0"; exit 0 ;;
*) fail "unknown option $1; $usage" ;;
esac

command -v git >/dev/null || fail "git not found; install git: https://git-scm.com/downloads"
[ -n "${HOME:-}" ] || fail "HOME is not set"

if command -v go >/dev/null; then
	# In /, where no go.mod can ask for another version of go.
	bin=$(cd / && go env GOBIN)
	exe=$(cd / && go env GOEXE)
elif [ "$mode" = uninstall ]; then
	bin=${GOBIN-} exe=
else
	fail "go not found; install Go: https://go.dev/dl/"
fi
bin=${bin:-$HOME/.local/bin}
program=$bin/git-merge-yaml$exe
# For a folder bin of PATH, man looks for pages in share/man next to it.
data=${XDG_DATA_HOME:-$HOME/.local/share}
case $bin in
*/bin) man=${bin%/bin}/share/man/man1/git-merge-yaml.1 ;;
*) man=$data/man/man1/git-merge-yaml.1 ;;
esac
bash=${BASH_COMPLETION_USER_DIR:-$data/bash-completion}/completions/git-merge-yaml
zsh=$data/zsh/site-functions/_git-merge-yaml
fish=$data/fish/vendor_completions.d/git-merge-yaml.fish

if [ "$mode" = uninstall ]; then
	if [ -x "$program" ]; then
		"$program" uninstall
	else
		echo "$program not found, so git's configuration is unchanged; if it is in another folder, set GOBIN"
	fi
	for file in "$program" "$man" "$bash" "$zsh" "$fish"; do
		[ ! -e "$file" ] || { rm -f "$file" && echo "removed $file"; }
	done
	echo "Repositories keep the settings of install --local; without the program, git merges" \
		"YAML files by lines there"
	exit 0
fi

source=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
scratch=$(mktemp -d "${TMPDIR:-/tmp}/git-merge-yaml.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM

# Fails if go is older than go.mod requires and does not get a newer one by itself, as Go 1.21 and later can.
check_go() {
	need=$(sed -n 's/^go \([0-9]*\.[0-9]*\).*/\1/p' "$source/go.mod")
	have=$(cd "$source" && GOWORK=off go version) ||
		fail "git-merge-yaml needs Go $need or later, and go could not download this version; install Go: https://go.dev/dl/"
	have=$(echo "$have" | sed -n 's/^go version.* go\([0-9]*\.[0-9]*\).*/\1/p')
	[ -z "$have" ] || [ "${have%.*}" -gt "${need%.*}" ] || [ "${have#*.}" -ge "${need#*.}" ] ||
		fail "git-merge-yaml needs Go $need or later, found Go $have; install Go: https://go.dev/dl/"
}

# Builds the program into $bin. The tag leaves out a generator of manual pages,
# which would cost a third of a millisecond at each start.
build() {
	vcs=auto # false without a git history, which the version comes from
	git -C "$source" rev-parse >/dev/null 2>&1 || vcs=false
	echo "building, about a minute"
	(cd "$source" && GOWORK=off GOFLAGS=-mod=readonly GOBIN=$bin go install -buildvcs=$vcs -tags urfave_cli_no_docs ./cmd/git-merge-yaml)
	echo "installed $program"
	case ":$PATH:" in
	*":$bin:"*) ;;
	*) echo "  $bin is not on your PATH; git merges without this, but to run git merge-yaml" \
		"yourself, add this line to your shell's profile:" && echo "    export PATH=\"$bin:\$PATH\"" ;;
	esac
}

# Installs the manual and the completions.
add_help() {
	mkdir -p "${man%/*}" "${bash%/*}" "${zsh%/*}" "${fish%/*}"
	cp "$source/docs/git-merge-yaml.1" "$man"
	"$program" completion bash >"$bash"
	"$program" completion zsh >"$zsh"
	"$program" completion fish >"$fish"
	echo "  manual (git help merge-yaml): $man"
	echo "  completions: $bash"
	echo "    $zsh (add the folder to zsh's fpath)"
	echo "    $fish"
}

# Configures git, unless the mode is no-configure.
configure() {
	echo
	if [ "$mode" = no-configure ]; then
		echo "Left your git configuration unchanged; to configure git, run: $program install"
		return
	fi
	echo "Configuring git to merge YAML files with git-merge-yaml, for this user:"
	changes=$("$program" install)
	echo "$changes" | sed 's/^/  /'
	echo "  (to undo this: $program uninstall; to undo all: scripts/install.sh --uninstall)"
}

# Runs a command in the temporary repository, without the configuration of the
# user and the system.
scratch_git() {
	(
		cd "$scratch/repo"
		unset GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE XDG_CONFIG_HOME GIT_MERGE_YAML
		export HOME="$scratch" GIT_CONFIG_NOSYSTEM=1 GIT_CONFIG_GLOBAL=/dev/null
		"$@"
	)
}

# Commits a version of web.yaml in the temporary repository.
version() { # MESSAGE REPLICAS IMAGE
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

# Merges the branch side and prints the resulting file.
merge() {
	scratch_git git -c user.name=you -c user.email=you@example.com merge -q --no-edit side >/dev/null 2>&1 || :
	sed 's/^/    /' "$scratch/repo/web.yaml"
}

# Shows the same merge by git without and with the driver.
show() {
	mkdir "$scratch/repo"
	scratch_git git init -q
	version base '2 # two are enough' 1.0
	scratch_git git branch side
	version ours '3 # two are not enough' 1.0
	scratch_git git checkout -q side
	version theirs '2 # two are enough' 1.1
	scratch_git git checkout -q -
	echo
	echo "One side changes the replicas, the other side changes the image. Git without git-merge-yaml:"
	merge
	scratch_git git reset -q --hard
	scratch_git "$program" install --local --attributes=info >/dev/null
	echo "Git with git-merge-yaml:"
	merge
}

check_go
build
add_help
configure
show
