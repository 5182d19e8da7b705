package schema

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"
)

// named are the sets of entries that a team's file can ask for by `extends`, in
// its own format. Nothing of them holds for a team that did not ask.
var named = map[string]string{
	"helm": "- files: [Chart.yaml]\n  fields: {version: next}\n",
}

// extends reads the names of sets, and returns their entries.
func (rd *reader) extends(n *yaml.Node) []*entry {
	var all []*entry
	for _, c := range rd.texts(n, "extends") {
		set, ok := named[c.Value]
		if !ok {
			rd.fail(c, "there are no rules called "+strconv.Quote(c.Value), "allowed: "+strings.Join(slices.Sorted(maps.Keys(named)), ", "))
			continue
		}
		all = append(all, rd.set(c, set)...)
	}
	return all
}

// set reads the set that c names; its answers come from the line of c.
func (rd *reader) set(c *yaml.Node, text string) []*entry {
	var root yaml.Node
	if err := yaml.Unmarshal([]byte(text), &root); err != nil {
		rd.fail(c, "extends "+c.Value+": "+err.Error(), "")
		return nil
	}
	all := rd.entries(root.Content[0])
	for _, e := range all {
		for i := range e.fields {
			e.fields[i].source = rd.source(strconv.Itoa(c.Line), "extends "+c.Value)
		}
	}
	return all
}
