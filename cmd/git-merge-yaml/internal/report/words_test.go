package report

import (
	"hash/maphash"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

// shape is a text with its letters and digits alike.
func shape(s string) string {
	s = regexp.MustCompile(`[A-Z]`).ReplaceAllString(s, "A")
	s = regexp.MustCompile(`[a-z]`).ReplaceAllString(s, "a")
	return regexp.MustCompile(`[1-9]`).ReplaceAllString(s, "0")
}

// TestText: words are replaced consistently, and nothing else.
func TestText(t *testing.T) {
	const text = "# Secret: see gateway-17\n\"a\\tkeyring\": !!str 'gateway-17' # gateway\nport: 0755\non: [true, Gateway]\nt: |2-\n  secret Secret\n"
	seed := maphash.MakeSeed()
	a := newAnonymizer(seed, map[string]bool{"port": true})
	got := string(a.text([]byte(text)))
	if shape(got) != shape(text) {
		t.Errorf("another shape:\n%s", got)
	}
	for _, gone := range []string{"Secret", "secret", "gateway", "Gateway", "keyring"} {
		if strings.Contains(got, gone) {
			t.Errorf("%q is left:\n%s", gone, got)
		}
	}
	for _, kept := range []string{"\\t", "!!str", "port: 0", "\non: [true, ", ": |2-\n"} {
		if !strings.Contains(got, kept) {
			t.Errorf("%q is gone:\n%s", kept, got)
		}
	}
	if again := string(newAnonymizer(seed, a.keep).text([]byte(text))); again != got {
		t.Errorf("not the same twice:\n%s", again)
	}
	words := regexp.MustCompile(`[\pL\pN]+`)
	stand, of := map[string]string{}, words.FindAllString(text, -1)
	for i, w := range words.FindAllString(got, -1) {
		if was, ok := stand[w]; ok && was != of[i] {
			t.Errorf("%s stands for %s and %s", w, was, of[i])
		}
		stand[w] = of[i]
	}
}

// TestAnonymous: nearly all merges of the tests come out the same way, and in none
// of them is a comment or a value left that is no key, kind or word of YAML.
func TestAnonymous(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("..", "..", "..", "..", "testdata", "merge", "*.txtar"))
	if err != nil || len(files) < 100 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	tried, failed := 0, 0
	for i, file := range files {
		if i%7 > 0 {
			continue
		}
		r := readCase(t, file)
		if r == nil {
			continue
		}
		tried++
		found, err := r.Anonymous()
		if err != nil {
			failed++
			t.Logf("%s: %v", file, err)
			continue
		}
		if string(found.Ours) == string(r.Ours) && len(wordsOf(string(r.Ours))) > 0 && len(found.Replaced.Kept) == 0 && found.Replaced.Words > 0 {
			t.Errorf("%s: nothing was replaced", file)
		}
	}
	if failed*10 > tried {
		t.Errorf("%d of %d merges come out otherwise", failed, tried)
	}
}

func readCase(t *testing.T, file string) *Report {
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	r := &Report{Path: "file.yaml"}
	for _, f := range txtar.Parse(data).Files {
		switch f.Name {
		case "base":
			r.Base = f.Data
		case "ours":
			r.Ours = f.Data
		case "theirs":
			r.Theirs = f.Data
		}
	}
	if r.Ours == nil || r.Theirs == nil {
		return nil
	}
	return r
}

// TestBackslashes: what a backslash has behind it is an escape between double quotes,
// and data elsewhere.
func TestBackslashes(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{`"\n\t\e\\"`, `^"\\n\\t\\e\\\\"$`},
		{`'\n'`, `^'\\[bfrt]'$`},
		{`'\nathan'`, `^'\\[bfrt][a-z]{5}'$`},
		{`'\e\p'`, `^'\\[a-z]\\[a-z]'$`},
		{`k: "\u043F" # "\u043f"`, `^[a-z]: "\\u0[12][0-9A-F]{2}" # "\\u0[12][0-9a-f]{2}"$`},
		{`"\\u0041\\\\u0041"`, `^"\\\\u00[45][0-9a-f]\\\\\\\\u00[45][0-9a-f]"$`},
		{`"\ud83d\udc24"`, `^"\\ud8[0-9a-f]{2}\\ud[c-f][0-9a-f]{2}"$`},
		{`!a%41 b%41`, `^![a-z]%[45][0-9a-f] [a-z]%[1-9][0-9]$`},
		{`!!str a!!strings`, `^!!str [a-z]!![a-z]{7}$`},
		{`%YAML 1.2 # YAML 1.2`, `^%YAML 1.2 # [A-Z]{4} [1-9].[1-9]$`},
	} {
		for range 20 {
			got := string(newAnonymizer(maphash.MakeSeed(), nil).text([]byte(c.text)))
			if !regexp.MustCompile(c.want).MatchString(got) {
				t.Errorf("%s: %s, want %s", c.text, got, c.want)
			}
		}
	}
}
