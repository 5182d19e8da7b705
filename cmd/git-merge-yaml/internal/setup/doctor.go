package setup

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/build"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/driver"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/session"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/terminal"
	"github.com/git-merge-yaml/git-merge-yaml/gitattrs"
)

// DoctorOptions are the options of [Doctor].
type DoctorOptions struct {
	Fix      bool // reinstall drivers whose settings are not those that Install writes, and unset a setting that harms
	Branches bool // also check whether the .gitattributes of all branches name the driver
	JSON     bool // print a JSON object per line
}

// A checkResult is a line of the output with the option JSON. Most lines have the type "check" and the result of one
// check. The last line has the type "summary" and, instead of a result, the next step for the user and the number of
// errors.
type checkResult struct {
	Type    string `json:"type"`              // check or summary
	Level   string `json:"level,omitempty"`   // ok, warning or error
	Topic   string `json:"topic,omitempty"`   // the subject of the check, such as driver
	Message string `json:"message,omitempty"` // the result
	Fix     string `json:"fix,omitempty"`     // how to fix the problem
	Next    string `json:"next,omitempty"`
	Errors  *int   `json:"errors,omitempty"`
}

// A doctor runs checks, prints their results and counts the errors.
type doctor struct {
	out         io.Writer // its errors are left to the caller
	json        bool
	git         git.Git
	program     string           // the program in driver lines, as returned by driver.ProgramPath
	commandName string           // by which users call the program, as in "git merge-yaml"
	drivers     []*checkedDriver // the driver of the default rules first
	errorCount  int
	nextStep    string            // fix of the first error, or else of the first warning
	repairable  []*checkedDriver  // drivers with problems that Install fixes
	harmful     []git.ConfigValue // settings to be unset
}

// A checkedDriver is one of the merge drivers that this program can be, yaml or yaml-kustomize, and its settings in
// git's configuration.
type checkedDriver struct {
	gitattrs.Driver
	settings       []git.ConfigValue // of all scopes, in the order in which git reads them
	scope          git.Scope         // for Install: Local or System if the driver is set there, otherwise Global
	installCommand string            // that sets this driver in scope
}

// setting returns the effective value of key, which is the last one that git reads, with its scope and file. key is a
// full key, such as merge.yaml.driver. It returns the zero value if key is not set.
func (c *checkedDriver) setting(key string) (effective git.ConfigValue) {
	for _, s := range c.settings {
		if s.Key == key {
			effective = s
		}
	}
	return effective
}

// isSet reports whether git's configuration has at least one setting of the driver.
func (c *checkedDriver) isSet() bool { return len(c.settings) > 0 }

// Doctor checks everything that git needs to call this program, prints a line for each check to out and, at the end,
// the next step for the user. With o.Fix, it first repairs git's configuration, and returns an error if that fails. ok
// is false if a check found an error, not a warning.
//
//	ok       driver: merge.yaml.driver (local, .git/config) is up to date
//	warning  attributes: 1 YAML file (a.yaml): no merge attribute, so git merges by lines
//	         fix: ...
//	next: ...
func Doctor(out io.Writer, o DoctorOptions) (ok bool, err error) {
	d := &doctor{out: out, json: o.JSON}
	if o.Fix {
		if o.JSON {
			out = io.Discard // the lines of Install are no objects
		}
		silent := &doctor{out: io.Discard}
		silent.runChecks()
		for _, s := range silent.harmful {
			if err := silent.git.SetConfig(s.Scope, s.Key, ""); err != nil {
				return false, err
			}
			terminal.PrintLine(out, "unset %s (git config --%s)", s.Key, s.Scope)
		}
		for _, c := range silent.repairable {
			install := Options{Scope: c.scope}
			if c.setting(c.Key("driver")).Value != "" { // its files were chosen when it was installed
				install.Attributes = "none"
			}
			if err := Install(out, install, c.Rules, nil, false); err != nil {
				return false, err
			}
		}
	}
	d.runChecks()
	if o.Branches {
		d.checkBranches()
	}
	next := cmp.Or(d.nextStep, "nothing to fix; git merges YAML files with this program")
	if len(d.repairable)+len(d.harmful) > 0 {
		next += "; " + d.commandName + " doctor --fix repairs git's configuration"
	}
	if d.json {
		d.print(checkResult{Type: "summary", Next: next, Errors: &d.errorCount})
	} else {
		fmt.Fprintln(out, "next:", terminal.EscapeLine(next))
	}
	return d.errorCount == 0, nil
}

// print prints r as a line of JSON to d.out.
func (d *doctor) print(r checkResult) {
	_ = json.NewEncoder(d.out).Encode(r)
}

