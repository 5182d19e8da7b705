package schema

import (
	"cmp"
	_ "embed"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"gopkg.in/yaml.v3"

	"github.com/git-merge-yaml/git-merge-yaml/gitattrs/wildmatch"
)

// presetText contains the built-in presets: rules for well-known files and kinds. A line without indentation is the
// name of a preset. Each indented line below it is a keyword and its arguments. A preset without files and kinds is for
// all documents.
//
//	files PATTERN …                  files, with patterns as in .gitattributes
//	kinds GROUP/KIND …               kinds of resources
//	set PATH …                       lists that are sets
//	ordered PATH …                   lists that are ordered
//	keys KEY,KEY=DEFAULT PATH …      map lists with these associative keys
//	until CHARS PATH …               map lists of strings, identified by the text before one of the characters
//	                                 CHARS; _ represents a blank
//	until CHARS,AFTER PATH …         the same; the identity begins after the text AFTER
//	until CHARS,AFTER,KEY PATH …     the same; KEY is the associative key of items that are mappings
//	oneOf FIELD,FIELD PATH …         mappings in which only one of the fields may be present
//	unique FIELD PATH …              lists in which no two items have the same value in this field, beside the keys.
//	                                 FIELD=VALUE: at most one item has this value
//	reference FIELD PATH …           lists in which $(NAME) in this field of an item refers to the item before it with this
//	                                 name
//	unit FIELD,FIELD PATH …          mappings in which these fields are one value, as kind and name of a reference.
//	                                 FIELD=DEFAULT: the value without the field; FIELD/: its text after the last slash;
//	                                 FROM..TO: two numbers, of which the first must not become the greater one
//	access FIELD,FIELD PATH …        mappings in which these fields grant access together, as verbs and resources in an
//	                                 RBAC rule. FIELD=*: without the field, everything is granted; -FIELD: lists values
//	                                 that are not granted; FROM..TO: a range; A|B: A and B express the same thing
//	distinct FIELD,FIELD PATH …      mappings in which the fields have different meanings, so that none is another one
//	                                 that was renamed
//	images PATH …                    fields that hold image references
//	names PATH …                     mappings with mapping keys that authors choose
//
// A rule for a list must be right for every file that the tool of the format accepts, or be checked in every merge: a
// list with a repeated associative key is merged as an ordered list. Lists whose items have a name that does not
// identify them are listed as ordered, so that no associative key is inferred for them.
//
//go:embed presets.txt
var presetText string

// builtinPresets returns the presets of presetText. Only their files and kinds are parsed at first, because parsing all
// of the text takes longer than merging a small file. A test ensures that the text has no mistakes.
var builtinPresets = sync.OnceValue(func() []*rulesEntry {
	all, _ := readPresets(presetText)
	return all
})

// readPresets parses the names, files and kinds of the presets in text, and returns the presets and the first error.
// The readLines of each parses its other lines. A line without indentation is the name of a preset, and must come
// first; the indented lines below are its rules. Lines that begin with # are ignored.
func readPresets(text string) (all []*rulesEntry, err error) {
	var e *rulesEntry
	for line := range strings.Lines(text) {
		trimmed := strings.TrimSpace(line)
		keyword, rest, _ := strings.Cut(trimmed, " ")
		switch {
		case trimmed == "" || trimmed[0] == '#':
		case line[0] != '\t':
			preset := new(rulesEntry)
			e = preset
			e.readLines = sync.OnceValue(func() (err error) {
				for _, unread := range preset.unreadLines {
					words := strings.Fields(unread)
					err = cmp.Or(err, preset.addPresetLine("preset "+trimmed, words[0], words[1:]))
				}
				return err
			})
			all = append(all, e)
		case keyword == "files", keyword == "kinds":
			err = cmp.Or(err, e.addPresetLine("", keyword, strings.Fields(rest)))
		default:
			e.unreadLines = append(e.unreadLines, trimmed)
		}
	}
	return all, err
}

