package team

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	input "github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// An Error is a mistake in the team's file or in a custom resource definition.
type Error struct {
	File         string
	Line, Column int    // counted from 1; 0 if File is not a file
	Problem      string // the mistake
	Allowed      string // a hint at what is allowed; may be empty
}

// Error returns the place, the problem and, if there is one, the hint at what is allowed:
//
//	rules.yaml:12:3: unknown policy "higest"; did you mean "highest"?
func (e *Error) Error() string {
	s := e.location() + e.Problem
	if e.Allowed != "" {
		s += "; " + e.Allowed
	}
	return s
}

// location returns the place of e as the beginning of a message: "rules.yaml:12:3: ", or only "rules.yaml: " if e has
// no line.
func (e *Error) location() string {
	if e.Line == 0 {
		return e.File + ": "
	}
	return fmt.Sprintf("%s:%d:%d: ", e.File, e.Line, e.Column)
}

// A reader reads the nodes of a YAML file and collects the mistakes in it.
type reader struct {
	file      string // its name, for messages
	entry     *entry // the entry that is being read, or nil outside of entries
	field     string // the field of that entry that is being read, such as files or lists
	errs      []error
	itemCount int // the number of items read so far; a field counts as two
}

// maxItems is the maximum number of items in the lists and mappings of a file. A field counts as two items. Items that
// aliases repeat count each time. A file within the size limit of a merge has fewer unless it uses aliases.
const maxItems = 1 << 16

// countItems adds the number of items in the list n, or twice the number of fields in the mapping n, to rd.itemCount.
// This limits the work on files in which aliases repeat lists many times. It returns false if the sum is above
// maxItems, and records an error the first time.
func (rd *reader) countItems(n *yaml.Node) bool {
	before := rd.itemCount
	if rd.itemCount += len(n.Content); rd.itemCount > maxItems && before <= maxItems {
		rd.fail(n, "the file has too many items, including those that aliases repeat", fmt.Sprintf("the limit is %d", maxItems))
	}
	return rd.itemCount <= maxItems
}

// fail records an error at n in rd. problem is the mistake, and allowed a hint at what is allowed, or "".
func (rd *reader) fail(n *yaml.Node, problem, allowed string) {
	rd.errs = append(rd.errs, rd.newError(n, problem, allowed))
}

// newError returns an Error at n (see fail), without recording it.
func (rd *reader) newError(n *yaml.Node, problem, allowed string) *Error {
	return &Error{rd.file, n.Line, n.Column, problem, allowed}
}

// parseDocument parses data and returns the root of its only document. It returns nil and no error if data is empty or
// null. It returns nil and an *Error if data is not YAML or has a second document, even an empty one.
func (rd *reader) parseDocument(data []byte) (*yaml.Node, error) {
	d := yaml.NewDecoder(bytes.NewReader(data))
	var first, second yaml.Node
	if err := d.Decode(&first); err == io.EOF {
		return nil, nil
	} else if err != nil {
		return nil, rd.syntaxError(data, err, syntaxHint(data))
	}
	switch err := d.Decode(&second); {
	case err == nil:
		return nil, rd.newError(second.Content[0], "unexpected second document", "expected only one document")
	case err != io.EOF:
		return nil, rd.syntaxError(data, err, syntaxHint(data))
	}
	root := first.Content[0]
	if root.Kind == yaml.ScalarNode && root.Tag == "!!null" {
		return nil, nil
	}
	return root, nil
}

// syntaxError returns an Error for err, an error of the YAML parser about data: at the line that the text of err names,
// otherwise at line 1. hint is its hint at what is allowed, or "".
func (rd *reader) syntaxError(data []byte, err error, hint string) *Error {
	line, problem := input.ParseYAMLError(err, data)
	return &Error{File: rd.file, Line: max(line, 1), Column: 1, Problem: "invalid YAML: " + problem, Allowed: hint}
}

// syntaxHint returns a hint for a frequent mistake in the YAML of a team's file: a value of requires without quotes
// (requires: >=0.1), or a path without quotes that begins with a star (*.name: own). The first line with a mistake
// counts. It returns "" if data has none.
func syntaxHint(data []byte) string {
	for line := range strings.Lines(string(data)) {
		line = strings.TrimLeft(line, " -")
		switch {
		case strings.HasPrefix(line, "requires: >"):
			return `put the version in quotes, as in requires: ">=0.1"`
		case strings.HasPrefix(line, "*"):
			return `put a path that starts with * in quotes`
		}
	}
	return ""
}

// A fieldReader reads the value of the field called name.
type fieldReader struct {
	name string
	read func(*yaml.Node)
}

// readMapping reads the mapping n. For each field, it calls the function of this name in fields with the value. It
// records an error in rd for a field that is not in fields, and for the mistakes that eachField finds. title names the
// mapping in messages.
func (rd *reader) readMapping(n *yaml.Node, title string, fields []fieldReader) {
	var names []string
	for _, field := range fields {
		names = append(names, field.name)
	}
	rd.eachField(n, title, func(key, value *yaml.Node) {
		i := slices.Index(names, key.Value)
		switch {
		case i >= 0:
			fields[i].read(value)
		case slices.Contains(names, "rules") && slices.Contains(entryFields, key.Value): // at the top of a team's file
			rd.fail(key, fmt.Sprintf("unknown field %q", key.Value), fmt.Sprintf("it belongs in an entry of rules, as in \"rules: [{%s: ...}]\"", key.Value))
		default:
			rd.failUnknown(key, "field", names, "expected one of "+strings.Join(names, ", "))
		}
	})
}

