// Package gitattrs makes git call git-merge-yaml as a merge driver. It returns, as data, what has to be written for
// this: the settings merge.NAME.* of git's configuration, and the lines of an attributes file that assign files to the
// driver. It runs no command and reads and writes no file; this is left to the caller.
//
// A Driver describes how git calls the program; Driver.Settings returns its settings. SetPatterns, Patterns and
// RemoveBlock edit and read the block of lines that the program manages in an attributes file. CheckPattern checks a
// pattern of such a line.
//
// For example, two branches change one file:
//
//	base            ours            theirs
//	image: web:1    image: web:2    image: web:1
//	replicas: 1     replicas: 1     replicas: 2
//
// git merges it line by line, and has a conflict in two adjacent lines. After SetPatterns(file, "yaml",
// []string{"*.yaml"}), the attributes file begins with this block:
//
//	# >>> git-merge-yaml >>>
//	*.yaml merge=yaml
//	# <<< git-merge-yaml <<<
//
// With the settings of Driver{Name: "yaml", Program: "git-merge-yaml"}, git then calls the program for the file, which
// merges by field, and the result is
//
//	image: web:2
//	replicas: 2
package gitattrs

import (
	"cmp"
	"regexp"
	"strings"
	"sync"
)

// A Setting is a key of git's configuration and the value that it is set to. About continues the sentence "set KEY
// (in a configuration file) ..." in messages to the user.
type Setting struct{ Key, Value, About string }

// A Driver is git-merge-yaml as a merge driver of git. One installation can have several drivers, which differ in their
// rules.
type Driver struct {
	Name    string // name in attributes files: merge=NAME
	Program string // the program, for sh: an absolute path, or a name that sh finds on the PATH
	Rules   string // name of the rules by which the driver merges; "" for the default rules
	// Into, Own and Config are used by QuietLine only, and each may be "". Into is the label of ours in conflict
	// markers, the name of the commit that is merged into. Own is "ours" or "theirs", the side that the user's own
	// work is on (option --own). Config is the path of a file with rules (option --config).
	Into, Own, Config string
}

// Settings returns the settings of d in the order in which they have to be written: driver, name, fallback. The driver
// line comes first because git refuses to merge a file whose driver has a name but no driver line. If writing stops
// half-way, git can still merge.
func (d Driver) Settings() []Setting {
	by := ""
	if d.Rules != "" {
		by = " by the rules of " + d.Rules
	}
	name := "merge YAML field by field" + by + " (git-merge-yaml)"
	return []Setting{
		{d.Key("driver"), d.driverLine(), "to a line that runs " + d.Program},
		{d.Key("name"), name, "to: " + name},
		{d.Key("fallback"), d.fallbackScript(), "to a script that has git merge, should the program fail"}, // git ignores this key; the driver line reads it
	}
}

// Key returns the key of d's setting in git's configuration, such as merge.yaml.driver for the setting "driver".
func (d Driver) Key(setting string) string { return "merge." + d.Name + "." + setting }

// driverLine returns the value of merge.NAME.driver, a script for sh that git runs for each file to be merged. git
// replaces %O, %A, %B and the like before.
//
// The script runs the program, and exits with its status if that is 0 (a clean merge) or 1 (conflicts). If the program
// is missing ($r is 127) or fails otherwise, the script evaluates the fallback (see fallbackScript). Without it, ours
// would remain without markers, and git would take ours for the result. If the fallback is missing too, the script exits
// with 129, and git 2.42 or newer then aborts the merge.
//
// The script checks with "command -v" whether the program exists, because the error message of sh for a missing command
// would contain the whole script.
func (d Driver) driverLine() string {
	options := "--marker-size=%L"
	if d.Rules != "" {
		options = "--rules " + quoteForShell(d.Rules) + " " + options
	}
	return strings.Join([]string{
		`p=` + quoteForShell(d.Program) + `; r=127`,
		`command -v "$p" >/dev/null && { "$p" ` + options + ` --path=%P -L %X -L %S -L %Y -- %O %A %B; r=$?; }`,
		`[ $r -gt 1 ] || exit $r`,
		`set -- %A %O %B %L %P %X %S %Y`,
		`eval "$(git config ` + d.Key("fallback") + `)"`,
		`exit 129`,
	}, "; ")
}

