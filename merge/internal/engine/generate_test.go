package engine

import (
	"bytes"
	"flag"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

var (
	triples = flag.Int("triples", 500, "how many generated merges TestGenerated makes")
	from    = flag.Int("from", 0, "the seed of the first of them")
)

// TestGenerated checks the merges of generated versions. The generator knows the
// expected result because it knows the edits. To repeat a failure, run the test
// with -from SEED -triples 1.
func TestGenerated(t *testing.T) {
	n := *triples
	if testing.Short() {
		n = min(n, 100)
	}
	shards := runtime.GOMAXPROCS(0)
	for shard := range shards {
		t.Run(fmt.Sprint(shard), func(t *testing.T) {
			t.Parallel()
			for seed := *from + shard; seed < *from+n; seed += shards {
				newGenerated(seed).check(t)
			}
		})
	}
}

// A generated is a set of three generated versions with the expected merge.
type generated struct {
	seed      int
	raw       [3][]byte
	want      [3][]byte // the expected result with dest, and with updated, taken at every conflict
	conflicts int
}

// An answer is the content of a result without the order of its fields and keyed items.
type answer struct {
	data  string   // the values of all documents, in no order
	lists []string // the lists of scalars, with their items in order; the lists are sorted
	notes []string // the comments, sorted
}

// newGenerated generates the versions of a seed and their expected merge.
func newGenerated(seed int) *generated {
	g := &gen{rand: rand.New(rand.NewPCG(uint64(seed), 1))}
	g.stream()
	form := g.form()
	r := &generated{seed: seed, conflicts: g.conflicts}
	for v := range r.raw {
		r.raw[v] = form(g.version(v))
	}
	r.want[three.Dest], r.want[three.Updated] = form(g.version(mergedOurs)), form(g.version(mergedTheirs))
	return r
}

// check merges g by the ways of noPages and by field alone, and fails if a result differs
// from the expected one.
func (g *generated) check(t *testing.T) {
	t.Helper()
	var last []byte
	for _, by := range []order{noPages, fieldsOnly} {
		res, err := mergeBy(by, g.raw, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if last != nil && bytes.Equal(res.Bytes, last) {
			return // the first order gave the same bytes
		}
		last = res.Bytes
		if wrong := g.wrong(res); wrong != "" {
			t.Fatalf("seed %d: %s (%s)\n%s\nof\n%s\n---- ours\n%s\n---- theirs\n%s", g.seed, wrong, res.Reason, res.Bytes, g.raw[0], g.raw[1], g.raw[2])
		}
	}
}

// wrong describes the first difference between a result and the expected one, or returns
// "" if there is none. It compares the number of conflicts and, with each side taken at
// all conflicts, the data, the lists of scalars and the comments.
func (g *generated) wrong(res Result) string {
	if len(res.Conflicts) != g.conflicts {
		return fmt.Sprintf("%d conflicts, not %d", len(res.Conflicts), g.conflicts)
	}
	for _, s := range three.Sides {
		got := chosen(res.Bytes, s)
		if bytes.Equal(got, g.want[s]) {
			continue
		}
		switch have, want := answerOf(got), answerOf(g.want[s]); {
		case have.data != want.data:
			return fmt.Sprintf("with %s its data is\n%s\nnot\n%s\nin", three.Names[s], have.data, want.data)
		case !slices.Equal(have.lists, want.lists):
			return fmt.Sprintf("with %s its lists are %q, not %q, in", three.Names[s], have.lists, want.lists)
		case !slices.Equal(have.notes, want.notes):
			return fmt.Sprintf("with %s its comments are %q, not %q, in", three.Names[s], have.notes, want.notes)
		}
	}
	return ""
}

// answerOf returns the content of the file b. If b is not valid, data is the error message.
func answerOf(b []byte) answer {
	st, err := syntax.Parse(text.New(b))
	if err != nil {
		return answer{data: err.Error()}
	}
	a := answer{data: streamContents(st)}
	for _, d := range st.Docs {
		a.lists = append(a.lists, scalarLists(d.Root)...)
	}
	for _, c := range st.Comments() {
		a.notes = append(a.notes, string(b[c.Span.Start:c.Span.End]))
	}
	slices.Sort(a.lists)
	slices.Sort(a.notes)
	return a
}

// scalarLists returns the lists at and below n that contain only scalars, each as text with
// its items separated by commas.
func scalarLists(n *syntax.Node) []string {
	var all, items []string
	for _, e := range n.Entries {
		all = append(all, scalarLists(e.Value)...)
		if n.Kind == syntax.Sequence && e.Value.Kind == syntax.Scalar {
			items = append(items, e.Value.Value)
		}
	}
	if len(items) > 0 && len(items) == len(n.Entries) {
		all = append(all, strings.Join(items, ", "))
	}
	return all
}

// TestGeneratedTells checks generated.wrong: if any one line is removed from a right
// result, wrong has to find a difference.
func TestGeneratedTells(t *testing.T) {
	for seed := range 20 {
		g := newGenerated(seed)
		res, err := Merge(g.raw[three.Original], g.raw[three.Dest], g.raw[three.Updated], Options{})
		if err != nil {
			t.Fatal(err)
		}
		lines := slices.Collect(bytes.Lines(res.Bytes))
		for i, l := range lines {
			spoilt := res
			spoilt.Bytes = slices.Concat(slices.Delete(slices.Clone(lines), i, i+1)...)
			if g.wrong(spoilt) == "" {
				t.Errorf("seed %d: right without %q", seed, l)
			}
		}
	}
}
