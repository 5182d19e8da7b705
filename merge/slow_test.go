package merge

import (
	"bytes"
	"flag"
	"fmt"
	"path/filepath"
	"testing"
)

var slow = flag.Int("slow", 0, "multiply every case to so many bytes in TestMultiplied")

// multiplied are ways to make a large file of many like a small one, n the number of one.
var multiplied = map[string]func(b []byte, n int) []byte{
	"documents": func(b []byte, _ int) []byte { return append([]byte("---\n"), b...) },
	"items":     func(b []byte, _ int) []byte { return indented("-\n", b) },
	"fields":    func(b []byte, n int) []byte { return indented(fmt.Sprintf("k%d:\n", n), b) },
	"lines":     func(b []byte, _ int) []byte { return b },
}

// indented puts b below a line.
func indented(line string, b []byte) []byte {
	return append([]byte(line), bytes.ReplaceAll(append([]byte("  "), bytes.TrimSuffix(b, []byte("\n"))...), []byte("\n"), []byte("\n  "))...)
}

// TestMultiplied searches for inputs that are slow: every case many times in one file, so that all
// that is in it, changes, conflicts and what was followed, is there many times.
func TestMultiplied(t *testing.T) {
	if *slow == 0 {
		t.Skip("-slow is not set")
	}
	files, err := filepath.Glob("../testdata/merge/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, file := range files {
		for how, one := range multiplied {
			t.Run(filepath.Base(file)+"/"+how, func(t *testing.T) {
				var raw [3][]byte
				c := readCase(t, file).raw
				for n := 0; len(raw[0]) < *slow && n < *slow/8 && len(raw[1])+len(raw[2]) < 4**slow; n++ {
					for s := range raw {
						raw[s] = append(raw[s], one(c[s], n)...)
						if !bytes.HasSuffix(raw[s], []byte("\n")) {
							raw[s] = append(raw[s], '\n')
						}
					}
				}
				checkTime(t, raw, mostParses)
			})
		}
	}
}
