package engine

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// A genField is a field of a generated template. guard is the action that begins the block
// around the field, or "" for none.
type genField struct {
	key, value, guard string
	list              bool // the field is a list: items that an action prints, and value as the last item
}

// String returns the lines of the field with the block around it.
func (f genField) String() string {
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

// genText returns the template that contains fields.
func genText(fields []genField) []byte {
	var b strings.Builder
	b.WriteString("{{- if .Values.enabled }}\nkind: {{ .Values.kind }}\nspec:\n")
	for _, f := range fields {
		b.WriteString(f.String())
	}
	b.WriteString("{{- end }}\n")
	return []byte(b.String())
}

// change makes a random edit, marked with the number n, and returns what replaces f: the
// field with another value or guard, no field, or f followed by an added field.
func (f genField) change(r *rand.Rand, n int) []genField {
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
		return []genField{f, {key: fmt.Sprintf("added%d", n), value: "1", guard: fmt.Sprintf("if .Values.added%d", n)}}
	}
	return []genField{f}
}

// TestGeneratedTemplates checks the merges of a thousand generated templates, as Merge runs
// them and by field alone. Each field is changed by at most one side, and there is an
// unchanged field between two changed ones. A clean result has to have the changes of both
// sides and nothing else, and 95 % of the merges have to be clean.
func TestGeneratedTemplates(t *testing.T) {
	const merges = 1000
	clean := 0
	for seed := range uint64(2 * merges) { // the second half by field alone
		r := rand.New(rand.NewPCG(seed%merges, 17))
		var fields, ours, theirs, want []genField
		for i := range 4 + r.IntN(20) {
			f := genField{key: fmt.Sprintf("field%d", i), value: fmt.Sprintf("{{ .Values.v%d }}", i), list: r.IntN(4) == 0}
			if r.IntN(3) == 0 {
				f.guard = fmt.Sprintf("if .Values.if%d", i)
			}
			fields = append(fields, f)
			o, d, u := []genField{f}, []genField{f}, []genField{f}
			switch side := r.IntN(6); {
			case i%2 == 1: // every second field is unchanged, to separate the changes
			case side < 2:
				d = f.change(r, i)
				o = d
			case side < 4:
				u = f.change(r, i)
				o = u
			}
			ours, theirs, want = append(ours, d...), append(theirs, u...), append(want, o...)
		}
		raw := [3][]byte{genText(fields), genText(ours), genText(theirs)}
		by := asMerge
		if seed >= merges {
			by = fieldsOnly
		}
		res, err := mergeBy(by, raw, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if !res.Clean() {
			t.Logf("%d: %s", seed, res.Reason)
			continue
		}
		clean++
		if string(res.Bytes) != string(genText(want)) {
			t.Errorf("%d (%v):\n%s\nwant\n%s", seed, res.Method, res.Bytes, genText(want))
		}
	}
	if clean < 2*merges*95/100 {
		t.Errorf("%d of %d came out clean", clean, 2*merges)
	}
}
