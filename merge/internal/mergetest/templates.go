package mergetest

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// TemplateParts generates a Go template with nested blocks, else branches, texts and lists, and edits next to each
// other. At most one side changes each part of a line, or both in the same way, so the right merge has no conflict. The
// same seed always gives the same Triple.
//
//	base              ours            theirs         right merge
//	key1: {{ .a }}    {{- if .on }}   key1: plain    {{- if .on }}
//	                  key1: {{ .a }}                 key1: plain
//	                  {{- end }}                     {{- end }}
func TemplateParts(seed uint64) Triple {
	g := &templateGenerator{Rand: rand.New(rand.NewPCG(seed, 1))}
	around := g.chooseText("", "if .Values.enabled")
	fields := g.randomFields(3+g.IntN(6), 2)
	file := func(version int) []byte {
		var b strings.Builder
		if guard := around[version]; guard != "" {
			fmt.Fprintf(&b, "{{- %s }}\n", guard)
		}
		b.WriteString("kind: {{ .Values.kind }}\n" + writePartFields(fields, version, 0))
		if around[version] != "" {
			b.WriteString("{{- end }}\n")
		}
		return []byte(b.String())
	}
	return cleanTriple([3][]byte{file(0), file(1), file(2)}, file(mergedVersion))
}

// A templateGenerator generates the versions of a template. It chooses every part of the template for all versions at
// the same time, so that the right merge is known without merging. names counts the names that newName returned.
type templateGenerator struct {
	*rand.Rand
	names int
}

// mergedVersion is the index of the right merge in a textByVersion. The indexes before it are base, ours and theirs.
const mergedVersion = 3

// A textByVersion is the text of one part of the template, such as a value or an action, in base, ours, theirs and the
// right merge.
type textByVersion [4]string

// chooseText chooses at random which versions have the text base and which have the text other:
//
//	base    ours     theirs   right merge
//	base    base     base     base           most often
//	base    other    base     other
//	base    base     other    other
//	base    other    other    other
func (g *templateGenerator) chooseText(base, other string) textByVersion {
	c := textByVersion{base, base, base, base}
	switch g.IntN(14) {
	case 0, 1:
		c[three.Dest], c[mergedVersion] = other, other
	case 2, 3:
		c[three.Updated], c[mergedVersion] = other, other
	case 4:
		c[three.Dest], c[three.Updated], c[mergedVersion] = other, other, other
	}
	return c
}

// newName returns kind followed by a number, as in "key3". It never returns the same name again.
func (g *templateGenerator) newName(kind string) string {
	g.names++
	return fmt.Sprintf("%s%d", kind, g.names)
}

// A partField is a field of a generated template.
type partField struct {
	key        string
	present    textByVersion // "yes" in versions that have the field, "" in others
	guard      textByVersion // the action that begins the block around it, "" for none
	note       textByVersion // the text of the template comment above it, "" for none
	writeLines func(version, indent int) string
}

// write returns the lines of the field in a version (0 for base, 1 for ours, 2 for theirs, 3 for the right merge),
// indented by indent spaces, or "" if the version does not have it:
//
//	{{- /* note3 */}}
//	{{- if .Values.on1 }}
//	key1: {{ .Values.value2 }}
//	{{- end }}
func (f partField) write(version, indent int) string {
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
	b.WriteString(f.writeLines(version, indent))
	if guard != "" {
		line("{{- end }}")
	}
	return b.String()
}

// chooseValue chooses at random which versions have an action, such as {{ .Values.value2 }}, and which have a plain
// word, such as plain-3. Both contain new names. kind begins the name in the action.
func (g *templateGenerator) chooseValue(kind string) textByVersion {
	return g.chooseText("{{ .Values."+g.newName(kind)+" }}", g.newName("plain-"))
}

// randomFields returns n random fields, whose values have other fields in them to at most depth levels. Between two
// fields that a side adds or deletes, there is always a field that all versions have; otherwise the order of two added
// fields would not be known.
func (g *templateGenerator) randomFields(n, depth int) (all []partField) {
	varied := true // the last field is not in all versions
	for i := range n {
		f := partField{key: g.newName("key"), present: textByVersion{"yes", "yes", "yes", "yes"}}
		switch {
		case varied || g.IntN(3) > 0:
			f.present, varied = textByVersion{"yes", "yes", "yes", "yes"}, false
		case g.IntN(2) == 0 && i < n-1:
			f.present, varied = g.chooseText("yes", ""), true
		case i < n-1:
			f.present, varied = g.chooseText("", "yes"), true
		}
		whole := f.present[0] == f.present[mergedVersion] && f.present[1] == f.present[2]
		f.guard = g.chooseText("", "if .Values."+g.newName("on"))
		if g.IntN(3) == 0 {
			f.guard = g.chooseText("with .Values."+g.newName("with"), []string{"", "if .Values." + g.newName("on")}[g.IntN(2)])
		}
		if g.IntN(5) == 0 {
			f.note = g.chooseText(g.newName("note"), g.newName("other note"))
		}
		f.writeLines = g.newValueWriter(f.key, depth)
		if !whole { // a field that a side adds or deletes is not changed otherwise
			f.guard, f.note = keepBase(f.guard), keepBase(f.note)
			lines := f.writeLines
			f.writeLines = func(_, indent int) string { return lines(0, indent) }
		}
		all = append(all, f)
	}
	return all
}

