package setup

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/disk"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/driver"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/session"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/terminal"
	"github.com/git-merge-yaml/git-merge-yaml/gitattrs"
	"github.com/git-merge-yaml/git-merge-yaml/gitattrs/wildmatch"
)

// checkAttributes prints by which drivers git merges the tracked YAML files. It prints a line for each value of the git
// attribute "merge" (see reportAttribute), or that there are no such files. If git cannot list them, it prints an
// error. checkDrivers must have set d.drivers.
func (d *doctor) checkAttributes() {
	paths, err := d.git.Paths("ls-files", "-z", "--", ":(icase)*.yaml", ":(icase)*.yml")
	paths = slices.Compact(paths)
	attributes, err2 := d.git.Attributes(paths, "merge")
	if err = cmp.Or(err, err2); err != nil {
		d.failure("attributes", "git status", "git cannot list the attributes: %v", err)
		return
	}
	if len(paths) == 0 {
		d.ok("attributes", "no tracked YAML files")
	}
	byValue := map[string][]string{}
	for i, p := range paths {
		value := attributes[i]["merge"]
		byValue[value] = append(byValue[value], p)
	}
	for _, value := range slices.Sorted(maps.Keys(byValue)) {
		d.reportAttribute(value, byValue[value], len(paths))
	}
}

// reportAttribute prints whether git calls this program for the files of paths, which have this value of the git
// attribute "merge": ok, or a warning or an error with a fix. Files that the team has left to git's line merge are ok,
// unless !merge leaves all YAML files to it. paths must not be empty; total is the number of tracked YAML files.
func (d *doctor) reportAttribute(value string, paths []string, total int) {
	files := terminal.CountNoun(len(paths), "YAML file") + " (" + strings.Join(paths[:min(2, len(paths))], ", ")
	if len(paths) > 2 {
		files += ", ..."
	}
	files += ")"
	share := fmt.Sprintf("%d of %s: ", len(paths), terminal.CountNoun(total, "YAML file"))
	if i := slices.IndexFunc(d.drivers, func(c *checkedDriver) bool { return c.Name == value }); i >= 0 {
		// If the driver is required, checkDriver has already reported the error.
		if c := d.drivers[i]; !c.isSet() && !d.isRequired(c) {
			d.failure("attributes", c.installCommand, "%s: merge=%s, but merge.%s.driver is not set: git merges by lines", files, value, value)
		} else {
			d.ok("attributes", "%smerge=%s", share, value)
		}
		return
	}
	attribute, effect, hint := "merge="+value, "merge="+value+", so git does not call this program", ""
	source := d.attributeSource(paths[0])
	switch value {
	case "unspecified":
		install := d.patternCommand(d.drivers[0])
		fallback, _ := d.git.Line("config", "--get", "merge.default")
		fix := fmt.Sprintf("%s, or add a line with merge=%s for %s to .gitattributes", install, driver.Name, terminal.QuoteForShell(paths[0]))
		switch {
		case source != "":
			// a line of the team, such as "*.yaml !merge"
			if len(paths) == total { // it undoes every line with a driver
				d.warning("attributes", "delete !merge in "+source, "%s: !merge in %s leaves all YAML files to git's line merge", files, source)
				break
			}
			d.ok("attributes", "%sleft to git's line merge by !merge in %s", share, source)
		case fallback == driver.Name:
			d.ok("attributes", "%sno merge attribute, but merge.default is %s", share, driver.Name)
		case fallback != "":
			d.warning("attributes", fix, "%s: no merge attribute, so git uses merge.default (%s)", files, fallback)
		case len(paths) == total:
			d.failure("attributes", install, "merge=%s is not set for any YAML file, such as %s, so git does not call the driver", driver.Name, paths[0])
		default:
			d.warning("attributes", fix, "%s: no merge attribute, so git merges by lines", files)
		}
		return
	case "text":
		// git's name for its line merge: a decision, even if it is about all files
		d.ok("attributes", "%sleft to git's line merge by %s in %s", share, attribute, cmp.Or(source, "the attributes"))
		return
	case "unset":
		attribute, effect = "-merge or binary", "-merge or binary, so git keeps ours and reports a conflict"
	case "union":
		effect = "merge=union: git keeps the lines of both sides, which can restore deleted lines and duplicate keys"
		hint = "; to keep the items of both sides of a list, add fields: {LIST: union} to a rule in " + session.RulesFileName
	case "set":
		attribute, effect = "merge", "merge without a driver name, so git merges by lines"
	}
	if source == "" {
		source = ".gitattributes, .git/info/attributes or the file of core.attributesFile"
	}
	d.warning("attributes", `delete "`+strings.ReplaceAll(attribute, " or ", `" or "`)+`" in `+source+hint, "%s: %s", files, effect)
}

// patternCommand returns the command with which the user can assign *.yaml and *.yml to the driver c. Install without
// patterns keeps those that it has written into the attributes file, and adds none. So if there are any, the command
// names them, and these two.
func (d *doctor) patternCommand(c *checkedDriver) string {
	_, err := d.git.WorkTree()
	p := plan{Options: Options{Scope: c.scope}, git: d.git, bare: errors.Is(err, git.ErrNoWorkTree)}
	_, file, _ := p.readAttributesFile(p.attributesKinds()[0])
	patterns := gitattrs.Patterns(file, c.Name)
	if len(patterns) == 0 {
		return c.installCommand
	}
	command := c.installCommand
	for _, pattern := range slices.Concat(patterns, []string{"*.yaml", "*.yml"}) {
		option := " --pattern " + terminal.QuoteForShell(pattern)
		if !strings.Contains(command+" ", option+" ") {
			command += option
		}
	}
	return command
}

