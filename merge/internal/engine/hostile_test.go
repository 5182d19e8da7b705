package engine

import (
	"bytes"
	"flag"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"unicode"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/read"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/team"
)

// bomb returns YAML whose last anchor expands to 10^levels words.
func bomb(levels int) string {
	var b strings.Builder
	b.WriteString("l0: &l0 [x, x, x, x, x, x, x, x, x, x]\n")
	for i := 1; i < levels; i++ {
		ref := fmt.Sprintf("*l%d, ", i-1)
		fmt.Fprintf(&b, "l%d: &l%d [%s]\n", i, i, strings.TrimSuffix(strings.Repeat(ref, 10), ", "))
	}
	return b.String()
}

// long makes the tests of this package that .ci/long runs with it slower and more thorough.
var long = flag.Bool("long", false, "use large inputs at their full size, and try all mutants, forms and edits instead of some of them")

// TestHostileMerges merges inputs that are made to exhaust a program. Each side changes another field, one above and
// one below the input. The long values have 256 KB, and there are 4,000 of what is many; with -long 10 MB and 100,000.
// The merge must be clean, and must not be left to the line merge.
func TestHostileMerges(t *testing.T) {
	if testing.Short() {
		t.Skip("many large files")
	}
	size, count := 1<<18, 4_000
	if *long {
		size, count = 10<<20, 100_000
	}
	text := strings.Repeat("lorem ipsum ", size/12)
	deep := ""
	for i := range 900 {
		deep += strings.Repeat(" ", i) + "a:\n"
	}
	for name, middle := range map[string]string{
		"alias bomb":                    bomb(30),
		"alias bomb by merge keys":      mergeBomb(30),
		"alias cycle":                   "a: &a [*a]\nb: &b {c: *b, d: [*b, *a]}\n",
		"long plain value":              "a: " + text + "\n",
		"long quoted value":             "a: \"" + text + "\"\n",
		"long block scalar on one line": "a: |\n  " + text + "\n",
		"long block scalar":             "a: |\n" + strings.Repeat("  lorem ipsum\n", size/14),
		"long explicit key":             "? " + strings.TrimSpace(text) + "\n: 1\n",
		"long comment":                  "# " + text + "\na: 1\n",
		"long tag":                      "a: !" + strings.Repeat("t", size) + " 1\n",
		"long anchor":                   "a: &" + strings.Repeat("t", size) + " 1\n",
		"900 levels":                    deep,
		"many fields":                   many("f%d: 1\n", count),
		"many items of one name":        "a:\n" + strings.Repeat("- name: x\n", count),
		"many documents":                "---\n" + strings.Repeat("---\n", count) + "a: 1\n",
		"many comments":                 strings.Repeat("# same\n", count) + "a: 1\n",
		"many blank lines":              strings.Repeat("\n", count),
		"tags that do not hold":         "a: !!int x\nb: !!float {c: 1}\nc: !!binary '*'\nd: !!timestamp never\ne: !!bool [1]\nf: !!null 1\ng: !!map 1\nh: !!seq {a: 1}\n",
		"tags of other languages":       "a: !!python/object/apply:os.system [id]\nb: !!javax.script.ScriptEngineManager []\nc: !ruby/object:Gem::Installer {}\n",
		"tags of the parser":            "a: !!merge <<\nb: !!set {a, b}\n!!merge <<: {c: 1}\n",
		"marker lines in a text":        "a: |\n  <<<<<<< ours\n  =======\n  >>>>>>> theirs\n",
		"a text with escapes":           "a: \"\\e[31m\\e]0;title\\a\\x9b2J\\u202e\"\n",
	} {
		t.Run(name, func(t *testing.T) {
			file := func(top, end string) []byte {
				return []byte("top: " + top + "\n" + middle + "\n---\nend: " + end + "\n")
			}
			res, err := Merge(file("1", "1"), file("2", "1"), file("1", "2"), Options{})
			if err != nil {
				t.Fatal(err)
			}
			if want := file("2", "2"); !res.Clean() || !bytes.Equal(res.Bytes, want) {
				t.Errorf("%s, %d conflicts, %d bytes, not %d", res.Reason, len(res.Conflicts), len(res.Bytes), len(want))
			}
			if res.Method == Delegated {
				t.Errorf("left to the line merge: %s", res.Reason)
			}
		})
	}
}