// keepBase returns a text that is the same in all versions, namely that of base in t.
func keepBase(c textByVersion) textByVersion { return textByVersion{c[0], c[0], c[0], c[0]} }

// newValueWriter chooses the value of a field at random, for all versions. It returns a function that returns the lines
// of the field in a version, indented by a number of spaces. Only if depth is above 0, the value can have fields of its
// own:
//
//	{{- if .Values.when2 }}          key1:                                         key1: |
//	key1: {{ .Values.is3 }}            {{- toYaml .Values.printed2 | nindent 2 }}     first {{ .x }}
//	{{- else }}
//	key1: {{ .Values.not4 }}
//	{{- end }}
func (g *templateGenerator) newValueWriter(key string, depth int) func(version, indent int) string {
	kind := g.IntN(8)
	if depth == 0 {
		kind %= 5
	}
	switch kind {
	case 0, 1:
		v := g.chooseValue("value")
		return func(version, indent int) string { return fmt.Sprintf("%*s%s: %s\n", indent, "", key, v[version]) }
	case 2:
		v := g.chooseText(g.newName("printed"), g.newName("other"))
		return func(version, indent int) string {
			return fmt.Sprintf("%*s%s:\n%*s{{- toYaml .Values.%s | nindent %d }}\n", indent, "", key, indent+2, "", v[version], indent+2)
		}
	case 3:
		is, isNot := g.chooseValue("is"), g.chooseValue("not")
		when := g.newName("when")
		return func(version, indent int) string {
			in := strings.Repeat(" ", indent)
			return fmt.Sprintf("%s{{- if .Values.%s }}\n%s%s: %s\n%s{{- else }}\n%s%s: %s\n%s{{- end }}\n", in, when, in, key, is[version], in, in, key, isNot[version], in)
		}
	case 4:
		first, last, when := g.chooseValue("line"), g.chooseValue("line"), g.newName("when")
		return func(version, indent int) string {
			in := strings.Repeat(" ", indent)
			return fmt.Sprintf("%s%s: |\n%s  first {{ .x }}\n%s  a %s\n{{- if .Values.%s }}\n%s  kept\n{{- end }}\n%s  z %s\n", in, key, in, in, first[version], when, in, in, last[version])
		}
	case 5, 6:
		fields := g.randomFields(1+g.IntN(4), depth-1)
		return func(version, indent int) string {
			return fmt.Sprintf("%*s%s:\n", indent, "", key) + writePartFields(fields, version, indent+2)
		}
	default:
		var items [][]partField
		var names []string
		for range 1 + g.IntN(3) {
			names, items = append(names, g.newName("item")), append(items, g.randomFields(1+g.IntN(3), depth-1))
		}
		return func(version, indent int) string {
			var b strings.Builder
			fmt.Fprintf(&b, "%*s%s:\n", indent, "", key)
			for i, name := range names {
				fmt.Fprintf(&b, "%*s- name: %s\n", indent+2, "", name)
				b.WriteString(writePartFields(items[i], version, indent+4))
			}
			return b.String()
		}
	}
}

// writePartFields returns the lines of all fields in a version (0 for base, 1 for ours, 2 for theirs, 3 for the right
// merge). indent is the number of spaces before each line.
func writePartFields(fields []partField, version, indent int) string {
	var b strings.Builder
	for _, f := range fields {
		b.WriteString(f.write(version, indent))
	}
	return b.String()
}

// asJinja replaces the actions of a generated Go template by those of Jinja.
var asJinja = strings.NewReplacer(
	"{{- if .Values.", "{% if ", "{{- with .Values.", "{% if not ", "{{- else }}", "{% else %}", "{{- end }}", "{% endif %}",
	"{{- /* ", "{# ", " */}}", " #}", "{{- toYaml .Values.", "{{ ", " | nindent ", " | indent ",
)

// AsJinja returns t with its Go templates converted to Jinja, in Raw and Want. It supports only the templates that
// TemplateParts generates:
//
//	{{- if .Values.on1 }}                       {% if on1 %}
//	key1: {{ .Values.value1 }}                  key1: {{ .Values.value1 }}
//	{{- toYaml .Values.printed1 | nindent 2 }}  {{ printed1 | indent 2 }}
//	{{- end }}                                  {% endif %}
func (t Triple) AsJinja() Triple {
	for v := range t.Raw {
		t.Raw[v] = convertToJinja(t.Raw[v])
	}
	for _, s := range three.Sides {
		t.Want[s] = convertToJinja(t.Want[s])
	}
	return t
}

// convertToJinja returns a Go template that TemplateParts generated as a Jinja template. For example, {{- if
// .Values.on1 }} becomes {% if on1 %}. Other templates are not converted correctly.
func convertToJinja(b []byte) []byte {
	var out strings.Builder
	for l := range strings.Lines(asJinja.Replace(string(b))) {
		if strings.Contains(l, "{% if") {
			l = strings.Replace(l, "}}", "%}", 1)
		}
		out.WriteString(l)
	}
	return []byte(out.String())
}