// runChecks runs the checks of Doctor in order, except checkBranches, and prints their results to d.out. If git does
// not run, it stops after the first check. Attributes and rules are only checked in a repository. It sets the fields of
// d that Doctor needs, such as d.repairable, and makes d.git run at the top of the work tree, if there is one.
func (d *doctor) runChecks() {
	version, err := d.git.Line("version")
	version = strings.TrimPrefix(version, "git version ")
	switch {
	case errors.Is(err, exec.ErrNotFound):
		d.failure("git", "install git, or add its folder to the PATH", "git is not on the PATH")
		return
	case err != nil:
		d.failure("git", "reinstall git", "git does not run: %v", err)
		return
	case d.git.IsAtLeast(2, 17):
		d.ok("git", "version %s (merge drivers get -X ours and -X theirs in git rebase and git pull, but not in git merge)", version)
	default:
		d.warning("git", "install git 2.17 or later", "version %s is older than the oldest supported version, 2.17", version)
	}
	byName := false
	d.commandName = "git merge-yaml"
	if d.program, byName = driver.ProgramPath(); !byName {
		d.commandName = terminal.QuoteForShell(d.program)
	}
	d.ok("program", "%s, version %s", d.program, build.Description())
	d.checkOtherPrograms()
	if off := os.Getenv("GIT_MERGE_YAML"); session.IsOff(off) {
		d.warning("environment", "unset GIT_MERGE_YAML", "GIT_MERGE_YAML=%s turns off the driver in this shell", off)
	}
	tree, err := d.git.WorkTree()
	bare := errors.Is(err, git.ErrNoWorkTree)
	switch {
	case err == nil:
		d.git = tree.Git
		d.ok("repository", "%s", tree.Top)
	case bare:
		d.ok("repository", "bare")
	case errors.Is(err, git.ErrNotOwned):
		d.failure("repository", git.SafeDirectoryCommand(err), "git refuses to use the repository, because another user owns it")
	case errors.Is(err, git.ErrNoRepository): // the user's configuration can still be checked
		d.ok("repository", "none here; the other checks are about your own configuration")
	default:
		d.failure("repository", "git status", "git cannot read the repository: %v", err)
	}
	d.checkDrivers()
	switch {
	case tree != nil:
		d.checkAttributes()
		d.checkRules()
	case bare:
		d.checkBareAttributes()
		d.checkRules()
	}
}

// ok prints a line about a check that found no problem. topic is the subject of the check, such as "driver"; format and
// args give the text, as in fmt.Sprintf.
func (d *doctor) ok(topic, format string, args ...any) { d.report("ok", topic, "", format, args...) }

// warning prints a line about a problem that does not count as an error, and fix, the command or action that solves it.
// topic is the subject of the check, such as "driver".
func (d *doctor) warning(topic, fix, format string, args ...any) {
	d.report("warning", topic, fix, format, args...)
}

// failure prints a line about an error, with the command or action fix that solves it. The message is made of format
// and args as in fmt.Sprintf. The fix of the first error becomes the next step that is printed at the end, even if
// there was a warning before.
func (d *doctor) failure(topic, fix, format string, args ...any) {
	if d.errorCount++; d.errorCount == 1 {
		d.nextStep = fix
	}
	d.report("error", topic, fix, format, args...)
}

// report prints the result of a check to d.out, as a line or, with d.json, as an object: level, topic, and the message
// that format and args give as in fmt.Sprintf. fix, which may be "", is printed, too; it becomes the next step if there
// is none yet. If it installs a driver, the driver is added to d.repairable. Errors are counted by failure.
func (d *doctor) report(level, topic, fix, format string, args ...any) {
	message := fmt.Sprintf(format, args...)
	if d.json {
		d.print(checkResult{Type: "check", Level: level, Topic: topic, Message: message, Fix: fix})
	} else {
		fmt.Fprintf(d.out, "%-8s %s: %s\n", level, topic, terminal.EscapeLine(message))
	}
	if fix == "" {
		return
	}
	if !d.json {
		fmt.Fprintf(d.out, "%-8s fix: %s\n", "", terminal.EscapeLine(fix))
	}
	d.nextStep = cmp.Or(d.nextStep, fix)
	for _, c := range d.drivers {
		if topic == "driver" && fix == c.installCommand && !slices.Contains(d.repairable, c) {
			d.repairable = append(d.repairable, c)
		}
	}
}

