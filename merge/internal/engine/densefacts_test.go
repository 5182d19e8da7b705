package engine

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
	"gopkg.in/yaml.v3"
)

// denseData returns the data that gopkg.in/yaml.v3 reads in a file, as sorted facts: the path and value of each leaf,
// as in "/spec/replicas=2", and the path and each line of a block text, as in "/run|line". The path of an item without
// a name ends in "/-", so the order of such items is ignored. It returns an error if the file is not YAML, has two
// documents, has a key twice in a mapping, or has a name twice in a list whose items all have names.
func denseData(b []byte) ([]string, error) {
	r := readDense(b)
	return r.facts, r.err
}

// readDense reads a file as described for denseData. It also records which path begins on each line.
func readDense(b []byte) *denseReading {
	r := &denseReading{}
	var doc yaml.Node
	docs := yaml.NewDecoder(bytes.NewReader(b))
	if err := docs.Decode(&doc); err != nil && err != io.EOF {
		r.err = err
	} else if err := docs.Decode(new(yaml.Node)); err != io.EOF { // an error after the root is only found by the second Decode
		r.err = cmp.Or(err, errors.New("two documents"))
	}
	for _, n := range doc.Content {
		r.read("", n)
	}
	slices.Sort(r.facts)
	return r
}

// A denseReading is what readDense reads in a file.
type denseReading struct {
	facts []string       // see denseData
	err   error          // why the file is not valid; see denseData
	lines map[int]string // by line number: the path of the outermost node that starts there, or "text" within a block text
}

// starts records that the node at path starts on line, unless an outer node does.
func (r *denseReading) starts(line int, path string) {
	if r.lines == nil {
		r.lines = map[int]string{}
	}
	if r.lines[line] == "" {
		r.lines[line] = path
	}
}

