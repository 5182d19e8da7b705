// Package setup configures git to merge YAML files with this program. [Install] writes the settings of a merge driver
// into git's configuration, and lines that assign files to the driver into an attributes file. [Uninstall] removes
// both. [Doctor] checks everything that git needs to call the program. The texts of the settings and lines are those
// of package gitattrs.
//
// In a repository on a computer with git-merge-yaml on the PATH,
//
//	setup.Install(os.Stdout, setup.Options{Scope: git.Local}, "", nil, false)
//
// writes a script, sets two settings in .git/config, adds the lines `*.yaml merge=yaml` and `*.yml merge=yaml` to
// .gitattributes, and prints:
//
//	wrote .git/merge-yaml-fallback, a script that merges with git if the program fails
//	set merge.yaml.driver (git config --local) to run git-merge-yaml
//	set merge.yaml.name (git config --local) to "merge YAML field by field (git-merge-yaml)"
//	set merge=yaml for *.yaml *.yml in /srv/shop/.gitattributes
package setup

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/disk"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/driver"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/repo"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/terminal"
	"github.com/git-merge-yaml/git-merge-yaml/gitattrs"
)

// Options select what Install, Uninstall and InstallMergeTool change. Scope is whose configuration of git it is: this
// user's (git.Global), that of one repository (git.Local) or that of the machine (git.System).
type Options struct {
	Scope      git.Scope
	Attributes string // "none", "" for the default of Scope, or a kind as in git.Git.AttributesFile
	DryRun     bool   // print the changes without making them
}

// A plan is a list of changes to files and to git's configuration that Install or Uninstall has prepared and not yet
// made.
type plan struct {
	Options
	out     io.Writer
	git     git.Git
	bare    bool // whether Scope is git.Local and the repository is bare
	changes []change
	notes   []string // to print after the changes
}

// A change is a single step of a plan.
type change struct {
	description string // a verb phrase in the infinitive, such as "set merge.yaml.driver"
	apply       func() error
}

// newPlan returns a plan without changes, for the files and settings that o selects. A plan is a list of changes, which
// p.apply makes and prints to out. newPlan returns an error if the scope is git.Local and there is no repository. It
// also does so if git's configuration of this scope cannot be written, for example because it is not a regular file.
// Nothing is changed.
func newPlan(out io.Writer, o Options) (p *plan, err error) {
	p = &plan{Options: o, out: out}
	if p.Scope == git.Local {
		if p.bare, err = repo.Open(p.git).IsBare(); err != nil {
			return nil, fmt.Errorf("--local: %w", err)
		}
	}
	return p, p.git.CheckConfigWritable(p.Scope)
}

// Install configures git to call this program as a merge driver, and prints the changes to out, one per line, or that
// nothing has to be changed. It writes settings into git's configuration, lines such as `*.yaml merge=yaml` into an
// attributes file, and a script that merges if the program is missing or fails. With o.DryRun, it only prints.
//
// rules is "" for the default rules, or "kustomize" for a driver yaml-kustomize, instead of yaml, that merges by these
// rules. Install panics for another name. patterns decide which files are assigned to the driver:
//
//	patterns    rules          files
//	given       any            those that match patterns; earlier patterns of the driver are replaced
//	nil         ""             the patterns that the driver has in the attributes file, or else *.yaml and *.yml
//	nil         "kustomize"    none; a note on how to assign files is printed
//
// It returns an error, and changes nothing, if a pattern is invalid, if a file or git's configuration cannot be read,
// or if the latter cannot be written. That is also so if another program is installed as this driver and force is not
// set, or if o.Attributes names a file that gets no patterns (yaml-kustomize). If an error occurs while changes are
// made, the changes that were printed have been made.
func Install(out io.Writer, o Options, rules string, patterns []string, force bool) error {
	p, err := newPlan(out, o)
	if err != nil {
		return err
	}
	for _, pattern := range patterns {
		if err := gitattrs.CheckPattern(pattern); err != nil {
			return err
		}
	}
	program, _ := driver.ProgramPath()
	d := gitattrs.Driver{Name: driver.NameForRuleSet(rules), Program: program, Rules: rules}
	driverLine, err := p.git.Config(p.Scope, d.Key("driver"))
	if err != nil {
		return err
	}
	if driverLine != "" && !gitattrs.RunsGitMergeYAML(driverLine) && !force {
		return fmt.Errorf("%s (git config --%s) runs another program: %s; use --force to replace the setting", d.Key("driver"), p.Scope, driverLine)
	}
	if err := p.planFallback(&d); err != nil {
		return err
	}
	for _, setting := range d.Settings() {
		if err := p.planSetting(setting); err != nil {
			return err
		}
	}
	switch {
	case d.Rules == "" || len(patterns) > 0:
		if err := p.planPatterns(d.Name, patterns); err != nil {
			return err
		}
	case p.Attributes != "" && p.Attributes != "none":
		return fmt.Errorf("--attributes %s with --rules %s requires --pattern", p.Attributes, d.Rules)
	default:
		p.notes = append(p.notes, fmt.Sprintf(`to choose files for this driver, add a line such as "k8s/*.yaml merge=%s" to .gitattributes, or use --pattern`, d.Name))
	}
	return p.apply()
}

