# Merges one YAML file as git does without a merge driver.
#
# "git-merge-yaml install" wrote this file, and "git-merge-yaml uninstall" removes it. The driver line in git's
# configuration (git config merge.yaml.driver) runs it if the program is missing, fails or is killed. Without it,
# ours would remain without markers, and git would take ours for the result.
#
# The three versions become commits in a new repository in the temporary directory, and git merges them there. There
# is no git command that merges three files as git merge does: git merge-file has no histogram diff before git 2.44,
# so that it can put an edit into another entry, and it joins adjacent conflicts in another way.
#
# merge.conflictStyle, diff.algorithm and the size of markers are passed on. No other setting, attribute or hook has an
# effect. The file of ours is replaced when the result is complete. The only other file that is written into the user's
# repository is git-merge-yaml-missing, in git's directory, with the process id of the git command that was told that the
# program is missing.
# Exit status: 0 for a clean merge, 1 for conflicts. If anything fails, a message is printed, ours is left as it was,
# and the status is 129, at which git 2.42 and later end the whole merge.
#
# Usage: sh FILE PROGRAM STATUS --marker-size=N --path=PATH -L OURS -L BASE -L THEIRS [OPTION...] -- BASE OURS THEIRS

program=$1 status=$2
shift 2
size=7 path= ours_label= base_label= theirs_label= labels=0
while [ $# -gt 3 ]; do # other options, at any place, are for the program
	case $labels$1 in
	?--marker-size=*) size=${1#*=} ;;
	?--path=*) path=${1#*=} ;;
	0-L) ours_label=$2 labels=1 && shift ;;
	1-L) base_label=$2 labels=2 && shift ;;
	2-L) theirs_label=$2 labels=3 && shift ;;
	esac
	shift
done
base=$1 ours=$2 theirs=$3
# A path is shown in printable ASCII only.
path=$(printf %s "$path" | LC_ALL=C tr -c ' -~' '?')

# Print the reason: for each file, or once in a run of git if the program is missing. The process id identifies a run.
if [ "$status" -ne 127 ]; then
	memory=
	[ "$status" -ne 2 ] || memory=', most likely for lack of memory (ulimit -v)' # the status with which Go ends programs
	printf '%s\n' "git-merge-yaml: $path: merged by lines, because the program exited with $status$memory" >&2
else
	seen=$(git rev-parse --git-path git-merge-yaml-missing 2>/dev/null)
	if [ $PPID -le 1 ] || [ "$(cat "$seen" 2>/dev/null)" != $PPID ]; then
		printf '%s\n' "git-merge-yaml: $program not found; YAML files are merged by lines" >&2
		{ echo $PPID >"$seen"; } 2>/dev/null
	fi
fi

# The log of the program gets a line, too.
case ${GIT_MERGE_YAML_TRACE-} in
/*.jsonl | [A-Za-z]:*.jsonl)
	printf '{"time":"%s","operation":"unknown","path":"%s","outcome":"unknown","method":"lines","reason":"git-merge-yaml exited with %s"}\n' \
		"$(date -u +%Y-%m-%dT%H:%M:%SZ)" "$(printf %s "$path" | sed 's/[\"]/\\&/g')" "$status" >>"$GIT_MERGE_YAML_TRACE"
	;;
/* | [A-Za-z]:*)
	printf '%s %s: merged by lines (git-merge-yaml exited with %s)\n' "$(date -u +%Y-%m-%dT%H:%M:%SZ)" "$path" "$status" >>"$GIT_MERGE_YAML_TRACE"
	;;
esac

# Git before 2.44 does not pass the labels, and rerere has none. In git merge, the environment has the label of theirs.
case $ours_label$base_label$theirs_label in
'' | %X%S%Y)
	ours_label=ours base_label=base theirs_label=theirs
	for head in $(env | sed -n 's/^GITHEAD_\([0-9a-f]*\)=.*/\1/p'); do
		ours_label=HEAD
		eval "theirs_label=\$GITHEAD_$head"
		base_label=$(git merge-base --all HEAD "$head")
		case $base_label in
		'') base_label='empty tree' ;;
		*[!0-9a-f]*) base_label='merged common ancestors' ;;
		*) base_label=$(git rev-parse --short "$base_label") ;;
		esac
	done
	;;
esac

# Writes a commit of a branch for git fast-import: commit BRANCH FILE [PARENT].
commit() {
	printf 'commit refs/heads/%s\ncommitter %s <y> 0 +0000\ndata 0\n' "$1" "$name"
	[ -z "${3-}" ] || printf 'from refs/heads/%s\n' "$3"
	printf 'M 644 inline y\ndata %d\n' "$(($(wc -c <"$2")))"
	cat "$2"
	echo
}

# Writes a command for sed that replaces the label of a marker: relabel CHARACTER OLD NEW.
relabel() {
	printf '%s\n' "s/^\($1$1*\) $2/\1 $(printf %s "$3" | sed 's/[\/&]/\\&/g;$!s/$/\\/')/"
}

# Merges the versions in the empty folder $dir. The branch of theirs has the random name of the folder, and the commit
# of base contains this name, so that no line of the file looks like a marker of this merge.
merge() {
	cat "$base" "$ours" "$theirs" >/dev/null || return 2
	name=${dir##*/}
	style=$(git config merge.conflictStyle)
	algorithm=$(git config diff.algorithm)
	unset $(git rev-parse --local-env-vars) GIT_ATTR_SOURCE GIT_CONFIG_GLOBAL
	export LC_ALL=C HOME="$dir" XDG_CONFIG_HOME="$dir" GIT_CONFIG_NOSYSTEM=1 GIT_ATTR_NOSYSTEM=1
	git -C "$dir" init -q --template= && mkdir "$dir/.git/info" &&
		echo "* conflict-marker-size=$size" >"$dir/.git/info/attributes" &&
		{ commit base "$base" && commit "$name" "$theirs" base && commit ours "$ours" base; } |
		git -C "$dir" fast-import --quiet &&
		git -C "$dir" checkout -q ours || return 2
	git -C "$dir" -c user.name=y -c user.email=y -c merge.conflictStyle="${style:-merge}" \
		-c diff.algorithm="${algorithm:-histogram}" merge -q --no-ff --no-commit "$name" >/dev/null 2>&1
	result=$?
	[ $result -le 1 ] || return 2
	! grep -q '^<<* HEAD' "$base" "$ours" "$theirs" || ours_label=HEAD
	sed "$(relabel '<' HEAD "$ours_label"
	relabel '|' "$(git -C "$dir" rev-parse --short base)" "$base_label"
	relabel '>' "$name" "$theirs_label")" "$dir/y" >"$ours.y" && mv -f "$ours.y" "$ours" || return 2
	return $result
}

result=2
if dir=$(mktemp -d); then
	(merge)
	result=$?
	rm -rf "$dir" "$ours.y"
fi
[ $result -gt 1 ] || exit $result
printf '%s\n' "git-merge-yaml: $path: git could not merge the file either; ours is unchanged, without conflict markers" >&2
exit 129
