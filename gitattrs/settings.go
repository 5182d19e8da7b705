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
		{d.Key("fallback"), d.fallback(), "to a script that runs git merge-file, should the program fail"}, // git itself does not know it
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

// fallback merges by lines in place of the program, which ended with $r. Its arguments are
// ours, base and theirs, the size of markers, the path and the labels, which git before 2.44
// leaves as %X, %S and %Y, and which are empty when rerere merges.
//
// That the program is missing is said once in a run of git, which is the parent process of sh
// but on Windows. A path is told with ? for all that is not plain ASCII. The result takes the
// place of ours once it is complete. Its diff is that of git merge where git merge-file knows
// one (2.44); elsewhere that ends with 129, and is asked again.
func (d Driver) fallback() string {
	return strings.Join([]string{
		`case $6$7$8 in ''|%X%S%Y) set -- "$1" "$2" "$3" "$4" "$5" ours base theirs;; esac`,
		`if [ $r -ne 127 ]; then printf '%s\n' "git-merge-yaml ended with $r: merged by lines instead: $(printf %s "$5" | LC_ALL=C tr -c ' -~' '?')" >&2` +
			`; elif s=$(git rev-parse --git-path git-merge-yaml-missing 2>/dev/null); [ $PPID -le 1 ] || [ "$(cat "$s" 2>/dev/null)" != $PPID ]` +
			`; then echo "git-merge-yaml is missing, so YAML is merged by lines (git config ` + d.Key("driver") + ` says where it was)" >&2` +
			`; { echo $PPID >"$s"; } 2>/dev/null; fi`,
		`for d in --diff-algorithm=histogram ''; do git merge-file -p $d --marker-size="$4" -L "$6" -L "$7" -L "$8" -- "$1" "$2" "$3" >"$1.y" 2>/dev/null`,
		`r=$?`,
		`[ $r -eq 129 ] || break`,
		`done`,
		`[ $r -le 127 ] && mv -f "$1.y" "$1" || { rm -f "$1.y"; exit 1; }`,
		`[ $r -eq 0 ]`,
		`exit`,
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
