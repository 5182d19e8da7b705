package schema

import (
	"strconv"

	"gopkg.in/yaml.v3"
)

// Deleted says what becomes of files that one side deleted and the other one changed, about
// which git asks no driver: what the own side did with them stands, or what upstream did, or
// a person is asked.
//
//	rules:
//	  - files: [snap/**]
//	    deleted: own
type Deleted struct {
	Take   Policy // Own, Upstream or Ask; "" if the entry does not say it
	Source string // file and line, for people
}

// Ask leaves a file that one side deleted to a person, whatever entries below say.
const Ask Policy = "ask"

// Deleted is what the first of the team's entries says that names the file at path.
func (r *Rules) Deleted(path string) (d Deleted, ok bool) {
	if r == nil {
		return d, false
	}
	for _, e := range r.team {
		if e.deleted.Take != "" && matchAny(e.files, path) {
			return e.deleted, true
		}
	}
	return d, false
}

// deleted reads what is done with files that one side deleted.
func (rd *reader) deleted(n *yaml.Node) Deleted {
	switch p := Policy(n.Value); {
	case n.Kind == yaml.ScalarNode && (p == Own || p == Upstream || p == Ask):
		return Deleted{p, strconv.Itoa(n.Line)}
	}
	rd.fail(n, "deleted is "+kindOf(n), "own, upstream or ask is expected")
	return Deleted{}
}
