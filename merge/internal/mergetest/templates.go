package mergetest

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// TemplateParts generates a Go template with nested blocks, else branches, texts and lists, and changes next to each
// other. At most one side changes each part, or both sides change it in the same way. For example:
//
//	base              ours                  theirs             right merge
//	key1: {{ .a }}    {{- if .on }}         key1: plain        {{- if .on }}
//	                  key1: {{ .a }}                           key1: plain
//	                  {{- end }}                               {{- end }}
//
// The same seed always gives the same template.
func TemplateParts(seed uint64) Triple {
	g := &templateParts{Rand: rand.New(rand.NewPCG(seed, 1))}
	around := g.choose("", "if .Values.enabled")
	fields := g.fields(3+g.IntN(6), 2)
	file := func(version int) []byte {
		var b strings.Builder
		if guard := around[version]; guard != "" {
			fmt.Fprintf(&b, "{{- %s }}\n", guard)
		}
		b.WriteString("kind: {{ .Values.kind }}\n" + partLines(fields, version, 0))
		if around[version] != "" {
			b.WriteString("{{- end }}\n")
		}
		return []byte(b.String())
	}
	return cleanTriple([3][]byte{file(0), file(1), file(2)}, file(mergedParts))
}

// A templateParts generates the versions of a template. Every part of the template is chosen once for all versions, so
// the expected merge is known without merging.
type templateParts struct {
	*rand.Rand
	names int
}

// mergedParts is the index of the expected merge in a choice, after those of the three versions.
const mergedParts = 3

// A choice is the text of one part in the three versions and in the expected merge.
type choice [4]string

// choose returns a random choice: base in all versions, or other in one side or in both. The expected merge has other
// if a side has it.
func (g *templateParts) choose(base, other string) choice {
	c := choice{base, base, base, base}
	switch g.IntN(14) {
	case 0, 1:
		c[three.Dest], c[mergedParts] = other, other
	case 2, 3:
		c[three.Updated], c[mergedParts] = other, other
	case 4:
		c[three.Dest], c[three.Updated], c[mergedParts] = other, other, other
	}
	return c
}

// name returns a word that begins with kind and occurs nowhere else in the template.
func (g *templateParts) name(kind string) string {
	g.names++
	return fmt.Sprintf("%s%d", kind, g.names)
}

// A partField is a field of a generated template.
type partField struct {
	key     string
	present choice // "yes" in versions that have the field, "" in others
	guard   choice // the action that begins the block around it, "" for none
	note    choice // the text of the template comment above it, "" for none
	lines   func(version, indent int) string
}

// text returns the lines of the field in a version, with its block and comment.
func (f partField) text(version, indent int) string {
	if f.present[version] == "" {
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

// word returns a choice between an action and plain text.
func (g *templateParts) word(kind string) choice {
	return g.choose("{{ .Values."+g.name(kind)+" }}", g.name("plain-"))
}

// fields returns n random fields, nested to the given depth. There is always a field that all versions have between two
// that a side adds or deletes. Otherwise the order of two fields that are added at the same place would not be known.
func (g *templateParts) fields(n, depth int) (all []partField) {
	varied := true // the last field is not in all versions
	for i := range n {
		f := partField{key: g.name("key"), present: choice{"yes", "yes", "yes", "yes"}}
		switch {
		case varied || g.IntN(3) > 0:
			f.present, varied = choice{"yes", "yes", "yes", "yes"}, false
		case g.IntN(2) == 0 && i < n-1:
			f.present, varied = g.choose("yes", ""), true
		case i < n-1:
			f.present, varied = g.choose("", "yes"), true
		}
		whole := f.present[0] == f.present[mergedParts] && f.present[1] == f.present[2]
		f.guard = g.choose("", "if .Values."+g.name("on"))
		if g.IntN(3) == 0 {
			f.guard = g.choose("with .Values."+g.name("with"), []string{"", "if .Values." + g.name("on")}[g.IntN(2)])
		}
		if g.IntN(5) == 0 {
			f.note = g.choose(g.name("note"), g.name("other note"))
		}
		f.lines = g.value(f.key, depth)
		if !whole { // a field that a side adds or deletes is not changed otherwise
			f.guard, f.note = unchanged(f.guard), unchanged(f.note)
			lines := f.lines
			f.lines = func(_, indent int) string { return lines(0, indent) }
		}
		all = append(all, f)
	}
	return all
}

// unchanged returns a choice with the base of c in all versions.
func unchanged(c choice) choice { return choice{c[0], c[0], c[0], c[0]} }

// value chooses the value of a field at random and returns the function that writes the field in a version. The value
// contains other fields only if depth is above 0.
func (g *templateParts) value(key string, depth int) func(version, indent int) string {
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
			return fmt.Sprintf("%*s%s:\n", indent, "", key) + partLines(fields, version, indent+2)
		}
	default:
		var items [][]partField
		var names []string
		for range 1 + g.IntN(3) {
			names, items = append(names, g.name("item")), append(items, g.fields(1+g.IntN(3), depth-1))
		}
		return func(version, indent int) string {
			var b strings.Builder
			fmt.Fprintf(&b, "%*s%s:\n", indent, "", key)
			for i, name := range names {
				fmt.Fprintf(&b, "%*s- name: %s\n", indent+2, "", name)
				b.WriteString(partLines(items[i], version, indent+4))
			}
			return b.String()
		}
	}
}

// partLines returns the lines of all fields in a version.
func partLines(fields []partField, version, indent int) string {
	var b strings.Builder
	for _, f := range fields {
		b.WriteString(f.text(version, indent))
	}
	return b.String()
}

// asJinja replaces the actions of a generated Go template by those of Jinja.
var asJinja = strings.NewReplacer(
	"{{- if .Values.", "{% if ", "{{- with .Values.", "{% if not ", "{{- else }}", "{% else %}", "{{- end }}", "{% endif %}",
	"{{- /* ", "{# ", " */}}", " #}", "{{- toYaml .Values.", "{{ ", " | nindent ", " | indent ",
)

// AsJinja returns t with its Go templates converted to Jinja templates. It supports only templates that TemplateParts
// generates:
//
//	{{- if .Values.on1 }}                       {% if on1 %}
//	key1: {{ .Values.value1 }}                  key1: {{ .Values.value1 }}
//	{{- toYaml .Values.printed1 | nindent 2 }}  {{ printed1 | indent 2 }}
//	{{- end }}                                  {% endif %}
func (t Triple) AsJinja() Triple {
	for v := range t.Raw {
		t.Raw[v] = jinja(t.Raw[v])
	}
	for _, s := range three.Sides {
		t.Want[s] = jinja(t.Want[s])
	}
	return t
}

// jinja returns a generated Go template as a Jinja template: it applies asJinja and ends the conditions with %}.
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
