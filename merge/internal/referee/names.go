package referee

import "github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"

// names are the fields by which people know an item of a list without keys.
var names = [...]string{"name", "id", "path", "key", "host"}

// name is the first of the names that n has, with the field; "" if it has none.
func (n *node) name() string {
	if n.Kind != syntax.Mapping {
		return ""
	}
	for _, field := range names {
		if s := n.scalar(field); s != "" {
			return field + "=" + s
		}
	}
	return ""
}

// misnamed reports whether t takes two things for one: an item of the original
// and one of a side with another name, though of those that were changed
// another one bears the name of either, and no third one does. It is paid as a
// trial is.
func (o *orderedList) misnamed(t quad) bool {
	o.work--
	n := t[original].name()
	for _, s := range sides {
		m := t[s].name()
		if n != m && (o.sure(n, s) || o.sure(m, s)) {
			return true
		}
	}
	return false
}

func (o *orderedList) sure(name string, s version) bool {
	return name != "" && o.bearing(original)[name] == 1 && o.bearing(s)[name] == 1
}

// bearing counts the names of the items of v that the other versions do not
// have: of the original, those that both sides changed; of a side, its own.
func (o *orderedList) bearing(v version) map[string]int {
	if o.bearers[v] == nil {
		o.bearers[v] = map[string]int{}
		for _, n := range o.rows.members[v] {
			c := o.count(n)
			if v == original && c[dest]+c[updated] == 0 || v != original && c[original] == 0 {
				o.bearers[v][n.name()]++
			}
		}
	}
	return o.bearers[v]
}
