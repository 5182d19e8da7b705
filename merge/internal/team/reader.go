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

// Error returns the message: the place, the problem and, if there is one, the hint at what is allowed.
//
//	rules.yaml:12:3: unknown policy "higest"; did you mean "highest"?
func (e *Error) Error() string {
	s := e.location() + e.Problem
	if e.Allowed != "" {
		s += "; " + e.Allowed
	}
	return s
}

// location returns the place with which the message of e begins, as in "rules.yaml:12:3: ", or only "rules.yaml: " if e
// has no line.
func (e *Error) location() string {
	if e.Line == 0 {
		return e.File + ": "
	}
	return fmt.Sprintf("%s:%d:%d: ", e.File, e.Line, e.Column)
}

// A reader reads the nodes of a YAML file and collects the mistakes in it.
type reader struct {
	file      string // its name, for messages
	entry     *entry // the entry that is being read
	entryName string // the name of that entry
	ruleField string // the field of that entry with the rules that are being read, such as lists
	errs      []error
	mentions  []mention // file patterns, kinds and paths of all entries so far
	itemCount int       // the number of items read so far; a field counts as two
}

// maxItems is the maximum number of items in the lists and mappings of a file. A field counts as two items. Items that
// aliases repeat count each time. A file within the size limit of a merge has fewer unless it uses aliases.
const maxItems = 1 << 16

// countItems adds the number of items in n, or twice the number of fields, to rd.itemCount. It returns false if the sum
// is above 65,536, and records an error when that happens first. This limits files in which aliases repeat lists many
// times.
func (rd *reader) countItems(n *yaml.Node) bool {
	before := rd.itemCount
	if rd.itemCount += len(n.Content); rd.itemCount > maxItems && before <= maxItems {
		rd.fail(n, "the file has too many items, including those that aliases repeat", fmt.Sprintf("the limit is %d", maxItems))
	}
	return rd.itemCount <= maxItems
}

// fail records an error at n.
func (rd *reader) fail(n *yaml.Node, problem, allowed string) {
	rd.errs = append(rd.errs, rd.newError(n, problem, allowed))
}

// newError returns an Error at n. It does not record it.
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
		return nil, rd.syntaxError(data, err)
	}
	switch err := d.Decode(&second); {
	case err == nil:
		return nil, rd.newError(second.Content[0], "unexpected second document", "expected only one document")
	case err != io.EOF:
		return nil, rd.syntaxError(data, err)
	}
	root := first.Content[0]
	if root.Kind == yaml.ScalarNode && root.Tag == "!!null" {
		return nil, nil
	}
	return root, nil
}

// syntaxError returns err, an error of the YAML parser about data, as an Error at the line that its message names, or
// at line 1 if it names none. It gets a hint if data has a frequent mistake (see syntaxHint).
func (rd *reader) syntaxError(data []byte, err error) *Error {
	line, problem := input.ParseYAMLError(err, data)
	return &Error{File: rd.file, Line: max(line, 1), Column: 1, Problem: "invalid YAML: " + problem, Allowed: syntaxHint(data)}
}

// syntaxHint returns a hint for two frequent mistakes in the YAML of a team's file: the value of requires without
// quotes (requires: >=0.1), and a path without quotes that begins with a star (*.name: own). The first line with one of
// them decides. Without one, it returns "".
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

// readMapping reads the mapping n: for each of its fields, it calls the function of fields for this name with the
// field's value. title names the mapping in messages. It records an error in rd for a field that is not in fields, and
// for each mistake that eachField finds.
func (rd *reader) readMapping(n *yaml.Node, title string, fields []fieldReader) {
	rd.eachField(n, title, func(key, value *yaml.Node) {
		for _, field := range fields {
			if field.name == key.Value {
				field.read(value)
				return
			}
		}
		var names []string
		for _, field := range fields {
			names = append(names, field.name)
		}
		if slices.Contains(names, "rules") && slices.Contains(entryFields, key.Value) {
			rd.fail(key, fmt.Sprintf("unknown field %q", key.Value), fmt.Sprintf("it belongs in an entry of rules, as in \"rules: [{%s: ...}]\"", key.Value))
			return
		}
		rd.failUnknown(key, "field", names, "expected one of "+strings.Join(names, ", "))
	})
}

// entryFields are the fields of an entry of rules, which are a mistake at the top of a team's file.
var entryFields = []string{"files", "kinds", "lists", "oneOf", "access", "units", "images", "fields", "restarts", "deleted"}

// failUnknown records an error for n, a word that is none of allowed. The hint is the word of allowed that was probably
// meant or, if there is none, hint, which may be "". title says what the word is.
//
//	unknown policy "higest"; did you mean "highest"?
func (rd *reader) failUnknown(n *yaml.Node, title string, allowed []string, hint string) {
	if meant := ClosestWord(n.Value, allowed); meant != "" {
		hint = fmt.Sprintf("did you mean %q?", meant)
	}
	rd.fail(n, fmt.Sprintf("unknown %s %q", title, n.Value), hint)
}

// eachField calls f for each field of the mapping n, with aliases resolved. title names the mapping in messages. It
// records an error, instead of a call, for a field name that is repeated or not a scalar, and if n is not a mapping or
// the file has too many items (see countItems).
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

// stringNodes returns the strings of a sequence, or n itself if it is a string. It records an error for items that are
// not strings, for an empty sequence, and for an n of another kind. title names the field in messages.
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

// uniqueStringNodes returns the strings of a list, or n itself if it is a string, without repeated ones, in their
// order. It records an error in rd for each repeated string, and in the cases of stringNodes. title names the field in
// messages.
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

// resolveAlias returns the node to which n refers if n is an alias, otherwise n. A reader only descends as deep as the
// format of the file, so a cycle of aliases ends in an error.
func resolveAlias(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.AliasNode {
		return n.Alias
	}
	return n
}

// isString reports whether n is a string.
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

// nodeAt returns the value at a path of field names in n, which may be nil, with aliases resolved. Of several fields
// with the same name, it takes the first. It returns nil if a field is missing, or if a value on the way is not a
// mapping.
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

// textAt returns the value of the field called name in n if it is a scalar, otherwise "".
func textAt(n *yaml.Node, name string) string {
	if v := nodeAt(n, name); v != nil && v.Kind == yaml.ScalarNode {
		return v.Value
	}
	return ""
}
