package mergetest

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/read"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// SeparateEdits generates a stream of one to three documents in which each edit has its own lines. Both sides change
// values, comments, mappings, lists and block texts, and add or delete documents. A few edits are made by both sides,
// in the same way or differently. For example:
//
//	base          ours          theirs        right merge
//	field0: old   field0: new   field0: old   field0: new
//	field1: old   field1: old                 field2: old
//	field2: old   field2: old   field2: old
//
// Some files have CR LF, a byte order mark or no final newline.
func SeparateEdits(seed int) Triple {
	g, form := newSeparate(seed)
	t := Triple{Conflicts: g.conflicts}
	for v := range t.Raw {
		t.Raw[v] = form(g.version(v))
	}
	t.Want[three.Dest], t.Want[three.Updated] = form(g.version(mergedOurs)), form(g.version(mergedTheirs))
	return t
}

// WithoutOneEdit returns wrong merges of the versions that SeparateEdits generates: for each place that a side edited,
// the right merge with the text of base there, and with the text of ours and of theirs if the right merge has another
// text. In conflicts, ours is taken.
func WithoutOneEdit(seed int) (wrong [][]byte) {
	g, form := newSeparate(seed)
	for i, s := range g.slots {
		var tried []string
		for v := range 3 {
			if s[v] == s[mergedOurs] || slices.Contains(tried, s[v]) {
				continue
			}
			tried = append(tried, s[v])
			g.slots[i][mergedOurs] = s[v]
			wrong = append(wrong, form(g.version(mergedOurs)))
		}
		g.slots[i] = s
	}
	return wrong
}

// newSeparate returns the generated file of a seed, and the function that applies its format.
func newSeparate(seed int) (g *separate, form func(string) []byte) {
	g = &separate{rand: rand.New(rand.NewPCG(uint64(seed), 1))}
	g.stream()
	return g, g.form()
}

// A separate is a generated file. Every edit also records the expected merge result, so that the right merge is known
// without merging.
//
// A slot is edited by one side at most, or by both in the same way, or it is a conflict. Slots are written in a fixed
// order, so the merged file is the base with the edits of both sides.
type separate struct {
	rand      *rand.Rand
	slots     []slot
	notes     int
	conflicts int
}

// A slot holds some lines of the file: their text in base, ours and theirs, and in the expected result with ours and
// with theirs taken at every conflict.
type slot [5]string

// Indexes of a slot, after those of the three versions.

const (
	mergedOurs   = 3
	mergedTheirs = 4
)

// version returns the text of version v, or the expected result if v is mergedOurs or mergedTheirs.
func (g *separate) version(v int) string {
	var b strings.Builder
	for _, s := range g.slots {
		b.WriteString(s[v])
	}
	return b.String()
}

// form returns a function that applies a random format: CR LF, a missing final newline, or a byte order mark.
func (g *separate) form() func(string) []byte {
	crlf, final, mark := g.maybe(10), !g.maybe(10), g.maybe(3)
	return func(s string) []byte {
		b := []byte(s)
		if !final {
			b = bytes.TrimSuffix(b, []byte("\n"))
		}
		if crlf {
			b = bytes.ReplaceAll(b, []byte("\n"), []byte("\r\n"))
		}
		if mark {
			b = append(bytes.Clone(read.BOM), b...)
		}
		return b
	}
}

// addFixed adds lines that are the same in every version.
func (g *separate) addFixed(format string, a ...any) {
	s := fmt.Sprintf(format, a...)
	g.slots = append(g.slots, slot{s, s, s, s, s})
}

// addChanged adds lines that one side changed: base is the old text, now is the text in that side and in the result.
func (g *separate) addChanged(side int, base, now string) {
	s := slot{base, base, base, now, now}
	s[side] = now
	g.slots = append(g.slots, s)
}

// addChangedByBoth adds lines that both sides changed in the same way.
func (g *separate) addChangedByBoth(base, now string) {
	g.slots = append(g.slots, slot{base, now, now, now, now})
}

// addConflict adds lines that both sides changed differently.
func (g *separate) addConflict(base, ours, theirs string) {
	g.slots = append(g.slots, slot{base, ours, theirs, ours, theirs})
	g.conflicts++
}

// addCrossed adds lines of which the two sides changed different parts. The text is one in side, other in the other
// side, and both in the result.
func (g *separate) addCrossed(side int, base, one, other, both string) {
	s := slot{base, other, other, both, both}
	s[side] = one
	g.slots = append(g.slots, s)
}

// maybe returns true in this percentage of calls.
func (g *separate) maybe(percent int) bool { return g.rand.IntN(100) < percent }

// side returns the side that makes an edit: 1 for ours, 2 for theirs.
func (g *separate) side() int { return 1 + g.rand.IntN(2) }

// note returns the text of a comment that occurs nowhere else in the file.
func (g *separate) note() string {
	g.notes++
	return fmt.Sprintf("note %d", g.notes)
}

