package merge

import "strings"

// ambiguous reports whether YAML 1.1 and 1.2 read the plain scalar s
// differently: such a word never equals its quoted form.
func ambiguous(s string) bool {
	switch strings.ToLower(s) {
	case "yes", "no", "on", "off", "y", "n":
		return true
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
