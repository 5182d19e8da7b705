package mergetest

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// SeparateEdits generates a stream of documents in which each edit has its own lines. The sides change values,
// comments, mappings, lists and block scalars, and add or delete documents. Conflicts is the number of edits that both
// sides made differently. The same seed always gives the same Triple.
//
//	base          ours          theirs        right merge
//	field0: old   field0: new   field0: old   field0: new
//	field1: old   field1: old
func SeparateEdits(seed int) Triple {
	g, form := newSeparateFile(seed)
	t := Triple{Conflicts: g.conflicts}
	for v := range t.Raw {
		t.Raw[v] = form(g.versionText(v))
	}
	t.Want[three.Dest], t.Want[three.Updated] = form(g.versionText(mergedOurs)), form(g.versionText(mergedTheirs))
	return t
}

// WithoutOneEdit returns wrong merges of the versions that SeparateEdits generates for the same seed, to test that a
// check finds them. Each is the right merge, with ours taken at conflicts, except that the lines of a single edit are
// those of another version:
//
//	base    right merge    wrong merges
//	a: 1    a: 2           a: 1     a: 2
//	b: 1    b: 2           b: 2     b: 1
func WithoutOneEdit(seed int) (wrong [][]byte) {
	g, form := newSeparateFile(seed)
	for i, s := range g.groups {
		var tried []string
		for v := range 3 {
			if s[v] == s[mergedOurs] || slices.Contains(tried, s[v]) {
				continue
			}
			tried = append(tried, s[v])
			g.groups[i][mergedOurs] = s[v]
			wrong = append(wrong, form(g.versionText(mergedOurs)))
		}
		g.groups[i] = s
	}
	return wrong
}

// newSeparateFile generates a file with edits of both sides. It returns the file, and a function that gives the text of
// a version its line ends, its byte order mark and its end. The same seed always gives the same file.
func newSeparateFile(seed int) (g *separateFile, form func(string) []byte) {
	g = &separateFile{rand: rand.New(rand.NewPCG(uint64(seed), 1))}
	g.addDocuments()
	return g, g.randomFormat()
}

// A separateFile is a generated file in three versions, and its right merge. The generator records the right merge of
// every edit, so that the right merge of the file is known without merging.
//
// The file is a sequence of groups of lines. Each group is edited by one side at most, or by both in the same way, or
// it is a conflict. The groups have the same order in all versions, so the merged file is the base with the edits of
// both sides.
type separateFile struct {
	rand      *rand.Rand
	groups    []lineGroup
	comments  int // the number of comments that newComment returned
	conflicts int
}

// A lineGroup holds some consecutive lines of the file: their text in base, ours and theirs, and in the right merge
// with ours taken at every conflict and with theirs taken. A text is "" where the lines do not exist.
type lineGroup [5]string

// Indexes of a lineGroup, after those of base, ours and theirs: the right merge with ours and with theirs taken at every
// conflict.
const (
	mergedOurs   = 3
	mergedTheirs = 4
)

// versionText returns the text of the file in version v: 0 for base, 1 for ours, 2 for theirs. It returns the right
// merge if v is mergedOurs or mergedTheirs. The lines end with LF.
func (g *separateFile) versionText(v int) string {
	var b strings.Builder
	for _, s := range g.groups {
		b.WriteString(s[v])
	}
	return b.String()
}

// randomFormat chooses a random format and returns a function that applies it to the text of a version: the function
// may change all line ends to CRLF, remove the final newline, and add a byte order mark. It makes the same changes in
// all versions.
func (g *separateFile) randomFormat() func(string) []byte {
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
			b = append(bytes.Clone(text.BOM), b...)
		}
		return b
	}
}

// addFixed appends lines that are the same in every version. format and a are those of fmt.Sprintf.
func (g *separateFile) addFixed(format string, a ...any) {
	s := fmt.Sprintf(format, a...)
	g.groups = append(g.groups, lineGroup{s, s, s, s, s})
}

// addChanged appends lines that one side changed. side is that side: 1 for ours, 2 for theirs. base is the text in base
// and in the other side. now is the text in this side and in the right merge. base is "" for lines that the side added,
// and now is "" for lines that it deleted.
func (g *separateFile) addChanged(side int, base, now string) {
	s := lineGroup{base, base, base, now, now}
	s[side] = now
	g.groups = append(g.groups, s)
}

