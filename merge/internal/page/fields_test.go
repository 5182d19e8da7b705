package page

import (
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/plan"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/team"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

func TestTakeFields(t *testing.T) {
	for _, c := range []struct{ base, ours, theirs, fromOurs string }{
		{"{a: 1, b: 1}", "{a: 2, b: 1}", "{a: 3, b: 2}", "{a: 2, b: 2}"},
		{"{a: 1, b: 1}", "{a: 2, b: 1}", "{a: 3, b: 1, c: 1}", "{a: 2, b: 1, c: 1}"},
		{"{a: 1, b: 1}", "{a: 2, b: 1}", "{a: 3}", "{a: 2}"},
		{"{a: 1, b: 1}", "{b: 1, a: 2}", "{a: 3, c: 1}", "{ a: 2, c: 1}"},
		{"{a: 1, b: ''}", "{a: 2, b: ''}", "{a: 3, b: x, c: 1}", "{a: 2, b: x, c: 1}"},
		// two fields that follow each other are deleted, so that it is not clear which comma belongs to which
		{"{a: 1, b: 1, c: 1}", "{a: 2, b: 1, c: 1}", "{a: 3}", ""},
		{"{a: 1, b: 1}", "{a: 2, b: 1}", "{a: 3, b: 1}", ""}, // only the conflict
	} {
		r := newTestRenderer(t, "m: "+c.base+"\n", "m: "+c.ours+"\n", "m: "+c.theirs+"\n")
		var at three.Entries
		conflict := &Conflict{}
		for s, st := range r.Streams {
			at[s] = st.Docs[0].Field("m")
			conflict.Texts[s] = st.File.Bytes()
		}
		conflict.Entry = plan.NewEntryConflict(at, nil, plan.ConflictValue)
		v, ok := conflict.TakeFields(r.Streams, three.Dest, team.Decision{})
		if want := "m: " + c.fromOurs + "\n"; ok != (c.fromOurs != "") || ok && string(v.Text) != want {
			t.Errorf("%s | %s | %s: %q, %t", c.base, c.ours, c.theirs, v.Text, ok)
		}
	}
}
