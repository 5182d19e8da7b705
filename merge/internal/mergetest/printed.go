package mergetest

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"text/template"

	"gopkg.in/yaml.v3"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// Printed are three versions of a Helm template of a Pod with blocks that only print, such as
//
//	{{- if .Values.p1 }}
//	{{ toYaml .Values.p1 | indent 8 }}
//	{{- end }}
//
// The blocks are at the left edge, in the column of the output or in that of a parent. Rendering the versions and a
// result shows the entry below which each printed one is. Want is nil: only the data of the right merge is known.
type Printed struct {
	Triple
	values map[string]any // .Values with all conditions on
}

// A printedNode is an entry of a generated template, or a block that prints into the collection that contains it.
type printedNode struct {
	key      string // of a field, or the name of an item
	value    string // of a field with a scalar
	isList   bool
	children []*printedNode // of a mapping or list
	block    *printedBlock
}

// A printedBlock is how a block that prints is written.
type printedBlock struct {
	id     string
	indent int    // of its actions: -1 for the column of the output, -2 for that of the parent
	lines  string // %[1]s is the id, %[2]d the column of the output, %[3]s the indentation of the actions
}

// printedForms are the ways to write a block that prints. The last two do not show the column of their output.
var printedForms = [...]string{
	"%[3]s{{- if .Values.%[1]s }}\n{{ toYaml .Values.%[1]s | indent %[2]d }}\n%[3]s{{- end }}\n",
	"%[3]s{{- with .Values.%[1]s }}\n%[3]s{{- toYaml . | nindent %[2]d }}\n%[3]s{{- end }}\n",
	"%[3]s{{- if .Values.%[1]s }}\n%[3]s{{- include \"%[1]s\" . | nindent %[2]d }}\n%[3]s{{- end }}\n",
	"{{ toYaml .Values.%[1]s | indent %[2]d }}\n",
	"%[3]s{{- if .Values.%[1]s }}\n%[3]s{{- if .Values.on }}\n{{ toYaml .Values.%[1]s | indent %[2]d }}\n%[3]s{{- end }}\n%[3]s{{- end }}\n",
	"%[3]s{{- if .Values.%[1]s }}\n{{ toYaml .Values.%[1]s | indent %[2]d }}\n%[3]s{{- else }}\n{{ include \"%[1]s\" . | indent %[2]d }}\n%[3]s{{- end }}\n",
	"%[3]s{{- include \"raw.%[2]d.%[1]s\" . }}\n",
	"%[3]s{{- if .Values.%[1]s }}\n%[3]s{{- include \"raw.%[2]d.%[1]s\" . }}\n%[3]s{{- end }}\n",
}

// A printedGenerator makes the versions of one Printed.
type printedGenerator struct {
	*rand.Rand
	itemIndent int // of the items of a list, relative to its key: 0 or 2
	values     map[string]any
	count      int // of names
	focus      int // the collection near which entries and blocks are edited, by its index; -1 for none
}

// collection returns a mapping or list below root, mostly one near g.focus.
func (g *printedGenerator) collection(root *printedNode) *printedNode {
	all := root.collections()[1:]
	if g.focus < 0 || g.IntN(4) == 0 {
		return all[g.IntN(len(all))]
	}
	return all[max(0, min(g.focus%len(all)+g.IntN(3)-1, len(all)-1))]
}

func (g *printedGenerator) name(prefix string) string {
	g.count++
	return fmt.Sprintf("%s%d", prefix, g.count)
}

func scalarField(key, value string) *printedNode { return &printedNode{key: key, value: value} }

// item returns a new item of a list.
func (g *printedGenerator) item() *printedNode {
	return &printedNode{key: g.name("i"), children: []*printedNode{scalarField("v", g.name("v")), scalarField("w", g.name("v"))}[:1+g.IntN(2)]}
}

// list returns a field with a list of one or two new items.
func (g *printedGenerator) list(key string) *printedNode {
	n := &printedNode{key: key, isList: true}
	for range 1 + g.IntN(2) {
		n.children = append(n.children, g.item())
	}
	return n
}

// block returns a new block that prints into n.
func (g *printedGenerator) block(n *printedNode) *printedNode {
	id := g.name("p")
	if g.values[id] = map[string]any{"of-" + id: "x"}; n.isList {
		g.values[id] = []any{map[string]any{"name": "of-" + id}}
	}
	form := g.IntN(len(printedForms))
	if form >= len(printedForms)-2 && g.IntN(3) > 0 {
		form = g.IntN(3)
	}
	return &printedNode{block: &printedBlock{id: id, indent: []int{0, 0, -1, -1, -2}[g.IntN(5)], lines: printedForms[form]}}
}