// addChangedByBoth appends lines that both sides changed in the same way. base is the old text, now the new one.
func (g *separateFile) addChangedByBoth(base, now string) {
	g.groups = append(g.groups, lineGroup{base, now, now, now, now})
}

// addConflict appends lines that both sides changed differently, so that the right merge has a conflict, and counts it.
func (g *separateFile) addConflict(base, ours, theirs string) {
	g.groups = append(g.groups, lineGroup{base, ours, theirs, ours, theirs})
	g.conflicts++
}

// addChangedInPart appends lines in which each side changed another part. one is the text in the given side (1 for
// ours, 2 for theirs), other that in the other side, and both that in the right merge:
//
//	base        one         other       both
//	a: 1 # x    a: 2 # x    a: 1 # y    a: 2 # y
func (g *separateFile) addChangedInPart(side int, base, one, other, both string) {
	s := lineGroup{base, other, other, both, both}
	s[side] = one
	g.groups = append(g.groups, s)
}

// maybe returns true in this percentage of calls.
func (g *separateFile) maybe(percent int) bool { return g.rand.IntN(100) < percent }

// randomSide returns the side that makes an edit: 1 for ours, 2 for theirs.
func (g *separateFile) randomSide() int { return 1 + g.rand.IntN(2) }

// newComment returns the text of a comment that occurs nowhere else in the file.
func (g *separateFile) newComment() string {
	g.comments++
	return fmt.Sprintf("note %d", g.comments)
}

// addDocuments appends one to three documents, with edits. If there is more than one, a side may also add another
// document or delete one.
func (g *separateFile) addDocuments() {
	n := 1 + g.rand.IntN(3)
	for i := range n {
		if i > 0 {
			g.addFixed("---\n")
		}
		g.addDocument(fmt.Sprintf("doc%d", i))
	}
	if n > 1 && g.maybe(30) {
		g.addChanged(g.randomSide(), "", "---\n# added\n"+smallDocument("new"))
	}
	if n > 1 && g.maybe(30) {
		g.addChanged(g.randomSide(), "---\n# old\n"+smallDocument("old"), "")
	}
}

// smallDocument returns the text of a small document, which a side adds or deletes as a whole.
func smallDocument(name string) string {
	return "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: " + name + "\ndata:\n  " + name + ": \"1\"\n"
}

// addDocument appends a document with this name, and edits of both sides in it.
func (g *separateFile) addDocument(name string) {
	g.addFixed("apiVersion: v1\nkind: Widget\nmetadata:\n  name: %s\n", name)
	g.addFixed("  labels:\n    fixed: yes\n")
	g.addFields(4, "label", 4)
	g.addFixed("spec:\n  fixed: 1\n")
	g.addFields(2, "field", 5)
	for _, part := range []func(int){g.addNestedMappings, g.addNamedItems, g.addReorderedItems, g.addScalarItems, g.addFlowMapping, g.addAnchoredMapping, g.addBlockScalar, g.addFoldedScalar} {
		if g.maybe(50) {
			part(2)
		}
	}
	g.addFixed("end: true\n")
}

// scalarStyles are the ways to write a word as a scalar.
var scalarStyles = [...]string{"%s", `"%s"`, "'%s'", "!!str %s", "%s second word", `"%s\tsecond"`}

// addFields appends n fields with scalar values, some of them edited. col is their indentation. Their keys are name0,
// name1 and so on.
func (g *separateFile) addFields(col int, name string, n int) {
	pad := strings.Repeat(" ", col)
	for i := range n {
		g.addField(pad, fmt.Sprintf("%s%d", name, i))
	}
}

