package gitattrs

import (
	"errors"
	"fmt"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/gitattrs/wildmatch"
)

// CheckPattern returns why git would never match a file with pattern in an
// attributes file, or nil. The rules are those of .gitignore but for two:
// patterns match files only, never whole folders, and cannot be negated.
func CheckPattern(p string) error {
	_, err := wildmatch.Parse(p)
	switch {
	case strings.HasPrefix(p, "[attr]"):
		err = errors.New("git takes it for the definition of a macro")
	case err == nil && len(quotePattern(p)) > 1900:
		err = errors.New("git ignores lines that long") // of 2,048 bytes
	}
	if err != nil {
		return fmt.Errorf("pattern %q: %w", p, err)
	}
	return nil
}

// quotePattern writes a pattern as an attributes file has it: in double quotes
// where a blank would end it, or its first character would mean something else.
func quotePattern(p string) string {
	if !strings.ContainsAny(p, " \t\r\n\v\f") && p[0] != '"' && p[0] != '#' {
		return p
	}
	return `"` + strings.NewReplacer(
		`\`, `\\`, `"`, `\"`, "\t", `\t`, "\r", `\r`, "\n", `\n`, "\v", `\v`, "\f", `\f`,
	).Replace(p) + `"`
}

// unquotePattern splits what quotePattern wrote from the rest of its line.
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
