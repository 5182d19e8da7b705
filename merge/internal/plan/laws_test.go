package plan

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/mergetest"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/mergetest/dense"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/pair"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/team"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// TestPlanIsRepeatable checks two properties of plans, which list what a merge does with each entry. The conflicts of a
// plan are the same if it is made again. The plan has no conflict if one side is identical to base. It uses all cases
// in testdata/merge that are valid YAML, without duplicate keys and encryption.
func TestPlanIsRepeatable(t *testing.T) {
	checked := 0
	for _, raw := range mergetest.MergeVersions(t) {
		conflictsIn := func(v [3][]byte) (all []string, ok bool) {
			var streams [3]*syntax.Stream
			for s, b := range v {
				st, err := syntax.Parse(text.New(b))
				if err != nil || st.DuplicateKey() != nil || st.IsEncrypted() {
					return nil, false
				}
				streams[s] = st
			}
			w := New(streams, pair.NewMatcher(new(team.Rules), ""))
			for range 2 {
				var now []string
				for _, d := range w.Merge(nil).Documents {
					now = append(now, conflictsOf(d)...)
				}
				if all != nil && !reflect.DeepEqual(now, all) {
					t.Fatalf("%q, and %q when the plan is made again", all, now)
				}
				all = now
			}
			return all, true
		}
		if _, ok := conflictsIn(raw); !ok {
			continue
		}
		checked++
		if all, _ := conflictsIn([3][]byte{raw[0], raw[1], raw[0]}); len(all) > 0 {
			t.Errorf("only ours changed:\n%s\n--\n%s: %q", raw[0], raw[1], all)
		}
		if all, _ := conflictsIn([3][]byte{raw[0], raw[0], raw[2]}); len(all) > 0 {
			t.Errorf("only theirs changed:\n%s\n--\n%s: %q", raw[0], raw[2], all)
		}
	}
	if checked < 200 {
		t.Errorf("only %d cases were checked", checked)
	}
}

// parseGenerated parses three generated versions: base, ours and theirs. ok is false if a version has a duplicate key
// in a mapping, because plans do not support that. It fails the test at once if a version is not valid YAML.
func parseGenerated(t *testing.T, raw [3][]byte) (streams [3]*syntax.Stream, ok bool) {
	t.Helper()
	for s, b := range raw {
		st, err := syntax.Parse(text.New(b))
		if err != nil {
			t.Fatalf("%v in\n%s", err, b)
		}
		if st.DuplicateKey() != nil {
			return streams, false
		}
		streams[s] = st
	}
	return streams, true
}

// planGenerated returns the documents of the plan for merging three parsed versions. If deep is true, all entries are
// planned one by one. Otherwise, a value that no side changed is planned as a whole.
func planGenerated(streams [3]*syntax.Stream, deep bool) []Document {
	w := New(streams, pair.NewMatcher(new(team.Rules), ""))
	w.Deep = deep
	return w.Merge(nil).Documents
}

// forEachGenerated calls f with the triples of the seeds 0 to 79 of every generator of YAML, in a subtest for each
// generator. v has the parsed base, ours and theirs. Triples with a duplicate key are left out; the subtest fails if
// fewer than 60 triples are left.
func forEachGenerated(t *testing.T, f func(t *testing.T, g mergetest.Triple, v [3]*syntax.Stream)) {
	t.Helper()
	for _, gen := range slices.Concat(mergetest.Generators, dense.Generators) {
		t.Run(gen.Name, func(t *testing.T) {
			planned := 0
			for seed := range 80 {
				g := gen.New(seed)
				if v, ok := parseGenerated(t, g.Raw); ok {
					planned++
					f(t, g, v)
				}
			}
			if planned < 60 {
				t.Errorf("only %d triples have no duplicate keys", planned)
			}
		})
	}
}

// TestOneSidedChanges checks plans for merges in which one side is identical to base, or both sides are identical. The
// right merge is then the version that differs from base. The plan must have no conflict, exactly the entries of this
// version, and only values that are equal to those of this version.
func TestOneSidedChanges(t *testing.T) {
	forEachGenerated(t, func(t *testing.T, g mergetest.Triple, v [3]*syntax.Stream) {
		o, x := v[three.Original], v[three.Dest]
		for name, c := range map[string]struct {
			streams [3]*syntax.Stream
			changed three.Version
		}{
			"ours": {[3]*syntax.Stream{o, x, o}, three.Dest}, "theirs": {[3]*syntax.Stream{o, o, x}, three.Updated}, "both": {[3]*syntax.Stream{o, x, x}, three.Dest},
		} {
			for _, deep := range []bool{false, true} {
				docs := planGenerated(c.streams, deep)
				wrong := ""
				if len(docs) != len(x.Docs) {
					wrong = fmt.Sprintf("%d documents, not %d", len(docs), len(x.Docs))
				}
				for _, d := range docs {
					wrong = cmp.Or(wrong, strings.Join(conflictsOf(d), ", "), documentDifference(d, c.changed))
				}
				if wrong != "" {
					t.Errorf("only %s changed, deep %v: %s\nbase:\n%s\nchanged:\n%s", name, deep, wrong, g.Raw[three.Original], g.Raw[three.Dest])
				}
			}
		}
	})
}

