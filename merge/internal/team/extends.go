package team

import (
	_ "embed"
	"errors"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

// A Preset is a named set of rules that a team's file can include with the field extends. A preset that is not included
// has no effect.
type Preset struct {
	// Name is the name for extends. About describes the rules in messages.
	Name, About string
	// Files are patterns, as in .gitattributes. The preset is recommended for a repository with such a file. Files is
	// empty for a preset that is only for some branches.
	Files []string
	// rules are entries in the format of a team's file.
	rules string
}

// NamedPresets are the available presets for extends.
var NamedPresets = []Preset{
	{
		"helm", "use the next version of a chart that both sides bumped, and the higher version of a dependency",
		[]string{"Chart.yaml"},
		helmRules,
	},
	{
		"locks", "in lock files, keep the packages of both sides, in the higher version, until the files are regenerated",
		[]string{"Chart.lock", "requirements.lock", "pnpm-lock.yaml", "pubspec.lock", "Podfile.lock", "conda-lock.yml", "pixi.lock"},
		"[]",
	},
	{
		"backport", "on a release branch, keep its version when a commit of another branch is applied",
		nil,
		backportRules,
	},
	{
		"melange", "in melange packages, use the epoch of the side with the new version",
		[]string{"melange.yaml", "melange.yml", "*.melange.yaml", "*.melange.yml"},
		melangeRules,
	},
	{
		"conda", "in conda and rattler recipes, use the build number of the side with the new version",
		[]string{"meta.yaml", "recipe.yaml"},
		condaRules,
	},
	{
		"nfpm", "in nfpm packages, use the release of the side with the new version",
		[]string{"nfpm.yaml", "nfpm.yml", "*.nfpm.yaml", "*.nfpm.yml"},
		nfpmRules,
	},
}

var (
	//go:embed helm.yaml
	helmRules string
	//go:embed backport.yaml
	backportRules string
	//go:embed melange.yaml
	melangeRules string
	//go:embed conda.yaml
	condaRules string
	//go:embed nfpm.yaml
	nfpmRules string
)

// Extend returns the rules of the presets with these names, such as helm, as if a team's file extended them. Messages
// begin with source. It is an error to have no names. Otherwise the error joins an *Error for each wrong name, and the
// result has the rules of the others.
func Extend(source string, names ...string) (*Rules, error) {
	rd, n := &reader{file: source}, &yaml.Node{Kind: yaml.SequenceNode}
	for _, name := range names {
		n.Content = append(n.Content, &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: name})
	}
	r := new(Rules)
	r.team = rd.readExtends(r, n)
	return r, errors.Join(rd.errs...)
}

// WithFallback returns new Rules with the rules of r, and after them those of fallback, which decide only what r does
// not decide. Custom resource definitions, and the results of Remarks, NewUsage, Shadowed and AcceptsTrailers, come
// from r alone. Neither r nor fallback may be nil, and neither is changed.
func (r *Rules) WithFallback(fallback *Rules) *Rules {
	combined := &Rules{
		team: slices.Concat(r.team, fallback.team), presetNames: slices.Concat(r.presetNames, fallback.presetNames),
		crdGlobs: r.crdGlobs, crdPatterns: r.crdPatterns, crds: r.crds, crdSource: r.crdSource, remarks: r.remarks, mentions: r.mentions,
		generated: slices.Concat(r.generated, fallback.generated), acceptsTrailers: r.acceptsTrailers,
	}
	combined.crdError.Store(r.crdError.Load())
	return combined
}

// PresetNames returns the names of the presets that the team's file includes with extends, in their order.
func (r *Rules) PresetNames() []string {
	return r.presetNames
}

// readExtends reads n, the value of the field extends in the team's file: the names of presets, such as [helm, locks].
// It returns the entries of these presets, and appends the valid names to r.presetNames. It records an error in rd for
// each mistake.
func (rd *reader) readExtends(r *Rules, n *yaml.Node) (all []*entry) {
	for _, c := range rd.uniqueStringNodes(n, "extends") {
		i := slices.IndexFunc(NamedPresets, func(p Preset) bool { return p.Name == c.Value })
		if i < 0 {
			var names []string
			for _, p := range NamedPresets {
				names = append(names, p.Name)
			}
			rd.failUnknown(c, "preset", names, "expected one of "+strings.Join(names, ", "))
			continue
		}
		r.presetNames = append(r.presetNames, c.Value)
		all = append(all, rd.readPreset(c, NamedPresets[i].rules)...)
	}
	return all
}

// readPreset returns the entries in text, the rules of a preset. node is the name of the preset in the team's file. The
// policies and restarts of the entries get the place of node as their source, and the name as their preset. Mistakes
// are recorded in rd.
func (rd *reader) readPreset(node *yaml.Node, text string) []*entry {
	var root yaml.Node
	if err := yaml.Unmarshal([]byte(text), &root); err != nil {
		rd.fail(node, "extends "+node.Value+": "+err.Error(), "")
		return nil
	}
	all := rd.readEntries(root.Content[0])
	for _, e := range all {
		for i := range e.fields {
			e.fields[i].Value.Source, e.fields[i].Value.Preset = rd.sourceOf(node), node.Value
		}
		for i := range e.restarts {
			e.restarts[i].By.Source, e.restarts[i].By.Preset = rd.sourceOf(node), node.Value
		}
	}
	return all
}
