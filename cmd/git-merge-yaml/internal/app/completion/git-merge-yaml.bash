# Completion of git-merge-yaml in bash, and of git merge-yaml in git's own.

# Completes the last of the words, which are those behind the program's name.
__git_merge_yaml() {
	local cur=${*: -1} line files='' head=''
	# Where = ends a word for bash, it wants only what stands behind it.
	case $COMP_WORDBREAKS$cur in *=*=*) head=${cur%%=*}= ;; esac
	COMPREPLY=()
	while IFS= read -r line; do
		case $line in
		:*) files=${line#:} ;;
		*) line=${line%%$'\t'*} && COMPREPLY+=("${line#"$head"}") ;;
		esac
	done < <(git-merge-yaml completion --reply -- "${@:1:$#-1}" "${cur//\\/}" 2>/dev/null)
	cur=${cur#"$head"}
	case ${COMPREPLY[0]-} in -*) return ;; esac
	compopt -o filenames 2>/dev/null # bash 3 has none
	while IFS= read -r line; do
		COMPREPLY+=("$line")
	done < <(__git_merge_yaml_files "$files" "$cur")
}

# Prints the files of a kind that begin with a text.
__git_merge_yaml_files() {
	case $1 in
	any) compgen -f -- "$2" ;;
	dirs) compgen -d -- "$2" ;;
	yaml)
		compgen -d -- "$2"
		compgen -f -X '!*.yaml' -- "$2"
		compgen -f -X '!*.yml' -- "$2"
		;;
	esac
}

# What git's completion calls for git merge-yaml; words, cword and the index of
# the command are its own.
_git_merge_yaml() {
	local first=$((${__git_cmd_idx:-1} + 1))
	# shellcheck disable=SC2154
	__git_merge_yaml "${words[@]:first:cword-first+1}"
}

# Completes git-merge-yaml; puts together again what = has cut into three words.
_git_merge_yaml_program() {
	local i word all=() glue=''
	for ((i = 1; i <= COMP_CWORD; i++)); do
		word=${COMP_WORDS[i]}
		if [[ $word == '=' && ${#all[@]} -gt 0 ]]; then
			all[${#all[@]} - 1]+='='
			glue=yes
		elif [[ $glue ]]; then
			all[${#all[@]} - 1]+=$word
			glue=''
		else
			all+=("$word")
		fi
	done
	__git_merge_yaml "${all[@]}"
}

complete -F _git_merge_yaml_program git-merge-yaml