// Uninstall removes the settings, the lines and the script that [Install] wrote, for the drivers of all rules, and the
// settings of InstallMergeTool. It prints the changes to out, one per line. If there is nothing to remove, it prints
// that. With o.DryRun, it only prints. Drivers of other programs, and other settings of the user with the same prefix,
// are kept; a message about each is printed. An attributes file that only contains the lines of Install is deleted. It
// returns an error if a file or git's configuration cannot be read or written; the changes that were printed before
// have been made.
func Uninstall(out io.Writer, o Options) error {
	p, err := newPlan(out, o)
	if err != nil {
		return err
	}
	// The attributes come first, so that they never assign files to a driver that has been removed.
	for _, kind := range p.attributesKinds() {
		path, file, err := p.readAttributesFile(kind)
		if errors.Is(err, git.ErrNoAttributesFile) {
			continue // install cannot have written to it
		}
		if err != nil {
			return err
		}
		switch rest := gitattrs.RemoveBlock(file); {
		case bytes.Equal(rest, file):
		case rest == nil:
			p.planFile(path, "remove "+path+", which install created", nil)
		default:
			p.planFile(path, "remove the git-merge-yaml block from "+path, rest)
		}
	}
	for _, d := range driver.Drivers {
		driverLine, err := p.git.Config(p.Scope, d.Key("driver"))
		if err != nil {
			return err
		}
		if driverLine != "" && !gitattrs.RunsGitMergeYAML(driverLine) {
			terminal.PrintLine(p.out, "kept %s (git config --%s), which runs another program: %s", d.Key("driver"), p.Scope, driverLine)
			continue
		}
		removed := map[string]bool{}
		for _, setting := range slices.Backward(d.Settings()) {
			removed[setting.Key] = true
			if err := p.planSetting(gitattrs.Setting{Key: setting.Key}); err != nil {
				return err
			}
		}
		values, err := p.git.ConfigValues(d.Key(""))
		if err != nil {
			return err
		}
		for _, v := range values {
			note := fmt.Sprintf("kept %s (git config --%s), which install did not write; without a driver, git refuses to merge files with merge=%s; run \"git config --%s --unset-all %s\"",
				v.Key, p.Scope, d.Name, p.Scope, v.Key)
			if v.Scope == p.Scope && !removed[v.Key] && !slices.Contains(p.notes, note) {
				p.notes = append(p.notes, note)
			}
		}
	}
	if err := p.planFallbackRemoval(); err != nil {
		return err
	}
	if err := p.planMergeToolRemoval(); err != nil {
		return err
	}
	return p.apply()
}

// attributesKinds returns the attributes files to which Install may have written with the options of p, each as a word:
// "tracked" (.gitattributes), "info" (info/attributes in the git directory), "global" (the user's file) or "system"
// (the machine's). Install writes to the first one; if there is none, it writes to no attributes file. The value of
// Attributes is not checked.
//
//	Attributes    Scope            result
//	"none"        any              none
//	another       any              the value of Attributes
//	""            global           global
//	""            system           system
//	""            local            tracked, info
//	""            local and bare   info
func (p *plan) attributesKinds() []string {
	switch {
	case p.Attributes == "none":
		return nil
	case p.Attributes != "":
		return []string{p.Attributes}
	case p.Scope == git.Global:
		return []string{"global"}
	case p.Scope == git.System:
		return []string{"system"}
	case p.bare:
		return []string{"info"}
	}
	return []string{"tracked", "info"}
}

// readAttributesFile returns the path and the content of an attributes file. kind names it: "tracked" (.gitattributes),
// "info" (info/attributes in the git directory), "global" (the user's file, by default ~/.config/git/attributes) or
// "system" (the file of the machine). The content is nil if the file does not exist. It is an error if path is not a
// regular file or a symbolic link to one, or if the file cannot be read. If git knows no such file here, the error
// wraps git.ErrNoAttributesFile.
func (p *plan) readAttributesFile(kind string) (path string, file []byte, err error) {
	if path, err = p.git.AttributesFile(kind); err != nil {
		return "", nil, err
	}
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return "", nil, fmt.Errorf("the attributes file %s is not a regular file", path)
	}
	file, err = disk.ReadIfExists(path)
	return path, file, err
}

