package gitattrs

import (
	"slices"
	"strings"
)

// Program returns how a driver line calls the program that merges, as sh reads
// it: the words before the options of the command that is given %O and %A. It
// is "" where the line has no such command.
func Program(line string) string {
	for _, words := range commandsOf(line) {
		if !slices.ContainsFunc(words, func(w string) bool { return strings.Contains(w, "%O") }) {
			continue
		}
		for len(words) > 0 && assigns(words[0]) {
			words = words[1:]
		}
		n := 1
		if len(words) > 1 && words[0] == "git" && !strings.HasPrefix(words[1], "-") {
			n = 2 // git merge-yaml
		}
		return strings.ReplaceAll(strings.Join(words[:n], " "), "%%", "%")
	}
	return ""
}

// HasFallback reports whether a driver line merges by lines where its program
// is missing or dies.
func HasFallback(line string) bool { return strings.Contains(line, "git merge-file") }

// assigns reports whether a word of a shell command sets a variable for it.
func assigns(word string) bool {
	name, _, ok := strings.Cut(word, "=")
	return ok && name != "" && !strings.ContainsAny(name, `-/'"$%.`)
}

// commandsOf splits a line of sh into simple commands and those into words, in
// their quotes. It knows nothing of the rest of sh.
func commandsOf(line string) (commands [][]string) {
	var words []string
	var word strings.Builder
	endWord := func() {
		if word.Len() > 0 {
			words = append(words, word.String())
			word.Reset()
		}
	}
	for i := 0; i < len(line); i++ {
		switch c := line[i]; c {
		case ' ', '\t':
			endWord()
		case ';', '&', '|', '\n', '{', '}', '(', ')':
			endWord()
			commands, words = append(commands, words), nil
		default:
			end := quoteEnd(line, i)
			word.WriteString(line[i:end])
			i = end - 1
		}
	}
	endWord()
	return append(commands, words)
}

// quoteEnd returns where the character, escape or quoted string at line[i] ends.
func quoteEnd(line string, i int) int {
	switch c := line[i]; c {
	case '\\':
		return min(i+2, len(line))
	case '\'', '"':
		for j := i + 1; j < len(line); j++ {
			if line[j] == '\\' && c == '"' {
				j++
			} else if line[j] == c {
				return j + 1
			}
		}
		return len(line)
	}
	return i + 1
}
