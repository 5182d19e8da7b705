package verify

import (
	"bytes"
	"slices"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/mergetest"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/mergetest/dense"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/mutant"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// TestOneSide checks, for every pair of versions of the cases of testdata/merge, that a version is accepted as the merge
// if one side alone or both made its changes, and that the base is refused if a side changed a value, since its edit
// would be lost.
func TestOneSide(t *testing.T) {
	accepted, refused := 0, 0
	for _, raw := range mergetest.MergeVersions(t) {
		for _, x := range raw[1:] {
			a, r := checkOneSide(t, raw[0], x)
			accepted, refused = accepted+a, refused+r
		}
	}
	if accepted < 1500 || refused < 500 {
		t.Errorf("%d were accepted, and %d without the edit were refused", accepted, refused)
	}
}

// checkOneSide checks that x is accepted as the merge of base and x, if one side alone or both made its changes. It
// returns how many of these three merges it checked, and 1 in refused if the base is refused as the merge. It checks
// nothing if x is the base, or if a version is not YAML or has a duplicate key.
func checkOneSide(t *testing.T, base, x []byte) (checked, refused int) {
	t.Helper()
	v, ok := parseVersions(base, x)
	if !ok || bytes.Equal(base, x) {
		return 0, 0
	}
	o, u := v[0], v[1]
	for name, sides := range map[string][2]*syntax.Stream{"ours": {u, o}, "theirs": {o, u}, "both": {u, u}} {
		if bad := checkResult(o, sides[0], sides[1], u); bad != nil {
			t.Errorf("made by %s:\n%s\n--\n%s: %v", name, base, x, bad)
		}
		checked++
	}
	if checkResult(o, u, o, o) != nil {
		refused = 1
	}
	return checked, refused
}

// parseVersions parses versions of a file. ok is false if one is not YAML or has a duplicate key.
func parseVersions(files ...[]byte) (streams []*syntax.Stream, ok bool) {
	for _, b := range files {
		st, err := syntax.Parse(text.New(b))
		if err != nil || st.DuplicateKey() != nil {
			return nil, false
		}
		streams = append(streams, st)
	}
	return streams, true
}

// checkResult returns the first violation in a result as the merge of base, ours and theirs, or nil.
func checkResult(base, ours, theirs, result *syntax.Stream) *Violation {
	return Check(Merge{Base: base, Ours: ours, Theirs: theirs, Result: result, Rules: new(schema.Rules)})
}

// eachRightMerge calls f with the generated separate edits of the first n seeds whose right merge has no conflict. check
// returns the first violation in a result as their merge, or nil.
func eachRightMerge(t *testing.T, n int, f func(seed int, g mergetest.Triple, check func(result *syntax.Stream) *Violation)) {
	t.Helper()
	for seed := range n {
		g := mergetest.SeparateEdits(seed)
		if g.Conflicts > 0 {
			continue
		}
		v, ok := parseVersions(g.Raw[:]...)
		if !ok {
			t.Fatalf("seed %d: a version is not valid:\n%s", seed, g)
		}
		f(seed, g, func(result *syntax.Stream) *Violation { return checkResult(v[0], v[1], v[2], result) })
	}
}

// TestGeneratedMerges checks that the right merges of generated separate edits have no violation, and that spoiled ones
// have one, if their content differs from that of the right merge: the versions themselves, the right merge without one
// of the edits, and the right merge without one of its lines.
func TestGeneratedMerges(t *testing.T) {
	accepted, refused := 0, 0
	eachRightMerge(t, 30, func(seed int, g mergetest.Triple, check func(*syntax.Stream) *Violation) {
		want := g.Want[three.Dest]
		right, ok := parseVersions(want)
		if !ok {
			t.Fatalf("seed %d: the right merge is not valid:\n%s", seed, want)
		}
		if bad := check(right[0]); bad != nil {
			t.Errorf("seed %d: refused: %v\n%s\nof\n%s", seed, bad, want, g)
		}
		accepted++
		wrong := slices.Concat(g.Raw[:], mergetest.WithoutOneEdit(seed))
		lines := slices.Collect(bytes.Lines(want))
		for i, l := range lines {
			if bytes.Contains(l, []byte("# added")) {
				continue // if both sides added such a comment, one copy is right, too
			}
			wrong = append(wrong, slices.Concat(slices.Delete(slices.Clone(lines), i, i+1)...))
		}
		for _, b := range wrong {
			spoiled, ok := parseVersions(b)
			if !ok || g.Difference(b) == "" {
				continue
			}
			if refused++; check(spoiled[0]) == nil {
				t.Errorf("seed %d: accepted, %s\n%s\nof\n%s", seed, g.Difference(b), b, g)
			}
		}
	})
	if accepted < 10 || refused < 1000 {
		t.Errorf("%d right merges were accepted, and %d wrong ones refused", accepted, refused)
	}
}

// TestGeneratedMutants checks that wrong merges are refused: mutants of the right merges of generated separate edits. It
// tries one mutant in ten. A mutant of a class that verification may accept does not count; see mutant.Classify.
func TestGeneratedMutants(t *testing.T) {
	tried, refused := 0, 0
	eachRightMerge(t, 30, func(seed int, g mergetest.Triple, check func(*syntax.Stream) *Violation) {
		want := g.Want[three.Dest]
		n := 0
		choose := func(string, int) bool { n++; return n%10 == 0 }
		mutant.Each(want, choose, func(m mutant.Mutant) {
			tried++
			if bad := check(m.Stream); bad != nil {
				refused++
			} else if mutant.Classify(want, m) == "" {
				t.Errorf("seed %d: accepted: %s, line %d\n%s\nof\n%s", seed, m.Mutation, m.Line, m.Stream.File.Bytes(), g)
			}
		})
	})
	if tried < 1000 || refused*10 < tried*8 {
		t.Errorf("%d of %d mutants were refused", refused, tried)
	}
}

// TestGeneratedSides makes the checks of TestOneSide with the versions of all generators of YAML.
func TestGeneratedSides(t *testing.T) {
	for _, gen := range slices.Concat(mergetest.Generators, dense.Generators) {
		t.Run(gen.Name, func(t *testing.T) {
			refused := 0
			for seed := range 100 {
				raw := gen.New(seed).Raw
				for _, x := range raw[1:] {
					_, r := checkOneSide(t, raw[0], x)
					refused += r
				}
			}
			if refused < 50 {
				t.Errorf("only %d bases without the edits were refused", refused)
			}
		})
	}
}
