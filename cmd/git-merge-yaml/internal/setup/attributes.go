package setup

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/driver"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/team"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/terminal"
)

// checkFiles looks at the attributes of the tracked YAML files.
func (d *doctor) checkFiles() {
	d.checkUnusedAttributes()
	out, err := d.git.Run("ls-files", "-z", "--", ":(icase)*.yaml", ":(icase)*.yml")
	if err != nil {
		d.failure("attributes", "git status", "git cannot list the files: %v", err)
		return
	}
	paths := slices.Compact(strings.FieldsFunc(string(out), func(r rune) bool { return r == 0 }))
	if len(paths) == 0 {
		d.ok("attributes", "no YAML files are tracked here")
		return
	}
	if err := d.checkAttributes(paths); err != nil {
		d.failure("attributes", "git check-attr merge -- "+terminal.ShellWord(paths[0]), "git cannot say what the attributes are: %v", err)
	}
}

func (d *doctor) checkAttributes(paths []string) error {
	values, err := d.git.Attributes(paths, "merge")
	if err != nil {
		return err
	}
	var byMerge groups
	for i, p := range paths {
		byMerge.add(values[i]["merge"], p)
	}
	d.tellMerge(byMerge, len(paths))
	return nil
}

// A group is the files that have one value of an attribute.
type group struct {
	value string
	paths []string
}

type groups []*group

func (g *groups) add(value, path string) {
	i := slices.IndexFunc(*g, func(g *group) bool { return g.value == value })
	if i < 0 {
		i = len(*g)
		*g = append(*g, &group{value: value})
	}
	(*g)[i].paths = append((*g)[i].paths, path)
}

// files is "3 YAML files (a.yaml, b.yaml, ...)".
func (g *group) files() string {
	some := strings.Join(g.paths[:min(2, len(g.paths))], ", ")
	if len(g.paths) > 2 {
		some += ", ..."
	}
	return fmt.Sprintf("%s (%s)", terminal.Count(len(g.paths), "YAML file"), some)
}

// tellMerge says what git merges the files with.
func (d *doctor) tellMerge(byMerge groups, all int) {
	fallback, _ := d.git.Line("config", "--get", "merge.default")
	for _, g := range byMerge {
		switch own := d.driverOf(g.value); {
		case own != nil && !own.isSet() && !own.needed():
			d.failure("attributes", own.install(), "%s: merge=%s, but %s is not set: git merges by lines", g.files(),
				g.value, own.key("driver"))
		case own != nil:
			d.ok("attributes", "%d of %s have merge=%s", len(g.paths), terminal.Count(all, "YAML file"), g.value)
		case g.value == "unspecified" && fallback == driver.Name:
			d.ok("attributes", "%d of %s have no merge attribute, but merge.default is %s", len(g.paths),
				terminal.Count(all, "YAML file"), driver.Name)
		case g.value == "unspecified" && fallback != "":
			d.warning("attributes", d.patterns(g), "%s: no merge attribute, so git merges with merge.default, which is %s", g.files(), fallback)
		case g.value == "unspecified" && len(g.paths) == all:
			d.failure("attributes", d.install(), "no YAML file has merge=%s: git never calls the driver, as for %s", driver.Name, g.paths[0])
		case g.value == "unspecified":
			d.warning("attributes", d.patterns(g), "%s: no merge attribute, so git merges by lines", g.files())
		case g.value == "unset":
			d.warning("attributes", takeOut("-merge or binary"),
				"%s: -merge or binary, so git never merges them: ours stays, as a conflict", g.files())
		case g.value == "union":
			d.warning("attributes", takeOut("merge=union")+"; where both sides' items of a list are to stay, have fields: {LIST: union} in the rules of "+team.File,
				"%s: merge=union: git keeps the lines of both sides, so that what one deleted is back, and keys stand twice",
				g.files())
		case g.value == "set":
			d.warning("attributes", takeOut("merge"), "%s: merge without a driver, so git merges by lines", g.files())
		default:
			d.warning("attributes", takeOut("merge="+g.value), "%s: merge=%s, so this driver is not called", g.files(), g.value)
		}
	}
}

// driverOf returns the driver that a merge attribute names, nil if it is none of
// this program's.
func (d *doctor) driverOf(attribute string) *checkedDriver {
	for _, c := range d.drivers {
		if c.Name == attribute {
			return c
		}
	}
	return nil
}

// patterns is the command that gives a group's files to the driver too.
func (d *doctor) patterns(g *group) string {
	return fmt.Sprintf("%s --pattern '*.yaml' --pattern '*.yml', or a line for %s with merge=%s in .gitattributes",
		d.install(), g.paths[0], driver.Name)
}

// takeOut says where attributes may be that are in the way.
func takeOut(what string) string {
	return "take out " + what + ", which stands in a .gitattributes, .git/info/attributes or core.attributesFile"
}

// checkUnusedAttributes looks for attributes files that a merge does not read.
func (d *doctor) checkUnusedAttributes() {
	unused, err := d.tree.UnusedAttributes()
	if err != nil {
		d.failure("attributes", "git status", "git cannot list the attributes files: %v", err)
	}
	for path, content := range unused {
		if !bytes.Contains(content, []byte("merge")) {
			continue
		}
		fix := "git checkout -- " + terminal.ShellWord(path)
		if sparse, _ := d.git.Line("config", "--get", "core.sparseCheckout"); sparse == "true" {
			fix = "git sparse-checkout add " + terminal.ShellWord(strings.TrimSuffix("/"+path, "/.gitattributes")) + " (or its line in .git/info/attributes)"
		}
		d.failure("attributes", fix, "%s is in the index, but not in the work tree: a merge does not read it, though git check-attr does", path)
	}
}

// checkBare looks whether a bare repository gives YAML files to the driver.
func (d *doctor) checkBare() {
	values, err := d.git.Attributes([]string{"a.yaml"}, "merge")
	if err == nil && d.driverOf(values[0]["merge"]) != nil {
		d.ok("attributes", "*.yaml has merge=%s", values[0]["merge"])
	} else {
		fix := d.self + " install --local"
		if d.git.AtLeast(2, 43) {
			fix += ", or git config attr.tree HEAD where the commits have a .gitattributes"
		}
		d.failure("attributes", fix,
			"info/attributes does not give *.yaml to the driver; git reads no .gitattributes in a bare repository")
	}
}
