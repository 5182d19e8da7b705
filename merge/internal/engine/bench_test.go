package engine

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/diff3"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/elide"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/pair"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/plan"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// A sample generates files of many similar blocks. block returns block number i;
// ours and theirs say which sides changed that block.
type sample struct {
	name  string
	head  string
	block func(i int, ours, theirs bool) string
}

// or returns yes if b is true, and no otherwise.
func or(b bool, yes, no string) string {
	if b {
		return yes
	}
	return no
}

// samples are typical files. In the stream of resources both sides add items to the
// same list, so that the line merge has conflicts. In the Helm values and in the
// lock file the sides change different lines.
var samples = []sample{
	{"stream", "", func(i int, ours, theirs bool) string {
		return fmt.Sprintf("---\napiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: app-%d\n  labels:\n    app: app-%d\nspec:\n  replicas: %s\n"+
			"  template:\n    spec:\n      # order matters\n      containers:\n      - name: web\n        image: registry.example.com/app-%d:%s\n"+
			"        env:\n        - name: LOG\n          value: \"info\"\n%s%s        resources:\n          limits:\n            memory: 256Mi\n",
			i, i, or(ours, "5", "2"), i, or(theirs, "3.2", "3.1"),
			or(ours, "        - name: OURS\n          value: \"1\"\n", ""), or(theirs, "        - name: THEIRS\n          value: \"1\"\n", ""))
	}},
	{"values", "# values\n", func(i int, ours, theirs bool) string {
		return fmt.Sprintf("\n# -- service %d\nservice%d:\n  image:\n    repository: registry.example.com/service-%d   # mirrored\n    tag: \"%s\"\n"+
			"  replicas: %s\n  resources: {cpu: 50m, memory: 64Mi}\n  hosts:\n    - service-%d.example.com\n  config: |\n    level = \"info\"\n",
			i, i, i, or(theirs, "1.9", "1.8"), or(ours, "4", "1"), i)
	}},
	{"lock", "packages:\n", func(i int, ours, theirs bool) string {
		return fmt.Sprintf("\n  package-%d@1.0.0:\n    resolution: {integrity: sha512-%064d}\n    engines: {node: '>=%s'}\n%s",
			i, i, or(theirs, "20", "18"), or(ours, "    deprecated: use another\n", ""))
	}},
}

// versions returns the original, dest and updated version of a file of about size
// bytes. Each side edits the same blocks, about as many as edits says.
func (s sample) versions(size, edits int) [3][]byte {
	n := max(1, size/len(s.block(1000, false, false)))
	every := max(1, n/edits)
	var b [3]strings.Builder
	for v := range b {
		b[v].WriteString(s.head)
		for i := range n {
			edited := i%every == every/2
			b[v].WriteString(s.block(i, edited && v == int(three.Dest), edited && v == int(three.Updated)))
		}
	}
	return [3][]byte{[]byte(b[0].String()), []byte(b[1].String()), []byte(b[2].String())}
}

var sizes = []struct {
	name  string
	bytes int
}{{"2KB", 2 << 10}, {"100KB", 100 << 10}, {"1MB", 1 << 20}, {"5MB", 5 << 20}}

// BenchmarkMerge measures complete merges of all samples in all sizes: as Merge runs
// them ("short"), and with nothing elided ("whole").
func BenchmarkMerge(b *testing.B) {
	eachSample(b, func(b *testing.B, raw [3][]byte) {
		for name, by := range map[string]order{"short": asMerge, "whole": unelided} {
			b.Run(name, func(b *testing.B) {
				b.SetBytes(int64(len(raw[0])))
				b.ReportAllocs()
				for b.Loop() {
					if res, err := mergeBy(by, raw, Options{}); err != nil || !res.Clean() {
						b.Fatal("the merge is not clean")
					}
				}
			})
		}
	})
}

