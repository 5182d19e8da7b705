package merge

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"
	"text/template"
)

// A rendering is what a template renders to with some flags set, as facts: what
// stands at each path, and how often.
type rendering map[string][]string

// renderings renders a template with each set of the flags; nil if one of them is no
// YAML, or has a key twice.
func renderings(b []byte, sets []map[string]any) []rendering {
	var all []rendering
	for _, set := range sets {
		all = append(all, rendering{})
		if !renderAll(b, set, func(name string, out []byte) bool {
			r := rendered(out)
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

// renderAll calls f with what a template and each of its defines render to with a set of flags, until f reports false. It
// reports false then, and where something does not render.
func renderAll(b []byte, set map[string]any, f func(name string, out []byte) bool) bool {
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

// rendered reads what was rendered. A path that ends in / or | is that of a mapping or
// a list, or of a text, whose lines have paths of their own; what follows a # is a
// comment that stands above the path.
func rendered(b []byte) rendering {
	y := readDense(b)
	if y.err != nil {
		return nil
	}
	r := rendering{}
	for _, f := range y.facts {
		i := strings.IndexAny(f, "=|")
		path := f[:i]
		if f[i] == '|' && strings.TrimSpace(f[i+1:]) == "" { // what a block leaves that does not trim
			continue
		}
		if f[i] == '|' || strings.HasSuffix(path, "/-") {
			r[f] = append(r[f], "there")
			r[path+"|"] = []string{"there"}
		} else {
			r[path] = append(r[path], f[i+1:])
		}
		for up := strings.LastIndexByte(path, '/'); up > 0; up = strings.LastIndexByte(path[:up], '/') {
			r[path[:up]+"/"] = []string{"there"}
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

// flagSets are all sets of those flags that one of the templates reads.
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

// sound reports whether a template renders with each set of flags, no branch is empty or
// has a key twice that is never rendered, and each value is rendered with some flags.
func (t *denseTree) sound() bool {
	for _, n := range t.nodes {
		seen := map[string]bool{}
		for _, k := range n.kids {
			if key := t.nodes[k].key; key != "" && seen[key] && t.nodes[k].kind < denseBlock {
				return false
			}
			seen[t.nodes[k].key] = true
		}
		if n.kind == denseBranch && len(n.kids) == 0 {
			return false
		}
	}
	b := t.template()
	return renderings(b, flagSets(b)) != nil && t.clone().reached()
}

// reached reports whether each value is rendered with some flags. It changes all values.
func (t *denseTree) reached() bool {
	left := map[string]bool{}
	for id, n := range t.nodes {
		if n.kind == denseLeaf {
			n.value = fmt.Sprintf("r%dr", id)
			left[n.value] = true
		}
	}
	b := t.template()
	for _, r := range renderings(b, flagSets(b)) {
		for p, values := range r {
			delete(left, strings.TrimSpace(p[strings.LastIndexAny(p, "=|")+1:]))
			for _, v := range values {
				delete(left, v)
			}
		}
	}
	return len(left) == 0
}
