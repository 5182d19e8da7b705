package mergetest

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// TemplateFields generates a Go template with 4 to 23 fields, some of them in a block such as {{ if }}. Each side
// changes, adds or deletes fields, or puts them into a block. Two edits are never next to each other, so the right
// merge has no conflict. The same seed always gives the same Triple.
//
//	base                    ours
//	spec:                   spec:
//	  field0: {{ .v0 }}       {{- if .Values.guard0 }}
//	  field1: {{ .v1 }}       field0: {{ .v0 }}
//	                          {{- end }}
//	                          field1: {{ .v1 }}
func TemplateFields(seed uint64) Triple {
	r := rand.New(rand.NewPCG(seed, 17))
	var fields, ours, theirs, want []templateField
	for i := range 4 + r.IntN(20) {
		f := templateField{key: fmt.Sprintf("field%d", i), value: fmt.Sprintf("{{ .Values.v%d }}", i), list: r.IntN(4) == 0}
		if r.IntN(3) == 0 {
			f.guard = fmt.Sprintf("if .Values.if%d", i)
		}
		fields = append(fields, f)
		o, d, u := []templateField{f}, []templateField{f}, []templateField{f}
		switch side := r.IntN(6); {
		case i%2 == 1: // every second field is unchanged, to separate the changes
		case side < 2:
			d = f.changeRandomly(r, i)
			o = d
		case side < 4:
			u = f.changeRandomly(r, i)
			o = u
		}
		ours, theirs, want = append(ours, d...), append(theirs, u...), append(want, o...)
	}
	raw := [3][]byte{writeTemplateFields(fields), writeTemplateFields(ours), writeTemplateFields(theirs)}
	return cleanTriple(raw, writeTemplateFields(want))
}

// A templateField is a field of a generated template. guard is the action that begins the block around the field, for
// example "if .Values.on", or "" if it is not in a block.
type templateField struct {
	key, value, guard string
	list              bool // the field is a list: items that an action prints, and value as the last item
}

// String returns the lines of the field, and of the block around it:
//
//	{{- if .Values.if1 }}
//	field1: {{ .Values.v1 }}
//	{{- end }}
func (f templateField) String() string {
	var b strings.Builder
	if f.guard != "" {
		fmt.Fprintf(&b, "  {{- %s }}\n", f.guard)
	}
	if f.list {
		fmt.Fprintf(&b, "  %s:\n    {{- toYaml .Values.%s | nindent 4 }}\n    - %s\n", f.key, f.key, f.value)
	} else {
		fmt.Fprintf(&b, "  %s: %s\n", f.key, f.value)
	}
	if f.guard != "" {
		b.WriteString("  {{- end }}\n")
	}
	return b.String()
}

// writeTemplateFields returns the template with these fields, below the key spec. A block {{ if }} encloses the whole
// template.
func writeTemplateFields(fields []templateField) []byte {
	var b strings.Builder
	b.WriteString("{{- if .Values.enabled }}\nkind: {{ .Values.kind }}\nspec:\n")
	for _, f := range fields {
		b.WriteString(f.String())
	}
	b.WriteString("{{- end }}\n")
	return []byte(b.String())
}

// changeRandomly returns the fields that replace f after a random edit: f with another value or with another block
// around it, no field, or f followed by a new field. n is a number that the new names and values contain, as in
// changed-7. f is not changed.
func (f templateField) changeRandomly(r *rand.Rand, n int) []templateField {
	switch r.IntN(6) {
	case 0:
		f.value = fmt.Sprintf("{{ .Values.changed%d }}", n)
	case 1:
		f.value = fmt.Sprintf("changed-%d", n)
	case 2:
		if f.guard == "" {
			f.guard = fmt.Sprintf("if .Values.guard%d", n)
		} else {
			f.guard = ""
		}
	case 3:
		f.guard = fmt.Sprintf("with .Values.other%d", n)
	case 4:
		return nil
	default:
		return []templateField{f, {key: fmt.Sprintf("added%d", n), value: "1", guard: fmt.Sprintf("if .Values.added%d", n)}}
	}
	return []templateField{f}
}
