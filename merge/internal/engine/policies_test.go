package engine

import (
	"fmt"
	"strings"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/mergetest"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/team"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// TestPolicyComments checks that a policy that takes the value of a side also takes the comment behind it. Other comments
// are merged: those above the field, and those behind a value that neither side has. If one side changed such a comment,
// the result has that change. If the sides changed it differently, that is a conflict which keeps both comments. It tries
// all combinations of comments for each policy.
func TestPolicyComments(t *testing.T) {
	states := []string{"", "why", "other", "third"}
	values := map[string][2]string{"highest": {"1.2.4", "1.2.5"}, "lowest": {"1.2.4", "1.2.4"}, "own": {"1.2.4", "1.2.4"}, "next": {"1.2.4", "1.2.6"}}
	for policy, v := range values {
		rules, err := team.Parse("rules", []byte("rules:\n- fields: {version: "+policy+"}\n"), "")
		if err != nil {
			t.Fatal(err)
		}
		opts := Options{Rules: rules, Own: three.Some(three.Dest)}
		for i := range 2 * len(states) * len(states) * len(states) {
			above := i%2 == 1
			b, o, u := states[i/2%4], states[i/8%4], states[i/32]
			file := func(version, comment string) []byte {
				switch {
				case comment == "":
					return []byte("name: a\nversion: " + version + "\nlast: 1\n")
				case above:
					return []byte("name: a\n# " + comment + "\nversion: " + version + "\nlast: 1\n")
				}
				return []byte("name: a\nversion: " + version + " # " + comment + "\nlast: 1\n")
			}
			res, err := Merge(file("1.2.3", b), file(v[0], o), file("1.2.5", u), opts)
			if err != nil {
				t.Fatal(err)
			}
			name := fmt.Sprintf("%s, above %v: base %q, ours %q, theirs %q", policy, above, b, o, u)
			want, asked := o, o != u && o != b && u != b
			if o == b {
				want = u
			}
			if !above && policy != "next" {
				want, asked = o, false
				if policy == "highest" {
					want = u
				}
			}
			switch {
			case asked && res.Clean():
				t.Errorf("%s: clean:\n%s", name, res.Bytes)
			case !asked && string(res.Bytes) != string(file(v[1], want)):
				t.Errorf("%s: got\n%swant\n%s", name, res.Bytes, file(v[1], want))
			}
			if asked && strings.Count(string(res.Bytes), "# ") < min(len(o), 1)+min(len(u), 1) {
				t.Errorf("%s: a comment is lost:\n%s", name, res.Bytes)
			}
		}
	}
}

// fuzzedRules lists rules that apply to every field or every list. sided marks the rules that name ours or theirs, so
// that swapping the sides changes the result.
var fuzzedRules = []struct {
	rule  string
	sided bool
}{

	{`fields: {"**": highest}`, false}, {`fields: {"**": lowest}`, false}, {`fields: {"**": union}`, false},
	{`fields: {"**": next}`, false}, {`fields: {"**": own}`, false}, {`fields: {"**": upstream}`, false},
	{`fields: {"**": ours}`, true}, {`fields: {"**": theirs}`, true},
	{`lists: {"**": set}`, false}, {`lists: {"**": atomic}`, false}, {`lists: {"**": ordered}`, false},
	{`lists: {"**": {keys: [a]}}`, false}, {`images: ["**"]`, false}, {`oneOf: {"**": [a, b]}`, false},
}

// FuzzPolicies checks merges with the rules of a rules file: Check finds nothing wrong in a clean result, and
// swapping the sides gives an equal result if the user's own side is swapped, too. The latter is checked only for
// rules that do not name a side.
func FuzzPolicies(f *testing.F) {
	for i, v := range mergetest.FuzzVersions(f) {
		f.Add(v[three.Original], scripts[i%len(scripts)], scripts[(i+1)%len(scripts)], byte(i))
		f.Add(v[three.Updated], scripts[(i+4)%len(scripts)], scripts[(i+7)%len(scripts)], byte(i/7))
	}
	rules := make([]*team.Rules, len(fuzzedRules))
	for i, r := range fuzzedRules {
		var err error
		if rules[i], err = team.Parse("rules", []byte("rules:\n- "+r.rule+"\n"), ""); err != nil {
			f.Fatal(err)
		}
	}
	f.Fuzz(func(t *testing.T, o, ours, theirs []byte, rule byte) {
		n := int(rule) % len(fuzzedRules)
		raw := [3][]byte{o, applyScript(o, ours), applyScript(o, theirs)}
		opts := Options{Rules: rules[n], Own: three.Some(three.Dest)}
		if !mergetest.AreSmall(o) {
			return
		}
		checkOwn(t, raw, opts, false)
		if !fuzzedRules[n].sided && !isRefused(t, raw, opts) {
			checkSwap(t, raw, opts)
		}
	})
}

// TestNeedsOwn checks that Result.NeedsOwn is set if a conflict is decided by which side is the user's own, here for the
// version of a chart, and not otherwise. Finding out which side it is takes a caller longer than most merges.
func TestNeedsOwn(t *testing.T) {
	rules, err := team.Extend("test", "helm")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		path, base, ours, theirs string
		needed                   bool
	}{
		{"a.yaml", "size: 1\n", "size: 2\n", "size: 3\n", false},
		{"web/Chart.yaml", "name: web\n", "name: b\n", "name: c\n", false},
		{"web/Chart.yaml", "version: 1.0.0\n", "version: 1.0.1\n", "version: 1.1.0\n", true},
		{"web/Chart.yaml", "name: web\nversion: 1.0.0\n", "name: b\nversion: 1.0.1\n", "name: c\nversion: 1.0.1\n", true},
	} {
		res, err := Merge([]byte(c.base), []byte(c.ours), []byte(c.theirs), Options{Path: c.path, Rules: rules})
		if err != nil {
			t.Fatal(err)
		}
		if res.NeedsOwn != c.needed {
			t.Errorf("%s: %q and %q: needed %v", c.path, c.ours, c.theirs, res.NeedsOwn)
		}
		res, err = Merge([]byte(c.base), []byte(c.ours), []byte(c.theirs), Options{Path: c.path, Rules: rules, Own: three.Some(three.Dest)})
		if err != nil || res.NeedsOwn {
			t.Errorf("%s: %q and %q: needed although it is known, %v", c.path, c.ours, c.theirs, err)
		}
	}
}

// TestBumpedByLine checks that a version that both sides raised to the same number is raised once more in the result,
// and that the rest of the file is still merged by line.
func TestBumpedByLine(t *testing.T) {
	rules, err := team.Extend("test", "helm")
	if err != nil {
		t.Fatal(err)
	}
	base := "version: 1.0.0\na: 1\nb: 1\nc: 1\nd: 1\n"
	ours := "version: 1.0.1\na: 1\nb: 2\nc: 1\nd: 1\n"
	theirs := "version: 1.0.1\na: 1\nb: 1\nc: 1\nd: 2\n"
	opts := Options{Path: "Chart.yaml", Rules: rules, Own: three.Some(three.Dest)}
	res, err := Merge([]byte(base), []byte(ours), []byte(theirs), opts)
	if want := "version: 1.0.2\na: 1\nb: 2\nc: 1\nd: 2\n"; err != nil || string(res.Bytes) != want || res.Method != ByLine {
		t.Errorf("%v, %s:\n%s", err, res.Method, res.Bytes)
	}
}
