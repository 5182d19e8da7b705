package mergetest

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
	"gopkg.in/yaml.v3"
)

// Restructured is a merge in which one side joins, splits, moves, renames, copies or deletes a group of fields, and the
// other side sets, adds or deletes a field. A group is a mapping, an item, a document or a list. For example, ours
// moves the field cpu, and theirs sets it:
//
//	base        ours        theirs      right merge
//	web:        web: {}     web:        web: {}
//	  cpu: 1    db:           cpu: 9    db:
//	db:           mem: 2    db:           mem: 2
//	  mem: 2      cpu: 1      mem: 2      cpu: 9
//
// Want is nil. CheckResult compares the data of a result with those of the right merge.
type Restructured struct {
	Triple
	versions [3]groups
	// op is what one side did with a group, for example "join". edit is what the other side did with a field: "set",
	// "add" or "delete".
	op, edit string
	from, to string   // old and new name of the group if op is "rename"; the old and the new group of moved fields
	moved    []string // the keys of the fields that were moved from one group to another; nil if op is "rename"
	// restructured is the side that changed the groups.
	restructured three.Version
}

// NewRestructured generates the three versions. The same seed always gives the same versions. About has the edits of
// both sides, as in "theirs: move, ours: delete\n".
func NewRestructured(seed int) *Restructured {
	g := rand.New(rand.NewPCG(uint64(seed), 7))
	form := groupForms[g.IntN(len(groupForms))]
	c := &Restructured{restructured: three.Sides[g.IntN(2)]}
	names := []string{"web", "db", "queue", "cache", "auth"}
	g.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	keys := []string{"cpu", "mem", "image", "port", "mode", "zone", "tier"}
	field := func() string { return fmt.Sprintf("%s=%d", keys[g.IntN(len(keys))], g.IntN(3)) }
	for _, name := range names[:2+g.IntN(3)] {
		n := group{name: name}
		for range 2 + g.IntN(4) {
			n.setField(field())
		}
		c.versions[three.Original] = append(c.versions[three.Original], n)
	}
	base := c.versions[three.Original]
	a, b := g.IntN(len(base)), g.IntN(len(base)-1)
	if b >= a {
		b++
	}
	s := base.clone()
	k := g.IntN(len(s[a].fields))
	tail := slices.Clone(s[a].fields[k:])
	switch g.IntN(6) {
	case 0:
		c.op = "delete"
		s = slices.Delete(s, a, a+1)
	case 1:
		c.op = "join"
		for _, f := range tail {
			s[b].setField(f)
		}
		c.moveFields(s[a].name, s[b].name, tail)
		s = slices.Delete(s, a, a+1)
	case 2:
		c.op = "move"
		c.moveFields(s[a].name, s[b].name, tail)
		s[a].fields = s[a].fields[:k]
		for _, f := range tail {
			s[b].setField(f)
		}
	case 3:
		c.op = "split"
		c.moveFields(s[a].name, "extra", tail)
		s[a].fields = s[a].fields[:k]
		s = slices.Insert(s, a+1, group{"extra", tail})
	case 4:
		c.op, c.from, c.to = "rename", s[a].name, "other"
		s[a].name = c.to
	case 5:
		c.op = "copy"
		s = slices.Insert(s, a, group{"extra", slices.Clone(s[a].fields)})
	}
	c.versions[c.restructured] = s
	e := base.clone()
	at := &e[[]int{a, a, b}[g.IntN(3)]]
	i := g.IntN(len(at.fields))
	switch g.IntN(3) {
	case 0:
		c.edit = "set"
		key, _, _ := strings.Cut(at.fields[i], "=")
		at.fields[i] = key + "=9"
	case 1:
		c.edit = "add"
		at.fields = append(at.fields, "fresh=1")
	case 2:
		c.edit = "delete"
		at.fields = slices.Delete(at.fields, i, i+1)
	}
	c.versions[c.restructured.Other()] = e
	for v, all := range c.versions {
		c.Raw[v] = []byte(form(all))
	}
	c.About = fmt.Sprintf("%s: %s, %s: %s\n", three.Names[c.restructured], c.op, three.Names[c.restructured.Other()], c.edit)
	return c
}

