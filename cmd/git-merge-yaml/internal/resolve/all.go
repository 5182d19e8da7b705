package resolve

import (
	"fmt"
)

// alike are the open questions about the same field under the same kind of
// resource as v is, v aside.
func (s *session) alike(v *view) []*question {
	var all []*question
	if v.Field == "" {
		return nil
	}
	for _, q := range s.questions {
		if q == v.question || !q.open() {
			continue
		}
		o := q.known()
		if o.Field == v.Field && o.Resource == v.Resource && (o.Resource != "" || q.file == v.question.file) {
			all = append(all, q)
		}
	}
	return all
}

// allHelp says what is decided together.
func (v *view) allHelp() string {
	if v.alike == 0 {
		return "use one answer for all conflicts like this"
	}
	return fmt.Sprintf("use one answer for this and %d more at %s", v.alike, v.fieldText())
}

// fieldText names the field that conflicts have in common.
func (v *view) fieldText() string {
	if v.Resource == "" {
		return v.Field + " of this file"
	}
	return v.Field + " of " + v.Resource
}