// BenchmarkCases measures the merges of all cases in testdata/merge, one after the other.
func BenchmarkCases(b *testing.B) {
	files, err := filepath.Glob("../../../testdata/merge/*.txtar")
	if err != nil || len(files) == 0 {
		b.Fatal("no cases: ", err)
	}
	cases := make([]*mergeCase, len(files))
	for i, file := range files {
		cases[i] = readCase(b, file)
	}
	b.ReportAllocs()
	for b.Loop() {
		for _, c := range cases {
			if _, err := Merge(c.Raw[three.Original], c.Raw[three.Dest], c.Raw[three.Updated], c.opts); err != nil {
				b.Fatal(err)
			}
		}
	}
}

// eachSample runs f as a sub-benchmark for every sample in every size.
func eachSample(b *testing.B, f func(*testing.B, [3][]byte)) {
	for _, s := range samples {
		for _, size := range sizes {
			b.Run(s.name+"/"+size.name, func(b *testing.B) { f(b, s.versions(size.bytes, 10)) })
		}
	}
}

// BenchmarkStages measures the steps of a merge one by one. The steps after "lines"
// and "shorten" get the complete versions. In a real merge they get the elided
// versions.
func BenchmarkStages(b *testing.B) {
	eachSample(b, func(b *testing.B, raw [3][]byte) {
		m := newMerger(raw, Options{})
		m.in.UnifyFormat(false)
		lines, err := diff3.NewVersions(raw[0], raw[1], raw[2]).Shared(diff3.Merge)
		if err != nil {
			b.Fatal(err)
		}
		if err := m.in.Parse(); err != nil {
			b.Fatal(err)
		}
		w := m.newWalker()
		docs := w.Merge(nil).Documents
		p := m.newRenderer().Page(docs)
		stage := func(name string, f func()) {
			b.Run(name, func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					f()
				}
			})
		}
		stage("lines", func() { diff3.NewVersions(raw[0], raw[1], raw[2]).Shared(diff3.Merge) })
		stage("shorten", func() { elide.Shorten(raw, lines, false) })
		stage("read", func() { newMerger(raw, Options{}).in.UnifyFormat(false) })
		stage("parse", func() {
			in := newMerger(raw, Options{}).in
			in.UnifyFormat(false)
			in.Parse()
		})
		stage("pair", func() { pairMost(m.newWalker()) })
		stage("walk", func() { m.newWalker().Merge(nil) })
		stage("render", func() { m.newRenderer().Page(docs) })
		stage("verify", func() { m.proof.Verify(p.Resolve(three.Dest)) })
	})
}

// pairMost aligns the documents of the three versions. If the original has only one
// document, it aligns the fields of the outermost mapping that has several.
func pairMost(w *plan.Walker) []pair.Step {
	var docs [3][]*syntax.Document
	var root three.Nodes
	for s, st := range w.Streams {
		docs[s], root[s] = st.Docs, st.Docs[0].Root
		for len(root[s].Entries) == 1 {
			root[s] = root[s].Entries[0].Value
		}
	}
	if len(docs[three.Original]) > 1 {
		return w.Pair(w.DocumentElems(docs))
	}
	return w.Pair(w.KeyedElems(root, (*syntax.Entry).FieldKey))
}

// An oddInput generates an unusual file. make returns version v of the file: 0 for
// the original, 1 for dest, 2 for updated.
type oddInput struct {
	name string
	make func(v int) string
}

