package elide

import (
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// pieces are what TestHalves makes streams of: each may stand behind any other.
var pieces = []string{
	"---\n", "---\n", "---\n", "--- # a\n", "...\n", "--- |\n",
	"kind: A\nmetadata:\n  name: ", "kind: B\nmetadata:\n  name: b\n  namespace: c\n", "sops: {a: b}\n",
	"x\n", "y\n", "a: 1\nb: 2\n", "list:\n- 1\n- c: d\n  e:\n    f: g\n", "text: |\n  g\n\n  ---\n", "text: >-\n   h\n",
	"q: \"i\n", "j\"\n", "k: &l m\n", "n: *l\n", "# o\n", "  # p\n", "\n", "r:\n  s: [t,\n", "  u]\n", "\tv\n", "  w: {z: 1}\n",
}

func TestHalves(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	split := 0
	for range 20000 {
		var b strings.Builder
		for range 2 + r.IntN(24) {
			b.WriteString(pieces[r.IntN(len(pieces))])
		}
		src := source(b.String())
		parts := someParts(r, src)
		opts := Options{Keep: map[string]bool{"kind": true, "metadata": true, "name": true}, Unique: r.IntN(2) == 0}
		got, ok := findHalves(src, parts, opts)
		if !ok {
			continue
		}
		split++
		if want := find(src, 0, parts, opts); !equalRuns(got, want) {
			t.Fatalf("in halves\n%+v\nas a whole\n%+v\nof %v of\n%s", got, want, parts, src.Text)
		}
	}
	if split < 2000 {
		t.Errorf("only %d streams were cut in halves", split)
	}
}

// someParts returns some ranges of whole lines of src, mostly long ones.
func someParts(r *rand.Rand, src Source) []text.Span {
	var parts []text.Span
	for i, lines := 0, len(src.IDs); i < lines; {
		n := min(lines-i, 1+r.IntN(lines))
		if r.IntN(4) > 0 {
			parts = append(parts, text.Span{Start: int(src.Starts[i]), End: int(src.Starts[i+n])})
		}
		i += n
	}
	return parts
}

// equalRuns compares all of the runs but where their names were found.
func equalRuns(a, b []Run) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		x, y := a[i], b[i]
		x.names, y.names = 0, 0
		if len(x.Names) == 0 && len(y.Names) == 0 {
			x.Names, y.Names = nil, nil
		}
		if !reflect.DeepEqual(x, y) {
			return false
		}
	}
	return true
}
