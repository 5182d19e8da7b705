package dense

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

// Facts returns the data of a YAML file as sorted lines: the path and value of each leaf, and the path and each line of
// a block text, with its newline. The order of items does not matter. It returns an error, and perhaps not all lines,
// if the file is not YAML, has two documents, a duplicate key or, where all items have names, a duplicate name.
//
//	spec:              /l/-x/name=x
//	  replicas: 2      /ports/-=1
//	ports: [1]         /spec/replicas=2
//	l:
//	- name: x
func Facts(b []byte) ([]string, error) {
	r := readYAML(b)
	return r.facts, r.err
}

// readYAML reads a YAML file. It returns the data in it (as lines such as /spec/replicas=2), the error that makes the
// file invalid, if there is one, and the path of the node that begins on each line. It is never nil.
func readYAML(b []byte) *parsedYAML {
	r := &parsedYAML{}
	var doc yaml.Node
	docs := yaml.NewDecoder(bytes.NewReader(b))
	if err := docs.Decode(&doc); err != nil && err != io.EOF {
		r.err = err
	} else if err := docs.Decode(new(yaml.Node)); err != io.EOF { // an error after the root is only found by the second Decode
		r.err = cmp.Or(err, errors.New("two documents"))
	}
	for _, n := range doc.Content {
		r.addNode("", n)
	}
	slices.Sort(r.facts)
	return r
}

// A parsedYAML is the result of readYAML.
type parsedYAML struct {
	// facts are the data of the file, sorted: "path=value" for a leaf, "path|line" for a line of a block text.
	facts []string
	// err is why the file is not valid: it is not YAML, has two documents, or has a duplicate key or name.
	err error
	// lines has, by line number from 1, the path of the outermost node that begins on the line, or "text" for a line of
	// a block text.
	lines map[int]string // by line number: the path of the outermost node that starts there, or "text" within a block text
}

// recordStart records in r.lines that the node at path begins on line. It does nothing if another node was recorded for
// this line before, because that one encloses it.
func (r *parsedYAML) recordStart(line int, path string) {
	if r.lines == nil {
		r.lines = map[int]string{}
	}
	if r.lines[line] == "" {
		r.lines[line] = path
	}
}

// addNode adds to r the data and lines of n, the node at path, and of all nodes below it. path is "" for the root, and
// otherwise as in /spec/replicas. It sets r.err if a mapping has a duplicate key, or if a list in which all items have
// names has a duplicate name.
func (r *parsedYAML) addNode(path string, n *yaml.Node) {
	if n.Style == yaml.LiteralStyle {
		for i := range strings.Count(n.Value, "\n") {
			r.recordStart(n.Line+1+i, "text")
		}
	}
	seen := map[string]bool{}
	once := func(kind, name string) {
		if seen[name] {
			r.err = fmt.Errorf("duplicate %s %s in %q", kind, name, path)
		}
		seen[name] = true
	}
	switch n.Kind {
	case yaml.MappingNode:
		for i := 0; i+1 < len(n.Content); i += 2 {
			once("key", n.Content[i].Value)
			r.recordStart(n.Content[i].Line, path+"/"+n.Content[i].Value)
			r.addNode(path+"/"+n.Content[i].Value, n.Content[i+1])
		}
	case yaml.SequenceNode:
		named := !slices.ContainsFunc(n.Content, func(i *yaml.Node) bool { return itemName(i) == "" })
		for _, item := range n.Content {
			at := path + "/-"
			if name := itemName(item); name != "" {
				at = path + "/-" + name
				if named {
					once("name", name)
				}
			}
			r.recordStart(item.Line, at)
			r.addNode(at, item)
		}
	case yaml.ScalarNode:
		if n.Style == yaml.LiteralStyle && n.Value != "" {
			for l := range strings.Lines(n.Value) {
				r.facts = append(r.facts, path+"|"+l)
			}
			return
		}
		r.facts = append(r.facts, path+"="+n.Value)
		return
	}
	if len(n.Content) == 0 {
		r.facts = append(r.facts, path+"="+n.ShortTag())
	}
}

// itemName returns the value of the field name of n: "web" for {name: web}. It returns "" if n is not a mapping, has no
// such field, or if its value is not a scalar.
func itemName(n *yaml.Node) string {
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Kind == yaml.MappingNode && n.Content[i].Value == "name" && n.Content[i+1].Kind == yaml.ScalarNode {
			return n.Content[i+1].Value
		}
	}
	return ""
}

// commentsOf returns the texts of the comments in a file, without "#" and sorted. Everything after the first "#" of a
// line is read as a comment. This is right for generated files, because no value in them contains "#".
func commentsOf(b []byte) (all []string) {
	for l := range bytes.Lines(b) {
		if _, c, ok := strings.Cut(string(l), "#"); ok {
			all = append(all, strings.TrimSpace(c))
		}
	}
	slices.Sort(all)
	return all
}

// countWords returns how often each value and each comment occurs in a YAML file. The file "a: 1 # x" gives {"value 1":
// 1, "comment x": 1}. A line of a block text counts as a value. Empty values and empty collections are not counted. If
// the file is not valid, some values may be missing.
func countWords(b []byte) map[string]int {
	count := map[string]int{}
	facts, _ := Facts(b)
	for _, f := range facts {
		if v := strings.TrimSpace(f[strings.LastIndexAny(f, "=|")+1:]); v != "" && !strings.HasPrefix(v, "!!") {
			count["value "+v]++
		}
	}
	for _, c := range commentsOf(b) {
		count["comment "+c]++
	}
	return count
}