// stream generates one to three documents. If there are several, it may also add or delete a document.
func (g *separate) stream() {
	n := 1 + g.rand.IntN(3)
	for i := range n {
		if i > 0 {
			g.addFixed("---\n")
		}
		g.document(fmt.Sprintf("doc%d", i))
	}
	if n > 1 && g.maybe(30) {
		g.addChanged(g.side(), "", "---\n# added\n"+wholeDocument("new"))
	}
	if n > 1 && g.maybe(30) {
		g.addChanged(g.side(), "---\n# old\n"+wholeDocument("old"), "")
	}
}

// wholeDocument returns a document that is added or deleted as a whole.
func wholeDocument(name string) string {
	return "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: " + name + "\ndata:\n  " + name + ": \"1\"\n"
}

// document generates a document with this name.
func (g *separate) document(name string) {
	g.addFixed("apiVersion: v1\nkind: Widget\nmetadata:\n  name: %s\n", name)
	g.addFixed("  labels:\n    fixed: yes\n")
	g.fields(4, "label", 4)
	g.addFixed("spec:\n  fixed: 1\n")
	g.fields(2, "field", 5)
	for _, part := range []func(int){g.nested, g.keyed, g.reordered, g.ordered, g.flow, g.anchored, g.script, g.folded} {
		if g.maybe(50) {
			part(2)
		}
	}
	g.addFixed("end: true\n")
}

// scalarStyles are the ways to write a word as a scalar.
var scalarStyles = [...]string{"%s", `"%s"`, "'%s'", "!!str %s", "%s second word", `"%s\tsecond"`}

// fields generates n fields with scalar values.
func (g *separate) fields(col int, name string, n int) {
	pad := strings.Repeat(" ", col)
	for i := range n {
		g.field(pad, fmt.Sprintf("%s%d", name, i))
	}
}

// field generates a field and, in most calls, an edit of its value or its comment. pad is the indentation.
func (g *separate) field(pad, key string) {
	line := func(word string) string {
		return pad + key + ": " + fmt.Sprintf(scalarStyles[g.rand.IntN(len(scalarStyles))], word) + "\n"
	}
	old, now := line("old"), line("new-"+key)
	note := g.note()
	switch g.rand.IntN(26) {
	case 0, 1:
		g.addChanged(g.side(), old, now)
	case 2, 3:
		g.addChanged(g.side(), old, "")
	case 4, 5:
		g.addChanged(g.side(), "", now)
	case 6, 7:
		g.addChangedByBoth(old, now)
	case 8, 9: // separate from other additions: otherwise both sides may have replaced it
		g.addFixed("%s%s-above: 1\n", pad, key)
		g.addChangedByBoth(old, "")
		g.addFixed("%s%s-below: 1\n", pad, key)
	case 10, 11:
		g.addChanged(g.side(), old, pad+"# about "+note+"\n"+old)
	case 12, 13:
		g.addChanged(g.side(), pad+"# about "+note+"\n"+old, old)
	case 14, 15:
		g.addChanged(g.side(), pad+"# about "+note+"\n"+old, pad+"# all about "+note+"\n"+old)
	case 16, 17:
		g.valueAndComment(pad, key)
	case 18, 19:
		g.addChanged(g.side(), pad+key+": old # old "+note+"\n", pad+key+": old # new "+note+"\n")
	case 20: // separate from other conflicts
		g.addFixed("%s%s-above: 1\n", pad, key)
		g.addConflict(old, line("ours"), line("theirs"))
		g.addFixed("%s%s-below: 1\n", pad, key)
	default:
		g.addFixed("%s", old)
	}
}

// valueAndComment generates a field whose value one side changes and whose comments the other side changes.
func (g *separate) valueAndComment(pad, key string) {
	note := g.note()
	lead := [2]string{"# lead " + note, "# new lead " + note}
	tail := [2]string{"# tail " + note, "# new tail " + note}
	line := func(value string, i int) string {
		return pad + lead[i] + "\n" + pad + key + ": " + value + " " + tail[i] + "\n"
	}
	g.addCrossed(g.side(), line("old", 0), line("new", 0), line("old", 1), line("new", 1))
}

// nested generates nested mappings, and may add or delete a mapping among them.
func (g *separate) nested(col int) {
	pad := strings.Repeat(" ", col)
	g.addFixed("%sresources:\n%s  limits:\n%s    fixed: 1\n", pad, pad, pad)
	g.fields(col+4, "limit", 3)
	if g.maybe(30) {
		g.addChanged(g.side(), "", pad+"  requests: # added\n"+pad+"    cpu: 1\n"+pad+"    list:\n"+pad+"      - a\n")
	}
	if g.maybe(30) {
		g.addChanged(g.side(), pad+"  gone:\n"+pad+"    cpu: 1 # gone\n", "")
	}
	g.addFixed("%s  kept: 1\n", pad)
}