// QuietLine returns a driver line without messages and without a fallback, for a single run of git:
//
//	git -c merge.NAME.driver=LINE merge-tree ...
//
// It passes d.Rules, d.Own and d.Config as options unless they are empty, and labels the conflict markers with d.Into (or
// "ours"), "base" and "theirs".
func (d Driver) QuietLine() string {
	words := []string{quoteForShell(d.Program), "-q"}
	for _, o := range [][2]string{{"--rules", d.Rules}, {"--own", d.Own}, {"--config", d.Config}} {
		if o[1] != "" {
			words = append(words, o[0], quoteForShell(o[1]))
		}
	}
	words = append(words, "--marker-size=%L", "--path=%P", "-L", quoteForShell(cmp.Or(d.Into, "ours")), "-L base -L theirs -- %O %A %B")
	return strings.Join(words, " ")
}

// fallbackScript returns the script that merges instead of the program, if the program is missing or fails. It is the
// value of merge.NAME.fallback. The driver line evaluates it with the program's exit status in $r. The script exits with
// 0 after a clean merge, and with 1 if there are conflicts. It replaces the file of ours, $1, by the result.
//
//	$1, $2, $3    the files with ours, base and theirs
//	$4            the size of conflict markers
//	$5            the path of the file in the repository
//	$6, $7, $8    the labels of ours, base and theirs; git before 2.44 leaves %X, %S and %Y there, and rerere
//	              leaves them empty
//
// The script writes the three versions as commits into a new repository in the temporary directory, runs git merge
// there, and relabels the markers with the labels of the user's merge. The result is therefore the same as that of git
// without a driver, in every version of git. There is no command that merges three files in this way: git merge-file
// has no histogram diff before 2.44, and joins adjacent conflicts in another way than git merge.
//
// The script passes on merge.conflictStyle, diff.algorithm and the size of markers. Other settings, attributes and hooks
// of the user have no effect. The user's object database may be read-only. The branch of theirs has the random name of
// the directory, and the commit of base contains this name, so that no line of the file can be confused with a marker
// of this merge.
//
// If one of these steps fails, the script prints a message, leaves ours unchanged and exits with 129. git 2.42 or newer
// then aborts the merge.
//
// On stderr, the script prints that the program failed, for each file, or that it is missing, once in a run of git. It
// recognizes a run of git by the parent process of sh, which does not work on Windows. In paths that it prints, every
// character other than printable ASCII is replaced by a question mark.
func (d Driver) fallbackScript() string {
	scratch := strings.Join([]string{
		`cat "$1" "$2" "$3" >/dev/null || exit 2`,
		`n=${d##*/} s=$(git config merge.conflictStyle) a=$(git config diff.algorithm)`,
		`unset $(git rev-parse --local-env-vars) GIT_ATTR_SOURCE GIT_CONFIG_GLOBAL`,
		`export LC_ALL=C HOME="$d" XDG_CONFIG_HOME="$d" GIT_CONFIG_NOSYSTEM=1 GIT_ATTR_NOSYSTEM=1`,
		`g() { git -C "$d" "$@"; }`,
		`c() { printf "commit refs/heads/$1\ncommitter $n <y> 0 +0000\ndata 0\n$3M 644 inline y\ndata $(($(wc -c <"$2")))\n"; cat "$2"; echo; }`,
		`m() { printf '%s\n' "s/^\($1$1*\) $2/\1 $(printf %s "$3" | sed 's/[\/&]/\\&/g;$!s/$/\\/')/"; }`,
		`g init -q --template= && mkdir "$d/.git/info" && echo "* conflict-marker-size=$4" >"$d/.git/info/attributes"` +
			` && { c o "$2"; c "$n" "$3" 'from refs/heads/o\n'; c o "$1"; } | g fast-import --quiet && g checkout -q o || exit 2`,
		`g -c user.name=y -c user.email=y -c merge.conflictStyle="${s:-merge}" -c diff.algorithm="${a:-histogram}" merge -q --no-ff --no-commit "$n" >/dev/null 2>&1`,
		`r=$?`,
		`grep -q '^<<* HEAD' "$1" "$2" "$3" && x=HEAD`,
		`[ $r -le 1 ] && sed "$(m '<' HEAD "$x"; m '|' $(g rev-parse --short o~) "$b"; m '>' "$n" "$y")" "$d/y" >"$1.y" && mv -f "$1.y" "$1" && exit $r`,
		`exit 2`,
	}, "; ")
	return strings.Join([]string{
		`f=$(printf %s "$5" | LC_ALL=C tr -c ' -~' '?') x=$6 b=$7 y=$8`,
		`if [ $r -ne 127 ]; then printf '%s\n' "git-merge-yaml ended with $r: merged by lines instead: $f" >&2` +
			`; elif s=$(git rev-parse --git-path git-merge-yaml-missing 2>/dev/null); [ $PPID -le 1 ] || [ "$(cat "$s" 2>/dev/null)" != $PPID ]` +
			`; then echo "git-merge-yaml is missing, so YAML is merged by lines (git config ` + d.Key("driver") + ` says where it was)" >&2` +
			`; { echo $PPID >"$s"; } 2>/dev/null; fi`,
		// Git before 2.44 has the label of theirs in a variable of the environment.
		`case $x$b$y in ''|%X%S%Y) x=ours b=base y=theirs` +
			`; for h in $(env | sed -n 's/^GITHEAD_\([0-9a-f]*\)=.*/\1/p'); do x=HEAD; eval "y=\$GITHEAD_$h"` +
			`; b=$(git merge-base --all HEAD $h); case $b in '') b='empty tree';; *[!0-9a-f]*) b='merged common ancestors';; *) b=$(git rev-parse --short $b);; esac` +
			`; done;; esac`,
		`r=2`,
		`d=$(mktemp -d) && { (` + scratch + `); r=$?; rm -rf "$d" "$1.y"; }`,
		`[ $r -gt 1 ] || exit $r`,
		`printf '%s\n' "git-merge-yaml: git could not merge either: ours is left as it was, without markers: $f" >&2`,
		`exit 129`,
	}, "; ")
}

