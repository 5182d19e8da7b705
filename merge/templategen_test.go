package merge

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// A madeTemplate is a generated template. What each version has at every place is
// drawn once, and changed by one side at most, or by both alike, so that the right
// merge is known without merging.
type madeTemplate struct {
	*rand.Rand
	names int
}

// merged is the right merge, as a version.
const merged = 3

// A choice is what the versions and the right merge have at a place.
type choice [4]string

// choose draws a choice: base, or something else in a side.
func (g *madeTemplate) choose(base, other string) choice {
	c := choice{base, base, base, base}
	switch g.IntN(14) {
	case 0, 1:
		c[three.Dest], c[merged] = other, other
	case 2, 3:
		c[three.Updated], c[merged] = other, other
	case 4:
		c[three.Dest], c[three.Updated], c[merged] = other, other, other
	}
	return c
}

// name is a word that stands nowhere else.
func (g *madeTemplate) name(kind string) string {
	g.names++
	return fmt.Sprintf("%s%d", kind, g.names)
}

// A madeField is a field of a generated template.
type madeField struct {
	key   string
	stood choice // "yes" where it stands
	guard choice // what the block around it is, "" without one
	note  choice // the comment of an action above it
	lines func(version, indent int) string
}

func (f madeField) text(version, indent int) string {
	if f.stood[version] == "" {
		return ""
	}
	var b strings.Builder
	line := func(format string, args ...any) {
		fmt.Fprintf(&b, "%*s"+format+"\n", append([]any{indent, ""}, args...)...)
	}
	if note := f.note[version]; note != "" {
		line("{{- /* %s */}}", note)
	}
	guard := f.guard[version]
	if guard != "" {
		line("{{- %s }}", guard)
	}
	b.WriteString(f.lines(version, indent))
	if guard != "" {
		line("{{- end }}")
	}
	return b.String()
}

func (g *madeTemplate) word(kind string) choice {
	return g.choose("{{ .Values."+g.name(kind)+" }}", g.name("plain-"))
}

// fields draws n fields. Between fields that come and go stands one that stays: which
// comes first of what meets in one place is nobody's change.
func (g *madeTemplate) fields(n, depth int) (all []madeField) {
	settled := true
	for i := range n {
		f := madeField{key: g.name("key"), stood: choice{"yes", "yes", "yes", "yes"}}
		switch {
		case settled || g.IntN(3) > 0:
			f.stood, settled = choice{"yes", "yes", "yes", "yes"}, false
		case g.IntN(2) == 0 && i < n-1:
			f.stood, settled = g.choose("yes", ""), true
		case i < n-1:
			f.stood, settled = g.choose("", "yes"), true
		}
		whole := f.stood[0] == f.stood[merged] && f.stood[1] == f.stood[2]
		f.guard = g.choose("", "if .Values."+g.name("on"))
		if g.IntN(3) == 0 {
			f.guard = g.choose("with .Values."+g.name("with"), []string{"", "if .Values." + g.name("on")}[g.IntN(2)])
		}
		if g.IntN(5) == 0 {
			f.note = g.choose(g.name("note"), g.name("other note"))
		}
		f.lines = g.value(f.key, depth)
		if !whole { // who takes a field away has not changed it
			f.guard, f.note = same(f.guard), same(f.note)
			lines := f.lines
			f.lines = func(_, indent int) string { return lines(0, indent) }
		}
		all = append(all, f)
	}
	return all
}

func same(c choice) choice { return choice{c[0], c[0], c[0], c[0]} }

// value draws the lines of a field.
func (g *madeTemplate) value(key string, depth int) func(version, indent int) string {
	kind := g.IntN(8)
	if depth == 0 {
		kind %= 5
	}
	switch kind {
	case 0, 1:
		v := g.word("value")
		return func(version, indent int) string { return fmt.Sprintf("%*s%s: %s\n", indent, "", key, v[version]) }
	case 2:
		v := g.choose(g.name("printed"), g.name("other"))
		return func(version, indent int) string {
			return fmt.Sprintf("%*s%s:\n%*s{{- toYaml .Values.%s | nindent %d }}\n", indent, "", key, indent+2, "", v[version], indent+2)
		}
	case 3:
		is, isNot := g.word("is"), g.word("not")
		when := g.name("when")
		return func(version, indent int) string {
			in := strings.Repeat(" ", indent)
			return fmt.Sprintf("%s{{- if .Values.%s }}\n%s%s: %s\n%s{{- else }}\n%s%s: %s\n%s{{- end }}\n", in, when, in, key, is[version], in, in, key, isNot[version], in)
		}
	case 4:
		first, last, when := g.word("line"), g.word("line"), g.name("when")
		return func(version, indent int) string {
			in := strings.Repeat(" ", indent)
			return fmt.Sprintf("%s%s: |\n%s  first {{ .x }}\n%s  a %s\n{{- if .Values.%s }}\n%s  kept\n{{- end }}\n%s  z %s\n", in, key, in, in, first[version], when, in, in, last[version])
		}
	case 5, 6:
		fields := g.fields(1+g.IntN(4), depth-1)
		return func(version, indent int) string {
			return fmt.Sprintf("%*s%s:\n", indent, "", key) + texts(fields, version, indent+2)
		}
	default:
		var items [][]madeField
		var names []string
		for range 1 + g.IntN(3) {
			names, items = append(names, g.name("item")), append(items, g.fields(1+g.IntN(3), depth-1))
		}
		return func(version, indent int) string {
			var b strings.Builder
			fmt.Fprintf(&b, "%*s%s:\n", indent, "", key)
			for i, name := range names {
				fmt.Fprintf(&b, "%*s- name: %s\n", indent+2, "", name)
				b.WriteString(texts(items[i], version, indent+4))
			}
			return b.String()
		}
	}
}