// CheckResult returns a description of what is wrong with the result of a merge, or "" if it is right. Without
// conflicts, each field must have the value of the side that changed it, in a renamed group or a moved field under the
// old or the new name. Edits that exclude each other need a conflict. With conflicts, the file must be valid YAML with
// either side taken at all of them.
func (c *Restructured) CheckResult(result []byte) string {
	var in [3]map[string]string
	for v := range c.Raw {
		facts, err := readFacts(c.Raw[v])
		if err != nil {
			return err.Error()
		}
		in[v] = facts
	}
	if hasConflicts(result) {
		for _, s := range three.Sides {
			if _, err := readFacts(TakeSide(result, s)); err != nil {
				return fmt.Sprintf("%s: with %s, %v", c.op, three.Names[s], err)
			}
		}
		return ""
	}
	have, err := readFacts(result)
	if err != nil {
		return c.op + ": " + err.Error()
	}
	want, ok := mergeFacts(in)
	if ok && maps.Equal(have, want) {
		return ""
	}
	if c.from != "" {
		other := c.restructured.Other()
		for _, v := range []three.Version{three.Original, other} {
			in[v] = c.renameGroupIn(in[v])
		}
		if want, ok := mergeFacts(in); ok && maps.Equal(have, want) {
			return ""
		}
	}
	return fmt.Sprintf("%s: %s: %v, not %v", c.op, c.edit, have, want)
}

// A group is a named mapping, item, document or list, and its fields in order. In a list, the keys of the fields are
// the items, and their values are not written.
type group struct {
	name   string
	fields []string // key=value
}

// groups are the groups of a file, in order.
type groups []group

// clone returns a deep copy of all.
func (all groups) clone() (out groups) {
	for _, g := range all {
		out = append(out, group{g.name, slices.Clone(g.fields)})
	}
	return out
}

// groupForms are functions that return the YAML file of some groups, each in a different form. A group web with the
// field cpu=1 is written in one of these ways, among others:
//
//	web:        - name: web    ---              web: {      web:
//	  cpu: 1      cpu: 1       kind: Part         cpu: 1,   - cpu
//	                           metadata:        },
//	                             name: web
//	                           spec:
//	                             cpu: 1
var groupForms = [...]func(groups) string{
	func(all groups) string { // mappings in a mapping
		return writeGroups(all, "", "%s:\n", "%s: {}\n", "  %s: %s\n")
	},
	func(all groups) string { // two levels
		return writeGroups(all, "root:\n", "  %s:\n    spec:\n", "  %s:\n    spec: {}\n", "      %s: %s\n")
	},
	func(all groups) string { // items with a name
		return writeGroups(all, "items:\n", "- name: %s\n", "- name: %s\n", "  %s: %s\n")
	},
	func(all groups) string { // documents
		return writeGroups(all, "", "---\nkind: Part\nmetadata:\n  name: %s\nspec:\n", "---\nkind: Part\nmetadata:\n  name: %s\nspec: {}\n", "  %s: %s\n")
	},
	func(all groups) string { // flow style, one entry on each line
		return "{\n" + writeGroups(all, "", "%s: {\n", "%s: {\n", "  %s: %s,\n", "},\n") + "}\n"
	},
	func(all groups) string { // lists, whose items are the keys of the fields
		return writeGroups(all, "", "%s:\n", "%s: []\n", "- %.0[2]s%[1]s\n")
	},
}

// writeGroups returns the text of all groups. It begins with head. Each group is line (or none, if it has no fields)
// with its name for %s, then field with the key and value of each field, and end. The line "%s:\n", the none "%s: {}\n"
// and the field "  %s: %s\n" give
//
//	web:
//	  cpu: 1
//	db: {}
func writeGroups(all groups, head, line, none, field string, end ...string) string {
	var b strings.Builder
	b.WriteString(head)
	for _, g := range all {
		if len(g.fields) == 0 {
			fmt.Fprintf(&b, none, g.name)
		} else {
			fmt.Fprintf(&b, line, g.name)
		}
		for _, f := range g.fields {
			key, value, _ := strings.Cut(f, "=")
			fmt.Fprintf(&b, field, key, value)
		}
		b.WriteString(strings.Join(end, ""))
	}
	return b.String()
}

