package dense

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"
	"text/template"
)

// A rendering is the data to which a template renders with one set of flags. It maps each path to its values. A leaf
// has one value for each time that the template prints it.
type rendering map[string][]string

// renderWithEach returns what a template renders to with each set of flags. It returns nil if the template fails to render
// with one of them, or renders to something that is not YAML or has a duplicate key or name.
func renderWithEach(b []byte, sets []map[string]any) []rendering {
	var all []rendering
	for _, set := range sets {
		all = append(all, rendering{})
		if !renderTemplates(b, set, func(name string, out []byte) bool {
			r := readRendering(out)
			for p, v := range r {
				all[len(all)-1]["define "+name+p] = v
			}
			return r != nil
		}) {
			return nil
		}
	}
	return all
}

// renderTemplates renders a template and each of its defines with a set of flags, and calls f with each output. It stops and
// reports false if f does, or if something cannot be parsed or rendered.
func renderTemplates(b []byte, set map[string]any, f func(name string, out []byte) bool) bool {
	nindent := func(n int, s string) string { return "\n" + strings.Repeat(" ", n) + s }
	t, err := template.New("-").Option("missingkey=error").Funcs(template.FuncMap{"nindent": nindent}).Parse(string(b))
	if err != nil {
		return false
	}
	for _, part := range t.Templates() {
		var out bytes.Buffer
		if part.Execute(&out, set) != nil || !f(part.Name(), out.Bytes()) {
			return false
		}
	}
	return true
}

// readRendering reads the output of a template. It returns nil if readYAML finds an error. There are these kinds of
// paths:
//   - a path without any of the following marks: a leaf, with its values
//   - ending in "/": a mapping or list that is not empty
//   - ending in "|": a text, or a list of values, that is not empty
//   - with text after "|", or after "=" in a list: a line of a text, or the value of an item
//   - with text after "#": a comment, which is above the path before the "#"
func readRendering(b []byte) rendering {
	y := readYAML(b)
	if y.err != nil {
		return nil
	}
	r := rendering{}
	for _, f := range y.facts {
		i := strings.IndexAny(f, "=|")
		path := f[:i]
		if f[i] == '|' && strings.TrimSpace(f[i+1:]) == "" { // an empty line that the action of a block left
			continue
		}
		if f[i] == '|' || strings.HasSuffix(path, "/-") {
			r[f] = append(r[f], "there")
			r[path+"|"] = []string{"there"}
		} else {
			r[path] = append(r[path], f[i+1:])
		}
		for parent := strings.LastIndexByte(path, '/'); parent > 0; parent = strings.LastIndexByte(path[:parent], '/') {
			r[path[:parent]+"/"] = []string{"there"}
		}
	}
	lines := strings.Split(string(b), "\n")
	for i, l := range lines {
		c, ok := strings.CutPrefix(strings.TrimSpace(l), "#")
		if !ok || y.lines[i+1] == "text" || strings.TrimSpace(c) == "" {
			continue
		}
		next := i + 1
		for ; next < len(lines) && y.lines[next+1] == ""; next++ {
		}
		f := y.lines[next+1] + "#" + c
		r[f] = append(r[f], "there")
	}
	return r
}

// flagSets returns all combinations of the flags that at least one of the templates reads. The other flags are off.
func flagSets(templates ...[]byte) []map[string]any {
	sets := []map[string]any{{}}
	for _, f := range flags {
		used := slices.ContainsFunc(templates, func(b []byte) bool { return bytes.Contains(b, []byte("$."+f)) })
		for _, s := range slices.Clone(sets) {
			off := any(false)
			on := any(true)
			if f == "c" {
				off, on = []int{}, []int{1}
			}
			s[f] = off
			if used {
				other := maps.Clone(s)
				other[f] = on
				sets = append(sets, other)
			}
		}
	}
	return sets
}

// isValidTemplate reports whether a template renders to valid YAML with each set of flags, no branch is empty, no node has two
// children with the same key, and each value is rendered with at least one set of flags.
func (t *tree) isValidTemplate() bool {
	for _, n := range t.nodes {
		seen := map[string]bool{}
		for _, k := range n.children {
			if key := t.nodes[k].key; key != "" && seen[key] && t.nodes[k].kind < blockKind {
				return false
			}
			seen[t.nodes[k].key] = true
		}
		if n.kind == branchKind && len(n.children) == 0 {
			return false
		}
	}
	b := t.templateText()
	return renderWithEach(b, flagSets(b)) != nil && t.clone().rendersEveryValue()
}

// rendersEveryValue reports whether each value is rendered with at least one set of flags. It replaces all values of the tree.
func (t *tree) rendersEveryValue() bool {
	left := map[string]bool{}
	for id, n := range t.nodes {
		if n.kind == leafKind {
			n.value = fmt.Sprintf("r%dr", id)
			left[n.value] = true
		}
	}
	b := t.templateText()
	for _, r := range renderWithEach(b, flagSets(b)) {
		for p, values := range r {
			delete(left, strings.TrimSpace(p[strings.LastIndexAny(p, "=|")+1:]))
			for _, v := range values {
				delete(left, v)
			}
		}
	}
	return len(left) == 0
}
