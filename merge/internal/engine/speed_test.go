package engine

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"golang.org/x/tools/txtar"
)

// An oddInput generates an unusual file. make returns version v of the file: 0 for the original, 1 for dest, 2 for
// updated.
type oddInput struct {
	name string
	make func(v int) string
}

// oddFiles lists inputs on which an algorithm that is not linear would be slow.
var oddFiles = []oddInput{
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
	{"combined", func(v int) string { // each side defines each anchor
		return times(2000, func(i int) string {
			return fmt.Sprintf("- name: n%d\n  a: %s1\n  b: 1\n  c: %s1\n", i, or(v == 1, fmt.Sprintf("&x%d ", i), ""), or(v == 2, fmt.Sprintf("&x%d ", i), ""))
		})
	}},
	{"many inherited fields", func(v int) string { // verified with merge keys expanded
		return "a: &a\n" + times(20000, func(i int) string { return fmt.Sprintf("  k%d: %d\n", i, i) }) +
			fmt.Sprintf("b:\n  <<: *a\n  x: %d\n  y: 1\n  z: %d\n", v%2, v/2)
	}},
	{"fields that one side deletes and the other renames", func(v int) string {
		return times(20000, func(i int) string {
			key := or(v == 2 && i%3 == 0, "name", "key")
			return or(v == 1 && i%2 == 0, "", fmt.Sprintf("# about %d\n%s%d: value%d\n", i, key, i, i))
		})
	}},
}

// oddLists are inputs with large collections for which a merge could be slow.
var oddLists = []oddInput{
	{"no comments", func(v int) string {
		return times(4000, func(i int) string {
			if i%150 == 0 {
				return fmt.Sprintf("- stays %d\n", i)
			}
			return fmt.Sprintf("- [%d, %d, %d, %d]\n", i, i+v%2*7777777, i*3, i+v/2*9999999) + or(v > 0 && i%150 == 1, fmt.Sprintf("- by %d\n", v), "")
		})
	}},
	{"one comment everywhere in a list", func(v int) string {
		return times(1000, func(i int) string {
			return fmt.Sprintf("- %d # alike\n", i) + or(v > 0 && i == v*300, fmt.Sprintf("# by %d\n", v), "")
		}) + fmt.Sprintf("- %d\n- %d\n", v%2, v/2)
	}},
	{"a comment in every document", func(v int) string {
		return times(4000, func(i int) string {
			return fmt.Sprintf("---\n# of %d\nkind: A\nmetadata:\n  name: n%d\na: %d # x\nb: 1\nc: %d # y\n# by %d\n", i, i, v%2, v/2, v)
		})
	}},
	{"a long flow list", func(v int) string {
		return "a: [" + times(60000, func(i int) string { return fmt.Sprintf("%d, ", i+v*(i%2+v-1)*100000) }) + "]\n"
	}},
	{"fields with an anchor that one side has in another order", func(v int) string {
		field := func(i int) string { return fmt.Sprintf("  k%d: %d\n", i, i) }
		back := func(i int) string { return field(sized(20000) - 1 - i) }
		added := [...]string{"", "n:\n  x: &x 1\n  y: *x\n" + times(20000, field), "n:\n  y: &x 1\n  x: *x\n" + times(20000, back)}[v]
		return fmt.Sprintf("a: 1\nb: %d\nc: 1\n%sd: %d\n", v%2, added, v/2)
	}},
	{"items deleted by both among items changed by both", func(v int) string {
		return times(6000, func(i int) string {
			if i%100 == 0 {
				return fmt.Sprintf("- stays %d\n", i)
			}
			return or(v > 0 && i == 1, "", fmt.Sprintf("- {a: %d, b: %d, c: %d, d: %d}\n", i, i+v%2*7777777, i*3, i+v/2*9999999))
		})
	}},
	{"a list in each of many fields", func(v int) string {
		return times(12000, func(i int) string { return fmt.Sprintf("k%d: [s%d, %d, t, u, %d]\n", i, i, v%2, v/2) })
	}},
	{"items that both sides put before the last that is left", func(v int) string {
		name := func(by string) string {
			return times(60000, func(i int) string { return fmt.Sprintf("- %s %d\n", by, i) })
		}
		return [...]string{"- x\n" + name("a"), name("b") + "- x\n", name("b") + "- c\n- d\n- e\n"}[v]
	}},
	{"conflicts that touch", func(v int) string {
		return "- " + times(12000, func(i int) string { return fmt.Sprintf("k%d: %d\n  ", i, i+v) }) + "z: 1\n"
	}},
	{"items slightly changed by both, some moved and inserted", func(v int) string {
		return times(8000, func(i int) string {
			j := or(v > 0 && i%50 == v, fmt.Sprintf("- by %d of %d\n", v, i), "")
			if v > 0 && i%100 < 2 {
				i ^= 1
			}
			return j + fmt.Sprintf("- {a: %d, b: %d, c: %d, d: %d}\n", i, i*2, i+v%2*7777777, i+v/2*9999999)
		})
	}},
}