// keyed generates a list of named items, which may be indented deeper than its key.
func (g *separate) keyed(col int) {
	pad := strings.Repeat(" ", col+2*g.rand.IntN(2))
	g.addFixed("%scontainers:\n%s- name: fixed\n%s  image: fixed\n", strings.Repeat(" ", col), pad, pad)
	for i := range 3 {
		item := fmt.Sprintf("%s- name: c%d\n%s  image: image%d\n%s  args: [a, b, c%d]\n", pad, i, pad, i, pad, i)
		switch g.rand.IntN(5) {
		case 0:
			g.addChanged(g.side(), "", item)
		case 1:
			g.addChanged(g.side(), pad+"# gone\n"+item, "")
		default:
			g.addFixed("%s", item)
			g.fields(len(pad)+2, "env", 3)
		}
	}
}

// reordered generates a list of named items. One side changes its order, the other side edits one of its items.
func (g *separate) reordered(col int) {
	pad := strings.Repeat(" ", col)
	item := func(i int, path string) string {
		return fmt.Sprintf("%s- name: volume-%c\n%s  mountPath: /%c\n%s  subPath: %s\n", pad, 'a'+i, pad, 'a'+i, pad, path)
	}
	edited := g.rand.IntN(4)
	list := func(order []int, edit bool) string {
		var b strings.Builder
		for _, i := range order {
			path := "old"
			if edit && i == edited {
				path = "new"
			}
			b.WriteString(item(i, path))
		}
		return b.String()
	}
	was, is := []int{0, 1, 2, 3}, g.rand.Perm(4)
	g.addFixed("%svolumeMounts:\n", pad)
	g.addCrossed(g.side(), list(was, false), list(is, false), list(was, true), list(is, true))
}

// ordered generates a list of scalars with edits that are separated by unchanged items.
func (g *separate) ordered(col int) {
	pad := strings.Repeat(" ", col)
	g.addFixed("%ssteps:\n", pad)
	for i := range 3 {
		g.addFixed("%s  - first-%c\n", pad, 'a'+i)
		step := fmt.Sprintf("%s  - step %c\n", pad, 'a'+i)
		switch g.rand.IntN(5) {
		case 0:
			g.addChanged(g.side(), "", step)
		case 1:
			g.addChanged(g.side(), step, "")
		case 2:
			g.addChanged(g.side(), step, fmt.Sprintf("%s  - other %c\n", pad, 'a'+i))
		default:
			g.addFixed("%s", step)
		}
		g.addFixed("%s  - last-%c\n", pad, 'a'+i)
	}
}

// flow generates a flow mapping on one line. Each side changes a different field.
func (g *separate) flow(col int) {
	pad := strings.Repeat(" ", col)
	line := func(a, b string) string {
		return fmt.Sprintf("%sselector: {first: %s, kept: [1, {x: y}], last: %s}\n", pad, a, b)
	}
	g.addCrossed(g.side(), line("1", "2"), line("one", "2"), line("1", "two"), line("one", "two"))
}

// anchored generates an anchored mapping. One side edits the mapping, the other side adds another alias to it.
func (g *separate) anchored(col int) {
	pad := strings.Repeat(" ", col)
	block := func(value, use string) string {
		return fmt.Sprintf("%sdefaults: &defaults%d\n%s  cpu: %s\n%s  memory: 1\n%suser:\n%s  <<: *defaults%d\n%s%skept: 1\n",
			pad, g.notes, pad, value, pad, pad, pad, g.notes, use, pad)
	}
	use := fmt.Sprintf("%sother: *defaults%d\n", pad, g.notes)
	g.addCrossed(g.side(), block("1", ""), block("2", ""), block("1", use), block("2", use))
}

// script generates a block scalar. Its edits are separated by unchanged lines.
func (g *separate) script(col int) {
	pad := strings.Repeat(" ", col)
	g.addFixed("%srun: %s\n", pad, []string{"|", "|-", ">"}[g.rand.IntN(3)])
	for i := range 3 {
		g.addFixed("%s  echo begin %d\n", pad, i)
		line := fmt.Sprintf("%s  do %d # no comment\n", pad, i)
		switch g.rand.IntN(5) {
		case 0:
			g.addChanged(g.side(), "", line)
		case 1:
			g.addChanged(g.side(), line, "")
		case 2:
			g.addChanged(g.side(), line, fmt.Sprintf("%s  undo %d\n", pad, i))
		default:
			g.addFixed("%s", line)
		}
		g.addFixed("%s  echo end %d\n", pad, i)
	}
}

// folded generates a plain or quoted scalar of several lines. One side may rewrite it.
func (g *separate) folded(col int) {
	pad := strings.Repeat(" ", col)
	quote := []string{"", `"`, "'"}[g.rand.IntN(3)]
	about := func(words string) string {
		return pad + "about: " + quote + "a long\n" + pad + "  " + words + "\n\n" + pad + "  text" + quote + "\n"
	}
	if g.maybe(30) {
		g.addChanged(g.side(), about("and old"), about("and quite\n"+pad+"  new"))
	} else {
		g.addFixed("%s", about("and old"))
	}
}
