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
	_ "embed"
	"regexp"
	"strings"
	"sync"
)

// A Setting is a key of git's configuration and the value that it is set to; "" if the key is to be removed. About
// continues the sentence "set KEY (in a configuration file) ..." in messages to the user.
type Setting struct{ Key, Value, About string }

// A Driver is git-merge-yaml as a merge driver of git. One installation can have several drivers, which differ in their
// rules.
type Driver struct {
	Name    string // name in attributes files: merge=NAME
	Program string // the program, for sh: an absolute path, or a name that sh finds on the PATH
	Rules   string // name of the rules by which the driver merges; "" for the default rules
	// FallbackFile is the file with FallbackScript, as a word of sh: QuoteForShell(path), or a word in which sh
	// replaces something, such as "$(git rev-parse --git-common-dir)/merge-yaml-fallback" with its double quotes. It is
	// used by Settings only.
	FallbackFile string
	// Into, Own and Config are used by QuietLine only, and each may be "". Into is the label of ours in conflict
	// markers, the name of the commit that is merged into. Own is "ours" or "theirs", the side that the user's own
	// work is on (option --own). Config is the path of a file with rules (option --config).
	Into, Own, Config string
}

// FallbackScript is a script for sh that merges a file as git does without a driver. The caller writes it to the file
// that Driver.FallbackFile names. The command line of the driver runs it if git-merge-yaml is missing or fails; the
// comments in the script describe its arguments.
//
//go:embed fallback.sh
var FallbackScript string

// Settings returns the settings of d in the order in which they have to be written: the driver line, which git needs
// before the name, then the name. The last one, with an empty Value, has to be removed: earlier versions had the
// fallback script there.
func (d Driver) Settings() []Setting {
	by := ""
	if d.Rules != "" {
		by = " by the rules of " + d.Rules
	}
	name := "merge YAML field by field" + by + " (git-merge-yaml)"
	// Git refuses to merge a file whose driver has a name but no driver line. If writing stops half-way, it can merge.
	return []Setting{
		{d.Key("driver"), d.driverLine(), "to run " + d.Program},
		{d.Key("name"), name, `to "` + name + `"`},
		{d.Key("fallback"), "", ""},
	}
}

// Key returns the key of d's setting in git's configuration, such as merge.yaml.driver for the setting "driver".
func (d Driver) Key(setting string) string { return "merge." + d.Name + "." + setting }

// driverLine returns the value of the setting merge.NAME.driver: a script for sh that git runs for each file that both
// sides changed. It runs git-merge-yaml. If that is missing, or its status is neither 0 (a clean merge) nor 1
// (conflicts), the script runs the file d.FallbackFile, which contains FallbackScript, or git merge-file if that file
// is missing, too. Without a fallback, git would take ours for the result.
func (d Driver) driverLine() string {
	options := "--marker-size=%L"
	if d.Rules != "" {
		options = "--rules " + QuoteForShell(d.Rules) + " " + options
	}
	return strings.Join([]string{
		`p=` + QuoteForShell(d.Program) + `; r=127`,
		`set -- ` + options + ` --path=%P -L %X -L %S -L %Y -- %O %A %B`,
		// Without command -v, the error message of sh for a missing command would contain the whole script.
		`command -v "$p" >/dev/null && { "$p" "$@"; r=$?; }`,
		`[ $r -gt 1 ] || exit $r`,
		`f=` + d.FallbackFile,
		`[ -r "$f" ] && exec sh "$f" "$p" $r "$@"`,
		// The file is missing where only the configuration was copied to another machine. Git before 2.44 does not know
		// the option and exits with 129, because with its other algorithm a clean merge could be wrong. Git 2.42 and
		// later then end the whole merge, older ones leave the file unmerged.
		`echo "$p failed, and $f is missing" >&2`,
		`git merge-file --diff-algorithm=histogram --marker-size=%L -L %X -L %S -L %Y %A %O %B`,
	}, "; ")
}

// QuietLine returns a command line with which git runs git-merge-yaml as a merge driver without messages and without a
// fallback, for a single run of git: git -c merge.NAME.driver=LINE merge-tree. d.Name and d.FallbackFile are not used.
// With main for d.Into, and no other options, it is:
//
//	git-merge-yaml -q --marker-size=%L --path=%P -L main -L base -L theirs -- %O %A %B
func (d Driver) QuietLine() string {
	words := []string{QuoteForShell(d.Program), "-q"}
	for _, o := range [][2]string{{"--rules", d.Rules}, {"--own", d.Own}, {"--config", d.Config}} {
		if o[1] != "" {
			words = append(words, o[0], QuoteForShell(o[1]))
		}
	}
	words = append(words, "--marker-size=%L", "--path=%P", "-L", QuoteForShell(cmp.Or(d.Into, "ours")), "-L base -L theirs -- %O %A %B")
	return strings.Join(words, " ")
}

// QuoteForShell returns s as one word of the command line of a merge driver, which git passes to sh. It doubles each %,
// because git expands % in that line, and adds single quotes if they are needed.
//
//	/100%/x      /100%%/x
//	/my tools    '/my tools'
//	it's         'it'\''s'
func QuoteForShell(s string) string {
	s = strings.ReplaceAll(s, "%", "%%")
	if s != "" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+:%") == "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// RunsGitMergeYAML reports whether the command line of a merge driver (the value of merge.NAME.driver) runs
// git-merge-yaml, even if the user wrote it. It looks for the name of the program as a word or at the end of a path.
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
