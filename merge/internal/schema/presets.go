package schema

import (
	"cmp"
	_ "embed"
	"fmt"
	"strings"
	"sync"

	"github.com/git-merge-yaml/git-merge-yaml/gitattrs/wildmatch"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/access"
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
//	oneOf FIELD,FIELD PATH …         mappings in which only one of the fields may be present. FIELD!VALUE: only another
//	                                 value counts; FIELD=VALUE: only this one
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

// A preset has the rules of one preset in presetText: those that a team's file can have, too, and others.
type preset struct {
	Entry
	distinct   []Rule[Unit]   // fields that never are one field under two names
	names      []Rule[bool]   // mappings with mapping keys that authors choose
	unique     []Rule[string] // lists with a field in which no two items have the same value
	references []Rule[string] // lists with a field in which a text refers to an item before it

	unreadLines []string     // lines that are parsed when the preset is first used
	readLines   func() error // parses unreadLines
}

// builtinPresets returns the presets of presetText. Only their files and kinds are parsed at first, because parsing all
// of the text takes longer than merging a small file. A test ensures that the text has no mistakes.
var builtinPresets = sync.OnceValue(func() []*preset {
	all, _ := readPresets(presetText)
	return all
})

// readPresets parses the names, files and kinds of the presets in text, and returns the presets and the first error. A
// preset parses its other lines when its readLines is called. A line without indentation is the name of a preset, and
// must come first; the indented lines below are its rules. Lines that begin with # are ignored.
func readPresets(text string) (all []*preset, err error) {
	var e *preset
	for line := range strings.Lines(text) {
		trimmed := strings.TrimSpace(line)
		keyword, rest, _ := strings.Cut(trimmed, " ")
		switch {
		case trimmed == "" || trimmed[0] == '#':
		case line[0] != '\t':
			p := new(preset)
			e = p
			e.readLines = sync.OnceValue(func() (err error) {
				for _, unread := range p.unreadLines {
					words := strings.Fields(unread)
					err = cmp.Or(err, p.addPresetLine("preset "+trimmed, words[0], words[1:]))
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

// addPresetLine parses a line of a preset, such as "set spec.args", and adds its rules to e. source names the preset
// for messages. keyword is the first word, one of those of presetText, and words are the others; it panics if they lack
// names that the keyword needs. It returns an error if the keyword is unknown or a word cannot be parsed; rules for the
// words before it remain.
func (e *preset) addPresetLine(source, keyword string, words []string) error {
	l := List{Source: source}
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
		u, err := ParseUnit(strings.Split(words[0], ","))
		u.Source = source
		return cmp.Or(err, addRule(&e.Units, words[1:], u))
	case "access":
		var m access.Fields
		err := parseEach(strings.Split(words[0], ","), access.ParseField, (*[]access.Field)(&m))
		return cmp.Or(err, addRule(&e.Access, words[1:], m))
	case "ordered":
		l.OrderMatters = true
	case "set":
		l.Kind = Set
	case "keys":
		l.Kind = Map
		l.Keys, l.Defaults = parseKeys(words[0])
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
	return addRule(&e.Lists, words, l)
}

// addRule adds a rule with this value to rules for each of the paths. It returns an error at the first path that cannot
// be parsed.
func addRule[T any](rules *[]Rule[T], paths []string, value T) error {
	var patterns []Pattern
	err := parseEach(paths, ParsePattern, &patterns)
	for _, at := range patterns {
		*rules = append(*rules, Rule[T]{at, value})
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
