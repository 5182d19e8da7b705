package schema

import (
	_ "embed"
	"errors"
	"slices"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"
)

// A Preset is a set of entries that a team's file can ask for by `extends`. Nothing of
// it holds for a team that did not ask.
type Preset struct {
	Name, About string // About is for people: what the entries are for
	// Files are patterns as in .gitattributes of files in whose repository it is worth a word;
	// none of a set that is not for every branch.
	Files   []string
	entries string // in the format of a team's file
}

// Named are the sets that there are.
var Named = []Preset{
	{
		"helm", "the next version of every chart that both sides bumped, and where it is repeated",
		[]string{"Chart.yaml"},
		helm,
	},
	{
		"locks", "in lock files the packages of both sides, of one in two versions the higher, until they are made again",
		[]string{"Chart.lock", "requirements.lock", "pnpm-lock.yaml", "pubspec.lock", "Podfile.lock", "conda-lock.yml"},
		"[]",
	},
	{
		"backport", "on a release branch: its own version stays where a commit of another branch lands on it",
		nil,
		backport,
	},
}

var (
	//go:embed helm.yaml
	helm string
	//go:embed backport.yaml
	backport string
)

// Extend returns the rules of the sets called names; source is what asks for them, for
// people. The error joins an *Error for every name that there is not.
func Extend(source string, names ...string) (*Rules, error) {
	rd, n := &reader{name: source}, &yaml.Node{Kind: yaml.SequenceNode}
	for _, name := range names {
		n.Content = append(n.Content, &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: name})
	}
	r := new(Rules)
	r.team = rd.extends(r, n)
	return r, errors.Join(rd.errs...)
}

// Then returns the rules of r with those of o behind them, which decide what r leaves
// open. The definitions are those of r.
func (r *Rules) Then(o *Rules) *Rules {
	switch {
	case r == nil:
		return o
	case o == nil:
		return r
	}
	both := &Rules{
		team: slices.Concat(r.team, o.team), extended: slices.Concat(r.extended, o.extended),
		crdFiles: r.crdFiles, crdPatterns: r.crdPatterns, crds: r.crds, crdSource: r.crdSource, remarks: r.remarks, written: r.written,
		generated: slices.Concat(r.generated, o.generated),
	}
	both.crdError.Store(r.crdError.Load())
	return both
}

// Extended are the names of the sets that r has.
func (r *Rules) Extended() []string {
	if r == nil {
		return nil
	}
	return r.extended
}

// extends reads the names of sets, and returns their entries.
func (rd *reader) extends(r *Rules, n *yaml.Node) []*entry {
	var all []*entry
	for _, c := range rd.texts(n, "extends") {
		i := slices.IndexFunc(Named, func(p Preset) bool { return p.Name == c.Value })
		if i < 0 {
			var names []string
			for _, p := range Named {
				names = append(names, p.Name)
			}
			rd.fail(c, "there are no rules called "+strconv.Quote(c.Value), "allowed: "+strings.Join(names, ", "))
			continue
		}
		r.extended = append(r.extended, c.Value)
		all = append(all, rd.set(c, Named[i].entries)...)
	}
	return all
}

// set reads the set that c names; its answers come from the line of c.
func (rd *reader) set(c *yaml.Node, text string) []*entry {
	var root yaml.Node
	if err := yaml.Unmarshal([]byte(text), &root); err != nil {
		rd.fail(c, "extends "+c.Value+": "+err.Error(), "")
		return nil
	}
	all := rd.entries(root.Content[0])
	for _, e := range all {
		for i := range e.fields {
			e.fields[i].is.source = rd.source(strconv.Itoa(c.Line), "extends "+c.Value)
		}
	}
	return all
}