// entryFields are the fields of an entry of rules, which are a mistake at the top of a team's file.
var entryFields = []string{"files", "kinds", "lists", "oneOf", "access", "units", "images", "fields", "restarts", "deleted"}

// failUnknown records an error in rd for n, a word that is not one of allowed. The error suggests the word of allowed
// that was probably meant. If no word is similar, it has hint, which may be "". title says what the word is, such as
// policy:
//
//	unknown policy "higest"; did you mean "highest"?
func (rd *reader) failUnknown(n *yaml.Node, title string, allowed []string, hint string) {
	if meant := ClosestWord(n.Value, allowed); meant != "" {
		hint = fmt.Sprintf("did you mean %q?", meant)
	}
	rd.fail(n, fmt.Sprintf("unknown %s %q", title, n.Value), hint)
}

// eachField calls f for each field of the mapping n, in their order, with aliases resolved. It skips a field whose name
// is repeated or not a scalar, and records an error in rd. It also records an error if n is not a mapping, or if the
// file has too many items (see countItems). title names the mapping in messages.
func (rd *reader) eachField(n *yaml.Node, title string, f func(key, value *yaml.Node)) {
	n = resolveAlias(n)
	if n.Kind != yaml.MappingNode {
		rd.fail(n, fmt.Sprintf("%s is %s", title, describeNode(n)), "expected a mapping")
		return
	}
	if !rd.countItems(n) {
		return
	}
	lines := map[string]int{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := resolveAlias(n.Content[i])
		line, repeated := lines[key.Value]
		switch {
		case key.Kind != yaml.ScalarNode:
			rd.fail(key, fmt.Sprintf("a field name of %s is %s", title, describeNode(key)), "expected a string")
			continue
		case repeated:
			rd.fail(key, fmt.Sprintf("duplicate field %s (first at line %d)", strconv.Quote(key.Value), line), "")
			continue
		}
		lines[key.Value] = key.Line
		f(key, resolveAlias(n.Content[i+1]))
	}
}

// stringNodes returns the strings in the list n, or n alone if n is a string. It records an error in rd for each other
// value, which is left out, for an empty list, and for too many items. title names the field in messages.
func (rd *reader) stringNodes(n *yaml.Node, title string) []*yaml.Node {
	if isString(n) {
		return []*yaml.Node{n}
	}
	if n.Kind != yaml.SequenceNode {
		rd.fail(n, fmt.Sprintf("%s is %s", title, describeNode(n)), "expected a list of strings")
		return nil
	}
	if !rd.countItems(n) {
		return nil
	}
	if len(n.Content) == 0 {
		rd.fail(n, title+" is empty", "add a value or remove "+title)
	}
	var all []*yaml.Node
	for _, c := range n.Content {
		if c = resolveAlias(c); isString(c) {
			all = append(all, c)
			continue
		}
		rd.fail(c, fmt.Sprintf("an item of %s is %s", title, describeNode(c)), "expected a string")
	}
	return all
}

// uniqueStringNodes returns the strings in the list n, or n alone if n is a string, in their order. A string that
// occurs several times is returned once, and recorded as an error in rd; so are the mistakes that stringNodes finds.
// title names the field in messages.
func (rd *reader) uniqueStringNodes(n *yaml.Node, title string) (all []*yaml.Node) {
	seen := map[string]bool{}
	for _, c := range rd.stringNodes(n, title) {
		if seen[c.Value] {
			rd.fail(c, strconv.Quote(c.Value)+" is repeated in "+title, "")
			continue
		}
		seen[c.Value] = true
		all = append(all, c)
	}
	return all
}

// valuesOf returns the values of nodes, which are scalars.
func valuesOf(nodes []*yaml.Node) (values []string) {
	for _, n := range nodes {
		values = append(values, n.Value)
	}
	return values
}

// resolveAlias returns the node to which n refers if n is an alias, otherwise n. A reader only descends as deep as the
// format of the file, so a cycle of aliases ends in an error.
func resolveAlias(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.AliasNode {
		return n.Alias
	}
	return n
}

// isString reports whether n is a scalar with the tag !!str. 1 and null are not strings.
func isString(n *yaml.Node) bool { return n.Kind == yaml.ScalarNode && n.Tag == "!!str" }

// describeNode returns a description of n for messages: "a mapping", "a list", "empty" for null, or its value in
// quotes.
func describeNode(n *yaml.Node) string {
	switch {
	case n.Kind == yaml.MappingNode:
		return "a mapping"
	case n.Kind == yaml.SequenceNode:
		return "a list"
	case n.Tag == "!!null":
		return "empty"
	}
	return strconv.Quote(n.Value)
}

// nodeAt returns the value that is reached from n by a path of field names, or nil if there is none. For the path
// metadata, name in {metadata: {name: web}}, that is "web". Aliases are resolved, except for n itself, which may be
// nil. Of several fields with one name, the first counts.
func nodeAt(n *yaml.Node, path ...string) *yaml.Node {
	for _, name := range path {
		if n == nil || n.Kind != yaml.MappingNode {
			return nil
		}
		parent := n
		n = nil
		for i := 0; i+1 < len(parent.Content) && n == nil; i += 2 {
			if parent.Content[i].Value == name {
				n = resolveAlias(parent.Content[i+1])
			}
		}
	}
	return n
}

// textAt returns the value of the field called name in n if it is a scalar, otherwise "". n may be nil.
func textAt(n *yaml.Node, name string) string {
	if v := nodeAt(n, name); v != nil && v.Kind == yaml.ScalarNode {
		return v.Value
	}
	return ""
}
