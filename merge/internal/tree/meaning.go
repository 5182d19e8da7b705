package tree

import (
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
)

// Names are the fields by which people know an item of a list, though they are not its identity;
// the first that it has names it.
//
//   - name: web     # name=web
//   - id: 7         # id=7
var Names = [...]string{"name", "id", "path", "key", "host"}

// Ambiguous reports whether YAML 1.1 and 1.2 read the plain scalar s
// differently: such a word never equals its quoted form.
func Ambiguous(s string) bool {
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
	if n.Style == syntax.Plain && Ambiguous(n.Value) {
		return "!!plain", n.Value
	}
	if n.Tag == "!!null" {
		return n.Tag, "" // ~, null and nothing are one
	}
	return n.Tag, n.Value
}