// readFacts returns the data of a file that is written by one of groupForms, or an error if it is not valid YAML. The
// map has "there" for the name of each group, and the value of each field at "group.field", "" for an item of a list:
//
//	web:            {"web": "there", "web.cpu": "1",
//	  cpu: 1         "db": "there"}
//	db: {}
func readFacts(b []byte) (map[string]string, error) {
	facts := map[string]string{}
	add := func(name string, fields any) {
		facts[name] = "there"
		switch fields := fields.(type) {
		case map[string]any:
			for k, v := range fields {
				if in, ok := v.(map[string]any); ok && k == "spec" {
					for k, v := range in {
						facts[name+"."+k] = fmt.Sprint(v)
					}
				} else if k != "name" && k != "kind" && k != "metadata" {
					facts[name+"."+k] = fmt.Sprint(v)
				}
			}
		case []any:
			for _, v := range fields {
				facts[name+"."+fmt.Sprint(v)] = ""
			}
		}
	}
	for dec := yaml.NewDecoder(bytes.NewReader(b)); ; {
		var doc map[string]any
		if err := dec.Decode(&doc); errors.Is(err, io.EOF) {
			return facts, nil
		} else if err != nil {
			return nil, err
		}
		if root, ok := doc["root"].(map[string]any); ok {
			doc = root
		}
		if m, ok := doc["metadata"].(map[string]any); ok {
			add(fmt.Sprint(m["name"]), doc)
			continue
		}
		if items, ok := doc["items"].([]any); ok {
			for _, item := range items {
				add(fmt.Sprint(item.(map[string]any)["name"]), item)
			}
			continue
		}
		for name, fields := range doc {
			add(name, fields)
		}
	}
}

// setField sets a field, given as key=value. It replaces the field of n with the same key, or is appended if n has
// none.
func (n *group) setField(f string) {
	key, _, _ := strings.Cut(f, "=")
	i := slices.IndexFunc(n.fields, func(x string) bool { return strings.HasPrefix(x, key+"=") })
	if i < 0 {
		n.fields = append(n.fields, f)
	} else {
		n.fields[i] = f
	}
}

// mergeFacts returns the right merge of the data of three files, as readFacts returns them. Each value comes from the
// side that changed it. ok is false, and out is not right, if both sides changed a value differently, or if a field is
// left in a group that was deleted.
func mergeFacts(in [3]map[string]string) (out map[string]string, ok bool) {
	out, ok = map[string]string{}, true
	all := map[string]bool{}
	for _, f := range in {
		for k := range f {
			all[k] = true
		}
	}
	for k := range all {
		var v [3]string
		for s := range in {
			if x, there := in[s][k]; there {
				v[s] = "=" + x
			}
		}
		s, one := three.Pick(v)
		if ok = ok && one; v[s] != "" {
			out[k] = v[s][1:]
		}
	}
	for k := range out {
		if name, _, field := strings.Cut(k, "."); field && out[name] == "" {
			ok = false
		}
	}
	return out, ok
}

// moveFields records that fields, each as key=value, were moved to another group. from and to are the names of the groups.
func (c *Restructured) moveFields(from, to string, fields []string) {
	c.from, c.to = from, to
	for _, f := range fields {
		key, _, _ := strings.Cut(f, "=")
		c.moved = append(c.moved, from+"."+key)
	}
}

// renameGroupIn returns a copy of facts with the new name of the renamed group: "web.cpu" becomes "other.cpu" if web
// was renamed to other. If fields were moved, only their names get the new group. A side must have renamed or moved
// something.
func (c *Restructured) renameGroupIn(facts map[string]string) map[string]string {
	renamed := map[string]string{}
	for k, x := range facts {
		if c.moved == nil && (k == c.from || strings.HasPrefix(k, c.from+".")) || slices.Contains(c.moved, k) {
			k = c.to + strings.TrimPrefix(k, c.from)
		}
		renamed[k] = x
	}
	return renamed
}
