package overlay_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/mergetest/trees"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/overlay"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/page"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/pair"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/team"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// mergeBy returns the merge of v by rules, and its plan.
func mergeBy(t *testing.T, rules overlay.Rules, v [3]string) (string, *overlay.Plan, error) {
	t.Helper()
	r := &page.Renderer{LineBreak: []byte("\n"), DestDecidesSeparator: rules.UpdatedAlwaysWins}
	for s, in := range v {
		st := trees.Parse(t, in)
		r.Streams[s], r.Files[s] = st, st.File
	}
	known := pair.NewMatcher(new(team.Rules), "")
	m, err := overlay.New(r.Streams, known, rules, three.Names)
	if err != nil {
		return "", nil, err
	}
	made, err := m.Merge(!rules.UpdatedAlwaysWins)
	if err != nil {
		return "", made, err
	}
	p, _ := r.Page(made.Documents).Decide(r, func(c *page.Conflict) (page.Verdict, bool) {
		return c.TakeSide(rules.CommentsFrom, team.Decision{Rules: rules.Name}), true
	})
	return string(p.Resolve(three.Dest)), made, nil
}

const (
	pod    = "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec:\n"
	deploy = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: a}\nspec:\n"
	first  = "kind: A\nmetadata: {name: a}\n"
	second = "kind: B\nmetadata: {name: b}\n"
)

func TestMerge(t *testing.T) {
	k, m, a := overlay.Kustomize, overlay.Merge2, overlay.Apply
	for _, c := range []struct {
		name    string
		rules   overlay.Rules
		o, d, u string
		want    string
	}{
		{"both changed it", k, "a: 1\n", "a: 2\n", "a: 3\n", "a: 3\n"},
		{"a # in a text is no comment", m, "", "k:\n  # c\n  \"a\\x23b\"\n", "k:\n  # c\n  \"a#b\"\n", "k:\n  # c\n  \"a\\x23b\"\n"},
		{"dest alone changed it", k, "a: 1\n", "a: 2\n", "a: 1\n", "a: 2\n"},
		{"updated always wins", m, "", "a: 2\n", "a: 1\n", "a: 1\n"},
		{"a null of updated clears", k, "a: 1\nb: 1\n", "a: 1\nb: 2\n", "a: 1\nb: ~\n", "a: 1\n"},
		{"a null of dest clears", k, "a: 1\nb: 1\n", "a: 1\nb: ~\n", "a: 1\nb: 2\n", "a: 1\n"},
		{"a null of dest stays", m, "", "a: 1\nb: ~\n", "a: 2\n", "a: 2\nb: ~\n"},
		{"what is added has no nulls", m, "", "a: 1\n", "b: {c: ~, d: 1}\n", "a: 1\nb: {d: 1}\n"},
		{"nothing is left", m, "", "{a: 1}\n", "{b: {c: ~}}\n", "{a: 1, b: {}}\n"},
		{"deleted, with what dest added", k, "m: {a: 1}\nx: 1\n", "m: {a: 1, b: 1}\nx: 1\n", "x: 1\n", "m: {b: 1}\nx: 1\n"},
		{"deleted by dest, with what updated added", k, "m: {a: 1}\nx: 1\n", "x: 1\n", "m: {a: 1, b: 1}\nx: 1\n", "m: {b: 1}\nx: 1\n"},
		{"a list without keys is one value", k, "l: [1]\n", "l: [1, 2]\n", "l: [0, 1]\n", "l: [0, 1]\n"},
		{"items pair by name, new ones stand at the end", m, "", "l: [{name: b, v: 1}]\n", "l: [{name: a}, {name: b, w: 2}]\n", "l: [{name: b, v: 1, w: 2}, {name: a}]\n"},
		{"config's order, then live's own", a, "", pod + "  containers: [{name: d}, {name: b}]\n", pod + "  containers: [{name: b}, {name: c}]\n", pod + "  containers: [{name: b}, {name: c}, {name: d}]\n"},
		{"applied before, and gone", a, pod + "  x: 1\n", pod + "  x: 2\n  y: 1\n", pod + "  z: 1\n", pod + "  z: 1\n  y: 1\n"},
		{"a union", a, "", deploy + "  strategy: {type: RollingUpdate, rollingUpdate: {maxSurge: 1}}\n", deploy + "  strategy: {type: Recreate}\n", deploy + "  strategy: {type: Recreate}\n"},
		{"a resource that updated adds", k, first, first, first + "---\n" + second + "v: ~\n", first + "---\n" + second},
		{"a resource that updated deleted", k, first + "---\n" + second, first + "---\n" + second + "v: 1\n", first, first},
		{"a deleted field", m, "", "a: 1\nb: {c: 1}\n", "b: {$patch: delete}\n", "a: 1\n"},
		{"a replaced map", m, "", "b: {c: 1, d: 1}\n", "b: {c: 2, $patch: replace}\n", "b: {c: 2}\n"},
		{"dest's comment stays", m, "", "a: 1 # d\n", "a: 2 # u\n", "a: 2 # d\n"},
		{"updated's comment, where dest has none", m, "", "a: 1\n", "# u\na: 2\n", "# u\na: 2\n"},
		{"updated's comment wins", k, "a: 1\n", "a: 1 # d\n", "a: 1 # u\n", "a: 1 # u\n"},
		{"live's form", a, "m:\n  a: 1\n", "m:\n  a: 1\n", "m: {a: 1}\n", "m:\n  a: 1\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, _, err := mergeBy(t, c.rules, [3]string{c.o, c.d, c.u})
			if err != nil || got != c.want {
				t.Errorf("got %v\n%swant\n%s", err, got, c.want)
			}
		})
	}
}

// TestPlan checks the lost changes and the ignored comments of a plan.
func TestPlan(t *testing.T) {
	_, made, err := mergeBy(t, overlay.Kustomize, [3]string{"a: 1\nb: 1\n", "a: 2\nb: 2\n", "a: 3\n"})
	var lost []string
	for _, l := range made.LostChanges {
		lost = append(lost, l.Path.String())
	}
	if want := []string{"a", "b"}; err != nil || !slices.Equal(lost, want) {
		t.Errorf("got %v, %v as what is lost, want %v", err, lost, want)
	}
	_, made, err = mergeBy(t, overlay.Kustomize, [3]string{"{a: 1}\n", "x # d\n", "y # u\n"})
	if err != nil || len(made.IgnoredComments) != 1 {
		t.Errorf("got %v and %d places with comments of both, want 1", err, len(made.IgnoredComments))
	}
}

func TestProblems(t *testing.T) {
	for _, c := range []struct {
		name, d, u, want string
		rules            overlay.Rules
	}{
		{"two of one identity", first + "---\n" + first, first, "duplicate", overlay.Merge2},
		{"a directive in a config", first, first + "m: {$patch: delete}\n", "directive", overlay.Apply},
		{"a directive of no value", "m: {a: 1}\n", "m: {$patch: x}\n", "expected delete, replace or merge", overlay.Merge2},
		{"an item without its key", pod + "  containers: [{name: a}]\n", pod + "  containers: [{image: b}]\n", "has no name", overlay.Apply},
		{"a list for a mapping", "m: {a: 1}\n", "m: [1]\n", "is a list, but a mapping in ours", overlay.Apply},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, _, err := mergeBy(t, c.rules, [3]string{"", c.d, c.u})
			p, ok := errors.AsType[*three.InputError](err)
			if !ok || !strings.Contains(p.Text, c.want) {
				t.Errorf("got %v, want one that says %q", err, c.want)
			}
		})
	}
}