// documentDifference returns a description of the first difference between the merged document that d plans and the
// document in the given version. It returns "" if they are equal, or if d is a conflict. The order of entries does not
// matter.
func documentDifference(d Document, version three.Version) string {
	switch d := d.(type) {
	case *TakenDocument:
		if d.Documents[version] == nil || mergetest.NodeData(d.Documents[d.Side].Root) != mergetest.NodeData(d.Documents[version].Root) {
			return "another document"
		}
	case *MergedDocument:
		return valueDifference(d.Root, version)
	}
	return ""
}

// valueDifference returns a description of the first difference between the merged value that m plans and the value in
// the given version, such as "3 entries, not 2". It returns "" if they are equal. The order of entries does not matter,
// and neither do lines of a text that are merged one by one.
func valueDifference(m *Value, version three.Version) string {
	if !m.Merged {
		if len(m.Lines) == 0 && mergetest.NodeData(m.Nodes[m.FormatFrom]) != mergetest.NodeData(m.Nodes[version]) {
			return "another value: " + mergetest.NodeData(m.Nodes[m.FormatFrom])
		}
		return ""
	}
	if want := len(m.Nodes[version].Entries); len(m.Children) != want {
		return fmt.Sprintf("%d entries, not %d", len(m.Children), want)
	}
	for _, e := range m.Children {
		at := e.Versions()
		if at[version] == nil {
			return fmt.Sprintf("an entry that is deleted: %s", mergetest.NodeData(at[at.First()].Value))
		}
		switch e := e.(type) {
		case *TakenEntry:
			if a, b := at[e.Side], at[version]; a.KeyText() != b.KeyText() || mergetest.NodeData(a.Value) != mergetest.NodeData(b.Value) {
				return "another entry: " + a.KeyText() + " " + mergetest.NodeData(a.Value)
			}
		case *MergedEntry:
			if wrong := valueDifference(e.Value, version); wrong != "" {
				return wrong
			}
		}
	}
	return ""
}

// TestSwappedSides checks that the plan has as many conflicts of each kind if ours and theirs are exchanged. The paths
// of the conflicts may differ: for an entry that a side renamed, the path has the name in ours.
func TestSwappedSides(t *testing.T) {
	forEachGenerated(t, func(t *testing.T, g mergetest.Triple, v [3]*syntax.Stream) {
		kinds := func(v [3]*syntax.Stream) (all []string) {
			for _, c := range conflictsIn(planGenerated(v, false)) {
				all = append(all, c[strings.LastIndex(c, ": ")+1:])
			}
			slices.Sort(all)
			return all
		}
		straight, swapped := kinds(v), kinds([3]*syntax.Stream{v[three.Original], v[three.Updated], v[three.Dest]})
		if !slices.Equal(straight, swapped) {
			t.Errorf("conflicts %q, and %q with the sides swapped, of\n%s", straight, swapped, g)
		}
	})
}

// TestKnownConflicts checks that the plan of separate edits has a conflict where both sides changed a field
// differently, and nowhere else.
func TestKnownConflicts(t *testing.T) {
	inConflict := 0
	for seed := range 150 {
		g := mergetest.SeparateEdits(seed)
		v, ok := parseGenerated(t, g.Raw)
		if !ok {
			t.Fatalf("seed %d has a duplicate key", seed)
		}
		if got := conflictsIn(planGenerated(v, false)); len(got) != g.Conflicts {
			t.Errorf("seed %d: conflicts %q, want %d, of\n%s", seed, got, g.Conflicts, g)
		}
		inConflict += g.Conflicts
	}
	if inConflict < 40 {
		t.Errorf("only %d conflicts were generated", inConflict)
	}
}

// conflictsIn returns the conflicts in some documents of a plan, sorted. Each one is the path and the kind of the
// conflict, as in "spec.cpu: value" if both sides changed the value. For a document that is in conflict as a whole, it
// is only the kind, and for a line of a text it is "a line".
func conflictsIn(docs []Document) (all []string) {
	for _, d := range docs {
		all = append(all, conflictsOf(d)...)
	}
	slices.Sort(all)
	return all
}
