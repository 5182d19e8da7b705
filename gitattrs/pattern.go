package gitattrs

import (
	"errors"
	"fmt"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/gitattrs/wildmatch"
)

// CheckPattern returns an error if git would never match a file with the pattern p in an attributes file, or would
// ignore the line because it is too long. Patterns are written as in .gitignore, but match only files and cannot be
// negated.
//
//	charts/**    nil; matches all files below charts
//	charts/      error; matches directories only
//	x**/a        error; git matches it in some directories only
//	[attr]a      error; git would define a macro
func CheckPattern(p string) error {
	_, err := wildmatch.Parse(p)
	switch {
	case strings.HasPrefix(p, "[attr]"):
		err = errors.New("[attr] at the start defines a macro")
	case err == nil && len(quotePattern(p)) > 1900:
		err = errors.New("too long (git ignores lines of 2,048 bytes or more)") // the rest is room for the attribute
	}
	if err != nil {
		return fmt.Errorf("pattern %q: %w", p, err)
	}
	return nil
}

// quotePattern returns a pattern in the form that it has in an attributes file: in double quotes if it contains
// whitespace or begins with " or #, otherwise unchanged. In quotes, a backslash is written before backslashes and
// double quotes, and whitespace other than blanks is escaped as in Go (\t). Other characters stay as they are.
//
//	*.yaml          *.yaml
//	my file.yaml    "my file.yaml"
//	a\ b            "a\\ b"
func quotePattern(p string) string {
	if !strings.ContainsAny(p, " \t\r\n\v\f") && !strings.HasPrefix(p, `"`) && !strings.HasPrefix(p, "#") {
		return p
	}
	return `"` + strings.NewReplacer(
		`\`, `\\`, `"`, `\"`, "\t", `\t`, "\r", `\r`, "\n", `\n`, "\v", `\v`, "\f", `\f`,
	).Replace(p) + `"`
}

// unquotePattern splits a line of an attributes file into its pattern, without quotes and escapes, and the text after
// the pattern and one blank. It is the inverse of quotePattern. Both results are empty if a quote is not closed or line
// is empty.
//
//	*.yaml merge=yaml            *.yaml          merge=yaml
//	"my file.yaml" merge=yaml    my file.yaml    merge=yaml
//	*.yaml                       *.yaml          (empty)
func unquotePattern(line string) (pattern, rest string) {
	if !strings.HasPrefix(line, `"`) {
		i := strings.IndexAny(line+" ", " \t")
		return line[:i], line[min(i+1, len(line)):]
	}
	var b strings.Builder
	for i := 1; i < len(line); i++ {
		switch c := line[i]; {
		case c == '"':
			return b.String(), strings.TrimPrefix(line[i+1:], " ")
		case c == '\\' && i+1 < len(line):
			i++
			if k := strings.IndexByte("trnvf", line[i]); k >= 0 {
				b.WriteByte("\t\r\n\v\f"[k])
			} else {
				b.WriteByte(line[i])
			}
		default:
			b.WriteByte(c)
		}
	}
	return "", ""
}

// ParseLine returns the pattern of a line of an attributes file, without quotes, and the attributes after it as they
// are written, such as merge=yaml, -merge or !merge. The pattern is empty for a blank line, for a comment, and if a
// quote is not closed. A byte order mark before the line is ignored.
func ParseLine(line string) (pattern string, attributes []string) {
	line = strings.TrimSpace(strings.TrimPrefix(line, string(utf8BOM)))
	if line == "" || line[0] == '#' {
		return "", nil
	}
	pattern, rest := unquotePattern(line)
	return pattern, strings.Fields(rest)
}
