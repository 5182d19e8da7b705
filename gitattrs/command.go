package gitattrs

import (
	"slices"
	"strings"
)

// Program returns how a driver line calls the program that merges, as sh reads
// it: the words before the options of the command that is given %O and %A. It
// is "" where the line has no such command.
func Program(line string) string {
	commands := commandsOf(line)
	for _, words := range commands {
		if !slices.ContainsFunc(words, func(w string) bool { return strings.Contains(strings.ReplaceAll(w, "%%", ""), "%O") }) {
			continue
		}
		for len(words) > 0 && assigns(words[0]) {
			words = words[1:]
		}
		if len(words) == 0 {
			continue
		}
		if words[0] == `"$p"` {
			words[0] = valueOf("p", commands)
		}
		n := 1
		if len(words) > 1 && words[0] == "git" && !strings.HasPrefix(words[1], "-") {
			n = 2 // git merge-yaml
		}
		return strings.ReplaceAll(strings.Join(words[:n], " "), "%%", "%")
	}
	return ""
}

// valueOf returns what the first of the commands that sets the variable sets it
// to.
func valueOf(variable string, commands [][]string) string {
	for _, words := range commands {
		if len(words) == 1 && strings.HasPrefix(words[0], variable+"=") {
			return words[0][len(variable)+1:]
		}
	}
	return ""
}

// Fallback returns which setting of a driver merges by lines where the program
// of its line is missing or dies: driver for the line itself, fallback for the
// one of that name, and "" for none.
func Fallback(line string) string {
	switch {
	case strings.Contains(line, "git merge-file"):
		return "driver"
	case strings.Contains(line, "git config merge.") && strings.Contains(line, "."+fallbackKey+")"):
		return fallbackKey
	}
	return ""
}

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