// base returns the root of a Pod.
func (g *printedGenerator) base() *printedNode {
	labels := &printedNode{key: "labels", children: []*printedNode{scalarField("app", "web")}}
	metadata := &printedNode{key: "metadata", children: []*printedNode{scalarField("name", "pod"), labels}}
	if g.IntN(2) == 0 {
		metadata.children = append(metadata.children, &printedNode{key: "annotations", children: []*printedNode{scalarField("team", "shop")}})
	}
	containers := &printedNode{key: "containers", isList: true}
	for range 1 + g.IntN(3) {
		c := &printedNode{key: g.name("c"), children: []*printedNode{scalarField("image", g.name("img"))}}
		for _, key := range []string{"args", "env", "mounts"} {
			switch g.IntN(3) {
			case 0:
				c.children = append(c.children, g.list(key))
			case 1:
				c.children = append(c.children, scalarField(g.name("tty"), g.name("v")))
			}
		}
		containers.children = append(containers.children, c)
	}
	spec := &printedNode{key: "spec", children: []*printedNode{containers}}
	if g.IntN(2) == 0 {
		spec.children = append(spec.children, g.list("volumes"))
	}
	root := &printedNode{children: []*printedNode{scalarField("kind", "Pod"), metadata, spec}}
	for range g.IntN(3) {
		g.addBlock(root)
	}
	return root
}

// collections returns n and the mappings and lists below it.
func (n *printedNode) collections() (all []*printedNode) {
	if len(n.children) > 0 {
		all = append(all, n)
	}
	for _, k := range n.children {
		all = append(all, k.collections()...)
	}
	return all
}

// addBlock adds a block that prints to a collection below root: mostly at its end.
func (g *printedGenerator) addBlock(root *printedNode) {
	n := g.collection(root)
	at := len(n.children)
	if g.IntN(4) == 0 {
		at = 1 + g.IntN(at)
	}
	n.children = slices.Insert(n.children, at, g.block(n))
}

// edit changes a collection below root in one way.
func (g *printedGenerator) edit(root *printedNode) {
	n := g.collection(root)
	i := g.IntN(len(n.children))
	switch k := n.children[i]; g.IntN(9) {
	case 0, 1, 2:
		g.addBlock(root)
	case 3, 4: // a new entry, mostly at the end
		e := scalarField(g.name("f"), g.name("v"))
		switch {
		case n.isList:
			e = g.item()
		case g.IntN(2) == 0:
			e = g.list(g.name("l"))
		case g.IntN(2) == 0:
			e = &printedNode{key: g.name("m"), children: []*printedNode{scalarField(g.name("f"), g.name("v"))}}
		}
		at := len(n.children)
		if g.IntN(3) == 0 {
			at = g.IntN(at + 1)
		}
		n.children = slices.Insert(n.children, at, e)
	case 5: // a deleted entry or block
		if entries := slices.IndexFunc(n.children, func(k *printedNode) bool { return k.block == nil && k != n.children[i] }); entries >= 0 {
			n.children = slices.Delete(n.children, i, i+1)
		}
	case 6: // another order
		j := g.IntN(len(n.children))
		n.children[i], n.children[j] = n.children[j], n.children[i]
	case 7: // another value
		if k.value != "" {
			k.value = g.name("v")
		}
	case 8: // an entry with a block at its end moves
		n.children = append(slices.Delete(n.children, i, i+1), k)
	}
}

// clone returns a deep copy of n.
func (n *printedNode) clone() *printedNode {
	c := *n
	c.children = nil
	for _, k := range n.children {
		c.children = append(c.children, k.clone())
	}
	return &c
}

// write appends the text of the children of n, which are in the given column, to b.
func (g *printedGenerator) write(b *strings.Builder, n *printedNode, column int) {
	for _, k := range n.children {
		pad := strings.Repeat(" ", column)
		switch {
		case k.block != nil:
			indent := []int{0, column, max(column-2, 0)}[-k.block.indent]
			lines := strings.ReplaceAll(k.block.lines, "%[3]s", strings.Repeat(" ", indent))
			lines = strings.ReplaceAll(strings.ReplaceAll(lines, "%[1]s", k.block.id), "%[2]d", fmt.Sprint(column))
			b.WriteString(lines)
		case n.isList:
			fmt.Fprintf(b, "%s- name: %s\n", pad, k.key)
			g.write(b, k, column+2)
		case len(k.children) > 0:
			fmt.Fprintf(b, "%s%s:\n", pad, k.key)
			indent := 2
			if k.isList {
				indent = g.itemIndent
			}
			g.write(b, k, column+indent)
		default:
			fmt.Fprintf(b, "%s%s: %s\n", pad, k.key, k.value)
		}
	}
}

