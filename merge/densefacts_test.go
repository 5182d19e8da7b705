package merge

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

// denseData is what a YAML parser reads in a file, as lines: the path and the value of
// each leaf, items without a name and the lines of texts in no order. The error says
// what stands there twice.
func denseData(b []byte) ([]string, error) {
	r := readDense(b)
	return r.facts, r.err
}

func readDense(b []byte) *denseReading {
	r := &denseReading{}
	var doc yaml.Node
	docs := yaml.NewDecoder(bytes.NewReader(b))
	if err := docs.Decode(&doc); err != nil && err != io.EOF {
		r.err = err
	} else if err := docs.Decode(new(yaml.Node)); err != io.EOF { // what is no YAML may only be seen behind the root
		r.err = cmp.Or(err, errors.New("two documents"))
	}
	for _, n := range doc.Content {
		r.read("", n)
	}
	slices.Sort(r.facts)
	return r
}

type denseReading struct {
	facts []string
	err   error
	lines map[int]string // the path of what starts on a line, the outermost; of a text on all of its lines
}

func (r *denseReading) starts(line int, path string) {
	if r.lines == nil {
		r.lines = map[int]string{}
	}
	if r.lines[line] == "" {
		r.lines[line] = path
	}
}

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

func denseItemName(n *yaml.Node) string {
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Kind == yaml.MappingNode && n.Content[i].Value == "name" && n.Content[i+1].Kind == yaml.ScalarNode {
			return n.Content[i+1].Value
		}
	}
	return ""
}

// denseComments is what the comments of a file say. No value has a hash.
func denseComments(b []byte) (all []string) {
	for l := range bytes.Lines(b) {
		if _, c, ok := strings.Cut(string(l), "#"); ok {
			all = append(all, strings.TrimSpace(c))
		}
	}
	slices.Sort(all)
	return all
}

// denseWords counts the keys, values and comments of a file.
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

// words are the values and comments of a tree, each with the nodes that have it.
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

// miscounted names a value or a comment of which a result has more or fewer than the
// changes of both sides explain, "" if there is none. It knows less than the model,
// and judges merges too for which that has no answer: it takes what was moved or
// renamed for one thing, or for a deletion and an addition, whichever excuses more.
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
			return "invented: " + w
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

// sum is how often what these nodes have may stand in the merge.
func (m *denseModel) sum(o, d, u []int) (lo, hi int) {
	has := slices.Contains[[]int]
	stay, put, fresh := 0, 0, 0 // fresh are of items that a side changed and the other side deleted
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

// elsewhere reports whether side s gave a node, or what it is in, another name or
// another parent, or put it elsewhere in a list without names.
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

// another reports whether side s changed the item without a name that a node is, or is in: that
// may be another item, which s put in the place of the one of the base.
func (m *denseModel) another(id int, s three.Version) bool {
	o, n := m.in[three.Original], m.in[s]
	for ; id != 0 && o.nodes[id] != nil && n.nodes[id] != nil; id = o.nodes[id].up {
		if m.unnamed(o.nodes[id].up) && o.spell(id) != n.spell(id) {
			return true
		}
	}
	return false
}

// denseNet is how often a word may stand that the versions have o, d and u times.
func denseNet(o, d, u int) (lo, hi int) {
	d, u = d-o, u-o
	if d > 0 && u > 0 {
		return o + max(d, u), o + d + u
	} else if d < 0 && u < 0 {
		return max(0, o+d+u), o + min(d, u)
	}
	return o + d + u, o + d + u
}