// odd lists inputs on which an algorithm that is not linear would be slow.
var odd = []oddInput{
	{"deep", func(v int) string {
		var b strings.Builder
		for i := range 900 {
			fmt.Fprintf(&b, "%sk:\n", strings.Repeat(" ", i))
		}
		return b.String() + strings.Repeat(" ", 900) + fmt.Sprintf("a: %d\n", v%2) + strings.Repeat(" ", 900) + "b: 1\n" +
			strings.Repeat(" ", 900) + fmt.Sprintf("c: %d\n", v/2)
	}},
	{"flow", func(v int) string {
		return strings.Repeat("[", 9000) + fmt.Sprint(v) + strings.Repeat("]", 9000) + "\n"
	}},
	{"line", func(v int) string {
		return "a: " + fmt.Sprint(v%2) + "\nb: " + strings.Repeat("x", 1<<20) + fmt.Sprint(v/2) + "\n"
	}},
	{"items", func(v int) string {
		var b strings.Builder
		for i := range 3000 {
			fmt.Fprintf(&b, "- a: %d\n  b: %d\n", i+v*(i%2)*7, i+v*(1-i%2)*5)
		}
		return b.String()
	}},
	{"nested blocks", func(v int) string {
		return strings.Repeat("{{ if .a }}\n", sized(20000)) + fmt.Sprintf("a: %d\nb: 1\nc: 1\n", v) + strings.Repeat("{{ end }}\n", sized(20000))
	}},
	{"branches", func(v int) string {
		var b strings.Builder
		for i := range sized(10000) {
			fmt.Fprintf(&b, "{{ else if .b%d }}\nx: %d\n", i, i)
		}
		return "{{ if .a }}\nx: 0\n" + b.String() + fmt.Sprintf("{{ end }}\ny: %d\n", v)
	}},
	{"text", func(v int) string {
		var b strings.Builder
		for i := range sized(60000) {
			fmt.Fprintf(&b, "  %d of %d\n", i, v)
		}
		return "a: |\n" + b.String()
	}},
	{"comments", func(v int) string {
		var b strings.Builder
		fmt.Fprintf(&b, "a: %d\n", v%2)
		for i := range sized(20000) {
			fmt.Fprintf(&b, "# %d\n", i)
		}
		return b.String() + fmt.Sprintf("b: %d\n", v/2)
	}},
}

// mostParses is the longest time that a merge may take, as a multiple of the time for
// parsing its three versions. The odd inputs needed at most 29 when
// this was measured; a quadratic algorithm needs hundreds.
const mostParses = 60

// TestNothingIsQuadratic checks that the time for merging each odd input is at most
// mostParses times the time for parsing it. Parsing is linear and slows down with the
// machine as merging does, so that the test also passes on a busy machine. checkTime
// measures again if only one of the two was slow.
func TestNothingIsQuadratic(t *testing.T) {
	if testing.Short() {
		t.Skip("slow")
	}
	for _, o := range slices.Concat(odd, oddLists) {
		t.Run(o.name, func(t *testing.T) {
			checkTime(t, [3][]byte{[]byte(o.make(0)), []byte(o.make(1)), []byte(o.make(2))}, mostParses)
		})
	}
}

// sized returns how many lines or items a large input has instead of n: a third, or n with -long.
func sized(n int) int {
	if *long || n < 4000 {
		return n
	}
	return n / 3
}

// checkTime fails if merging the versions takes more than most times as long as parsing
// them, in three attempts. Parsing counts as at least 50 ms, or 15 ms without -long.
func checkTime(t *testing.T, raw [3][]byte, most float64) {
	t.Helper()
	factor := math.Inf(1)
	for try := 0; try < 3 && factor > most; try++ {
		parsed := timed(func() { parseAll(raw) })
		merged := timed(func() {
			if _, err := Merge(raw[0], raw[1], raw[2], Options{}); err != nil {
				t.Fatal(err)
			}
		})
		least := 15 * time.Millisecond
		if *long {
			least = 50 * time.Millisecond
		}
		factor = merged.Seconds() / max(parsed, least).Seconds()
		t.Logf("%d KB: parsed in %v, merged in %v, %.0f times that", len(raw[0])>>10, parsed, merged, factor)
	}
	if factor > most {
		t.Errorf("took %.0f times as long as parsing", factor)
	}
}

// parseAll parses the three versions and ignores errors.
func parseAll(raw [3][]byte) {
	for _, b := range raw {
		syntax.Parse(text.New(b))
	}
}

// timed returns how long f takes.
func timed(f func()) time.Duration {
	start := time.Now()
	f()
	return time.Since(start)
}
