package merge

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

var triples = flag.Int("triples", 500, "how many generated merges TestGenerated makes")

// A gen is a generated document: what each version has at every place is
// written down when the edit is made, so that the right merge is known without
// merging.
//
// Every slot is edited by at most one side. The slots are rendered in a fixed
// order, so that the merged file is the base with the edits of both.
type gen struct {
	rand  *rand.Rand
	slots []slotOf
	notes int
}

// A slotOf is some lines of the file in each version; the fourth is the result.
type slotOf struct {
	text [4]string
}

const merged = 3

// TestGenerated merges generated triples whose sides change different things,
// and compares with the answer that their edits give.
func TestGenerated(t *testing.T) {
	n := *triples
	if testing.Short() {
		n = min(n, 100)
	}
	for seed := range n {
		g := &gen{rand: rand.New(rand.NewPCG(uint64(seed), 1))}
		g.stream()
		g.check(t, seed)
	}
}

func (g *gen) check(t *testing.T, seed int) {
	t.Helper()
	raw := [3][]byte{[]byte(g.version(0)), []byte(g.version(1)), []byte(g.version(2))}
	for _, cut := range []shortcuts{{}, {off: true}} {
		res, err := merge(raw, Options{}, cut)
		if err != nil {
			t.Fatal(err)
		}
		want := g.version(merged)
		if !res.Clean() || contents(res.Bytes) != contents([]byte(want)) {
			t.Fatalf("seed %d (%s): got\n%s\nwant\n%s\nof\n%s\n---- ours\n%s\n---- theirs\n%s", seed, res.Reason, res.Bytes, want, raw[0], raw[1], raw[2])
		}
		if have, need := comments(string(res.Bytes)), comments(want); !slices.Equal(have, need) {
			t.Fatalf("seed %d: comments %q, not %q, in\n%s\nof\n%s\n---- ours\n%s\n---- theirs\n%s", seed, have, need, res.Bytes, raw[0], raw[1], raw[2])
		}
	}
}

// comments are the comments of a generated file, sorted. No generated value
// has a # in it.
func comments(s string) []string {
	var c []string
	for l := range strings.Lines(s) {
		if _, after, ok := strings.Cut(l, "#"); ok {
			c = append(c, strings.TrimSpace(after))
		}
	}
	slices.Sort(c)
	return c
}

func (g *gen) version(v int) string {
	var b strings.Builder
	for _, s := range g.slots {
		b.WriteString(s.text[v])
	}
	return b.String()
}

// fixed writes the same in every version.
func (g *gen) fixed(format string, a ...any) {
	s := fmt.Sprintf(format, a...)
	g.slots = append(g.slots, slotOf{[4]string{s, s, s, s}})
}

// changed writes one thing in the base, another in side and in the result.
func (g *gen) changed(side int, base, now string) {
	s := slotOf{[4]string{base, base, base, now}}
	s.text[side] = now
	g.slots = append(g.slots, s)
}

// alike writes one thing in the base, another in both sides and the result.
func (g *gen) alike(base, now string) {
	g.slots = append(g.slots, slotOf{[4]string{base, now, now, now}})
}

func (g *gen) maybe(percent int) bool { return g.rand.IntN(100) < percent }

// side is who edits: 1 is ours, 2 is theirs.
func (g *gen) side() int { return 1 + g.rand.IntN(2) }

// stream writes one to three documents; one of them may be added or deleted.
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

// whole is a document that is added or deleted as a whole.
func whole(name string) string {
	return "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: " + name + "\ndata:\n  " + name + ": \"1\"\n"
}

func (g *gen) document(name string) {
	g.fixed("apiVersion: v1\nkind: Widget\nmetadata:\n  name: %s\n", name)
	g.fixed("  labels:\n    fixed: yes\n")
	g.fields(4, "label", 4)
	g.fixed("spec:\n  fixed: 1\n")
	g.fields(2, "field", 5)
	g.nested(2)
	g.keyed(2)
	g.ordered(2)
	g.script(2)
	g.fixed("end: true\n")
}

// fields writes fields of scalars, each edited by one side at most.
func (g *gen) fields(col int, name string, n int) {
	pad := strings.Repeat(" ", col)
	for i := range n {
		g.field(pad, fmt.Sprintf("%s%d", name, i))
	}
}

func (g *gen) field(pad, key string) {
	old, now := pad+key+": old\n", pad+key+": new-"+key+"\n"
	note := g.note()
	switch g.rand.IntN(12) {
	case 0:
		g.changed(g.side(), old, now)
	case 1:
		g.changed(g.side(), old, "")
	case 2:
		g.changed(g.side(), "", now)
	case 3:
		g.alike(old, now)
	case 4: // apart from other additions: else both may have replaced it
		g.fixed("%s%s-above: 1\n", pad, key)
		g.alike(old, "")
		g.fixed("%s%s-below: 1\n", pad, key)
	case 5:
		g.changed(g.side(), old, pad+"# about "+note+"\n"+old)
	case 6:
		g.changed(g.side(), pad+"# about "+note+"\n"+old, old)
	case 7:
		g.changed(g.side(), pad+"# about "+note+"\n"+old, pad+"# all about "+note+"\n"+old)
	case 8:
		g.valueAndComment(pad, key)
	case 9:
		g.changed(g.side(), pad+key+": old # old "+note+"\n", pad+key+": old # new "+note+"\n")
	default:
		g.fixed("%s", old)
	}
}

// note returns the words of a comment that stands nowhere else.
func (g *gen) note() string {
	g.notes++
	return fmt.Sprintf("note %d", g.notes)
}

// valueAndComment has one side change a value and the other its comments.
func (g *gen) valueAndComment(pad, key string) {
	s, note := g.side(), g.note()
	lead := [2]string{"# lead " + note, "# new lead " + note}
	tail := [2]string{"# tail " + note, "# new tail " + note}
	line := func(value string, i int) string {
		return pad + lead[i] + "\n" + pad + key + ": " + value + " " + tail[i] + "\n"
	}
	x := slotOf{[4]string{line("old", 0), "", "", line("new", 1)}}
	x.text[s], x.text[3-s] = line("new", 0), line("old", 1)
	g.slots = append(g.slots, x)
}

// nested writes mappings in mappings, one of which may be added or deleted.
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

// keyed writes a list of named items.
func (g *gen) keyed(col int) {
	pad := strings.Repeat(" ", col)
	g.fixed("%scontainers:\n%s  - name: fixed\n%s    image: fixed\n", pad, pad, pad)
	for i := range 3 {
		item := fmt.Sprintf("%s  - name: c%d\n%s    image: image%d\n%s    args: [a, b, c%d]\n", pad, i, pad, i, pad, i)
		switch g.rand.IntN(5) {
		case 0:
			g.changed(g.side(), "", item)
		case 1:
			g.changed(g.side(), pad+"  # gone\n"+item, "")
		default:
			g.fixed("%s", item)
			g.fields(col+4, "env", 3)
		}
	}
}

// ordered writes a list of scalars; edits stand apart from each other.
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

// script writes a block scalar whose lines change; edits stand apart.
func (g *gen) script(col int) {
	pad := strings.Repeat(" ", col)
	g.fixed("%srun: %s\n", pad, []string{"|", "|-", ">"}[g.rand.IntN(3)])
	for i := range 3 {
		g.fixed("%s  echo begin %d\n", pad, i)
		line := fmt.Sprintf("%s  do %d\n", pad, i)
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
