package engine

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
)

// TestMemory checks that versions too large to be merged by field within one gigabyte of memory are merged
// by line, and that such a merge allocates at most one gigabyte in total.
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
	lines := 60_000
	if *long {
		lines = 200_000
	}
	for i := range lines {
		fmt.Fprintf(&b, "k%d: {a: 1, b: [x, y]} # text that is long enough\n", i)
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
