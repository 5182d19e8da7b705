// Package gitattrs holds what git has to be told of a merge driver, as data:
// the merge.<name> settings of its configuration, and the lines of its
// attributes files that give files to the driver.
//
// It runs nothing and opens no file: callers write settings by `git config`,
// and read and write the attributes files themselves.
package gitattrs

import (
	"strings"
)

// A Setting is one key of git's configuration with its value.
type Setting struct{ Key, Value string }

// A Driver is this program as a merge driver of git.
type Driver struct {
	// Name is what attributes call it: merge=NAME.
	Name string
	// Program is how sh finds the program: its name if that is on the PATH,
	// else its absolute path.
	Program string
	// Rules are the rules by which it merges; "" for the default ones.
	Rules string
}

// Settings returns the settings of d in the order in which they are to be
// written. The driver line comes first: git refuses to merge a file whose
// driver has a name but no line.
func (d Driver) Settings() []Setting {
	return []Setting{
		{d.Key("driver"), d.line()},
		{d.Key("name"), d.title()},
	}
}

// title is what git shows of d.
func (d Driver) title() string {
	by := ""
	if d.Rules != "" {
		by = " by the rules of " + d.Rules
	}
	return "merge YAML field by field" + by + " (git-merge-yaml)"
}

// Key returns the configuration key of one setting of d.
func (d Driver) Key(setting string) string { return "merge." + d.Name + "." + setting }

// line is the driver line, a script for sh. Git before 2.44 leaves %X, %S and
// %Y in it as they are; later ones put the quoted labels of ours, base and
// theirs there, which are empty when rerere merges.
//
// A driver that is missing or dies leaves ours without markers, and git then
// takes that for the result as soon as it is added. So whatever is neither a
// clean merge nor conflicts ends in git's own merge, which takes the place of
// ours only once it is complete. Its diff is that of git merge where git
// merge-file knows one (2.44); elsewhere it ends with 129, and is asked again.
func (d Driver) line() string {
	const labels = `-L "$1" -L "$2" -L "$3"`
	options := "--marker-size=%L"
	if d.Rules != "" {
		options = "--rules " + shellWord(d.Rules) + " " + options
	}
	return strings.Join([]string{
		`set -- %X %S %Y`,
		`case "$1$2$3" in ''|%%X%%S%%Y) set -- ours base theirs;; esac`,
		shellWord(d.Program) + ` ` + options + ` --path=%P ` + labels + ` -- %O %A %B`,
		`r=$?`,
		`case $r in 0|1) exit $r;; esac`,
		`echo "git-merge-yaml ended with $r: merging by lines instead" >&2`,
		`for d in --diff-algorithm=histogram ''; do git merge-file -p $d --marker-size=%L ` + labels + ` -- %A %O %B >%A.y 2>/dev/null`,
		`r=$?`,
		`[ $r -eq 129 ] || break`,
		`done`,
		`[ $r -le 127 ] && mv -f %A.y %A || { rm -f %A.y; exit 1; }`,
		`[ $r -eq 0 ]`,
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
func Own(line string) bool {
	words := strings.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune(" \t\n;&|'\"/\\", r) })
	for i, w := range words {
		switch strings.TrimSuffix(w, ".exe") {
		case "git-merge-yaml":
			return true
		case "merge-yaml":
			if i > 0 && strings.TrimSuffix(words[i-1], ".exe") == "git" {
				return true
			}
		}
	}
	return false
}
