package schema

import (
	"cmp"
	_ "embed"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"gopkg.in/yaml.v3"

	"github.com/git-merge-yaml/git-merge-yaml/gitattrs/wildmatch"
)

// presetText are the rules for well-known files and kinds. A line that is not indented names a
// preset, which is for all files if it has neither files nor kinds; a line below it is a rule and, after blanks, what it is for:
//
//	files PATTERN …        as in .gitattributes
//	kinds GROUP/KIND …
//	set PATH …             and ordered: what the lists at these paths are
//	keys KEY,KEY=DEFAULT PATH …
//	until CHARS PATH …     items known by the text before one of these, _ for a blank;
//	until CHARS,AFTER PATH …    and behind AFTER
//	oneOf FIELD,FIELD PATH …
//	multiplied FIELD,FIELD PATH …    fields as decodeFactor reads them
//	distinct FIELD,FIELD PATH …    fields of which none is another one renamed
//	images PATH …
//	names PATH …           mappings whose keys are names of things
//
// What a preset says of a list holds for every file that the format's own
// tool accepts, or is checked in every merge (a doubled key makes a list
// ordered). Lists whose items have names that do not identify them are said to be
// ordered, so that nothing is inferred.
//
//go:embed presets.txt
var presetText string

// builtinPresets are the entries of presetText, in which a test finds no mistake: to read all of it takes longer than the merge
// of a small file.
var builtinPresets = sync.OnceValue(func() []*rulesEntry {
	all, _ := readPresets(presetText)
	return all
})

// readPresets reads for which files and kinds presets are; each reads its rules once it is for one.
func readPresets(text string) (all []*rulesEntry, err error) {
	var e *rulesEntry
	for line := range strings.Lines(text) {
		words := strings.Fields(line)
		switch {
		case len(words) == 0 || words[0][0] == '#':
		case line[0] != '\t':
			preset := new(rulesEntry)
			e = preset
			e.readLines = sync.OnceValue(func() (err error) {
				for _, words := range preset.unreadLines {
					err = cmp.Or(err, preset.addPresetLine("preset "+strings.TrimSpace(line), words[0], words[1:]))
				}
				return err
			})
			all = append(all, e)
		case words[0] == "files", words[0] == "kinds":
			err = cmp.Or(err, e.addPresetLine("", words[0], words[1:]))
		default:
			e.unreadLines = append(e.unreadLines, words)
		}
	}
	return all, err
}

// addPresetLine adds a line of a preset to e.
func (e *rulesEntry) addPresetLine(source, kind string, words []string) error {
	switch kind {
	case "files":
		return parseEach(words, wildmatch.Parse, func(g wildmatch.Glob) { e.files = append(e.files, g) })
	case "kinds":
		return parseEach(words, parseKind, func(k kindSelector) { e.kinds = append(e.kinds, k) })
	case "images":
		return parseEach(words, parsePattern, func(at pattern) { e.images = append(e.images, rule[bool]{at, true}) })
	case "names":
		return parseEach(words, parsePattern, func(at pattern) { e.names = append(e.names, rule[bool]{at, true}) })
	case "distinct":
		return parseEach(words[1:], parsePattern, func(at pattern) {
			e.distinct = append(e.distinct, rule[OneOf]{at, decodeUnion(words[0])})
		})
	case "oneOf":
		return parseEach(words[1:], parsePattern, func(at pattern) {
			e.oneOf = append(e.oneOf, rule[OneOf]{at, decodeUnion(words[0])})
		})
	}
	if kind == "multiplied" {
		var m Multiplied
		err := parseEach(strings.Split(words[0], ","), decodeFactor, func(f Factor) { m = append(m, f) })
		return cmp.Or(err, parseEach(words[1:], parsePattern, func(at pattern) {
			e.multiplied = append(e.multiplied, rule[Multiplied]{at, m})
		}))
	}
	l := List{Source: source}
	switch kind {
	case "ordered":
	case "set":
		l.Kind = Set
	case "keys":
		l.Kind = Map
		l.Keys, l.Defaults = decodeKeys(words[0])
		words = words[1:]
	case "until":
		l.Kind = Map
		var chars string
		chars, l.After, _ = strings.Cut(words[0], ",")
		l.Separators = strings.Split(strings.ReplaceAll(chars, "_", " "), "")
		words = words[1:]
	default:
		return fmt.Errorf("no rule %q", kind)
	}
	return parseEach(words, parsePattern, func(at pattern) { e.lists = append(e.lists, rule[List]{at, l}) })
}

