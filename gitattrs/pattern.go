package gitattrs

import (
	"fmt"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/gitattrs/wildmatch"
)

// CheckPattern returns why git would never match a file with pattern in an
// attributes file, or nil. The rules are those of .gitignore but for two:
// patterns match files only, never whole folders, and cannot be negated.
func CheckPattern(pattern string) error {
	if reason := neverMatches(pattern); reason != "" {
		return fmt.Errorf("pattern %q: %s", pattern, reason)
	}
	return nil
}

func neverMatches(p string) string {
	switch {
	case p == "":
		return "it is empty"
	case strings.HasPrefix(p, "!"):
		return "git's attributes have no negative patterns; a later line with !merge takes files out"
	case strings.HasPrefix(p, "[attr]"):
		return "git takes it for the definition of a macro"
	case strings.HasSuffix(p, "/"):
		return "git's attributes are given to files, never to folders; write " + p + "** for all that is in it"
	case strings.HasPrefix(p, "./") || strings.Contains(p, "/./"):
		return "git matches paths without a ./"
	case p == ".." || strings.HasPrefix(p, "../") || strings.Contains(p, "/../"):
		return "git matches nothing above the folder of the attributes file"
	case strings.Contains(p, "//"):
		return "no path has two slashes in a row"
	case len(quotePattern(p)) > 1900:
		return "git ignores lines that long" // of 2,048 bytes
	}
	if err := wildmatch.Check(p); err != nil {
		return err.Error()
	}
	return ""
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