func mergeBomb(levels int) string {
	var b strings.Builder
	b.WriteString("m0: &m0 {x: 1}\n")
	for i := 1; i < levels; i++ {
		fmt.Fprintf(&b, "m%d: &m%d\n  <<: [*m%d, *m%d, *m%d]\n  x%d: 1\n", i, i, i-1, i-1, i-1, i)
	}
	return b.String()
}

func many(format string, n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}

// TestHostileNesting checks that input with excessive nesting is left to the line merge, and that Check and
// ParseRules return an error for it.
func TestHostileNesting(t *testing.T) {
	const n = 100_000
	for name, deep := range map[string]string{
		"flow lists":             "a: " + strings.Repeat("[", n) + strings.Repeat("]", n) + "\n",
		"flow lists, not closed": "a: " + strings.Repeat("[", n) + "\n",
		"flow mappings":          "a: " + strings.Repeat("{a: ", n) + strings.Repeat("}", n) + "\n",
		"block lists":            strings.Repeat("- ", n) + "a\n",
		"explicit keys":          strings.Repeat("? ", n) + "a\n",
		"5,000 blocks":           "a:\n" + strings.Repeat("- ", 5000) + "a\n",
	} {
		t.Run(name, func(t *testing.T) {
			o, d, u := []byte("# o\n"+deep+"# o\n"), []byte("# d\n"+deep+"# o\n"), []byte("# o\n"+deep+"# u\n")
			res, err := Merge(o, d, u, Options{})
			if err != nil {
				t.Fatal(err)
			}
			if want := "# d\n" + deep + "# u\n"; res.Method != Delegated || res.Reason == "" || string(res.Bytes) != want {
				t.Errorf("method %s, %q, %d bytes", res.Method, res.Reason, len(res.Bytes))
			}
			if _, err := Check(o, d, u, res.Bytes, Options{}); err == nil {
				t.Error("Check has no error")
			}
			if strings.HasPrefix(name, "5,000") {
				return // the parser of ParseRules accepts this depth
			}
			if _, err := team.Parse("rules", []byte("rules:\n- files: x\n  lists: "+deep), ""); err == nil {
				t.Error("ParseRules has no error")
			}
		})
	}
}

// TestMessagesAreShort checks that the path of a conflict stays short, and has no control characters, if keys are very
// long.
func TestMessagesAreShort(t *testing.T) {
	long := strings.Repeat("k", 900)
	o := []byte(long + ": {" + long + ": 1}\n")
	d, u := bytes.Replace(o, []byte("1"), []byte("2"), 1), bytes.Replace(o, []byte("1"), []byte("3"), 1)
	res, err := Merge(o, d, u, Options{})
	if err != nil || res.Clean() {
		t.Fatalf("%v, clean: %t", err, res.Clean())
	}
	for _, c := range res.Conflicts {
		if len(c.Path) > 2000 || strings.ContainsFunc(c.Path, unicode.IsControl) {
			t.Errorf("path of %d bytes", len(c.Path))
		}
	}
}