// addField appends a field with the value old, indented by pad. In most calls, one side or both edit it: they change
// the value or a comment, or add or delete the field. Both sides may also change the value differently, which is a
// conflict. Some of the edits:
//
//	base                        one side, or both
//	label0: old                 label0: new-label0
//	label0: old                 # about note 1
//	                            label0: old
func (g *separateFile) addField(pad, key string) {
	line := func(word string) string {
		return pad + key + ": " + fmt.Sprintf(scalarStyles[g.rand.IntN(len(scalarStyles))], word) + "\n"
	}
	old, now := line("old"), line("new-"+key)
	note := g.newComment()
	switch g.rand.IntN(26) {
	case 0, 1:
		g.addChanged(g.randomSide(), old, now)
	case 2, 3:
		g.addChanged(g.randomSide(), old, "")
	case 4, 5:
		g.addChanged(g.randomSide(), "", now)
	case 6, 7:
		g.addChangedByBoth(old, now)
	case 8, 9: // separate from other additions: otherwise both sides may have replaced it
		g.addFixed("%s%s-above: 1\n", pad, key)
		g.addChangedByBoth(old, "")
		g.addFixed("%s%s-below: 1\n", pad, key)
	case 10, 11:
		g.addChanged(g.randomSide(), old, pad+"# about "+note+"\n"+old)
	case 12, 13:
		g.addChanged(g.randomSide(), pad+"# about "+note+"\n"+old, old)
	case 14, 15:
		g.addChanged(g.randomSide(), pad+"# about "+note+"\n"+old, pad+"# all about "+note+"\n"+old)
	case 16, 17:
		g.addValueAndComment(pad, key)
	case 18, 19:
		g.addChanged(g.randomSide(), pad+key+": old # old "+note+"\n", pad+key+": old # new "+note+"\n")
	case 20: // separate from other conflicts
		g.addFixed("%s%s-above: 1\n", pad, key)
		g.addConflict(old, line("ours"), line("theirs"))
		g.addFixed("%s%s-below: 1\n", pad, key)
	default:
		g.addFixed("%s", old)
	}
}

// addValueAndComment appends a field, indented by pad, with a comment above it and one at the end of its line. One side
// changes its value, and the other side changes both comments:
//
//	base               one side           other side           right merge
//	# lead note 1      # lead note 1      # new lead note 1    # new lead note 1
//	a: old # tail      a: new # tail      a: old # new tail    a: new # new tail
func (g *separateFile) addValueAndComment(pad, key string) {
	note := g.newComment()
	lead := [2]string{"# lead " + note, "# new lead " + note}
	tail := [2]string{"# tail " + note, "# new tail " + note}
	line := func(value string, i int) string {
		return pad + lead[i] + "\n" + pad + key + ": " + value + " " + tail[i] + "\n"
	}
	g.addChangedInPart(g.randomSide(), line("old", 0), line("new", 0), line("old", 1), line("new", 1))
}

// addNestedMappings appends a field resources with nested mappings, at the column col. A side may edit fields in it,
// add a mapping to it, and delete one from it.
func (g *separateFile) addNestedMappings(col int) {
	pad := strings.Repeat(" ", col)
	g.addFixed("%sresources:\n%s  limits:\n%s    fixed: 1\n", pad, pad, pad)
	g.addFields(col+4, "limit", 3)
	if g.maybe(30) {
		g.addChanged(g.randomSide(), "", pad+"  requests: # added\n"+pad+"    cpu: 1\n"+pad+"    list:\n"+pad+"      - a\n")
	}
	if g.maybe(30) {
		g.addChanged(g.randomSide(), pad+"  gone:\n"+pad+"    cpu: 1 # gone\n", "")
	}
	g.addFixed("%s  kept: 1\n", pad)
}

// addNamedItems appends a field containers with a list of items that have a name, at the column col. A side may add or
// delete an item, or edit fields in one. The list may be indented deeper than its key.
func (g *separateFile) addNamedItems(col int) {
	pad := strings.Repeat(" ", col+2*g.rand.IntN(2))
	g.addFixed("%scontainers:\n%s- name: fixed\n%s  image: fixed\n", strings.Repeat(" ", col), pad, pad)
	for i := range 3 {
		item := fmt.Sprintf("%s- name: c%d\n%s  image: image%d\n%s  args: [a, b, c%d]\n", pad, i, pad, i, pad, i)
		switch g.rand.IntN(5) {
		case 0:
			g.addChanged(g.randomSide(), "", item)
		case 1:
			g.addChanged(g.randomSide(), pad+"# gone\n"+item, "")
		default:
			g.addFixed("%s", item)
			g.addFields(len(pad)+2, "env", 3)
		}
	}
}

// addReorderedItems appends a field volumeMounts with a list of four named items, at the column col. One side changes
// the order of the items, and the other side edits one of them.
func (g *separateFile) addReorderedItems(col int) {
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
	g.addChangedInPart(g.randomSide(), list(was, false), list(is, false), list(was, true), list(is, true))
}

