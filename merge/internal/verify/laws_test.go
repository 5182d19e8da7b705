package verify

import (
	"bytes"
	"slices"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/mergetest"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/mergetest/dense"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/mutant"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/team"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// TestChangesOfOneSide takes base and another version from each case in testdata/merge. If only one side, or both, made
// the changes of the other version, then verification must accept this version as the merge. In at least 500 of these
// merges, it must refuse base as the merge, because the changes would be lost.
func TestChangesOfOneSide(t *testing.T) {
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

// checkOneSide checks that verification accepts x as the merge in three cases: only ours changed base to x, only theirs
// did, or both did. It marks the test as failed if it is refused. It returns the number of merges that it checked (3),
// and 1 in refused if the merge of base and x with the result base is refused, as it should be if x has other values.
// It returns 0, 0 without a check if x is identical to base, or if one of them is not valid YAML or has a duplicate
// key.
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

// parseVersions returns the parsed files, in order. ok is false, and streams nil, if one of them is not valid YAML or
// has a duplicate key in a mapping.
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

// checkResult verifies result as the merge of base, ours and theirs, with the default rules. It returns the first
// violation (such as a lost edit), or nil if the result is accepted.
func checkResult(base, ours, theirs, result *syntax.Stream) *Violation {
	return Check(Merge{Base: base, Ours: ours, Theirs: theirs, Result: result, Rules: new(team.Rules)})
}

// forEachRightMerge calls f with merges whose right result is known and has no conflict: those of
// mergetest.SeparateEdits for the seeds 0 to n-1, without those that have a conflict. check verifies result as the
// merge of g, and returns the first violation or nil. It fails the test at once if a version is not valid YAML.
func forEachRightMerge(t *testing.T, n int, f func(seed int, g mergetest.Triple, check func(result *syntax.Stream) *Violation)) {
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

// TestGeneratedMerges checks that verification accepts the right results of generated merges, and refuses wrong ones.
// The wrong results are the three versions themselves, the right merge without one of the edits, and the right merge
// without one of its lines. Those with the same content as the right merge are left out.
func TestGeneratedMerges(t *testing.T) {
	accepted, refused := 0, 0
	forEachRightMerge(t, 30, func(seed int, g mergetest.Triple, check func(*syntax.Stream) *Violation) {
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

// TestGeneratedMutants checks that verification refuses mutants: copies of the right result of a generated merge in
// which one thing was changed, such as a line that was deleted. It tries one mutant in ten. A mutant may be accepted if
// only the place of a comment, blanks, or the order of lines differ and the data is equal.
func TestGeneratedMutants(t *testing.T) {
	tried, refused := 0, 0
	forEachRightMerge(t, 30, func(seed int, g mergetest.Triple, check func(*syntax.Stream) *Violation) {
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

// TestGeneratedSides takes base and another version from each of the first 100 triples of every generator of YAML. If
// only one side, or both, made the changes of the other version, then verification must accept this version as the
// merge. In at least 50 of the merges of a generator, it must refuse base as the merge, because the changes would be
// lost.
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
