package text

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
)

// formatConflicts returns the positions, labels and versions of conflicts as text.
func formatConflicts(all []Conflict) string {
	var b strings.Builder
	for _, c := range all {
		markers := c.Markers
		fmt.Fprintf(&b, "%d [%d,%d) %q", c.Line, c.Start, c.End, c.Break)
		fmt.Fprintf(&b, " %s:%q", markers.Ours, c.Ours)
		if markers.Style != StyleMerge {
			fmt.Fprintf(&b, " %s:%q", markers.Base, c.Base)
		}
		fmt.Fprintf(&b, " %s:%q\n", markers.Theirs, c.Theirs)
	}
	return b.String()
}

func TestConflicts(t *testing.T) {
	for _, c := range []struct {
		name, file string
		size       int
		want       string
	}{
		{"nothing", "a: 1\n", 0, ""},
		{"empty", "", 0, ""},
		{"merge", "a\n<<<<<<< x y\nb\n=======\nc\nd\n>>>>>>> z\ne\n", 0, `2 [2,38) "\n" x y:"b\n" z:"c\nd\n"` + "\n"},
		{"diff3", "<<<<<<< x\nb\n||||||| o\n=======\n>>>>>>> z\n", 7, `1 [0,40) "\n" x:"b\n" o:"" z:""` + "\n"},
		{"no labels", "<<<<<<<\n|||||||\n=======\n>>>>>>>\n", 7, `1 [0,32) "\n" :"" :"" :""` + "\n"},
		{"CR LF", "a\r\n<<<<<<<\r\n=======\r\nb\r\n>>>>>>> z\r\n", 7, `2 [3,35) "\r\n" :"" z:"b\r\n"` + "\n"},
		{"no last break", "<<<<<<<\na\n=======\nb\n>>>>>>>", 7, `1 [0,27) "\n" :"a\n" :"b\n"` + "\n"},
		{"two", "<<<\n===\n>>>\n<<<\n===\n>>>\n", 3, `1 [0,12) "\n" :"" :""` + "\n" + `4 [12,24) "\n" :"" :""` + "\n"},
		{"longer", "<<<<<<<< a\n========\n>>>>>>>> b\n", 8, `1 [0,31) "\n" a:"" b:""` + "\n"},
		{"another size", "<<<<<<<< a\n========\n>>>>>>>> b\n", 7, ""},
		{"no space before the label", "<<<<<<<a\n=======\n>>>>>>>b\n", 7, ""},
		{"indented", " <<<<<<<\n =======\n >>>>>>>\n", 7, ""},
		{"not closed", "<<<<<<< a\nb\n=======\nc\n", 7, ""},
		{"no separator", "<<<<<<< a\nb\n>>>>>>> c\n", 7, ""},
		{"opened twice", "<<<<<<< a\n<<<<<<< b\n=======\n>>>>>>> c\n", 7, `2 [10,38) "\n" b:"" c:""` + "\n"},
		{"markers as text", "=======\n>>>>>>>\n<<<<<<< a\n>>>>>>> b\n=======\n<<<<<<<\n=======\n>>>>>>> c\n", 7,
			`3 [16,70) "\n" a:">>>>>>> b\n" c:"<<<<<<<\n=======\n"` + "\n"},
		{"text is no marker of one character", " a\n", 1, ""},
		{"one character", "<\na\n=\nb\n>\n", 1, `1 [0,10) "\n" :"a\n" :"b\n"` + "\n"},
	} {
		if got := formatConflicts(Conflicts([]byte(c.file), c.size)); got != c.want {
			t.Errorf("%s:\n%swant\n%s", c.name, got, c.want)
		}
	}
}

func TestCountConflictLines(t *testing.T) {
	const file = "a\n<<<<<<< x\nb\n||||||| o\n1\n2\n=======\nc\nd\n>>>>>>> z\ne\n<<<<<<<\n=======\nf\n>>>>>>>\n"
	if got := CountConflictLines([]byte(file), 0); got != 4 {
		t.Errorf("%d lines of both sides", got)
	}
	if got := (Conflict{Ours: []byte("a\nb"), Theirs: []byte("c")}).Lines(); got != 3 {
		t.Errorf("%d lines, the last ones without a break", got)
	}
}