// addScalarItems appends a field steps with a list of scalars, at the column col. Each of three items may be added,
// deleted or changed by a side. There are unchanged items before and after each of them.
func (g *separateFile) addScalarItems(col int) {
	pad := strings.Repeat(" ", col)
	g.addFixed("%ssteps:\n", pad)
	for i := range 3 {
		g.addFixed("%s  - first-%c\n", pad, 'a'+i)
		step := fmt.Sprintf("%s  - step %c\n", pad, 'a'+i)
		g.addRandomLine(step, fmt.Sprintf("%s  - other %c\n", pad, 'a'+i))
		g.addFixed("%s  - last-%c\n", pad, 'a'+i)
	}
}

// addRandomLine appends line, which one side may add, delete, or replace by other. Two times of five, no side does.
func (g *separateFile) addRandomLine(line, other string) {
	switch g.rand.IntN(5) {
	case 0:
		g.addChanged(g.randomSide(), "", line)
	case 1:
		g.addChanged(g.randomSide(), line, "")
	case 2:
		g.addChanged(g.randomSide(), line, other)
	default:
		g.addFixed("%s", line)
	}
}

// addFlowMapping appends a flow mapping on one line, at the column col. The sides change different fields of it:
//
//	base                         one side                       other side
//	selector: {first: 1, ...}    selector: {first: one, ...}    selector: {..., last: two}
func (g *separateFile) addFlowMapping(col int) {
	pad := strings.Repeat(" ", col)
	line := func(a, b string) string {
		return fmt.Sprintf("%sselector: {first: %s, kept: [1, {x: y}], last: %s}\n", pad, a, b)
	}
	g.addChangedInPart(g.randomSide(), line("1", "2"), line("one", "2"), line("1", "two"), line("one", "two"))
}

// addAnchoredMapping appends a mapping with an anchor, and a mapping that has an alias of it. col is their column. One
// side changes a field of the first mapping, and the other side adds another alias:
//
//	defaults: &defaults0
//	  cpu: 1
//	user:
//	  <<: *defaults0
//	other: *defaults0 # added by a side
func (g *separateFile) addAnchoredMapping(col int) {
	pad := strings.Repeat(" ", col)
	block := func(value, use string) string {
		return fmt.Sprintf("%sdefaults: &defaults%d\n%s  cpu: %s\n%s  memory: 1\n%suser:\n%s  <<: *defaults%d\n%s%skept: 1\n",
			pad, g.comments, pad, value, pad, pad, pad, g.comments, use, pad)
	}
	use := fmt.Sprintf("%sother: *defaults%d\n", pad, g.comments)
	g.addChangedInPart(g.randomSide(), block("1", ""), block("2", ""), block("1", use), block("2", use))
}

// addBlockScalar appends a field run with a block scalar, as in "run: |", at the column col. Each of three lines may be
// added, deleted or changed by a side. There are unchanged lines before and after each of them.
func (g *separateFile) addBlockScalar(col int) {
	pad := strings.Repeat(" ", col)
	g.addFixed("%srun: %s\n", pad, []string{"|", "|-", ">"}[g.rand.IntN(3)])
	for i := range 3 {
		g.addFixed("%s  echo begin %d\n", pad, i)
		line := fmt.Sprintf("%s  do %d # no comment\n", pad, i)
		g.addRandomLine(line, fmt.Sprintf("%s  undo %d\n", pad, i))
		g.addFixed("%s  echo end %d\n", pad, i)
	}
}

// addFoldedScalar appends a field about with a plain or quoted scalar of several lines, at the column col. One side may
// change a part of its text.
func (g *separateFile) addFoldedScalar(col int) {
	pad := strings.Repeat(" ", col)
	quote := []string{"", `"`, "'"}[g.rand.IntN(3)]
	about := func(words string) string {
		return pad + "about: " + quote + "a long\n" + pad + "  " + words + "\n\n" + pad + "  text" + quote + "\n"
	}
	if g.maybe(30) {
		g.addChanged(g.randomSide(), about("and old"), about("and quite\n"+pad+"  new"))
	} else {
		g.addFixed("%s", about("and old"))
	}
}
