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
//
// Terms:
//
//	scope            one of git's configuration files: local (of the repository), global (of the user) or system
//	block            the lines that this program manages in an attributes file, between two comments
//	plan             the changes that Install or Uninstall will make, or only prints with Options.DryRun
//	fallback script  a script that git runs if this program is missing or fails; its file is d.FallbackFile
//	driver c         a checkedDriver: one of the two drivers of this program, yaml and yaml-kustomize
//	topic, level     of a line of Doctor: its subject, such as "driver", and ok, warning or error
//	fix              the command or action that solves a problem; the first one is also printed as the next step
package setup

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/disk"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/driver"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
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
	bare    bool              // whether Scope is git.Local and the repository is bare
	current map[string]string // the settings of Scope before the changes, of merge drivers and tools
	changes []change
	notes   []string // to print after the changes
}

// A change is a single step of a plan.
type change struct {
	description string // a verb phrase in the infinitive, such as "set merge.yaml.driver"
	apply       func() error
}

// newPlan returns a plan without changes, for the files and settings that o selects. The changes are printed to out. It
// fails if the scope is git.Local and there is no repository, or if git's configuration of this scope cannot be read or
// written, for example because it is not a regular file. Nothing is changed.
func newPlan(out io.Writer, o Options) (p *plan, err error) {
	p = &plan{Options: o, out: out}
	if p.Scope == git.Local {
		if p.bare, err = git.Open(p.git).IsBare(); err != nil {
			return nil, fmt.Errorf("--local: %w", err)
		}
	}
	if err = p.git.CheckConfigWritable(p.Scope); err == nil {
		p.current, err = p.git.Settings(p.Scope, "merge")
	}
	return p, err
}

// Install configures git to call this program as a merge driver, with lines in an attributes file, and writes a script
// that merges if the program is missing or fails. It prints the changes to out; with o.DryRun, it only prints. After an
// error, the changes that were printed have been made.
//
// rules is "" for the driver yaml, or "kustomize" for yaml-kustomize. patterns select the files; without them, yaml
// keeps its patterns or gets default ones. force permits replacing another program.
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
	if driverLine := p.current[d.Key("driver")]; driverLine != "" && !gitattrs.RunsGitMergeYAML(driverLine) && !force {
		return fmt.Errorf("%s (git config --%s) runs another program: %s; use --force to replace the setting", d.Key("driver"), p.Scope, driverLine)
	}
	if err := p.planFallback(&d); err != nil {
		return err
	}
	for _, setting := range d.Settings() {
		p.planSetting(setting)
	}
	switch {
	case d.Rules == "" || len(patterns) > 0:
		if err := p.planPatterns(d.Name, patterns); err != nil {
			return err
		}
	case p.Attributes != "" && p.Attributes != "none":
		return fmt.Errorf("--attributes %s with --rules %s requires --pattern", p.Attributes, d.Rules)
	default:
		// yaml-kustomize has no default patterns, so no lines are added to an attributes file
		p.notes = append(p.notes, fmt.Sprintf(`to choose files for this driver, add a line such as "k8s/*.yaml merge=%s" to .gitattributes, or use --pattern`, d.Name))
	}
	return p.apply()
}

// Uninstall removes the settings, the lines and the script that [Install] wrote, for the drivers of all rules, and the
// settings of InstallMergeTool. It prints the changes to out, one per line; with o.DryRun, it only prints. Drivers of
// other programs, and other settings of the user, are kept. After an error, the changes that were printed have been
// made.
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
		rest := gitattrs.RemoveBlock(file)
		switch {
		case bytes.Equal(rest, file):
			continue
		case rest == nil:
			p.planFile(path, "remove "+path+", which install created", nil)
		default:
			p.planFile(path, "remove the git-merge-yaml block from "+path, rest)
		}
		if kind != "tracked" {
			continue
		}
		if staged, err := p.git.Run("cat-file", "blob", ":.gitattributes"); err == nil && !bytes.Equal(gitattrs.RemoveBlock(staged), staged) {
			p.notes = append(p.notes, fmt.Sprintf("git tracks the block in %s: do not commit this change if others use the driver; to undo it, run \"git checkout -p -- %s\"",
				path, terminal.QuoteForShell(path)))
		}
	}
	for _, d := range driver.Drivers {
		if driverLine := p.current[d.Key("driver")]; driverLine != "" && !gitattrs.RunsGitMergeYAML(driverLine) {
			terminal.PrintLine(p.out, "kept %s (git config --%s), which runs another program: %s", d.Key("driver"), p.Scope, driverLine)
			continue
		}
		removed := map[string]bool{}
		for _, setting := range slices.Backward(d.Settings()) {
			removed[setting.Key] = true
			p.planSetting(gitattrs.Setting{Key: setting.Key})
		}
		for _, key := range slices.Sorted(maps.Keys(p.current)) {
			if strings.HasPrefix(key, d.Key("")) && !removed[key] {
				p.notes = append(p.notes, fmt.Sprintf("kept %s (git config --%s), which install did not write; without a driver, git refuses to merge files with merge=%s; run \"git config --%s --unset-all %s\"",
					key, p.Scope, d.Name, p.Scope, key))
			}
		}
	}
	if err := p.planFallbackRemoval(); err != nil {
		return err
	}
	p.planMergeToolRemoval()
	return p.apply()
}