// NewPrinted generates the three versions. The same seed always gives the same versions.
func NewPrinted(seed int) *Printed {
	g := &printedGenerator{Rand: rand.New(rand.NewPCG(uint64(seed), 12)), values: map[string]any{"on": true}}
	g.itemIndent = 2 * min(g.IntN(4), 1)
	p := &Printed{values: g.values}
	for {
		g.focus = -1
		base := g.base()
		g.focus = g.IntN(16) - 4
		var isUsable [3]bool
		for v := range p.Raw {
			root := base.clone()
			for range min(v, 1) * (1 + g.IntN(3)) {
				g.edit(root)
			}
			var b strings.Builder
			g.write(&b, root, 0)
			p.Raw[v] = []byte(b.String())
			isUsable[v] = p.render(p.Raw[v], g.values) != nil
		}
		if isUsable == [3]bool{true, true, true} && !bytes.Equal(p.Raw[0], p.Raw[1]) && !bytes.Equal(p.Raw[0], p.Raw[2]) {
			return p
		}
	}
}

// render returns the data that a template renders to: the value of each field, by the names and mapping keys on the way
// to it. It returns nil if that is not valid YAML, or if a list has two items with one name.
func (p *Printed) render(b []byte, values map[string]any) map[string]string {
	t := template.New("x")
	print := func(v any) string {
		out, _ := yaml.Marshal(v)
		return strings.TrimSuffix(string(out), "\n")
	}
	indent := func(n int, s string) string {
		pad := strings.Repeat(" ", n)
		return pad + strings.ReplaceAll(s, "\n", "\n"+pad)
	}
	t.Funcs(template.FuncMap{
		"toYaml":  print,
		"indent":  indent,
		"nindent": func(n int, s string) string { return "\n" + indent(n, s) },
		"include": func(name string, _ any) string {
			column := 0
			if rest, ok := strings.CutPrefix(name, "raw."); ok {
				fmt.Sscanf(rest, "%d.%s", &column, &name)
				if values[name] == nil {
					return ""
				}
				return "\n" + indent(column, print(values[name]))
			}
			if values[name] == nil {
				return ""
			}
			return print(values[name])
		},
	})
	if _, err := t.Parse(string(b)); err != nil {
		return nil
	}
	var out bytes.Buffer
	var root yaml.Node
	if t.Execute(&out, map[string]any{"Values": values}) != nil || yaml.Unmarshal(out.Bytes(), &root) != nil || len(root.Content) == 0 {
		return nil
	}
	facts := map[string]string{}
	if !collectPrinted(root.Content[0], "", facts) {
		return nil
	}
	return facts
}

// collectPrinted adds the fields in n to facts, by their path. It returns false if two have one path.
func collectPrinted(n *yaml.Node, path string, facts map[string]string) bool {
	if _, ok := facts[path]; ok {
		return false
	}
	facts[path] = n.Value
	for i, k := range n.Content {
		switch {
		case n.Kind == yaml.SequenceNode && (len(k.Content) < 2 || k.Content[0].Value != "name"):
			return false
		case n.Kind == yaml.SequenceNode && !collectPrinted(k, path+"/-"+k.Content[1].Value, facts):
			return false
		case n.Kind == yaml.MappingNode && i%2 == 1 && !collectPrinted(k, path+"/"+n.Content[i-1].Value, facts):
			return false
		}
	}
	return true
}

// CheckResult returns what is wrong with b, a result without conflicts, or "" if nothing is: b is rendered with all
// conditions on, all off, and each one on alone, and has what the versions have, with the changes of both sides.
func (p *Printed) CheckResult(b []byte) string {
	sets := []map[string]any{p.values, {"on": true}, {}}
	for id, v := range p.values {
		sets = append(sets, map[string]any{"on": true, id: v})
	}
	for _, set := range sets {
		var facts [3]map[string]string
		paths := map[string]bool{}
		for v := range p.Raw {
			if facts[v] = p.render(p.Raw[v], set); facts[v] == nil {
				facts = [3]map[string]string{}
				break // a list without its printed items is no list
			}
			addKeys(paths, facts[v])
		}
		if facts[2] == nil {
			continue
		}
		got := p.render(b, set)
		if got == nil {
			return "the result renders to no valid YAML"
		}
		addKeys(paths, got)
		for _, path := range slices.Sorted(maps.Keys(paths)) {
			var is [3]string
			for v := range facts {
				is[v] = valueAt(facts[v], path)
			}
			if want, ok := three.Pick(is); ok && valueAt(got, path) != is[want] {
				return fmt.Sprintf("%s: %q, expected %q", path, valueAt(got, path), is[want])
			}
		}
	}
	return ""
}

func addKeys(keys map[string]bool, m map[string]string) {
	for k := range m {
		keys[k] = true
	}
}

// valueAt returns the value at path in m with "=" before it, or "" if there is none.
func valueAt(m map[string]string, path string) string {
	if v, ok := m[path]; ok {
		return "=" + v
	}
	return ""
}
