package schema

import (
	"cmp"
	_ "embed"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/git-merge-yaml/git-merge-yaml/gitattrs/wildmatch"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/access"
)

// presetText contains the built-in presets: rules for well-known files and kinds. A line without indentation is the
// name of a preset. Each indented line below it is a keyword and its arguments, at most one with files and one
// with kinds. A preset without them is for all documents.
//
//	files PATTERN …                  files, with patterns as in .gitattributes
//	kinds GROUP/KIND …               kinds of resources
//	set PATH …                       lists that are sets
//	ordered PATH …                   lists that are ordered
//	keys KEY,KEY=DEFAULT PATH …      map lists with these associative keys
//	until CHARS PATH …               map lists of strings, identified by the text before one of the characters
//	                                 CHARS; _ represents a blank
//	until CHARS,AFTER PATH …         the same; the identity begins after the text AFTER
//	match REGEXP KEY PATH …          the same, identified by the groups of the regular expression; KEY is the associative
//	                                 key of items that are mappings
//	oneOf FIELD,FIELD PATH …         mappings in which only one of the fields may be present. FIELD!VALUE: only another
//	                                 value counts; FIELD=VALUE: only this one
//	unique FIELD PATH …              lists in which no two items have the same value in this field, beside the keys.
//	                                 FIELD=VALUE: at most one item has this value
//	reference FIELD PATH …           lists in which $(NAME) in this field of an item refers to the item before it with this
//	                                 name
//	unit FIELD,FIELD PATH …          mappings in which these fields are one value, as kind and name of a reference.
//	                                 FIELD=DEFAULT: the value without the field; FIELD/: its text after the last slash;
//	                                 FROM..TO: two quantities, of which the first must not become greater
//	access FIELD,FIELD PATH …        mappings in which these fields grant access together, as verbs and resources in an
//	                                 RBAC rule. FIELD=*: without the field, everything is granted; -FIELD: lists values
//	                                 that are not granted; FROM..TO: a range; A|B: A and B express the same thing; A?B: the
//	                                 first one that the mapping has
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

// A preset has the rules of one preset in presetText: those that a team's file can have, too, and others.
type preset struct {
	Entry
	distinct   []Rule[Unit]   // fields that never are one field under two names
	names      []Rule[bool]   // mappings with mapping keys that authors choose
	unique     []Rule[string] // lists with a field in which no two items have the same value
	references []Rule[string] // lists with a field in which a text refers to an item before it

	name, text   string // text begins with the lines of the preset
	files, kinds string // the lines with its files and kinds, without the keyword; "" for all
	read         sync.Once
	err          error // of readLines
}

// builtinPresets returns the presets of presetText. The lines of a preset are parsed for the first document that it is
// for, because parsing all of the text takes longer than merging a small file.
var builtinPresets = sync.OnceValue(func() []*preset { return splitPresets(presetText) })

// splitPresets returns the presets in text, without parsing their rules. A line without indentation is the name of a
// preset, and the indented lines below it are its rules; text must begin with a name or a comment. Lines that begin
// with # are ignored.
func splitPresets(text string) (all []*preset) {
	for line := range strings.Lines(text) {
		text = text[len(line):]
		if isPresetName(line) {
			all = append(all, &preset{name: strings.TrimSpace(line), text: text})
		} else if words, ok := strings.CutPrefix(line, "\tfiles "); ok {
			all[len(all)-1].files = words
		} else if words, ok := strings.CutPrefix(line, "\tkinds "); ok {
			all[len(all)-1].kinds = words
		}
	}
	return all
}

// isPresetName reports whether a line of presetText is the name of a preset.
func isPresetName(line string) bool { return strings.IndexByte("\t#\r\n", line[0]) < 0 }

// Selects reports whether e is for the document at p: for its file and for its kind. It parses only the lines with
// files and kinds, because a merge needs few of the presets.
func (e *preset) Selects(p Place) bool {
	isKind := func(word string) bool {
		k, err := ParseKind(word)
		return err == nil && k.Matches(p.APIVersion, p.Kind)
	}
	isFile := func(word string) bool {
		g, err := wildmatch.Parse(word)
		return err == nil && g.Match(p.File)
	}
	return (e.kinds == "" || strings.Contains(e.kinds, p.Kind) && slices.ContainsFunc(strings.Fields(e.kinds), isKind)) &&
		(e.files == "" || p.File != "" && slices.ContainsFunc(strings.Fields(e.files), isFile))
}

