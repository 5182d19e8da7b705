package schema

import (
	_ "embed"
	"fmt"
	"strings"
	"sync"
)

// presetText are the rules for well-known files and kinds. A line that is not indented names a
// preset; a line below it is a rule and, after blanks, what it is for:
//
//	files PATTERN …        as in .gitattributes
//	kinds GROUP/KIND …
//	set PATH …             and ordered: what the lists at these paths are
//	keys KEY,KEY=DEFAULT PATH …
//	until CHARS PATH …     items known by the text before one of these, _ for a blank;
//	until CHARS,AFTER PATH …    and behind AFTER
//	oneOf FIELD,FIELD PATH …
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

// presets are the entries of presetText, in which a test finds no mistake.
var presets = sync.OnceValue(func() []*entry {
	all, _ := readPresets(presetText)
	return all
})

func readPresets(text string) (all []*entry, err error) {
	name := ""
	for line := range strings.Lines(text) {
		words := strings.Fields(line)
		switch {
		case len(words) == 0 || words[0][0] == '#':
		case line[0] != '\t':
			name = strings.TrimSpace(line)
			all = append(all, new(entry))
		default:
			if e := all[len(all)-1].addPreset("preset "+name, words[0], words[1:]); e != nil && err == nil {
				err = fmt.Errorf("%s: %s: %w", name, strings.TrimSpace(line), e)
			}
		}
	}
	return all, err
}

// addPreset adds a line of a preset to e.
func (e *entry) addPreset(source, kind string, words []string) error {
	switch kind {
	case "files":
		return each(words, parseGlob, func(g glob) { e.files = append(e.files, g) })
	case "kinds":
		return each(words, presetKind, func(k kindSelector) { e.kinds = append(e.kinds, k) })
	case "images":
		return each(words, parsePattern, func(at pattern) { e.images = append(e.images, rule[bool]{at, true}) })
	case "names":
		return each(words, parsePattern, func(at pattern) { e.names = append(e.names, rule[bool]{at, true}) })
	case "oneOf":
		return each(words[1:], parsePattern, func(at pattern) {
			e.oneOf = append(e.oneOf, rule[OneOf]{at, decodeUnion(words[0])})
		})
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
	return each(words, parsePattern, func(at pattern) { e.lists = append(e.lists, rule[List]{at, l}) })
}

// each reads words, and adds what they are.
func each[T any](words []string, read func(string) (T, error), add func(T)) error {
	for _, w := range words {
		v, err := read(w)
		if err != nil {
			return err
		}
		add(v)
	}
	return nil
}

func presetKind(s string) (kindSelector, error) {
	k, ok := parseKind(s)
	if !ok {
		return k, fmt.Errorf("%q is not a kind", s)
	}
	return k, nil
}