// parseEach reads words, and adds what they are.
func parseEach[T any](words []string, read func(string) (T, error), add func(T)) error {
	for _, w := range words {
		v, err := read(w)
		if err != nil {
			return err
		}
		add(v)
	}
	return nil
}

// A Preset is a set of entries that a team's file can ask for by `extends`. Nothing of
// it holds for a team that did not ask.
type Preset struct {
	Name, About string // About is for people: what the entries are for
	// Files are patterns as in .gitattributes of files in whose repository it is worth a word;
	// none of a set that is not for every branch.
	Files []string
	rules string // in the format of a team's file
}

// NamedPresets are the sets that there are.
var NamedPresets = []Preset{
	{
		"helm", "the next version of every chart that both sides bumped, and where it is repeated",
		[]string{"Chart.yaml"},
		helmRules,
	},
	{
		"locks", "in lock files the packages of both sides, of one in two versions the higher, until they are made again",
		[]string{"Chart.lock", "requirements.lock", "pnpm-lock.yaml", "pubspec.lock", "Podfile.lock", "conda-lock.yml"},
		"[]",
	},
	{
		"backport", "on a release branch: its own version stays where a commit of another branch lands on it",
		nil,
		backportRules,
	},
}

var (
	//go:embed helm.yaml
	helmRules string
	//go:embed backport.yaml
	backportRules string
)

// Extend returns the rules of the sets called names; source is what asks for them, for
// people. The error joins an *Error for every name that there is not.
func Extend(source string, names ...string) (*Rules, error) {
	rd, n := &reader{file: source}, &yaml.Node{Kind: yaml.SequenceNode}
	for _, name := range names {
		n.Content = append(n.Content, &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: name})
	}
	r := new(Rules)
	r.team = rd.readExtends(r, n)
	return r, errors.Join(rd.errs...)
}

// WithFallback returns the rules of r with those of o behind them, which decide what r leaves
// open. The definitions are those of r.
func (r *Rules) WithFallback(o *Rules) *Rules {
	both := &Rules{
		team: slices.Concat(r.team, o.team), presetNames: slices.Concat(r.presetNames, o.presetNames),
		crdGlobs: r.crdGlobs, crdPatterns: r.crdPatterns, crds: r.crds, crdSource: r.crdSource, remarks: r.remarks, mentions: r.mentions,
		generated: slices.Concat(r.generated, o.generated),
	}
	both.crdError.Store(r.crdError.Load())
	return both
}

// PresetNames are the names of the sets that r has.
func (r *Rules) PresetNames() []string {
	return r.presetNames
}

// readExtends reads the names of sets, and returns their entries.
func (rd *reader) readExtends(r *Rules, n *yaml.Node) []*rulesEntry {
	var all []*rulesEntry
	for _, c := range rd.uniqueStringNodes(n, "extends", "every name once") {
		i := slices.IndexFunc(NamedPresets, func(p Preset) bool { return p.Name == c.Value })
		if i < 0 {
			var names []string
			for _, p := range NamedPresets {
				names = append(names, p.Name)
			}
			rd.fail(c, "there are no rules called "+strconv.Quote(c.Value), "allowed: "+strings.Join(names, ", "))
			continue
		}
		r.presetNames = append(r.presetNames, c.Value)
		all = append(all, rd.readPreset(c, NamedPresets[i].rules)...)
	}
	return all
}

// readPreset reads the set that c names; its answers come from the line of c.
func (rd *reader) readPreset(c *yaml.Node, text string) []*rulesEntry {
	var root yaml.Node
	if err := yaml.Unmarshal([]byte(text), &root); err != nil {
		rd.fail(c, "extends "+c.Value+": "+err.Error(), "")
		return nil
	}
	all := rd.readEntries(root.Content[0])
	for _, e := range all {
		for i := range e.fields {
			e.fields[i].value.Source, e.fields[i].value.Preset = rd.sourceOf(c, ""), c.Value
		}
	}
	return all
}
