package engine

import (
	"fmt"
	"strings"
	"testing"
)

// TestLargeTemplate checks that git's clean merge of a large template is the result. For large files, the line merge
// runs in parallel with the parsing of the versions, before it is known that they are templates.
func TestLargeTemplate(t *testing.T) {
	var b strings.Builder
	b.WriteString("{{- if .Values.enabled }}\nspec:\n")
	for i := range 20000 {
		fmt.Fprintf(&b, "  field%d: {{ .Values.field%d }}\n", i, i)
	}
	b.WriteString("{{- end }}\n")
	base := b.String()
	ours := strings.Replace(base, "field1:", "field1x:", 1)
	theirs := strings.Replace(base, "field19999:", "field19999x:", 1)
	res, err := Merge([]byte(base), []byte(ours), []byte(theirs), Options{Path: "templates/x.yaml"})
	if err != nil {
		t.Fatal(err)
	}
	if res.Method != ByLine || res.Reason != "" {
		t.Errorf("method %v, reason %q", res.Method, res.Reason)
	}
}
