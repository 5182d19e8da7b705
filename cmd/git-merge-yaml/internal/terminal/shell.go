package terminal

import "strings"

// ShellWord is a name as a word of a command that people copy: quoted unless no shell could
// read more into it, also at the beginning of a word.
func ShellWord(name string) string {
	plain := func(r rune) bool {
		return r < 0x80 && strings.ContainsRune("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./@%+:,-", r)
	}
	if name != "" && strings.IndexFunc(name, func(r rune) bool { return !plain(r) }) < 0 && name[0] != '-' {
		return name
	}
	return "'" + strings.ReplaceAll(name, "'", `'\''`) + "'"
}