// attributeSource returns the place, as in .gitattributes:3, of the line that decides the merge attribute of the file
// at p, a path from the top of the work tree. It returns "" if no line decides it in the files that can be read, as
// when it is in the system's file.
func (d *doctor) attributeSource(p string) string {
	find := func(shown, file, folder string) string {
		if !filepath.IsAbs(file) {
			file = filepath.Join(d.git.Dir, file)
		}
		text, err := disk.ReadIfExists(file)
		relative, below := strings.CutPrefix(p, folder)
		if err != nil || !below {
			return ""
		}
		found, number := "", 0
		for line := range strings.Lines(string(text)) {
			number++
			pattern, attributes := gitattrs.ParseLine(line)
			decides := slices.ContainsFunc(attributes, func(a string) bool {
				name, _, _ := strings.Cut(strings.TrimLeft(a, "!-"), "=")
				return name == "merge" || a == "binary"
			})
			if g, err := wildmatch.Parse(pattern); err == nil && decides && g.Match(relative) {
				found = fmt.Sprintf("%s:%d", shown, number)
			}
		}
		return found
	}
	// In git's order: the first file that decides has priority, and in a file its last line.
	info, _ := d.git.AttributesFile("info")
	if found := find(info, info, ""); found != "" {
		return found
	}
	for folder := path.Dir(p); ; folder = path.Dir(folder) {
		prefix := folder + "/"
		if folder == "." {
			prefix = ""
		}
		if found := find(prefix+".gitattributes", prefix+".gitattributes", prefix); found != "" {
			return found
		}
		if folder == "." {
			break
		}
	}
	global, err := d.git.AttributesFile("global")
	if err != nil {
		return ""
	}
	return find(global, global, "")
}

// checkBareAttributes prints whether git calls this program in a bare repository, in which git reads no .gitattributes.
// It looks only at a file a.yaml at the top, and prints ok if its merge attribute names a driver of this program.
// Otherwise, or if git fails, it prints an error, with the command that sets the attribute.
func (d *doctor) checkBareAttributes() {
	values, err := d.git.Attributes([]string{"a.yaml"}, "merge")
	if err == nil && slices.ContainsFunc(d.drivers, func(c *checkedDriver) bool { return c.Name == values[0]["merge"] }) {
		d.ok("attributes", "*.yaml has merge=%s", values[0]["merge"])
		return
	}
	fix := d.patternCommand(&checkedDriver{Driver: driver.Drivers[0], scope: git.Local, installCommand: d.commandName + " install --local"})
	if d.git.IsAtLeast(2, 43) {
		fix += ", or git config attr.tree HEAD if the commits have a .gitattributes"
	}
	d.failure("attributes", fix, "info/attributes does not set merge=%s for *.yaml (git ignores .gitattributes in a bare repository)", driver.Name)
}

// checkBranches prints which branches of the repository and of its remotes have the text "merge=yaml" in no
// .gitattributes file. Git reads the attributes of the branch that is merged into, so merges into these branches are
// line merges. It is a warning if there are such branches, an error if git cannot read them, and otherwise ok.
func (d *doctor) checkBranches() {
	const batchSize, maxListed = 500, 10 // a batch of refs has to fit on a command line
	out, err := d.git.Run("for-each-ref", "--format=%(refname)", "refs/heads", "refs/remotes")
	refs := slices.Collect(strings.Lines(string(out)))
	for i, r := range refs {
		refs[i] = strings.TrimSuffix(r, "\n")
	}
	refs = slices.DeleteFunc(refs, func(r string) bool { return strings.HasSuffix(r, "/HEAD") })
	hasLine := map[string]bool{}
	for batch := range slices.Chunk(refs, batchSize) {
		if err != nil {
			break
		}
		var matches []byte
		matches, err = d.git.Run(slices.Concat([]string{"grep", "-l", "-z", "-e", "merge=yaml"}, batch, []string{"--", ":(top,glob)**/.gitattributes"})...)
		if git.ExitCode(err) == 1 { // no match
			err = nil
		}
		for match := range strings.SplitSeq(string(matches), "\x00") {
			ref, _, _ := strings.Cut(match, ":") // a ref cannot contain a colon
			hasLine[ref] = true
		}
	}
	if err != nil {
		d.failure("branches", "git fsck", "git cannot read the branches: %v", err)
		return
	}
	if len(refs) == 0 {
		d.ok("branches", "no branches")
		return
	}
	var without []string
	for _, r := range refs {
		if !hasLine[r] {
			without = append(without, strings.TrimPrefix(strings.TrimPrefix(r, "refs/heads/"), "refs/remotes/"))
		}
	}
	if len(without) == 0 {
		have := "the only one has"
		if len(refs) > 1 {
			have = fmt.Sprintf("all %d have", len(refs))
		}
		d.ok("branches", "%s merge=%s in .gitattributes", have, driver.Name)
		return
	}
	more := ""
	if n := len(without) - maxListed; n > 0 {
		more = fmt.Sprintf(" and %d more", n)
	}
	d.warning("branches", `add "*.yaml merge=`+driver.Name+`" to .gitattributes in these branches, or run "`+d.commandName+` install" in each clone`,
		"%d of %d have no merge=%s in .gitattributes (%s), so git merges into these branches by lines, except in clones with their own attributes",
		len(without), len(refs), driver.Name, strings.Join(without[:min(maxListed, len(without))], ", ")+more)
}