// addPresetLine parses a line of a preset, such as "set spec.args", and adds its rules to e. keyword is the first word,
// and words are the others; it panics if they lack names that the keyword needs. It returns an error if the keyword is
// unknown or a word cannot be parsed; rules for the words before it remain.
func (e *rulesEntry) addPresetLine(source, keyword string, words []string) error {
	l := List{Source: source}
	switch keyword {
	case "files":
		return parseEach(words, wildmatch.Parse, &e.files)
	case "kinds":
		return parseEach(words, parseKind, &e.kinds)
	case "images":
		return addRule(&e.images, words, true)
	case "names":
		return addRule(&e.names, words, true)
	case "distinct":
		return addRule(&e.distinct, words[1:], decodeUnion(words[0]))
	case "oneOf":
		return addRule(&e.oneOf, words[1:], decodeUnion(words[0]))
	case "unique":
		return addRule(&e.unique, words[1:], words[0])
	case "reference":
		return addRule(&e.references, words[1:], words[0])
	case "unit":
		u, err := decodeUnit(strings.Split(words[0], ","))
		u.Source = source
		return cmp.Or(err, addRule(&e.units, words[1:], u))
	case "access":
		var m AccessFields
		err := parseEach(strings.Split(words[0], ","), decodeAccessField, (*[]AccessField)(&m))
		return cmp.Or(err, addRule(&e.access, words[1:], m))
	case "ordered":
		l.OrderMatters = true
	case "set":
		l.Kind = Set
	case "keys":
		l.Kind = Map
		l.Keys, l.Defaults = decodeKeys(words[0])
		words = words[1:]
	case "until":
		l.Kind = Map
		parts := strings.SplitN(words[0], ",", 3)
		if len(parts) > 1 {
			l.After, l.Keys = parts[1], parts[2:]
		}
		l.Separators = strings.Split(strings.ReplaceAll(parts[0], "_", " "), "")
		words = words[1:]
	default:
		return fmt.Errorf("no rule %q", keyword)
	}
	return addRule(&e.lists, words, l)
}

// addRule adds a rule with this value to rules for each of the paths. It returns an error at the first path that cannot
// be parsed.
func addRule[T any](rules *[]rule[T], paths []string, value T) error {
	var patterns []pattern
	err := parseEach(paths, parsePattern, &patterns)
	for _, at := range patterns {
		*rules = append(*rules, rule[T]{at, value})
	}
	return err
}

// parseEach parses each word and appends the result to all. It returns the first error of parse, and stops there.
func parseEach[T any](words []string, parse func(string) (T, error), all *[]T) error {
	for _, w := range words {
		v, err := parse(w)
		if err != nil {
			return err
		}
		*all = append(*all, v)
	}
	return nil
}

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

// Extend returns the rules of the presets with these names, such as helm, as if a team's file had them in its field
// extends. source is the text with which messages begin, such as the name of an option. The error joins an *Error for
// each mistake in the names; the result then has the rules of the others.
func Extend(source string, names ...string) (*Rules, error) {
	rd, n := &reader{file: source}, &yaml.Node{Kind: yaml.SequenceNode}
	for _, name := range names {
		n.Content = append(n.Content, &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: name})
	}
	r := new(Rules)
	r.team = rd.readExtends(r, n)
	return r, errors.Join(rd.errs...)
}

// WithFallback returns new Rules: those of r and, for everything that r does not decide, those of fallback. Custom
// resource definitions, and the notes about the team's file that Remarks returns, are only those of r. Both must
// not be nil, and neither is changed.
func (r *Rules) WithFallback(fallback *Rules) *Rules {
	combined := &Rules{
		team: slices.Concat(r.team, fallback.team), presetNames: slices.Concat(r.presetNames, fallback.presetNames),
		crdGlobs: r.crdGlobs, crdPatterns: r.crdPatterns, crds: r.crds, crdSource: r.crdSource, remarks: r.remarks, mentions: r.mentions,
		generated: slices.Concat(r.generated, fallback.generated), acceptsTrailers: r.acceptsTrailers,
	}
	combined.crdError.Store(r.crdError.Load())
	return combined
}

// PresetNames returns the names of the presets in r, in their order.
func (r *Rules) PresetNames() []string {
	return r.presetNames
}

// readExtends reads the value of the field extends in the team's file: the names of presets, which are sets of rules of
// this program. It returns the entries of their rules, and appends the names to r.presetNames. It records an error in
// rd for each mistake.
func (rd *reader) readExtends(r *Rules, n *yaml.Node) []*rulesEntry {
	var all []*rulesEntry
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

// readPreset returns the entries of rules in text, the rules of a preset. node is the name of the preset in the team's
// file; policies and restarts get its place as their source. Mistakes are recorded in rd.
func (rd *reader) readPreset(node *yaml.Node, text string) []*rulesEntry {
	var root yaml.Node
	if err := yaml.Unmarshal([]byte(text), &root); err != nil {
		rd.fail(node, "extends "+node.Value+": "+err.Error(), "")
		return nil
	}
	all := rd.readEntries(root.Content[0])
	for _, e := range all {
		for i := range e.fields {
			e.fields[i].value.Source, e.fields[i].value.Preset = rd.sourceOf(node, ""), node.Value
		}
		for i := range e.restarts {
			e.restarts[i].By.Source, e.restarts[i].By.Preset = rd.sourceOf(node, ""), node.Value
		}
	}
	return all
}
