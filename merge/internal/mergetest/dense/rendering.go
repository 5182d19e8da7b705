package dense

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"
	"text/template"
)

// A rendering is the data of the YAML file that a template renders to with one set of flags. It maps each path to its
// values. A path has several values if the template prints the entry more than once. For example:
//
//	a: 1          {"define -/a": ["1"], "define -/b/c": ["2"], "define -/b/": ["there"]}
//	b:
//	  c: 2
//
// "define -" is the template itself, and the paths of {{ define "x" }} begin with "define x".
type rendering map[string][]string

// renderWithEach returns the data to which a template renders with each set of flags, in the order of sets. It returns
// nil if the template fails to render with one of them, or renders to something that is not YAML or has a duplicate key
// or name.
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

// renderTemplates renders a Go template, and each template that it defines, with a set of flags, and calls f with the
// name ("-" for the template itself) and the output of each. It stops and returns false if f does, or if the template
// cannot be parsed or rendered. A value that set does not have is an error.
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

// readRendering returns the data of b, a YAML file to which a template rendered, or nil if it is not valid YAML or has
// a duplicate key or name. Its paths are:
//
//	/a         its values   a field with a scalar
//	/a/        "there"      a mapping or list that is not empty
//	/a/-=1     "there"      an item with the value 1, once for each
//	/a/-|      "there"      a list that has items with scalars
//	/a|        "there"      a text that is not empty
//	/a|line    "there"      a line of a text, once for each
//	/a# x      "there"      a comment above the entry at /a
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

// flagSets returns all combinations of the flags that at least one of the templates reads, as data for rendering: {"a":
// true, "b": false, ...}. Other flags are off in all of them. The flag c is a list: it is empty if it is off, and has
// an item if it is on.
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

// isValidTemplate reports whether t can be a version of a case: written as a template, it renders to valid YAML with
// each set of flags, and each value with at least one of them. No branch is empty, and no node has two children with
// the same key.
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

// rendersEveryValue reports whether each scalar of t is rendered with at least one set of flags. A value in a block
// such as {{ if $.a }} within {{ if not $.a }} is never rendered. It replaces all scalars in t by other ones, so it
// must be called for a copy.
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
