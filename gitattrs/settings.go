// Package gitattrs holds what git has to be told of a merge driver, as data:
// the merge.<name> settings of its configuration, and the lines of its
// attributes files that give files to the driver.
//
// It runs nothing and opens no file.
package gitattrs

import (
	"cmp"
	"regexp"
	"strings"
	"sync"
)

// A Setting is one key of git's configuration with its value, and About that value for people.
type Setting struct{ Key, Value, About string }

// A Driver is this program as a merge driver of git.
type Driver struct {
	Name    string // what attributes call it: merge=NAME
	Program string // how sh finds it: its absolute path, or its name if that is on the PATH
	Rules   string // by which it merges; "" for the default ones
	// Into is the commit that is merged into, Own the side that is one's own and Config a
	// file with rules, where whoever calls git knows it; of Quiet alone.
	Into, Own, Config string
}

// Settings returns the settings of d in the order in which they are to be
// written. The driver line comes first: git refuses to merge a file whose
// driver has a name but no line.
func (d Driver) Settings() []Setting {
	by := ""
	if d.Rules != "" {
		by = " by the rules of " + d.Rules
	}
	name := "merge YAML field by field" + by + " (git-merge-yaml)"
	return []Setting{
		{d.Key("driver"), d.line(), "to a line that runs " + d.Program},
		{d.Key("name"), name, "to: " + name},
		{d.Key("fallback"), d.fallback(), "to a script that has git merge, should the program fail"}, // git itself does not know it
	}
}

// Key returns the configuration key of one setting of d.
func (d Driver) Key(setting string) string { return "merge." + d.Name + "." + setting }

// line is the driver line, a script for sh. Whatever is neither a clean merge nor conflicts
// goes on to the fallback: a driver that is missing or dies leaves ours without markers, which
// git would take for the result. Where the fallback is missing too, it ends with 129, for which
// git from 2.42 on gives up the merge. It looks for the program first because sh, not finding
// it, would say the whole line.
func (d Driver) line() string {
	options := "--marker-size=%L"
	if d.Rules != "" {
		options = "--rules " + shellWord(d.Rules) + " " + options
	}
	return strings.Join([]string{
		`p=` + shellWord(d.Program) + `; r=127`,
		`command -v "$p" >/dev/null && { "$p" ` + options + ` --path=%P -L %X -L %S -L %Y -- %O %A %B; r=$?; }`,
		`[ $r -gt 1 ] || exit $r`,
		`set -- %A %O %B %L %P %X %S %Y`,
		`eval "$(git config ` + d.Key("fallback") + `)"`,
		`exit 129`,
	}, "; ")
}

// Quiet is a driver line for one run of git, which says nothing and has no fallback.
func (d Driver) Quiet() string {
	words := []string{shellWord(d.Program), "-q"}
	for _, o := range [][2]string{{"--rules", d.Rules}, {"--own", d.Own}, {"--config", d.Config}} {
		if o[1] != "" {
			words = append(words, o[0], shellWord(o[1]))
		}
	}
	words = append(words, "--marker-size=%L", "--path=%P", "-L", shellWord(cmp.Or(d.Into, "ours")), "-L base -L theirs -- %O %A %B")
	return strings.Join(words, " ")
}

// fallback returns the script that merges in place of the program, which ended with status $r. Its arguments
// are the files of ours, base and theirs, the size of markers, the path, and the labels of ours, base and
// theirs. Git before 2.44 leaves %X, %S and %Y in the place of labels; they are empty when rerere merges.
//
// The script writes the three versions as commits into a new repository in the temporary folder, has git
// merge them there, and replaces ours by the result, with the labels of the merge that is under way. So the
// result has the bytes that git merge gives without a driver, in whatever version of git. No command does so for
// three files: git merge-file has no histogram before 2.44, and joins conflicts in another way than git merge.
// In the new repository no attributes, hooks and settings apply but those that the script passes on, and the
// object store of the user may be read-only. The branch of theirs has the random name of the folder, and the
// commit of base contains it, so that no line of a file is taken for a marker of this merge.
//
// If any of that fails, the script says that ours was left as it is and ends with 129, for which git from
// 2.42 on gives up the whole merge.
//
// That the program is missing is said once in a run of git, which is the parent process of sh
// but on Windows. A path is told with ? for all that is not plain ASCII.
func (d Driver) fallback() string {
	scratch := strings.Join([]string{
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

// shellWord quotes s for sh in a line in which git expands %.
func shellWord(s string) string {
	s = strings.ReplaceAll(s, "%", "%%")
	if strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+:%") == "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// Own reports whether a driver line, of this or another version or written by
// hand, runs git-merge-yaml.
func Own(line string) bool { return own().MatchString(line) }

var own = sync.OnceValue(func() *regexp.Regexp {
	const end = `[ \t\n;=&|'"/\\]`
	return regexp.MustCompile(`(?:^|` + end + `)git(?:-|(?:\.exe)?[ \t]+)merge-yaml(?:\.exe)?(?:$|` + end + `)`)
})