func texts(fields []madeField, version, indent int) string {
	var b strings.Builder
	for _, f := range fields {
		b.WriteString(f.text(version, indent))
	}
	return b.String()
}

// newMadeTemplate draws a template of a seed: its versions, and the right merge.
func newMadeTemplate(seed uint64) (raw [3][]byte, want []byte) {
	g := &madeTemplate{Rand: rand.New(rand.NewPCG(seed, 1))}
	around := g.choose("", "if .Values.enabled")
	fields := g.fields(3+g.IntN(6), 2)
	file := func(version int) []byte {
		var b strings.Builder
		if guard := around[version]; guard != "" {
			fmt.Fprintf(&b, "{{- %s }}\n", guard)
		}
		b.WriteString("kind: {{ .Values.kind }}\n" + texts(fields, version, 0))
		if around[version] != "" {
			b.WriteString("{{- end }}\n")
		}
		return []byte(b.String())
	}
	return [3][]byte{file(0), file(1), file(2)}, file(merged)
}

// asJinja says in Jinja what a generated template says in Go's language.
var asJinja = strings.NewReplacer(
	"{{- if .Values.", "{% if ", "{{- with .Values.", "{% if not ", "{{- else }}", "{% else %}", "{{- end }}", "{% endif %}",
	"{{- /* ", "{# ", " */}}", " #}", "{{- toYaml .Values.", "{{ ", " | nindent ", " | indent ",
)

// jinja is asJinja, with the ends of its blocks.
func jinja(b []byte) []byte {
	var out strings.Builder
	for l := range strings.Lines(asJinja.Replace(string(b))) {
		if strings.Contains(l, "{% if") {
			l = strings.Replace(l, "}}", "%}", 1)
		}
		out.WriteString(l)
	}
	return []byte(out.String())
}

// checkMade merges a generated template, as another writes it, with the line merge and
// without: what comes out clean is the right merge, byte for byte. It returns how often
// it did.
func checkMade(t *testing.T, seed uint64, write func([]byte) []byte) (clean int) {
	t.Helper()
	raw, want := newMadeTemplate(seed)
	for v := range raw {
		raw[v] = write(raw[v])
	}
	want = write(want)
	for _, by := range []order{asMerge, fieldsOnly} {
		res, err := mergeBy(by, raw, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if !res.Clean() {
			continue
		}
		if clean++; string(res.Bytes) != string(want) {
			t.Errorf("%d (%v):\nbase\n%s\nours\n%s\ntheirs\n%s\ngot\n%s\nwant\n%s", seed, res.Method, raw[0], raw[1], raw[2], res.Bytes, want)
		}
	}
	return clean
}

// TestMadeTemplates merges a thousand templates whose right merge is known: blocks
// within blocks, else branches, texts and lists, and changes that touch.
func TestMadeTemplates(t *testing.T) {
	made(t, 1000, bytes.Clone)
}

// TestMadeJinja merges templates of Jinja that are made alike.
func TestMadeJinja(t *testing.T) {
	made(t, 300, jinja)
}

// made merges generated templates, of which nearly all come out clean.
func made(t *testing.T, merges int, write func([]byte) []byte) {
	clean := 0
	for seed := range merges {
		clean += checkMade(t, uint64(seed), write)
	}
	if t.Logf("%d of %d came out clean", clean, 2*merges); clean < 2*merges*85/100 {
		t.Errorf("%d of %d came out clean", clean, 2*merges)
	}
}

// FuzzMadeTemplates merges generated templates of any seed.
func FuzzMadeTemplates(f *testing.F) {
	f.Fuzz(func(t *testing.T, seed uint64) { checkMade(t, seed, bytes.Clone) })
}