// quoteForShell returns s as one word of a driver line. It doubles each %, because git expands % in driver lines, and
// adds single quotes if s has characters that are special for sh. An empty s stays empty and is then no word.
//
//	/100%/x      /100%%/x
//	/my tools    '/my tools'
func quoteForShell(s string) string {
	s = strings.ReplaceAll(s, "%", "%%")
	if strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+:%") == "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// RunsGitMergeYAML reports whether a driver line runs git-merge-yaml. The line may come from Settings of any version or
// from the user. It is enough that the name of the program occurs in the line as a word or at the end of a path.
//
//	git-merge-yaml %O %A %B                 true
//	git merge-yaml -q %O %A %B              true
//	"C:\bin\git-merge-yaml.exe" %O %A %B    true
//	my-git-merge-yaml-wrapper %O %A %B      false
func RunsGitMergeYAML(line string) bool { return ownProgram().MatchString(line) }

// ownProgram returns the regular expression that finds the program in a driver line. It is compiled at the first call.
var ownProgram = sync.OnceValue(func() *regexp.Regexp {
	const end = `[ \t\n;=&|'"/\\]`
	return regexp.MustCompile(`(?:^|` + end + `)git(?:-|(?:\.exe)?[ \t]+)merge-yaml(?:\.exe)?(?:$|` + end + `)`)
})
