#!/bin/sh
# Builds git-merge-yaml, installs it for this user, tells git to use it for
# YAML files, and shows one merge in a scratch repository.
#
#   scripts/install.sh [--no-configure]
#
# It writes to GOBIN or ~/.local/bin, to the user's git configuration (unless
# told --no-configure), to go's caches and to a temporary folder, and nowhere
# else. Run again, it updates the program. Undo: git merge-yaml uninstall, and
# remove the program.
set -eu

fail() {
	echo "install.sh: $*" >&2
	exit 1
}

configure=yes
for arg; do
	case $arg in
	--no-configure) configure=no ;;
	-h | --help) sed -n '2,/^set/s/^# \{0,1\}//p' "$0"; exit 0 ;;
	*) fail "unknown option $arg; there is only --no-configure" ;;
	esac
done

command -v go >/dev/null || fail "go is missing; get it from https://go.dev/dl/"
command -v git >/dev/null || fail "git is missing; get it from https://git-scm.com/downloads"
[ -n "${HOME:-}" ] || fail "HOME is not set"

source=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
scratch=$(mktemp -d "${TMPDIR:-/tmp}/git-merge-yaml.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM

# Builds into GOBIN. The tag leaves out a generator of manual pages, which
# would cost a third of a millisecond at every start.
build() {
	bin=$(go env GOBIN)
	bin=${bin:-$HOME/.local/bin}
	mkdir -p "$bin"
	vcs=auto # without the checkout's own history there is no version to stamp
	git -C "$source" rev-parse >/dev/null 2>&1 || vcs=false
	(cd "$source" && GOBIN=$bin go install -buildvcs=$vcs -tags urfave_cli_no_docs ./cmd/git-merge-yaml)
	program=$bin/git-merge-yaml$(go env GOEXE)
	echo "Installed $program"
	case ":$PATH:" in
	*":$bin:"*) ;;
	*) echo "  $bin is not on your PATH: git calls the program by its full path; for" \
		"\`git merge-yaml\` add to your shell's profile:" && echo "    export PATH=\"$bin:\$PATH\"" ;;
	esac
}

configure() {
	echo
	if [ "$configure" = no ]; then
		echo "Left your git configuration as it is; this makes it: $program install"
		return
	fi
	echo "Telling git to merge YAML files with it, for this user:"
	told=$("$program" install)
	echo "$told" | sed 's/^\(set merge.yaml.driver.*) to: \).*/\1a line that runs it, and git merge-file should it fail/; s/^/  /'
	echo "  (to undo it: $program uninstall)"
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
configure
show
