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

// Facts returns the data that gopkg.in/yaml.v3 reads in a file, as sorted facts: the path and value of each leaf,
// as in "/spec/replicas=2", and the path and each line of a block text, as in "/run|line". The path of an item without
// a name ends in "/-", so the order of such items is ignored. It returns an error if the file is not YAML, has two
// documents, has a duplicate key in a mapping, or has a duplicate name in a list whose items all have names.
func Facts(b []byte) ([]string, error) {
	r := readYAML(b)
	return r.facts, r.err
}

// readYAML reads a file as described for Facts. It also records which path begins on each line.
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

// A parsedYAML is what readYAML reads in a file.
type parsedYAML struct {
	facts []string       // see Facts
	err   error          // why the file is not valid; see Facts
	lines map[int]string // by line number: the path of the outermost node that starts there, or "text" within a block text
}

// recordStart records that the node at path starts on line, unless an outer node does.
func (r *parsedYAML) recordStart(line int, path string) {
	if r.lines == nil {
		r.lines = map[int]string{}
	}
	if r.lines[line] == "" {
		r.lines[line] = path
	}
}

// addNode adds the facts and lines of n, which is at path. It sets r.err if a mapping has a duplicate key, or a list a
// duplicate name.
func (r *parsedYAML) addNode(path string, n *yaml.Node) {
	if n.Style == yaml.LiteralStyle {
		for i := range strings.Count(n.Value, "\n") {
			r.recordStart(n.Line+1+i, "text")
		}
	}
	seen := map[string]bool{}
	once := func(name string) {
		if seen[name] {
			r.err = fmt.Errorf("duplicate %s in %q", name, path)
		}
		seen[name] = true
	}
	switch n.Kind {
	case yaml.MappingNode:
		for i := 0; i+1 < len(n.Content); i += 2 {
			once(n.Content[i].Value)
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
					once(name)
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

// itemName returns the value of the field name of a mapping. It returns "" if n has no such field or is not a
// mapping.
func itemName(n *yaml.Node) string {
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Kind == yaml.MappingNode && n.Content[i].Value == "name" && n.Content[i+1].Kind == yaml.ScalarNode {
			return n.Content[i+1].Value
		}
	}
	return ""
}

// commentsOf returns the texts of the comments of a file, sorted. It takes everything after a hash as a comment,
// which is right because no generated value has a hash.
func commentsOf(b []byte) (all []string) {
	for l := range bytes.Lines(b) {
		if _, c, ok := strings.Cut(string(l), "#"); ok {
			all = append(all, strings.TrimSpace(c))
		}
	}
	slices.Sort(all)
	return all
}

// countWords counts how often each value and each comment occurs in a file. Its keys begin with "value " or "comment ".
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
