package engine

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/read"
)

// A gen is a generated file. Every edit also records the expected merge result, so that the test knows the correct
// merge without merging.
//
// A slot is edited by one side at most, or by both in the same way, or it is a conflict. Slots are written in a fixed
// order, so the merged file is the base with the edits of both sides.
type gen struct {
	rand      *rand.Rand
	slots     []slotOf
	notes     int
	conflicts int
}

// A slotOf holds some lines of the file: their text in base, ours and theirs, and in the expected result with ours and
// with theirs chosen at every conflict.
type slotOf [5]string

const (
	mergedOurs   = 3
	mergedTheirs = 4
)

func (g *gen) version(v int) string {
	var b strings.Builder
	for _, s := range g.slots {
		b.WriteString(s[v])
	}
	return b.String()
}

// form returns a function that applies a random format: CR LF, a missing final newline, or a byte order mark.
func (g *gen) form() func(string) []byte {
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

// fixed adds lines that are the same in every version.
func (g *gen) fixed(format string, a ...any) {
	s := fmt.Sprintf(format, a...)
	g.slots = append(g.slots, slotOf{s, s, s, s, s})
}

// changed adds lines that one side changed: base is the old text, now is the text in that side and in the result.
func (g *gen) changed(side int, base, now string) {
	s := slotOf{base, base, base, now, now}
	s[side] = now
	g.slots = append(g.slots, s)
}

// changeBoth adds lines that both sides changed in the same way.
func (g *gen) changeBoth(base, now string) {
	g.slots = append(g.slots, slotOf{base, now, now, now, now})
}

// conflict adds lines that both sides changed differently.
func (g *gen) conflict(base, ours, theirs string) {
	g.slots = append(g.slots, slotOf{base, ours, theirs, ours, theirs})
	g.conflicts++
}

// crossed adds lines of which the two sides changed different parts. The text is one in side, other in the other side,
// and both in the result.
func (g *gen) crossed(side int, base, one, other, both string) {
	s := slotOf{base, other, other, both, both}
	s[side] = one
	g.slots = append(g.slots, s)
}

func (g *gen) maybe(percent int) bool { return g.rand.IntN(100) < percent }

// side returns the side that makes an edit: 1 for ours, 2 for theirs.
func (g *gen) side() int { return 1 + g.rand.IntN(2) }

// note returns the text of a comment that occurs nowhere else in the file.
func (g *gen) note() string {
	g.notes++
	return fmt.Sprintf("note %d", g.notes)
}

// stream generates one to three documents. If there are several, it may also add or delete a document.
func (g *gen) stream() {
	n := 1 + g.rand.IntN(3)
	for i := range n {
		if i > 0 {
			g.fixed("---\n")
		}
		g.document(fmt.Sprintf("doc%d", i))
	}
	if n > 1 && g.maybe(30) {
		g.changed(g.side(), "", "---\n# added\n"+whole("new"))
	}
	if n > 1 && g.maybe(30) {
		g.changed(g.side(), "---\n# old\n"+whole("old"), "")
	}
}

// whole returns a document that is added or deleted as a whole.
func whole(name string) string {
	return "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: " + name + "\ndata:\n  " + name + ": \"1\"\n"
}

func (g *gen) document(name string) {
	g.fixed("apiVersion: v1\nkind: Widget\nmetadata:\n  name: %s\n", name)
	g.fixed("  labels:\n    fixed: yes\n")
	g.fields(4, "label", 4)
	g.fixed("spec:\n  fixed: 1\n")
	g.fields(2, "field", 5)
	for _, part := range []func(int){g.nested, g.keyed, g.reordered, g.ordered, g.flow, g.anchored, g.script, g.folded} {
		if g.maybe(50) {
			part(2)
		}
	}
	g.fixed("end: true\n")
}

// styles are formats for scalars.
var styles = [...]string{"%s", `"%s"`, "'%s'", "!!str %s", "%s second word", `"%s\tsecond"`}

// fields generates n fields with scalar values.
func (g *gen) fields(col int, name string, n int) {
	pad := strings.Repeat(" ", col)
	for i := range n {
		g.field(pad, fmt.Sprintf("%s%d", name, i))
	}
}

func (g *gen) field(pad, key string) {
	line := func(word string) string {
		return pad + key + ": " + fmt.Sprintf(styles[g.rand.IntN(len(styles))], word) + "\n"
	}
	old, now := line("old"), line("new-"+key)
	note := g.note()
	switch g.rand.IntN(26) {
	case 0, 1:
		g.changed(g.side(), old, now)
	case 2, 3:
		g.changed(g.side(), old, "")
	case 4, 5:
		g.changed(g.side(), "", now)
	case 6, 7:
		g.changeBoth(old, now)
	case 8, 9: // separate from other additions: otherwise both sides may have replaced it
		g.fixed("%s%s-above: 1\n", pad, key)
		g.changeBoth(old, "")
		g.fixed("%s%s-below: 1\n", pad, key)
	case 10, 11:
		g.changed(g.side(), old, pad+"# about "+note+"\n"+old)
	case 12, 13:
		g.changed(g.side(), pad+"# about "+note+"\n"+old, old)
	case 14, 15:
		g.changed(g.side(), pad+"# about "+note+"\n"+old, pad+"# all about "+note+"\n"+old)
	case 16, 17:
		g.valueAndComment(pad, key)
	case 18, 19:
		g.changed(g.side(), pad+key+": old # old "+note+"\n", pad+key+": old # new "+note+"\n")
	case 20: // separate from other conflicts
		g.fixed("%s%s-above: 1\n", pad, key)
		g.conflict(old, line("ours"), line("theirs"))
		g.fixed("%s%s-below: 1\n", pad, key)
	default:
		g.fixed("%s", old)
	}
}

// valueAndComment generates a field whose value one side changes and whose comments the other side changes.
func (g *gen) valueAndComment(pad, key string) {
	note := g.note()
	lead := [2]string{"# lead " + note, "# new lead " + note}
	tail := [2]string{"# tail " + note, "# new tail " + note}
	line := func(value string, i int) string {
		return pad + lead[i] + "\n" + pad + key + ": " + value + " " + tail[i] + "\n"
	}
	g.crossed(g.side(), line("old", 0), line("new", 0), line("old", 1), line("new", 1))
}

// nested generates nested mappings, and may add or delete a mapping among them.
func (g *gen) nested(col int) {
	pad := strings.Repeat(" ", col)
	g.fixed("%sresources:\n%s  limits:\n%s    fixed: 1\n", pad, pad, pad)
	g.fields(col+4, "limit", 3)
	if g.maybe(30) {
		g.changed(g.side(), "", pad+"  requests: # added\n"+pad+"    cpu: 1\n"+pad+"    list:\n"+pad+"      - a\n")
	}
	if g.maybe(30) {
		g.changed(g.side(), pad+"  gone:\n"+pad+"    cpu: 1 # gone\n", "")
	}
	g.fixed("%s  kept: 1\n", pad)
}

// keyed generates a list of named items, which may be indented deeper than its key.
func (g *gen) keyed(col int) {
	pad := strings.Repeat(" ", col+2*g.rand.IntN(2))
	g.fixed("%scontainers:\n%s- name: fixed\n%s  image: fixed\n", strings.Repeat(" ", col), pad, pad)
	for i := range 3 {
		item := fmt.Sprintf("%s- name: c%d\n%s  image: image%d\n%s  args: [a, b, c%d]\n", pad, i, pad, i, pad, i)
		switch g.rand.IntN(5) {
		case 0:
			g.changed(g.side(), "", item)
		case 1:
			g.changed(g.side(), pad+"# gone\n"+item, "")
		default:
			g.fixed("%s", item)
			g.fields(len(pad)+2, "env", 3)
		}
	}
}

// reordered generates a list of named items. One side changes its order, the other side edits one of its items.
func (g *gen) reordered(col int) {
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
	g.fixed("%svolumeMounts:\n", pad)
	g.crossed(g.side(), list(was, false), list(is, false), list(was, true), list(is, true))
}

// ordered generates a list of scalars with edits that are separated by unchanged items.
func (g *gen) ordered(col int) {
	pad := strings.Repeat(" ", col)
	g.fixed("%ssteps:\n", pad)
	for i := range 3 {
		g.fixed("%s  - first-%c\n", pad, 'a'+i)
		step := fmt.Sprintf("%s  - step %c\n", pad, 'a'+i)
		switch g.rand.IntN(5) {
		case 0:
			g.changed(g.side(), "", step)
		case 1:
			g.changed(g.side(), step, "")
		case 2:
			g.changed(g.side(), step, fmt.Sprintf("%s  - other %c\n", pad, 'a'+i))
		default:
			g.fixed("%s", step)
		}
		g.fixed("%s  - last-%c\n", pad, 'a'+i)
	}
}

// flow generates a flow mapping on one line. Each side changes a different field.
func (g *gen) flow(col int) {
	pad := strings.Repeat(" ", col)
	line := func(a, b string) string {
		return fmt.Sprintf("%sselector: {first: %s, kept: [1, {x: y}], last: %s}\n", pad, a, b)
	}
	g.crossed(g.side(), line("1", "2"), line("one", "2"), line("1", "two"), line("one", "two"))
}

// anchored generates an anchored mapping. One side edits the mapping, the other side adds another alias to it.
func (g *gen) anchored(col int) {
	pad := strings.Repeat(" ", col)
	block := func(value, use string) string {
		return fmt.Sprintf("%sdefaults: &defaults%d\n%s  cpu: %s\n%s  memory: 1\n%suser:\n%s  <<: *defaults%d\n%s%skept: 1\n",
			pad, g.notes, pad, value, pad, pad, pad, g.notes, use, pad)
	}
	use := fmt.Sprintf("%sother: *defaults%d\n", pad, g.notes)
	g.crossed(g.side(), block("1", ""), block("2", ""), block("1", use), block("2", use))
}

// script generates a block scalar. Its edits are separated by unchanged lines.
func (g *gen) script(col int) {
	pad := strings.Repeat(" ", col)
	g.fixed("%srun: %s\n", pad, []string{"|", "|-", ">"}[g.rand.IntN(3)])
	for i := range 3 {
		g.fixed("%s  echo begin %d\n", pad, i)
		line := fmt.Sprintf("%s  do %d # no comment\n", pad, i)
		switch g.rand.IntN(5) {
		case 0:
			g.changed(g.side(), "", line)
		case 1:
			g.changed(g.side(), line, "")
		case 2:
			g.changed(g.side(), line, fmt.Sprintf("%s  undo %d\n", pad, i))
		default:
			g.fixed("%s", line)
		}
		g.fixed("%s  echo end %d\n", pad, i)
	}
}

// folded generates a plain or quoted scalar of several lines. One side may rewrite it.
func (g *gen) folded(col int) {
	pad := strings.Repeat(" ", col)
	quote := []string{"", `"`, "'"}[g.rand.IntN(3)]
	about := func(words string) string {
		return pad + "about: " + quote + "a long\n" + pad + "  " + words + "\n\n" + pad + "  text" + quote + "\n"
	}
	if g.maybe(30) {
		g.changed(g.side(), about("and old"), about("and quite\n"+pad+"  new"))
	} else {
		g.fixed("%s", about("and old"))
	}
}