func TestAppend(t *testing.T) {
	versions := Conflict{Base: []byte("1\n"), Ours: []byte("2"), Theirs: nil}
	for _, c := range []struct {
		markers Markers
		nl      []byte
		want    string
	}{
		{Markers{}, nil, "<<<<<<<\n2\n=======\n>>>>>>>\n"},
		{Markers{Style: StyleDiff3, Size: 2, Base: "o", Ours: "x y", Theirs: "z"}, nil, "<< x y\n2\n|| o\n1\n==\n>> z\n"},
		{Markers{Style: StyleZdiff3, Size: 1}, []byte("\r\n"), "<\r\n2\r\n|\r\n1\n=\r\n>\r\n"},
	} {
		versions.Markers, versions.Break = c.markers, c.nl
		if got := string(versions.Append([]byte("a\n"))); got != "a\n"+c.want {
			t.Errorf("%+v: %q", c.markers, got)
		}
	}
}

// FuzzConflicts checks that writing the conflicts of a file again gives the same file, and
// that reading a written conflict gives the same conflict.
func FuzzConflicts(f *testing.F) {
	f.Add([]byte("a\n<<<<<<< x\nb\n||||||| o\n=======\nc\n>>>>>>> z\n"), 7, true)
	f.Add([]byte("<\r\n=\r\n>\r\n<\n=\n=\n>\n"), 1, false)
	f.Fuzz(func(t *testing.T, file []byte, size int, base bool) {
		size %= 80
		var rewritten []byte
		end := 0
		for _, c := range Conflicts(file, size) {
			rewritten = append(rewritten, file[end:c.Start]...)
			start := len(rewritten)
			rewritten, end = c.Append(rewritten), c.End
			if hasUniformMarkers(file[c.Start:c.End], c) && !bytes.HasPrefix(rewritten[start:], file[c.Start:c.End]) {
				t.Errorf("%q became %q", file[c.Start:c.End], rewritten[start:])
			}
		}
		if FirstMarkerLine(file, size) > 0 || len(file) > 0 && file[len(file)-1] != '\n' {
			return
		}
		c := Conflict{Markers: Markers{Size: size, Ours: "a"}, Ours: file, Theirs: file}
		if base {
			c.Markers.Style, c.Base = StyleDiff3, file
		}
		all := Conflicts(c.Append([]byte("a\n")), size)
		if len(all) != 1 || all[0].Line != 2 || !bytes.Equal(all[0].Ours, file) || !bytes.Equal(all[0].Theirs, file) ||
			!bytes.Equal(all[0].Base, c.Base) || all[0].Lines() != c.Lines() {
			t.Errorf("%q was read as\n%s", c.Append(nil), formatConflicts(all))
		}
	})
}

// hasUniformMarkers reports whether all markers of c have the same line break as the first one, as
// Append writes them.
func hasUniformMarkers(marked []byte, c Conflict) bool {
	for line := range bytes.Lines(marked) {
		char, label := parseMarker(line, c.Markers.Size)
		trimmed := strings.TrimSuffix(string(line), "\n")
		if char != 0 && (!bytes.Equal(lineBreak(line), c.Break) && len(lineBreak(line)) > 0 || strings.HasSuffix(trimmed, " ") && label == "") {
			return false
		}
	}
	return true
}

func TestConflictLeft(t *testing.T) {
	for _, c := range []struct {
		file string
		want int
	}{
		{"", 0},
		{"a\n<<<<<<< x\n=======\n>>>>>>> y\n", 2},
		{"a\r\n\r\n<<<<<<<<< x\r\n>>>>>>>>>\r\n", 3},
		{"a: <<<<<<<\n>>>>>>>\n", 0},
		{"<<<<<<< x\n", 0},
		{"<<<<<<\n>>>>>>\n", 0},
	} {
		if got := UnresolvedConflictLine([]byte(c.file)); got != c.want {
			t.Errorf("%q: line %d", c.file, got)
		}
	}
}

func TestMarkerLine(t *testing.T) {
	for _, c := range []struct {
		file string
		size int
		want int
	}{
		{"", 7, 0},
		{"a\n|||||||\r\n", 7, 2},
		{">>>>>>> x", 0, 1},
		{"=======\n", 0, 1},
		{"======= x\n", 0, 0},
		{"<<<<<<<<\n", 0, 0},
	} {
		if got := FirstMarkerLine([]byte(c.file), c.size); got != c.want {
			t.Errorf("%q: line %d", c.file, got)
		}
	}
}
