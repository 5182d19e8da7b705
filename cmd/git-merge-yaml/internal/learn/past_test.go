package learn

import (
	"context"
	"testing"
	"time"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/replay"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/session"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// decided is a decision in merge number n, a day each, that could be ours or theirs.
func decided(n int, path, resource string, taken ...merge.Take) replay.Decision {
	return replay.Decision{
		Merge: git.BlobID([]byte{byte(n)}, "0123456789012345678901234567890123456789"), Time: time.Date(2020, 1, n, 0, 0, 0, 0, time.UTC), Path: path,
		Choice: merge.Choice{Resource: resource, Field: "spec.x", Offered: []merge.Take{merge.TakeOurs, merge.TakeTheirs}, Taken: taken},
	}
}

// TestOf: what is known of a file comes before what is known of its kind, once there
// is enough of it.
func TestOf(t *testing.T) {
	read := make(chan struct{})
	close(read)
	for _, c := range []struct {
		all  []replay.Decision
		want string
	}{
		{nil, ""},
		{[]replay.Decision{decided(2, "a.yaml", "", merge.TakeOurs)}, "people took ours 1 of 1 time here (last: "},
		{[]replay.Decision{decided(2, "a.yaml", "")}, "people wrote something else 1 of 1 time here (last: "},
		{[]replay.Decision{decided(2, "b/a.yaml", "", merge.TakeOurs)}, "people took ours 1 of 1 time at spec.x of every a.yaml (last: "},
		{[]replay.Decision{decided(2, "b/c.yaml", "", merge.TakeOurs)}, ""},
		{[]replay.Decision{
			decided(6, "a.yaml", "", merge.TakeOurs), decided(5, "b/a.yaml", "", merge.TakeTheirs), decided(4, "b/a.yaml", "", merge.TakeTheirs),
		}, "people took theirs 2 of 3 times at spec.x of every a.yaml (last: "},
		{[]replay.Decision{
			decided(6, "a.yaml", "", merge.TakeOurs), decided(5, "a.yaml", "", merge.TakeTheirs), decided(4, "a.yaml", "", merge.TakeTheirs), decided(3, "b/a.yaml", "", merge.TakeOurs),
		}, "people took theirs 2 of 3 times here (last: "},
	} {
		p := &Past{read: read, all: c.all}
		got := p.Of("a.yaml", "", "spec.x")
		if len(got) < len(c.want) || got[:len(c.want)] != c.want || c.want == "" && got != "" {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
	of := &Past{read: read, all: []replay.Decision{decided(3, "b.yaml", "apps/Deployment", merge.TakeTheirs)}}
	if got, want := of.Of("a.yaml", "apps/Deployment", "spec.x"), "people took theirs 1 of 1 time at spec.x of apps/Deployment (last: "; len(got) < len(want) || got[:len(want)] != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got := (&Past{read: make(chan struct{})}).Of("a.yaml", "", "spec.x"); got != "" {
		t.Errorf("not read yet, and %q", got)
	}
}

// TestWait: nobody waits longer than said for what is not read.
func TestWait(t *testing.T) {
	p := &Past{read: make(chan struct{}), start: time.Now()}
	p.Wait(20 * time.Millisecond)
	if d := time.Since(p.start); d < 15*time.Millisecond || d > 5*time.Second {
		t.Errorf("waited %v", d)
	}
}

// TestWaitForNothing: where there is no history, nobody waits for it.
func TestWaitForNothing(t *testing.T) {
	p := ReadPast(context.Background(), session.At(t.TempDir(), session.Options{}))
	p.Wait(time.Minute)
	if time.Since(p.start) >= time.Minute {
		t.Error("waited for a history that is not there")
	}
	if got := p.Rules(nil); len(got) != 0 {
		t.Errorf("%d rules of no history", len(got))
	}
}

func TestDate(t *testing.T) {
	now := time.Date(2026, 5, 20, 0, 0, 0, 0, time.UTC)
	for want, at := range map[string]time.Time{
		"May 4":       time.Date(2026, 5, 4, 0, 0, 0, 0, time.UTC),
		"May 4, 2025": time.Date(2025, 5, 4, 0, 0, 0, 0, time.UTC),
	} {
		if got := date(at, now); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// TestRules: a rule is tried where it was not learned, and a wide one comes first. It
// says upstream where people took theirs of merges into their own branches, and there
// is none where nobody knows whose branches these were.
func TestRules(t *testing.T) {
	if rules := learned(merge.OwnUnknown).Rules(); len(rules) != 0 {
		t.Errorf("%d rules where no side is known", len(rules))
	}
	rules := learned(merge.OwnOurs).Rules()
	if len(rules) != 1 {
		t.Fatalf("%d rules", len(rules))
	}
	r := rules[0]
	if r.Take != merge.TakeUpstream || r.Place != (Place{Kind: "apps/Deployment", Field: "spec.x"}) ||
		r.Learned != (Score{Right: 10}) || r.Tried != (Score{Right: 9, Wrong: 1}) || r.All != (Score{Right: 19, Wrong: 1}) {
		t.Errorf("%+v", r)
	}
	if len(r.Examples) != 3 || !r.Examples[0].Right || r.Examples[2].Right || r.Examples[2].Time.Day() != 15 {
		t.Errorf("%+v", r.Examples)
	}
}

// learned has twenty merges in which people took theirs but once, and as many without
// a rule.
func learned(own merge.Own) *Learner {
	l := &Learner{}
	for n := 20; n > 0; n-- { // the newest first
		taken := merge.TakeTheirs
		if n == 15 {
			taken = merge.TakeOurs
		}
		d := decided(n, "a.yaml", "apps/Deployment", taken)
		d.Own = own
		_ = l.Add(d)
		_ = l.Add(decided(n, "b.yaml", "", []merge.Take{merge.TakeOurs, merge.TakeTheirs}[n%2]))
	}
	return l
}