// checkDrivers checks the settings of the two drivers of this program, yaml and yaml-kustomize, and appends both to
// d.drivers. A driver without settings is not checked, unless both have none: then yaml is reported as not installed.
// For a driver that runs this program, it also makes a trial merge.
func (d *doctor) checkDrivers() {
	for _, base := range driver.Drivers {
		c := &checkedDriver{Driver: base, scope: git.Global, installCommand: d.commandName + " install"}
		var err error
		if c.settings, err = d.git.ConfigValues(base.Key("")); err != nil {
			d.failure("driver", "git config --list --show-origin", "git cannot read its configuration: %v", err)
		}
		if scope := c.setting(base.Key("driver")).Scope; scope == git.Local || scope == git.System {
			c.scope, c.installCommand = scope, c.installCommand+" --"+string(scope)
		}
		if c.Rules != "" {
			c.installCommand += " --rules " + c.Rules
		}
		d.drivers = append(d.drivers, c)
	}
	for _, c := range d.drivers {
		if (c.isSet() || d.isRequired(c)) && d.checkDriver(c) {
			d.checkTrialMerge(c)
		}
		d.checkRecursive(c)
	}
}

// checkRecursive warns about a setting merge.NAME.recursive of the driver c: because of it, git uses another driver to
// merge several common ancestors into one. A setting of the user or the repository is added to d.harmful, so that
// Doctor can remove it; for others, the fix names the file.
func (d *doctor) checkRecursive(c *checkedDriver) {
	key := c.Key("recursive")
	s := c.setting(key)
	if s.Value == "" {
		return
	}
	fix := "unset " + key + " in " + strings.TrimPrefix(s.Origin, "file:")
	if s.Scope == git.Global || s.Scope == git.Local {
		fix = fmt.Sprintf("git config --%s --unset-all %s", s.Scope, key)
		d.harmful = append(d.harmful, s)
	}
	d.warning("driver", fix, "%s (%s) is %s: if two branches have several merge bases, git merges these without this program",
		key, describeOrigin(s), s.Value)
}

// checkOtherPrograms warns about other versions of this program on the PATH, because commands run the first one there,
// while git merges with the one that is installed as the driver. To ask for its version, it runs each program for at
// most five seconds; one that fails counts as another version.
func (d *doctor) checkOtherPrograms() {
	self, err := os.Executable()
	if err != nil {
		return
	}
	selfInfo, err := os.Stat(self)
	if err != nil {
		return
	}
	var others []string
	seen := []os.FileInfo{selfInfo}
	for _, dir := range filepath.SplitList(os.Getenv("PATH")) {
		file, err := exec.LookPath(filepath.Join(dir, driver.ProgramName))
		if dir == "" || err != nil {
			continue
		}
		info, err := os.Stat(file)
		if err != nil || slices.ContainsFunc(seen, func(s os.FileInfo) bool { return os.SameFile(s, info) }) {
			continue
		}
		seen = append(seen, info)
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		out, err := exec.CommandContext(ctx, file, "version").Output()
		cancel()
		version := strings.TrimPrefix(strings.TrimSpace(string(out)), "git-merge-yaml version ")
		if err != nil || version == "" {
			version = "unknown"
		}
		if version != build.Description() {
			others = append(others, file+" (version "+version+")")
		}
	}
	if len(others) > 0 {
		first, _ := exec.LookPath(driver.ProgramName)
		d.warning("program", "keep only one version, or put the folder of the newest version first on PATH, and run git merge-yaml install",
			"PATH has another version: %s; git merge-yaml runs %s", strings.Join(others, ", "), first)
	}
}

// describeOrigin returns the scope and the file of a setting.
func describeOrigin(s git.ConfigValue) string {
	return string(s.Scope) + ", " + strings.TrimPrefix(s.Origin, "file:")
}

// isRequired reports whether c is the driver that merges by the default rules, and git's configuration has no settings
// of any driver of this program. Then c has to be installed.
func (d *doctor) isRequired(c *checkedDriver) bool {
	return c.Rules == "" && !slices.ContainsFunc(d.drivers, (*checkedDriver).isSet)
}

// checkDriver compares the settings of a merge driver in git's configuration with those that Install would write now,
// and prints the result. It is an error if git does not run this program for the driver; then it returns false. It is a
// warning if settings differ, or if the fallback script has a problem. A local setting that overrides the one that
// install wrote is added to d.harmful. It sets c.Program and c.FallbackFile.
func (d *doctor) checkDriver(c *checkedDriver) (runsThisProgram bool) {
	c.Program = d.program
	fallbackProblem := d.checkFallback(c)
	key := c.Key("driver")
	line := c.setting(key)
	if !gitattrs.RunsGitMergeYAML(line.Value) {
		d.reportOtherDriver(c)
		return false
	}
	expected := c.Settings()
	differs := func(s gitattrs.Setting) bool { return c.setting(s.Key).Value != s.Value }
	override := slices.IndexFunc(expected, func(s gitattrs.Setting) bool {
		return differs(s) && c.setting(s.Key).Scope == git.Local && c.scope != git.Local
	})
	switch {
	case override >= 0:
		s := c.setting(expected[override].Key)
		d.harmful = append(d.harmful, s)
		d.warning("driver", fmt.Sprintf("git config --%s --unset-all %s", s.Scope, s.Key),
			"%s (%s) overrides the setting that install wrote (%s)", s.Key, describeOrigin(s), c.scope)
	case slices.ContainsFunc(expected, differs):
		d.warning("driver", c.installCommand, "%s (%s) differs from the setting of this version%s", key, describeOrigin(line), describeMissingParts(line.Value))
	case fallbackProblem != "":
		d.warning("driver", c.installCommand, "%s", fallbackProblem)
	default:
		d.ok("driver", "%s (%s) is up to date", key, describeOrigin(line))
	}
	return true
}

