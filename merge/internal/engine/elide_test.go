package engine

import (
	"bytes"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/mergetest"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/team"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// checkElision checks that a merge that leaves out common parts has the same result as a merge of the whole files.
func checkElision(t *testing.T, raw [3][]byte, opts Options) {
	t.Helper()
	whole, err := mergeBy(unelided, raw, opts)
	if err != nil {
		t.Fatal(err)
	}
	short, err := mergeBy(elided, raw, opts)
	if err != nil {
		t.Fatal(err)
	}
	other := text.Markers{Style: text.StyleDiff3, Size: 9, Base: "o", Ours: "HEAD", Theirs: "topic"}
	if a, b := whole.Render, short.Render; a != nil && b != nil {
		wholeBytes, _ := a(other)
		shortBytes, _ := b(other)
		if !bytes.Equal(wholeBytes, shortBytes) {
			t.Errorf("with other markers:\n%s\nis not\n%s", shortBytes, wholeBytes)
		}
	}
	whole.Render, short.Render = nil, nil
	if !reflect.DeepEqual(whole, short) {
		t.Errorf("base\n%s\nours\n%s\ntheirs\n%s\ngives\n%s\n%+v\nand, with parts left out,\n%s\n%+v",
			raw[three.Original], raw[three.Dest], raw[three.Updated], whole.Bytes, withoutBytes(whole), short.Bytes, withoutBytes(short))
	}
}

func withoutBytes(r Result) Result {
	r.Bytes = nil
	return r
}

// TestElisionChangesNothing runs checkElision for each case in several forms among several settings: one in 36 of these,
// or all with -long.
func TestElisionChangesNothing(t *testing.T) {
	if testing.Short() {
		t.Skip("each case in many forms")
	}
	files, _ := filepath.Glob("../../../testdata/merge/*.txtar")
	helm, err := team.Extend("test", "helm")
	if err != nil {
		t.Fatal(err)
	}
	for i, file := range files {
		c := readCase(t, file)
		if c.opts.Rules == nil && i%2 == 0 {
			c.opts.Rules = helm // these rules do not set the kind of any list
		}
		t.Run(filepath.Base(file), func(t *testing.T) {
			for j, form := range forms {
				for k, among := range settings {
					if *long || (i+k)%(9*len(forms)) == j {
						checkElision(t, form(among(c.Raw)), c.opts)
					}
				}
			}
		})
	}
}

// settings embed three versions in larger files, so that parts around them can be left out.
var settings = [...]func([3][]byte) [3][]byte{
	func(raw [3][]byte) [3][]byte { return raw }, surrounded, streamed, listed, nested, moved,
}

// forms change the format of three versions: unchanged, with CR LF, with a byte order mark, and with both.
var forms = [...]func([3][]byte) [3][]byte{
	func(raw [3][]byte) [3][]byte { return raw },
	inCRLF,
	behindBOM,
	func(raw [3][]byte) [3][]byte { return behindBOM(inCRLF(raw)) },
}

func inCRLF(raw [3][]byte) [3][]byte {
	for s, b := range raw {
		raw[s] = bytes.ReplaceAll(b, []byte("\n"), []byte("\r\n"))
	}
	return raw
}

// behindBOM returns the versions with a byte order mark before each one that is not empty. The bytes of raw do not
// change.
func behindBOM(raw [3][]byte) [3][]byte {
	for s, b := range raw {
		if len(b) > 0 {
			raw[s] = append([]byte("\ufeff"), b...)
		}
	}
	return raw
}

// surrounded adds fields above and below the content of each version, and another field above each field of the root.
func surrounded(raw [3][]byte) [3][]byte {
	for s, b := range raw {
		if len(b) == 0 {
			continue
		}
		var out bytes.Buffer
		out.WriteString("zzz:\n  a: 1\n  b: [x, y]\n")
		for l := range bytes.Lines(b) {
			if n := bytes.IndexByte(l, ':'); n > 0 && !bytes.ContainsAny(l[:n], " \t#-\"'{[&*?!%.|>") {
				out.WriteString("z" + string(l[:n]) + ":\n  c: |\n    text\n  d:\n  - e: 2\n    f: 3\n  g: a\n    text, on\n    3 lines\n  h: \"\\\"\\n\"\n")
			}
			out.Write(l)
		}
		out.WriteString("zz: {a: 1}\nz:\n- 1\n- 2\nlast: 1\n")
		raw[s] = out.Bytes()
	}
	return raw
}

// streamed puts each version between documents that are the same in all versions.
func streamed(raw [3][]byte) [3][]byte {
	const resource = "---\nkind: %\nmetadata:\n    name: a # c\n    namespace: \"b\"\nspec:\n  a:\n  - b: 1\n# foot\n\n"
	some := func(kinds ...string) (b []byte) {
		for _, k := range kinds {
			b = append(b, strings.Replace(resource, "%", k, 1)...)
		}
		return b
	}
	for s, b := range raw {
		if bytes.HasPrefix(b, []byte("---")) {
			raw[s] = slices.Concat(some("A", "B"), b, some("C", "D", "E"))
		} else {
			raw[s] = slices.Concat(some("A", "B"), []byte("---\n"), b, some("C", "D", "E"))
		}
	}
	return raw
}

// listed puts items with similar names above each item that begins with a name.
func listed(raw [3][]byte) [3][]byte {
	for s, b := range raw {
		var out bytes.Buffer
		for l := range bytes.Lines(b) {
			if col := bytes.Index(l, []byte("- name: ")); col >= 0 && len(bytes.Trim(l[:col], " ")) == 0 {
				name := strings.Trim(string(l[col+8:]), " \r\n'\"")
				for _, item := range [...]string{"- name: %-1\n  a: 1\n", "- b:\n    c: [1]\n  name: '%-2'\n", "# for %\n- name: %-3 # here\n  d:\n  - name: 1\n    e: text\n      on two lines\n"} {
					for x := range strings.Lines(strings.ReplaceAll(item, "%", name)) {
						out.WriteString(string(l[:col]) + x)
					}
				}
			}
			out.Write(l)
		}
		raw[s] = out.Bytes()
	}
	return raw
}

// nested puts each version into an item of a list that has other items. It leaves a version unchanged if it is empty,
// or has document markers or a directive.
func nested(raw [3][]byte) [3][]byte {
	for s, b := range raw {
		if len(b) == 0 || bytes.Contains(b, []byte("---")) || b[0] == '%' {
			continue
		}
		out := bytes.NewBufferString("spec:\n- name: first\n  x: 1\n- name: second\n  x: {a: 1}\n- name: here\n  y:\n    z: 1\n    zz: 2\n  here:\n")
		for l := range bytes.Lines(b) {
			if len(bytes.TrimSpace(l)) > 0 {
				out.WriteString("    ")
			}
			out.Write(l)
		}
		out.WriteString("- name: last but one\n  x: 1\n- name: last\n  x: 1\nend: 1\n")
		raw[s] = out.Bytes()
	}
	return raw
}

// moved nests the versions, adds an item above them in ours, and deletes an item below them in theirs.
func moved(raw [3][]byte) [3][]byte {
	raw = nested(raw)
	const first, last = "spec:\n", "- name: last but one\n  x: 1\n"
	raw[three.Dest] = bytes.Replace(raw[three.Dest], []byte(first), []byte(first+"- name: zero\n  a:\n    b: 1\n"), 1)
	raw[three.Updated] = bytes.Replace(raw[three.Updated], []byte(last), nil, 1)
	return raw
}

func FuzzElision(f *testing.F) {
	for i, v := range mergetest.FuzzVersions(f) { // TestElisionChangesNothing covers all forms of all cases
		forms := [...][]byte{v[three.Original], v[three.Updated], surrounded(v)[three.Original], streamed(v)[three.Original], listed(v)[three.Original], nested(v)[three.Original], moved(v)[three.Original]}
		f.Add(forms[i%len(forms)], scripts[i%len(scripts)], scripts[(i+1)%len(scripts)])
	}
	f.Fuzz(func(t *testing.T, o, ours, theirs []byte) {
		if mergetest.AreSmall(o) {
			for _, form := range forms {
				checkElision(t, form([3][]byte{o, applyScript(o, ours), applyScript(o, theirs)}), Options{})
			}
		}
	})
}

// TestElisionPays checks that common parts of large files are left out, and that they are kept where leaving them out
// could change the result.
func TestElisionPays(t *testing.T) {
	many := strings.Repeat("  a: 1\n  b: some text that is long enough\n  c: [1, 2]\n", 1)
	block := func(name string) string { return name + ":\n" + many }
	file := block("a") + block("b") + block("c") + "d: 1\n" + block("e") + block("f") + "g: 1\n" + block("h") + "i: 1\n"
	job := func(name string) string { return "- name: " + name + "\n" + many }
	jobs := "jobs:\n" + job("a") + job("b") + "- name: c\n  d: 1\n" + job("e") + job("f") + "- name: h\n  g: 1\n" + job("i") + "z: 1\n"
	inBlock := func(s string) string {
		return strings.ReplaceAll(s, "  a: 1\n", "  x:\n    a: 1\n    b: some text that is long enough\n")
	}
	blocks := inBlock(jobs)
	block1 := "jobs:\n- name: c\n  d: 1\n- name: h\n  g: 1\n" + inBlock(job("i")) + "z: 1\n"
	renamed := strings.Replace(file, "g: 1", "old-g: 1", 1)
	for _, c := range []struct {
		name         string
		file         string
		ours, theirs string // replacements for "d: 1" and "g: 1"
		want         bool
	}{
		{"two edits", file, "d: 2", "g: 2", true},
		{"a conflict", strings.Replace(file, "g: 1", "g: 1\nd2: 1", 1), "d: 2", "d: 3", true},
		{"a key of a run is added", file, "d: 2\nb: 1", "g: 2", false},
		{"an anchor above it all", "--- &a\n" + file, "d: 2", "g: 2", false},
		{"CR LF", strings.ReplaceAll(file, "\n", "\r\n"), "d: 2", "g: 2", true},
		{"CR LF after a byte order mark", "\ufeff" + strings.ReplaceAll(file, "\n", "\r\n"), "d: 2", "g: 2", true},
		{"a conflict of CR LF", strings.ReplaceAll(strings.Replace(file, "g: 1", "g: 1\nd2: 1", 1), "\n", "\r\n"), "d: 2", "d: 3", true},
		{"CR LF in one version", file, "d: 2\r\nb2: 1", "g: 2", false},
		{"LF in one version", strings.ReplaceAll(file, "\n", "\r\n"), "d: 2\nb2: 1", "g: 2", false},
		{"CR alone", strings.ReplaceAll(file, "\n", "\r\n"), "d: 2\r\r\nb2: 1", "g: 2", false},
		{"items", jobs, "d: 2", "g: 2", false},
		{"items with blocks, and one more", blocks, "d: 2\n- name: d\n  x: 1", "g: 2", true},
		{"items with blocks, and one more of theirs", blocks, "d: 2", "g: 2\n- name: k\n  y: 1\n  x:\n    a: 2", true},
		{"items with blocks, one more, and a name twice", blocks, "d: 2", "g: 2\n- name: i\n  y: 1\n  x:\n    a: 2", true},
		{"an item with a block", block1, "d: 2", "g: 2", true},
		{"an item with a block, one more, and a name twice", block1, "d: 2", "g: 2\n- name: i\n  y: 1\n  x:\n    a: 2", false},
		{"an item with a block, and one more without a name", strings.Replace(block1, "name: i", "call: i", 1), "d: 2", "g: 2\n- name: k\n  y: 1", false},
		{"items with blocks, and a conflict", strings.Replace(blocks, "  g: 1", "  g: 1\n  d2: 1", 1), "d: 2", "d: 3", true},
		{"a key twice in a run, and a conflict", strings.Replace(file, "\nb:", "\na:", 1), "d: 2", "d: 3", false},
		{"a template", "{{ if .x }}\n" + file + "{{ end }}\n", "d: 2", "g: 2", true},
		{"a template, and a conflict", "{{ if .x }}\n" + file + "{{ end }}\n", "d: 2", "d: 3", false},
		{"a template with an action left out", "{{ if .x }}\n" + strings.Replace(file, "\nb:", "\nb2: '{{ .b }}'\nb:", 1) + "{{ end }}\n", "d: 2", "g: 2", false},
		{"a value that is the key that theirs renamed", renamed, "d: old-g", "new: 1", true},
		{"a value that is also left out", strings.Replace(renamed, "some text that is", "\"old-g\"  # that it", 1), "d: old-g", "new: 1", false},
		{"a list above it all", "x:\n- " + strings.ReplaceAll(file, "\n", "\n  ") + "\ny: 1\n", "d: 2", "g: 2", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			at := "g: 1"
			if strings.HasPrefix(c.theirs, "d") {
				at = "d: 1"
			}
			raw := [3][]byte{[]byte(c.file), []byte(strings.Replace(c.file, "d: 1", c.ours, 1)), []byte(strings.Replace(c.file, at, c.theirs, 1))}
			m := newMerger(raw, Options{})
			m.shortening = elided.elision
			if _, ok := m.mergeShortened(ways[2:]); ok != c.want {
				t.Errorf("left out: %v, want %v", ok, c.want)
			}
			checkElision(t, raw, Options{})
		})
	}
}

// TestElisionOfAnItemTwice checks that an item is not left out if the line comparison and the names match it
// differently. Theirs, as in a repeated merge, has the edited item and, above it, a similar item with the old value.
// The lines that all versions have in common then belong to the item in one version and to the similar item in another
// version.
func TestElisionOfAnItemTwice(t *testing.T) {
	job := func(name, image string) string {
		const block = ":\n    a: 1\n    b: some text that is long enough\n"
		return "- name: " + name + "\n  labels" + block + "  spec:\n    image: " + image + "\n    args" + strings.ReplaceAll(block, "\n ", "\n   ") + "  tab: " + name + "\n"
	}
	file := func(jobs ...string) []byte { return []byte("jobs:\n" + strings.Join(jobs, "") + "z: 1\n") }
	raw := [3][]byte{file(job("a", "1")), file(job("a", "2")), file(job("b", "1"), job("a", "2"))}
	checkElision(t, raw, Options{})
	res, err := Merge(raw[three.Original], raw[three.Dest], raw[three.Updated], Options{})
	if want := raw[three.Updated]; err != nil || !bytes.Equal(res.Bytes, want) {
		t.Errorf("%s\n%v\nwant\n%s", res.Bytes, err, want)
	}
}
