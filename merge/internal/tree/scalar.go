package tree

import (
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
)

// ambiguous reports whether YAML 1.1 and 1.2 read the plain scalar s
// differently: such a word never equals its quoted form.
func ambiguous(s string) bool {
	if len(s) <= len("yes") {
		switch strings.ToLower(s) {
		case "yes", "no", "on", "off", "y", "n":
			return true
		}
	}
	return oldNumber(s)
}

// oldNumber reports whether s is a number to YAML 1.1 alone: octal 010,
// sexagesimal 1:30, grouped 1_000.
func oldNumber(s string) bool {
	digits := strings.TrimLeft(s, "+-")
	if digits == "" || digits[0] < '0' || digits[0] > '9' {
		return false
	}
	if strings.Trim(digits, "0123456789_:.") != "" {
		return false
	}
	octal := len(digits) > 1 && digits[0] == '0' && !strings.Contains(digits, ".")
	return octal || strings.ContainsAny(digits, "_:")
}

// ScalarData spells what a scalar means: resolved tag and value. Words that
// YAML 1.1 and 1.2 read differently keep their form apart from the quoted one.
func ScalarData(n *syntax.Node) (tag, value string) {
	if n.Style == syntax.Plain && ambiguous(n.Value) {
		return "!!plain", n.Value
	}
	if n.Tag == "!!null" {
		return n.Tag, "" // ~, null and nothing are one
	}
	return n.Tag, n.Value
}

// IsNull reports whether n is null, in whichever way.
func IsNull(n *syntax.Node) bool { return n.Kind == syntax.Scalar && n.Tag == "!!null" }

// ScalarAt is the scalar at a path of fields, "" if there is none.
func ScalarAt(n *syntax.Node, fields ...string) string {
	for _, f := range fields {
		if n == nil || n.Kind != syntax.Mapping {
			return ""
		}
		e := n.Field(f)
		if e == nil {
			return ""
		}
		n = e.Value
	}
	if n.Kind != syntax.Scalar {
		return ""
	}
	return n.Value
}