// times returns the concatenation of block(0) to block(n-1).
func times(n int, block func(i int) string) string {
	var b strings.Builder
	for i := range sized(n) {
		b.WriteString(block(i))
	}
	return b.String()
}

// mostParses is the longest time that a merge may take, as a multiple of the time for parsing its three versions. The
// odd inputs needed at most 29 when this was measured; a quadratic algorithm needs hundreds.
const mostParses = 60

// TestNothingIsQuadratic checks that the time for merging each odd input is at most mostParses times the time for
// parsing it. Parsing is linear and slows down with the machine as merging does, so that the test also passes on a busy
// machine. checkTime measures again if only one of the two was slow. Without -long, it leaves out oddLists: the command's
// TestStepsGrowWithTheSize counts the steps for such inputs.
func TestNothingIsQuadratic(t *testing.T) {
	if testing.Short() {
		t.Skip("slow")
	}
	all, least := oddFiles, 15*time.Millisecond
	if *long {
		all, least = slices.Concat(oddFiles, oddLists), 50*time.Millisecond
	}
	for _, o := range all {
		t.Run(o.name, func(t *testing.T) {
			checkTime(t, [3][]byte{[]byte(o.make(0)), []byte(o.make(1)), []byte(o.make(2))}, least)
		})
	}
}

// sized returns how many lines or items a large input has instead of n: an eighth, or n with -long.
func sized(n int) int {
	if *long || n < 4000 {
		return n
	}
	return n / 8
}

// checkTime fails if merging the versions takes more than mostParses times as long as parsing them, in three attempts.
// Parsing counts as least if it is faster.
func checkTime(t *testing.T, raw [3][]byte, least time.Duration) {
	t.Helper()
	factor := math.Inf(1)
	for try := 0; try < 3 && factor > mostParses; try++ {
		parsed := durationOf(func() { parseAll(raw) })
		merged := durationOf(func() {
			if _, err := Merge(raw[0], raw[1], raw[2], Options{}); err != nil {
				t.Fatal(err)
			}
		})
		factor = merged.Seconds() / max(parsed, least).Seconds()
		t.Logf("%d KB: parsed in %v, merged in %v, %.0f times that", len(raw[0])>>10, parsed, merged, factor)
	}
	if factor > mostParses {
		t.Errorf("took %.0f times as long as parsing", factor)
	}
}

// parseAll parses the three versions and ignores errors.
func parseAll(raw [3][]byte) {
	for _, b := range raw {
		syntax.Parse(text.New(b))
	}
}

// durationOf returns how long f takes.
func durationOf(f func()) time.Duration {
	start := time.Now()
	f()
	return time.Since(start)
}

// multiplied has the ways to build a large file from many copies of a small one. Each function returns what copy number
// n of the file b adds to the large file.
var multiplied = map[string]func(b []byte, n int) []byte{
	"documents": func(b []byte, _ int) []byte { return append([]byte("---\n"), b...) },
	"items":     func(b []byte, _ int) []byte { return indented("-\n", b) },
	"fields":    func(b []byte, n int) []byte { return indented(fmt.Sprintf("k%d:\n", n), b) },
	"lines":     func(b []byte, _ int) []byte { return b },
}

// indented returns a line followed by b, with b indented by two spaces.
func indented(line string, b []byte) []byte {
	return append([]byte(line), bytes.ReplaceAll(append([]byte("  "), bytes.TrimSuffix(b, []byte("\n"))...), []byte("\n"), []byte("\n  "))...)
}

