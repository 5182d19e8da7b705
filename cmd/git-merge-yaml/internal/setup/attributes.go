package setup

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/driver"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/session"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/terminal"
)

// checkFiles says what git merges the tracked YAML files with.
func (d *doctor) checkFiles() {
	paths, err := d.git.Paths("ls-files", "-z", "--", ":(icase)*.yaml", ":(icase)*.yml")
	paths = slices.Compact(paths)
	attributes, err2 := d.git.Attributes(paths, "merge")
	if err = cmp.Or(err, err2); err != nil {
		d.failure("attributes", "git status", "git cannot say which files have which attributes: %v", err)
		return
	}
	if len(paths) == 0 {
		d.ok("attributes", "no YAML files are tracked here")
	}
	with := map[string][]string{}
	for i, p := range paths {
		value := attributes[i]["merge"]
		with[value] = append(with[value], p)
	}
	for _, value := range slices.Sorted(maps.Keys(with)) {
		d.checkAttribute(value, with[value], len(paths))
	}
}

// checkAttribute says what a value of the attribute merge means for the files that have it, of
// all that there are.
func (d *doctor) checkAttribute(value string, paths []string, all int) {
	here := terminal.CountNoun(len(paths), "YAML file") + " (" + strings.Join(paths[:min(2, len(paths))], ", ")
	if len(paths) > 2 {
		here += ", ..."
	}
	here += ")"
	ok := fmt.Sprintf("%d of %s have ", len(paths), terminal.CountNoun(all, "YAML file"))
	if i := slices.IndexFunc(d.drivers, func(c *checkedDriver) bool { return c.Name == value }); i >= 0 {
		if c := d.drivers[i]; !c.isSet() && !d.needs(c) {
			d.failure("attributes", c.fix, "%s: merge=%s, but merge.%s.driver is not set: git merges by lines", here, value, value)
		} else {
			d.ok("attributes", "%smerge=%s", ok, value)
		}
		return
	}
	what, means, also := "merge="+value, "merge="+value+", so this driver is not called", ""
	switch value {
	case "unspecified":
		install := d.drivers[0].fix
		fallback, _ := d.git.Line("config", "--get", "merge.default")
		fix := fmt.Sprintf("%s --pattern '*.yaml' --pattern '*.yml', or a line for %s with merge=%s in .gitattributes", install, terminal.QuoteForShell(paths[0]), driver.Name)
		switch {
		case fallback == driver.Name:
			d.ok("attributes", "%sno merge attribute, but merge.default is %s", ok, driver.Name)
		case fallback != "":
			d.warning("attributes", fix, "%s: no merge attribute, so git merges with merge.default, which is %s", here, fallback)
		case len(paths) == all:
			d.failure("attributes", install, "no YAML file has merge=%s: git never calls the driver, as for %s", driver.Name, paths[0])
		default:
			d.warning("attributes", fix, "%s: no merge attribute, so git merges by lines", here)
		}
		return
	case "unset":
		what, means = "-merge or binary", "-merge or binary, so git never merges them: ours stays, as a conflict"
	case "union":
		means = "merge=union: git keeps the lines of both sides, so that what one deleted is back, and keys stand twice"
		also = "; where both sides' items of a list are to stay, have fields: {LIST: union} in the rules of " + session.RulesFileName
	case "set":
		what, means = "merge", "merge without a driver, so git merges by lines"
	}
	d.warning("attributes", "take out "+what+", which stands in a .gitattributes, .git/info/attributes or core.attributesFile"+also,
		"%s: %s", here, means)
}

// checkBare looks whether a bare repository gives YAML files to the driver.
func (d *doctor) checkBare() {
	values, err := d.git.Attributes([]string{"a.yaml"}, "merge")
	if err == nil && slices.ContainsFunc(d.drivers, func(c *checkedDriver) bool { return c.Name == values[0]["merge"] }) {
		d.ok("attributes", "*.yaml has merge=%s", values[0]["merge"])
		return
	}
	fix := d.self + " install --local"
	if d.git.AtLeast(2, 43) {
		fix += ", or git config attr.tree HEAD where the commits have a .gitattributes"
	}
	d.failure("attributes", fix, "info/attributes does not give *.yaml to the driver; git reads no .gitattributes in a bare repository")
}

// checkBranches names the branches whose .gitattributes give no file to the driver: git takes
// the attributes of what is merged into, so what is merged into these is merged by lines, but
// for attributes of one's own.
func (d *doctor) checkBranches() {
	const atOnce, named = 500, 10
	out, err := d.git.Run("for-each-ref", "--format=%(refname)", "refs/heads", "refs/remotes")
	refs := slices.Collect(strings.Lines(string(out)))
	for i, r := range refs {
		refs[i] = strings.TrimSuffix(r, "\n")
	}
	refs = slices.DeleteFunc(refs, func(r string) bool { return strings.HasSuffix(r, "/HEAD") })
	with := map[string]bool{}
	for some := range slices.Chunk(refs, atOnce) {
		if err != nil {
			break
		}
		var lines []byte
		lines, err = d.git.Run(slices.Concat([]string{"grep", "-l", "-z", "-e", "merge=yaml"}, some, []string{"--", ":(top,glob)**/.gitattributes"})...)
		if git.ExitCode(err) == 1 { // none has a line
			err = nil
		}
		for line := range strings.SplitSeq(string(lines), "\x00") {
			ref, _, _ := strings.Cut(line, ":") // no name of a branch has one
			with[ref] = true
		}
	}
	if err != nil {
		d.failure("branches", "git fsck", "git cannot read them: %v", err)
		return
	}
	if len(refs) == 0 {
		d.ok("branches", "there are none")
		return
	}
	var without []string
	for _, r := range refs {
		if !with[r] {
			without = append(without, strings.TrimPrefix(strings.TrimPrefix(r, "refs/heads/"), "refs/remotes/"))
		}
	}
	if len(without) == 0 {
		d.ok("branches", "the .gitattributes of all %d name the driver", len(refs))
		return
	}
	more := ""
	if n := len(without) - named; n > 0 {
		more = fmt.Sprintf(" and %d more", n)
	}
	d.warning("branches", "merge into them a branch whose .gitattributes has the line, or "+d.self+" install in each clone",
		"%d of %d have no .gitattributes that names the driver, so git merges into them by lines in every clone that has no attributes of its own: %s",
		len(without), len(refs), strings.Join(without[:min(named, len(without))], ", ")+more)
}
