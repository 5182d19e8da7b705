package gitattrs

import (
	"fmt"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/gitattrs/wildmatch"
)

// CheckPattern returns why git would never match a file with pattern in an
// attributes file, or nil. The rules are those of .gitignore but for two:
// patterns match files only, never whole folders, and cannot be negated.
func CheckPattern(p string) error {
	reason := ""
	switch {
	case p == "":
		reason = "it is empty"
	case strings.HasPrefix(p, "!"):
		reason = "git's attributes have no negative patterns; a later line with !merge takes files out"
	case strings.HasPrefix(p, "[attr]"):
		reason = "git takes it for the definition of a macro"
	case strings.HasSuffix(p, "/"):
		reason = "git's attributes are given to files, never to folders; write " + p + "** for all that is in it"
	case strings.HasPrefix(p, "./") || strings.Contains(p, "/./"):
		reason = "git matches paths without a ./"
	case p == ".." || strings.HasPrefix(p, "../") || strings.Contains(p, "/../"):
		reason = "git matches nothing above the folder of the attributes file"
	case strings.Contains(p, "//"):
		reason = "no path has two slashes in a row"
	case len(quotePattern(p)) > 1900:
		reason = "git ignores lines that long" // of 2,048 bytes
	default:
		err := wildmatch.Check(p)
		if err == nil {
			return nil
		}
		reason = err.Error()
	}
	return fmt.Errorf("pattern %q: %s", p, reason)
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
func unquotePattern(line string) (pattern, rest string, ok bool) {
	if !strings.HasPrefix(line, `"`) {
		i := strings.IndexAny(line, " \t")
		if i < 0 {
			return line, "", false
		}
		return line[:i], line[i+1:], true
	}
	var b strings.Builder
	for i := 1; i < len(line); i++ {
		switch c := line[i]; {
		case c == '"':
			return b.String(), strings.TrimPrefix(line[i+1:], " "), true
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
	return "", "", false
}
