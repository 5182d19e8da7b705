package schema

import (
	"bytes"
	"fmt"
	"io"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	input "github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// An Error is a mistake in the team's file or a CRD.
type Error struct {
	File         string
	Line, Column int    // from 1; 0 where File is no file
	Problem      string // what is wrong
	Allowed      string // what is allowed, may be empty
}

func (e *Error) Error() string {
	s := e.location() + e.Problem
	if e.Allowed != "" {
		s += "; " + e.Allowed
	}
	return s
}

// location is what the messages of e begin with.
func (e *Error) location() string {
	if e.Line == 0 {
		return e.File + ": "
	}
	return fmt.Sprintf("%s:%d:%d: ", e.File, e.Line, e.Column)
}

// A reader reads YAML nodes and collects what is wrong with them.
type reader struct {
	file      string      // of the file
	entry     *rulesEntry // the entry at hand
	entryName string      // its name
	errs      []error
	mentions  []mention // what entries name
	itemCount int       // of lists and mappings that were read
}

// maxItems is how many items of lists and mappings a file may have, those that aliases repeat included. A file
// of the size that is read in merges has fewer without aliases.
const maxItems = 1 << 16

// countItems counts the items of n, and returns false, once with an error, if the file has too many.
func (rd *reader) countItems(n *yaml.Node) bool {
	before := rd.itemCount
	if rd.itemCount += len(n.Content); rd.itemCount > maxItems && before <= maxItems {
		rd.fail(n, "the file has too many items, those that aliases repeat included", fmt.Sprintf("%d at most", maxItems))
	}
	return rd.itemCount <= maxItems
}

func (rd *reader) fail(n *yaml.Node, problem, allowed string) {
	rd.errs = append(rd.errs, rd.newError(n, problem, allowed))
}

func (rd *reader) newError(n *yaml.Node, problem, allowed string) *Error {
	return &Error{rd.file, n.Line, n.Column, problem, allowed}
}

// parseDocument returns the root of the one document in data, nil if there is nothing.
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
		return nil, rd.newError(second.Content[0], "a second document", "the file is one document")
	case err != io.EOF:
		return nil, rd.syntaxError(data, err)
	}
	root := first.Content[0]
	if root.Kind == yaml.ScalarNode && root.Tag == "!!null" {
		return nil, nil
	}
	return root, nil
}

// syntaxError returns an error of the YAML parser as one of ours. The parser
// names a line at most.
func (rd *reader) syntaxError(data []byte, err error) *Error {
	problem := strings.TrimPrefix(err.Error(), "yaml: ")
	e := &Error{File: rd.file, Line: 1, Column: 1, Allowed: syntaxHint(data)}
	if line, rest, ok := strings.Cut(strings.TrimPrefix(problem, "line "), ": "); ok {
		if n, err := strconv.Atoi(line); err == nil {
			e.Line, problem = n, rest
		}
	}
	e.Problem = "not YAML: " + input.ExplainTabError(data, e.Line, problem)
	return e
}

// syntaxHint names the two mistakes in YAML that this format invites.
func syntaxHint(data []byte) string {
	for line := range strings.Lines(string(data)) {
		line = strings.TrimLeft(line, " -")
		switch {
		case strings.HasPrefix(line, "requires: >"):
			return `write requires: ">=0.1" with quotes`
		case strings.HasPrefix(line, "*"):
			return `a path that starts with * stands in quotes`
		}
	}
	return ""
}

// A fieldReader is a field of a mapping and what reads its value.
type fieldReader struct {
	name string
	read func(*yaml.Node)
}

// readMapping reads a mapping with the given fields.
func (rd *reader) readMapping(n *yaml.Node, what string, members []fieldReader) {
	rd.eachField(n, what, func(key, value *yaml.Node) {
		for _, m := range members {
			if m.name == key.Value {
				m.read(value)
				return
			}
		}
		var names []string
		for _, m := range members {
			names = append(names, m.name)
		}
		rd.fail(key, fmt.Sprintf("%s has no field %q", what, key.Value), "allowed: "+strings.Join(names, ", "))
	})
}

// eachField calls f for each field of a mapping, once per name.
func (rd *reader) eachField(n *yaml.Node, what string, f func(key, value *yaml.Node)) {
	n = resolveAlias(n)
	if n.Kind != yaml.MappingNode {
		rd.fail(n, fmt.Sprintf("%s is %s", what, describeNode(n)), "a mapping is expected")
		return
	}
	if !rd.countItems(n) {
		return
	}
	lines := map[string]int{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := resolveAlias(n.Content[i])
		line, doubled := lines[key.Value]
		switch {
		case key.Kind != yaml.ScalarNode:
			rd.fail(key, fmt.Sprintf("a field name of %s is %s", what, describeNode(key)), "a text is expected")
			continue
		case doubled:
			rd.fail(key, fmt.Sprintf("%s is there twice", strconv.Quote(key.Value)), fmt.Sprintf("the first is in line %d", line))
			continue
		}
		lines[key.Value] = key.Line
		f(key, resolveAlias(n.Content[i+1]))
	}
}

// stringNodes returns the texts of a sequence, or one text that stands alone.
func (rd *reader) stringNodes(n *yaml.Node, what string) []*yaml.Node {
	if isString(n) {
		return []*yaml.Node{n}
	}
	if n.Kind != yaml.SequenceNode {
		rd.fail(n, fmt.Sprintf("%s is %s", what, describeNode(n)), "a list of texts is expected")
		return nil
	}
	if !rd.countItems(n) {
		return nil
	}
	if len(n.Content) == 0 {
		rd.fail(n, what+" is empty", "name at least one, or leave "+what+" out")
	}
	var all []*yaml.Node
	for _, c := range n.Content {
		if c = resolveAlias(c); isString(c) {
			all = append(all, c)
			continue
		}
		rd.fail(c, fmt.Sprintf("an item of %s is %s", what, describeNode(c)), "a text is expected")
	}
	return all
}

// uniqueStringNodes returns texts as texts does, each one time, and fails for those that are there again.
func (rd *reader) uniqueStringNodes(n *yaml.Node, what, allowed string) (all []*yaml.Node) {
	seen := map[string]bool{}
	for _, c := range rd.stringNodes(n, what) {
		if seen[c.Value] {
			rd.fail(c, strconv.Quote(c.Value)+" is there twice", allowed)
			continue
		}
		seen[c.Value] = true
		all = append(all, c)
	}
	return all
}

// resolveAlias follows an alias. The reader never goes deeper than the format
// does, so a cycle of aliases ends in an error.
func resolveAlias(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.AliasNode {
		return n.Alias
	}
	return n
}

func isString(n *yaml.Node) bool { return n.Kind == yaml.ScalarNode && n.Tag == "!!str" }

// describeNode names what a node is, for errors.
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