// planPatterns adds to p the change that writes lines such as `*.yaml merge=yaml`, one for each pattern, into an
// attributes file. With these lines, git merges the matching files with a driver. name is the name of the driver. The
// lines are in a block between two comment lines, which this program manages. Without patterns, the driver keeps its
// patterns in the block; if it has none, it gets *.yaml and *.yml.
//
// The option Attributes selects the file. If it is "", the file is .gitattributes if Scope is git.Local
// (info/attributes in a bare repository), and otherwise the attributes file of the user or of the machine. Nothing is
// added to p if the option is "none", or if the block already has these lines. It is an error if the file cannot be
// read, or if .gitattributes is a symbolic link, because git does not read attributes through one.
func (p *plan) planPatterns(name string, patterns []string) error {
	kinds := p.attributesKinds()
	if len(kinds) == 0 {
		return nil
	}
	path, file, err := p.readAttributesFile(kinds[0])
	if err != nil {
		return err
	}
	if len(patterns) == 0 {
		patterns = gitattrs.Patterns(file, name)
	}
	if len(patterns) == 0 {
		patterns = []string{"*.yaml", "*.yml"}
	}
	edited := gitattrs.SetPatterns(file, name, patterns)
	if bytes.Equal(edited, file) {
		return nil
	}
	if info, err := os.Lstat(path); kinds[0] == "tracked" && err == nil && info.Mode().Type() == os.ModeSymlink {
		return fmt.Errorf("%s is a symbolic link, which git does not follow; replace the link by a file, or use --attributes info", filepath.Base(path))
	}
	p.planFile(path, fmt.Sprintf("set merge=%s for %s in %s", name, strings.Join(patterns, " "), path), edited)
	return nil
}

// planFile adds a change to p: to replace the content of the file at path, or to delete the file if content is nil. An
// empty content that is not nil is written. description is a verb phrase in the infinitive about it, for the user, as
// in "remove .gitattributes, which install created". Folders are created as needed. A symbolic link at path is kept;
// the file that it points to is replaced or deleted. Nothing is written before p.apply.
func (p *plan) planFile(path, description string, content []byte) {
	p.changes = append(p.changes, change{description, func() error {
		if content == nil {
			target, err := filepath.EvalSymlinks(path)
			if err != nil {
				return err
			}
			return os.Remove(target)
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			return err
		}
		return disk.ReplaceOrCreate(path, content)
	}})
}

// planSetting adds a change to p: to set a key of git's configuration to a value, or to remove the key if the value is
// "". It adds nothing if the key already has the value in this scope, or is to be removed and not set. The description
// of the change, which the user sees, includes the value that is replaced, unless that value is a command line that
// runs git-merge-yaml. A removal does not include it. The error is that of reading the configuration.
func (p *plan) planSetting(setting gitattrs.Setting) error {
	current, err := p.git.Config(p.Scope, setting.Key)
	if err != nil || current == setting.Value {
		return err
	}
	description := fmt.Sprintf("set %s (git config --%s) %s", setting.Key, p.Scope, setting.About)
	switch {
	case setting.Value == "":
		description = "un" + strings.TrimSpace(description)
	case current != "" && !gitattrs.RunsGitMergeYAML(current):
		description += " (was: " + current + ")"
	}
	p.changes = append(p.changes, change{description, func() error { return p.git.SetConfig(p.Scope, setting.Key, setting.Value) }})
	return nil
}

// apply makes the changes of p in order, and prints a line in the past tense for each of them to p.out, as in "removed
// .gitattributes", followed by the notes. With the option DryRun it only prints, as in "would remove .gitattributes".
// If there are no changes, it prints "nothing to change" and the notes. It stops at the first change that fails, and
// returns its error; the changes before it have been made, and the notes are not printed.
func (p *plan) apply() error {
	for _, c := range p.changes {
		if p.DryRun {
			terminal.PrintLine(p.out, "would %s", c.description)
			continue
		}
		if err := c.apply(); err != nil {
			return fmt.Errorf("could not %s: %w", c.description, err)
		}
		terminal.PrintLine(p.out, "%s", pastTense(c.description))
	}
	if len(p.changes) == 0 {
		terminal.PrintLine(p.out, "nothing to change")
	}
	for _, note := range p.notes {
		terminal.PrintLine(p.out, "%s", note)
	}
	return nil
}

// pastTense returns phrase, a verb phrase in the infinitive, in the past tense: "wrote a" for "write a", and "removed
// a" for "remove a". Phrases with other verbs, such as "set a" and "unset a", are returned unchanged.
func pastTense(phrase string) string {
	if rest, ok := strings.CutPrefix(phrase, "write "); ok {
		return "wrote " + rest
	}
	if rest, ok := strings.CutPrefix(phrase, "remove "); ok {
		return "removed " + rest
	}
	return phrase
}