// TestDeepIsParsedOnce checks the reason that Merge gives if versions are nested deeper than read.MaxDepth or are not
// YAML: it names the first such version. Brackets within a quoted text do not count as nesting.
func TestDeepIsParsedOnce(t *testing.T) {
	deep := strings.Repeat("[", 2*read.MaxDepth) + strings.Repeat("]", 2*read.MaxDepth) + "\n"
	open := strings.Repeat("[", 2*read.MaxDepth) + "\n"
	text := "a: '" + strings.Repeat(" - [[[[", read.MaxDepth) + "'\n"
	for _, c := range []struct {
		name   string
		raw    [3]string
		reason string
	}{
		{"all", [3]string{deep, deep + "# d\n", deep + "# u\n"}, "base cannot be read as YAML: nested deeper than 1000 levels"},
		{"ours", [3]string{"[]\n", deep, "[1]\n"}, "ours cannot be read as YAML: nested deeper than 1000 levels"},
		{"theirs", [3]string{"[]\n", "[1]\n", deep}, "theirs cannot be read as YAML: nested deeper than 1000 levels"},
		{"theirs, and ours is no YAML", [3]string{"[]\n", "]\n", deep}, "ours cannot be read as YAML: did not find expected node content"},
		{"all, and base is no YAML", [3]string{open, deep, deep + "# u\n"}, "base cannot be read as YAML: line 1: did not find expected node content"},
		{"text that looks so", [3]string{text, text + "b: 1\n", text + "c: 1\n"}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			res, err := Merge([]byte(c.raw[0]), []byte(c.raw[1]), []byte(c.raw[2]), Options{})
			if err != nil {
				t.Fatal(err)
			}
			if res.Reason != c.reason {
				t.Errorf("the reason is %q; want %q", res.Reason, c.reason)
			}
		})
	}
}

// TestMemory checks that versions too large to be merged by field within one gigabyte of memory are merged
// by line, and that such a merge allocates at most one gigabyte in total. Without -long, it only does so for fields.
func TestMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("large files")
	}
	for name, line := range map[string]func(i int, v string) string{
		"fields":    func(i int, v string) string { return fmt.Sprintf("k%d: %s\n", i, v) },
		"items":     func(i int, v string) string { return "- " + v + "\n" },
		"documents": func(i int, v string) string { return "---\n" + v + "\n" },
		"flow":      func(i int, v string) string { return v + "," },
	} {
		if !*long && name != "fields" {
			continue
		}
		t.Run(name, func(t *testing.T) {
			n := map[string]int{"fields": 200_000, "items": 200_000, "documents": 100_000, "flow": 400_000}[name]
			if *long {
				n *= 2
			}
			var raw [3][]byte
			for s, v := range [...]string{"a", "b", "c"} {
				var b strings.Builder
				for i := range n {
					b.WriteString(line(i, v))
				}
				raw[s] = []byte(b.String())
				if name == "flow" {
					raw[s] = []byte("a: [" + b.String() + "]\n")
				}
			}
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			res, err := Merge(raw[0], raw[1], raw[2], Options{})
			runtime.ReadMemStats(&after)
			if err != nil || res.Method != Delegated || !strings.HasPrefix(res.Reason, "the versions are large") {
				t.Errorf("%s: %s, %v", res.Method, res.Reason, err)
			}
			if took := after.TotalAlloc - before.TotalAlloc; took > 1<<30 {
				t.Errorf("%d MB were allocated", took>>20)
			}
		})
	}
}

// TestMemoryOfFew checks that a large file is still merged by field if the sides changed only a small part.
func TestMemoryOfFew(t *testing.T) {
	if testing.Short() {
		t.Skip("a large file")
	}
	var b strings.Builder
	lines, comment := 2_000, strings.Repeat("-", 400) // counts like nodes
	if *long {
		lines, comment = 200_000, "text that is long enough"
	}
	for i := range lines {
		fmt.Fprintf(&b, "k%d: {a: 1, b: [x, y]} # %s\n", i, comment)
	}
	base := b.String()
	change := func(v string) []byte {
		return []byte(strings.Replace(base, "k1000: {a: 1, b", "k1000: {a: "+v+", b", 1))
	}
	res, err := Merge([]byte(base), change("2"), change("1, c: 3"), Options{})
	if err != nil || res.Method != Structural || !res.Clean() {
		t.Errorf("%s: %s, %v", res.Method, res.Reason, err)
	}
}
