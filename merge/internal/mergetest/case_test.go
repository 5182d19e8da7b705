package mergetest

import (
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// TestReadCase checks that mistakes in a test case are errors and do not silently disable a check.
func TestReadCase(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"stile: diff3\n-- base --\n", "unknown option"},
		{"style: diff4\n", `"diff4" is not one of`},
		{"size: x\n", "invalid syntax"},
		{"labels: a|b\n", "three labels"},
		{"rules: kustomise\n", "is not one of"},
		{"bytes: maybe\n", "is not one of"},
		{"crlf: our\n-- ours --\n", "no version our"},
		{"bom: ideal\n-- want --\n", "no version ideal"},
		{"-- wants --\n", `unknown file "wants"`},
		{"rules: merge2\n-- base --\n", `unknown file "base"`},
		{"own: mine\n", "is not one of"},
	} {
		m := &Case{Archive: txtar.Parse([]byte(c.text))}
		if err := m.readArchive(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v", c.text, err)
		}
	}
	m := &Case{Archive: txtar.Parse([]byte("What it shows: a prose line.\nstyle: zdiff3\n-- base --\na\n-- want --\nb\n"))}
	if err := m.readArchive(); err != nil || m.Markers.Style != text.StyleZdiff3 || string(m.Raw[three.Original]) != "a\n" || string(m.Want) != "b\n" {
		t.Errorf("%v, %+v", err, m)
	}
}