// attributesKinds returns the attributes files to change, each as a word that git.Git.AttributesFile accepts. Install
// writes to the first one; Uninstall edits all. The option p.Attributes decides, whose value is not checked:
//
//	none        nil: no file is changed
//	"", local   tracked and info; in a bare repository, only info
//	"", other   the word for the scope, global or system
//	any other   the value itself
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

// readAttributesFile returns the path and the content of an attributes file; kind is as in git.Git.AttributesFile. The
// content is nil if the file does not exist. It is an error if path is not a regular file or a symbolic link to one. If
// git knows no such file here, the error wraps git.ErrNoAttributesFile.
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

// planPatterns adds to p the change of an attributes file that assigns the files of patterns to the driver of this
// name, by lines such as `*.yaml merge=yaml` in the block of this program. Without patterns, the driver keeps those in
// the block or, if it has none there, gets defaultPatterns. If the option Attributes is "none", nothing is added. The
// error is that the file cannot be used.
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
		patterns = defaultPatterns(p.git)
	}
	edited := gitattrs.SetPatterns(file, name, patterns)
	if bytes.Equal(edited, file) {
		return nil
	}
	// Git does not read attributes through a symbolic link in the work tree.
	if info, err := os.Lstat(path); kinds[0] == "tracked" && err == nil && info.Mode().Type() == os.ModeSymlink {
		return fmt.Errorf("%s is a symbolic link, which git does not follow; replace the link by a file, or use --attributes info", filepath.Base(path))
	}
	p.planFile(path, fmt.Sprintf("set merge=%s for %s in %s", name, strings.Join(patterns, " "), path), edited)
	return nil
}

// defaultPatterns returns the patterns of the files that are merged if the user names none: *.yaml, *.yml and, if the
// repository of g has such files, **/templates/**/*.tpl, the named templates of Helm charts. Without a repository, or
// if git fails, it returns only the first two.
func defaultPatterns(g git.Git) []string {
	const helpers = "**/templates/**/*.tpl"
	patterns := []string{"*.yaml", "*.yml"}
	if files, err := g.Paths("ls-files", "-z", "--", ":(glob)"+helpers); err == nil && len(files) > 0 {
		patterns = append(patterns, helpers)
	}
	return patterns
}

// planFile adds to p the change that replaces the content of the file at path, or deletes the file if content is nil.
// The caller checks that the file exists or differs. description is a verb phrase in the infinitive for the user.
// Folders are created as needed. A symbolic link at path is kept; the change is made to its target.
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

// planSetting adds to p the change of a setting in git's configuration, in the scope of p. It sets the key to the value
// or, if the value is "", removes the key. It adds nothing if the key has the value already, or if there is no key to
// remove.
func (p *plan) planSetting(setting gitattrs.Setting) {
	current := p.current[setting.Key]
	if current == setting.Value {
		return
	}
	description := fmt.Sprintf("set %s (git config --%s) %s", setting.Key, p.Scope, setting.About)
	switch {
	case setting.Value == "":
		description = "un" + strings.TrimSpace(description)
	// The user sees the value of another program, which is lost.
	case current != "" && !gitattrs.RunsGitMergeYAML(current):
		description += " (was: " + current + ")"
	}
	p.changes = append(p.changes, change{description, func() error { return p.git.SetConfig(p.Scope, setting.Key, setting.Value) }})
}

// apply makes the changes of p in order, and prints a line in the past tense for each, as in "removed .gitattributes",
// or "nothing to change" if there are none, and then the notes. With the option DryRun it only prints, as in "would
// remove .gitattributes". It stops at the first change that fails, and returns its error.
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