// read adds the facts and lines of n, which is at path. It sets r.err if a key or the name of an item occurs twice.
func (r *denseReading) read(path string, n *yaml.Node) {
	if n.Style == yaml.LiteralStyle {
		for i := range strings.Count(n.Value, "\n") {
			r.starts(n.Line+1+i, "text")
		}
	}
	seen := map[string]bool{}
	once := func(name string) {
		if seen[name] {
			r.err = fmt.Errorf("%s stands twice in %q", name, path)
		}
		seen[name] = true
	}
	switch n.Kind {
	case yaml.MappingNode:
		for i := 0; i+1 < len(n.Content); i += 2 {
			once(n.Content[i].Value)
			r.starts(n.Content[i].Line, path+"/"+n.Content[i].Value)
			r.read(path+"/"+n.Content[i].Value, n.Content[i+1])
		}
	case yaml.SequenceNode:
		named := !slices.ContainsFunc(n.Content, func(i *yaml.Node) bool { return denseItemName(i) == "" })
		for _, item := range n.Content {
			at := path + "/-"
			if name := denseItemName(item); name != "" {
				at = path + "/-" + name
				if named {
					once(name)
				}
			}
			r.starts(item.Line, at)
			r.read(at, item)
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

// denseItemName returns the value of the field name of a mapping. It returns "" if n has no such field or is not a
// mapping.
func denseItemName(n *yaml.Node) string {
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Kind == yaml.MappingNode && n.Content[i].Value == "name" && n.Content[i+1].Kind == yaml.ScalarNode {
			return n.Content[i+1].Value
		}
	}
	return ""
}

// denseComments returns the texts of the comments of a file, sorted. It takes everything after a hash as a comment,
// which is right because no generated value has a hash.
func denseComments(b []byte) (all []string) {
	for l := range bytes.Lines(b) {
		if _, c, ok := strings.Cut(string(l), "#"); ok {
			all = append(all, strings.TrimSpace(c))
		}
	}
	slices.Sort(all)
	return all
}

// denseWords counts how often each value and each comment occurs in a file. Its keys begin with "value " or "comment ".
func denseWords(b []byte) map[string]int {
	count := map[string]int{}
	facts, _ := denseData(b)
	for _, f := range facts {
		if v := strings.TrimSpace(f[strings.LastIndexAny(f, "=|")+1:]); v != "" && !strings.HasPrefix(v, "!!") {
			count["value "+v]++
		}
	}
	for _, c := range denseComments(b) {
		count["comment "+c]++
	}
	return count
}

// words returns the values and comments of a tree, each with the nodes that have it. Its keys are those of denseWords.
// The number of a node is negative if the comment is behind it.
func (t *denseTree) words() map[string][]int {
	of := map[string][]int{}
	for id, n := range t.nodes {
		if n.kind == denseLeaf {
			of["value "+n.value] = append(of["value "+n.value], id)
		}
		if n.above != "" {
			of["comment "+n.above] = append(of["comment "+n.above], id)
		}
		if n.behind != "" {
			of["comment "+n.behind] = append(of["comment "+n.behind], -id)
		}
	}
	return of
}

// miscounted returns a message about a value or comment that occurs in the result b more or less often than the edits
// of both sides explain, or "" if there is none. It is weaker than the model, but also judges merges for which the
// model has no answer. A moved or renamed node may count as one node or as a deletion and an addition, so the wider of
// both ranges is allowed.
func (m *denseModel) miscounted(b []byte) string {
	have := denseWords(b)
	var of [3]map[string][]int
	var written [3]map[string]int
	words := map[string]bool{}
	for s, t := range m.in {
		of[s], written[s] = t.words(), denseWords(t.write(denseForm{}))
		for w := range written[s] {
			words[w] = true
		}
	}
	for w := range have {
		if !words[w] {
			return "unexpected: " + w
		}
	}
	for w := range words {
		lo, hi := m.sum(of[0][w], of[1][w], of[2][w])
		least, most := denseNet(written[0][w], written[1][w], written[2][w])
		if lo, hi = min(lo, least), max(hi, most); have[w] < lo {
			return fmt.Sprintf("lost: %s, %d and not %d times", w, have[w], lo)
		} else if have[w] > hi {
			return fmt.Sprintf("too often: %s, %d and not %d times", w, have[w], hi)
		}
	}
	return ""
}

// sum returns the least and the greatest number of times that a value or comment may occur in the merge. The arguments
// are the nodes that have it in the original, dest and updated version, as returned by words.
func (m *denseModel) sum(o, d, u []int) (lo, hi int) {
	has := slices.Contains[[]int]
	stay, put, fresh := 0, 0, 0 // fresh counts nodes in items that one side changed and the other side deleted
	var added, moved [2]int
	for _, id := range o {
		elsewhere := false
		for i, s := range three.Sides {
			switch {
			case !has([][]int{d, u}[i], id):
			case m.elsewhere(max(id, -id), s):
				moved[i]++
				elsewhere = true
			case !has([][]int{u, d}[i], id) && m.another(max(id, -id), s):
				fresh++
			}
		}
		if has(d, id) && has(u, id) {
			stay++
			if elsewhere {
				put++
			}
		}
	}
	for i, all := range [][]int{d, u} {
		for _, id := range all {
			if !has(o, id) {
				added[i]++
			}
		}
	}
	lo = min(stay+max(added[0], added[1]), stay-put+max(added[0]+moved[0], added[1]+moved[1]))
	return lo, stay + fresh + moved[0] + moved[1] + added[0] + added[1]
}

// elsewhere reports whether side s renamed a node or one of its ancestors, gave it another parent, or reordered a list
// without names that contains it.
func (m *denseModel) elsewhere(id int, s three.Version) bool {
	o, n := m.in[three.Original], m.in[s]
	for ; id != 0 && o.nodes[id] != nil; id = n.nodes[id].up {
		a, b := o.nodes[id], n.nodes[id]
		item := o.nodes[a.up] != nil && o.nodes[a.up].kind == denseList
		if a.up != b.up || a.key != b.key || item && o.name(id) != n.name(id) || m.unnamed(a.up) && m.reordered(a.up, s) {
			return true
		}
	}
	return false
}

// another reports whether a node is, or is within, an item without a name that side s changed. Such an item may also be
// read as a different one that s put in the place of the base's item.
func (m *denseModel) another(id int, s three.Version) bool {
	o, n := m.in[three.Original], m.in[s]
	for ; id != 0 && o.nodes[id] != nil && n.nodes[id] != nil; id = o.nodes[id].up {
		if m.unnamed(o.nodes[id].up) && o.spell(id) != n.spell(id) {
			return true
		}
	}
	return false
}

// denseNet returns the least and the greatest number of times that a word may occur in the merge, if it occurs o, d and
// u times in the versions. These differ only if both sides added it or both deleted it, since they may have made the
// same edit.
func denseNet(o, d, u int) (lo, hi int) {
	d, u = d-o, u-o
	if d > 0 && u > 0 {
		return o + max(d, u), o + d + u
	} else if d < 0 && u < 0 {
		return max(0, o+d+u), o + min(d, u)
	}
	return o + d + u, o + d + u
}