// slowFiles returns the files of the test cases and of the inputs that TestSearch found.
func slowFiles(t *testing.T) []string {
	files, err := filepath.Glob("../../../testdata/merge/*.txtar")
	found, _ := filepath.Glob("testdata/slow/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	return append(files, found...)
}

// TestMultiplied checks that no test case is slow if its versions are repeated to files of 60 KB, so that
// every change, conflict and rename occurs many times. It only does so with -long.
func TestMultiplied(t *testing.T) {
	if !*long {
		t.Skip("-long is not set")
	}
	for _, file := range slowFiles(t) {
		for how, one := range multiplied {
			t.Run(filepath.Base(file)+"/"+how, func(t *testing.T) {
				checkTime(t, multiply(readCase(t, file).Raw, one, 60_000), 15*time.Millisecond)
			})
		}
	}
}

// multiply returns versions that consist of copies of v, as one makes them. The first has about size bytes.
func multiply(v [3][]byte, one func(b []byte, n int) []byte, size int) (raw [3][]byte) {
	for n := 0; len(raw[0]) < size && n < size/8 && len(raw[1])+len(raw[2]) < 4*size; n++ {
		for s := range raw {
			raw[s] = append(raw[s], one(v[s], n)...)
			if !bytes.HasSuffix(raw[s], []byte("\n")) {
				raw[s] = append(raw[s], '\n')
			}
		}
	}
	return raw
}

// TestMultipliedAgain checks the law of merging again for larger files: the cases with all changes repeated in fields of
// one file of 3 KB. It only does so with -long.
func TestMultipliedAgain(t *testing.T) {
	if !*long {
		t.Skip("-long is not set")
	}
	for _, file := range slowFiles(t) {
		c := readCase(t, file)
		t.Run(filepath.Base(file), func(t *testing.T) {
			raw := multiply(c.Raw, multiplied["fields"], 3000)
			first, err := mergeBy(asMerge, raw, c.opts)
			if err != nil {
				t.Fatal(err)
			}
			if broken := remergeDifference(t, first, raw, c.opts); broken != "" && !c.ChangesAgain {
				t.Errorf("merged again:\n%s", broken)
			}
		})
	}
}

var searchFor = flag.Duration("search", 0, "how long TestSearch searches for inputs that are slow")

// A slowInput is an input of TestSearch: three versions, and the seconds that their merge takes per kilobyte.
type slowInput struct {
	raw  [3][]byte
	cost float64
}

// pace is added to the size of an input, in bytes, as every merge takes some time for any input.
const pace = 8 << 10

// size returns the size of the three versions in bytes.
func (x *slowInput) size() int { return len(x.raw[0]) + len(x.raw[1]) + len(x.raw[2]) }

// measure sets x.cost to the time of a merge of x, and returns x. If the cost is higher than worst, it
// measures again and takes the lower one, as the machine may have been busy.
func (x *slowInput) measure(worst float64) *slowInput {
	x.cost = worst + 1
	for try := 0; try < 2 && x.cost > worst; try++ {
		took := durationOf(func() { Merge(x.raw[0], x.raw[1], x.raw[2], Options{}) })
		x.cost = min(x.cost, took.Seconds()*1024/float64(x.size()+pace))
	}
	return x
}

// TestSearch searches for inputs that take long for their size. It keeps the 64 slowest inputs, changes
// one of them at random and keeps the changed one if that is slower than another. In the end it repeats the
// eight slowest to larger files. If the merge of one takes too long at any size, it shrinks the input,
// writes it to testdata/slow and fails. The flag -search sets for how long it searches.
func TestSearch(t *testing.T) {
	if *searchFor == 0 {
		t.Skip("-search is not set")
	}
	const most, largest = 64, 48 << 10
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	var pool []*slowInput
	for _, file := range slowFiles(t) {
		pool = append(pool, (&slowInput{raw: readCase(t, file).Raw}).measure(0))
	}
	slowest := func() {
		slices.SortStableFunc(pool, func(a, b *slowInput) int { return cmp.Compare(b.cost, a.cost) })
		pool = pool[:min(len(pool), most)]
	}
	others := slices.Clone(pool)
	slowest()
	tried := 0
	for start := time.Now(); time.Since(start) < *searchFor; tried++ {
		child := mutate(r, pool[r.IntN(len(pool))], others[r.IntN(len(others))])
		if child.size() > 3*largest || child.size() == 0 {
			continue
		}
		if worst := pool[len(pool)-1].cost; child.measure(worst).cost > worst {
			pool = append(pool, child)
			slowest()
		}
	}
	t.Logf("%d tried; the slowest takes %.2f ms a KB, %d KB in all", tried, 1000*pool[0].cost, pool[0].size()>>10)
	for _, x := range pool[:8] {
		if took, ok := tooSlow(x); ok {
			x = shrink(x)
			t.Errorf("%d KB of it take %v: %s", x.size()>>10, took, saveSlow(t, x))
		}
	}
}

// tooSlow repeats x once, twice, four times and so on, to at most 768 KB for the three versions. It returns
// the longest time of a merge, and whether that is more than two seconds.
func tooSlow(x *slowInput) (took time.Duration, slow bool) {
	for n := 1; n*x.size() <= 3<<18; n *= 2 {
		var raw [3][]byte
		for s := range raw {
			raw[s] = bytes.Repeat(x.raw[s], n)
		}
		took = max(took, durationOf(func() { Merge(raw[0], raw[1], raw[2], Options{}) }))
	}
	return took, took > 2*time.Second
}

// mutate returns a copy of x with one random change, in one version or at the same place in all versions.
// The change may insert a part of other.
func mutate(r *rand.Rand, x, other *slowInput) *slowInput {
	var out slowInput
	a, b := r.Float64(), r.Float64()
	a, b = min(a, b), max(a, b)
	how, side, times := r.IntN(7), r.IntN(4), 2+r.IntN(12)
	for s := range x.raw {
		lines := bytes.SplitAfter(x.raw[s], []byte("\n"))
		part := func(of [][]byte) [][]byte { return of[int(a*float64(len(of))):int(b*float64(len(of)))] }
		from, to := int(a*float64(len(lines))), int(b*float64(len(lines)))
		switch {
		case side < 3 && s != side: // only one version is changed
		case how == 0: // repeat a part
			lines = slices.Concat(lines[:to], slices.Repeat(lines[from:to], times), lines[to:])
		case how == 1: // shuffle a part
			lines = slices.Clone(lines)
			r.Shuffle(to-from, func(i, j int) { lines[from+i], lines[from+j] = lines[from+j], lines[from+i] })
		case how == 2: // insert a part of other
			lines = slices.Concat(lines[:from], part(bytes.SplitAfter(other.raw[s], []byte("\n"))), lines[from:])
		case how == 3: // remove a part
			lines = slices.Concat(lines[:from], lines[to:])
		case how == 4: // indent all lines below a key
			lines = slices.Clone(lines)
			for i := range lines {
				lines[i] = append([]byte("  "), lines[i]...)
			}
			lines = append([][]byte{[]byte("k:\n")}, lines...)
		case how == 5: // replace all digits by 1
			lines = bytes.SplitAfter(bytes.Map(func(c rune) rune {
				if '0' <= c && c <= '9' {
					return '1'
				}
				return c
			}, x.raw[s]), []byte("\n"))
		case how == 6: // append a copy as another document
			lines = slices.Concat(lines, [][]byte{[]byte("---\n")}, lines)
		}
		out.raw[s] = slices.Concat(lines...)
	}
	return &out
}

// shrink returns x without the lines that are not needed to make it too slow. It tries to leave out
// halves, then quarters, down to 64ths of the lines of all versions.
func shrink(x *slowInput) *slowInput {
	for n := 2; n <= 64; n *= 2 {
		for i := range n {
			var y slowInput
			for s, b := range x.raw {
				lines := bytes.SplitAfter(b, []byte("\n"))
				y.raw[s] = slices.Concat(slices.Concat(lines[:i*len(lines)/n]...), slices.Concat(lines[(i+1)*len(lines)/n:]...))
			}
			if y.size() == 0 {
				continue
			}
			if _, slow := tooSlow(&y); slow {
				x = &y
			}
		}
	}
	return x
}

// saveSlow writes x to a file in testdata/slow, from which slowFiles reads it, and returns the name of
// the file.
func saveSlow(t *testing.T, x *slowInput) string {
	ar := &txtar.Archive{Comment: []byte("It took long for its size.\n")}
	for s, name := range []string{"base", "ours", "theirs"} {
		ar.Files = append(ar.Files, txtar.File{Name: name, Data: x.raw[s]})
	}
	data := txtar.Format(ar)
	file := fmt.Sprintf("testdata/slow/%x.txtar", sha256.Sum256(data))[:len("testdata/slow/")+12] + ".txtar"
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, data, 0o666); err != nil {
		t.Fatal(err)
	}
	return file
}