// reportOtherDriver prints the error about c, a driver for which git does not run this program: its driver line runs
// another program, or is missing.
func (d *doctor) reportOtherDriver(c *checkedDriver) {
	key := c.Key("driver")
	line := c.setting(key)
	switch {
	case line.Value != "":
		d.failure("driver", c.installCommand+" --force", "%s (%s) runs another program: %s", key, describeOrigin(line), line.Value)
	case c.isSet():
		d.failure("driver", c.installCommand, "%s is set (%s), but not %s: git refuses to merge files with merge=%s",
			c.settings[0].Key, describeOrigin(c.settings[0]), key, c.Name)
	default:
		d.failure("driver", c.installCommand, "%s is not set: git merges YAML files by lines", key)
	}
}

// describeMissingParts returns a clause about the parts that a driver's command line lacks, and their purpose, as in ";
// missing: --path=%P (...)". It returns "" if it lacks none. A line that was written by hand, or by an old version, may
// lack some.
func describeMissingParts(line string) string {
	var missing []string
	for _, part := range []struct {
		text, effect string
	}{
		{"%P", "--path=%P (the path of the file, which selects rules and presets)"},
		{"%L", "--marker-size=%L (the size of conflict markers)"},
		{"%Y", "-L %X -L %S -L %Y (the branch names in conflict markers)"},
	} {
		if !strings.Contains(line, part.text) {
			missing = append(missing, part.effect)
		}
	}
	if !strings.ContainsAny(line, ";|") { // runs nothing after the program
		missing = append(missing, "the fallback script (if the program is missing or fails, ours remains without conflict markers)")
	}
	if strings.HasPrefix(line, driver.ProgramName+" ") || strings.HasPrefix(line, "git merge-yaml ") {
		missing = append(missing, "the folder of the program (clients with a shorter PATH do not find the program)")
	}
	if len(missing) == 0 {
		return ""
	}
	return "; missing: " + strings.Join(missing, ", ")
}

// checkRules prints an error for the first mistake of the team's rules, and warnings for rules files that are not read
// because of their name or folder, and for a wrong value of the setting merge.yaml.own. It prints ok for rules without
// mistakes, and nothing if there are no rules. The rules are read from where a merge would read them.
func (d *doctor) checkRules() {
	s := session.New(session.Options{})
	if own := s.Repo().ConfigValue(session.OwnKey); own != "" && own != "ours" && own != "theirs" {
		d.warning("own", "git config "+session.OwnKey+" theirs", "%s is %s, neither ours nor theirs; the setting is ignored", session.OwnKey, own)
	}
	rules, _ := s.Rules()
	if err := s.FirstRulesError(); err != nil {
		fix := "edit " + s.RulesFile() + ", or change the path in " + session.ConfigKey
		if s.RulesFile() == session.RulesFromKey {
			fix = "git config " + session.RulesFromKey + " COMMIT, with a commit that exists, or remove the setting"
		}
		d.failure("rules", fix, "%s; YAML files are merged by lines", err)
	} else if notice := s.RulesNotice(); notice != "" {
		if name := s.MisnamedRulesFile(); rules == nil && name != "" {
			move := "mv"
			if tracked, err := d.git.Paths("ls-files", "-z", "--", ":(literal)"+name); err == nil && len(tracked) > 0 {
				move = "git mv"
			}
			d.warning("rules", move+" "+name+" "+session.RulesFileName, "%s", notice)
		} else {
			d.failure("rules", "edit "+s.RulesFile()+"; "+d.commandName+" rules check lists all mistakes", "%s", notice)
		}
	} else if rules != nil {
		d.ok("rules", "%s", s.RulesFile())
	}
	nested, _ := d.git.Paths("ls-files", "-z", "--", ":(glob)*/**/"+session.RulesFileName, ":(glob)*/**/"+strings.TrimSuffix(session.RulesFileName, ".yaml")+".yml")
	for _, name := range slices.DeleteFunc(slices.Compact(nested), func(name string) bool { return name == s.RulesFile() }) {
		d.warning("rules", fmt.Sprintf("move the rules to %s at the top of the work tree, with files: [%s/**]", session.RulesFileName, path.Dir(name)),
			"%s is ignored; only the file at the top of the work tree is used", name)
	}
}