// readLines parses the lines of e and adds their rules to e. Only the first call does so. It returns an error about the
// first mistake in the lines; a test ensures that the presets of this program have none.
func (e *preset) readLines() error {
	e.read.Do(func() {
		for line := range strings.Lines(e.text) {
			words := strings.Fields(line)
			switch {
			case isPresetName(line): // the next one
				return
			case len(words) > 0 && words[0][0] != '#':
				e.err = cmp.Or(e.err, e.addPresetLine("preset "+e.name, words[0], words[1:]))
			}
		}
	})
	return e.err
}

// addPresetLine parses a line of a preset, such as "set spec.args", and adds its rules to e. keyword is the first word,
// words are the others. source names the preset. After an error, some rules may have been added. It panics for missing
// words or a wrong regular expression.
func (e *preset) addPresetLine(source, keyword string, words []string) error {
	switch keyword {
	case "files":
		return parseEach(words, wildmatch.Parse, &e.Files)
	case "kinds":
		return parseEach(words, ParseKind, &e.Kinds)
	case "images":
		return addRule(&e.Images, words, true)
	case "names":
		return addRule(&e.names, words, true)
	case "distinct":
		return addRule(&e.distinct, words[1:], parseUnion(words[0]))
	case "oneOf":
		return addRule(&e.OneOf, words[1:], parseUnion(words[0]))
	case "unique":
		return addRule(&e.unique, words[1:], words[0])
	case "reference":
		return addRule(&e.references, words[1:], words[0])
	case "unit":
		u, _, err := ParseUnit(strings.Split(words[0], ","))
		u.Source, u.isPreset = source, true
		return cmp.Or(err, addRule(&e.Units, words[1:], u))
	case "access":
		var m access.Fields
		err := parseEach(strings.Split(words[0], ","), access.ParseField, (*[]access.Field)(&m))
		return cmp.Or(err, addRule(&e.Access, words[1:], m))
	}
	l, paths, err := parseListRule(keyword, words)
	l.Source = source
	return cmp.Or(err, addRule(&e.Lists, paths, l))
}

// parseListRule parses a line of a preset about lists, and returns the rule and the paths of the lists. It fails if
// keyword is not one about lists.
func parseListRule(keyword string, words []string) (l List, paths []string, err error) {
	switch keyword {
	case "ordered": // ordered spec.steps
		return List{OrderMatters: true}, words, nil
	case "set": // set spec.args
		return List{Kind: Set}, words, nil
	case "keys": // keys port,protocol=TCP spec.ports
		keys, defaults := parseKeys(words[0])
		return List{Kind: Map, Keys: keys, Defaults: defaults}, words[1:], nil
	case "until": // until =_,:: dependencies: the text after :: and before = or a space
		separators, after, _ := strings.Cut(words[0], ",")
		return List{Kind: Map, Separators: strings.Split(strings.ReplaceAll(separators, "_", " "), ""), After: after}, words[1:], nil
	case "match": // match ^.*:(.*) target services.*.volumes: the text in brackets or, of a mapping, the field target
		return List{Kind: Map, pattern: regexp.MustCompile(words[0]), Keys: words[1:2]}, words[2:], nil
	}
	return List{}, nil, fmt.Errorf("no rule %q", keyword)
}

// addRule adds a rule with this value to rules for each of the paths. If a path cannot be parsed, it stops and returns
// the error; the rules for the paths before it remain.
func addRule[T any](rules *[]Rule[T], paths []string, value T) error {
	*rules = slices.Grow(*rules, len(paths))
	for _, path := range paths {
		pattern, err := ParsePattern(path)
		if err != nil {
			return err
		}
		*rules = append(*rules, Rule[T]{pattern, value})
	}
	return nil
}

// parseEach parses each word and appends the result to all. At the first error of parse, it stops and returns the
// error.
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
