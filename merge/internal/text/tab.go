package text

import "bytes"

// NameTab names a tab that the YAML parser only calls a character: msg is what it says of a line of
// data, from 1. A tab indents nothing in YAML:
//
//	a:
//	<tab>b: 1
func NameTab(data []byte, line int, msg string) string {
	if msg != "found character that cannot start any token" {
		return msg
	}
	for range line - 1 {
		_, data, _ = bytes.Cut(data, []byte("\n"))
	}
	if data = bytes.TrimLeft(data, " -?:"); len(data) > 0 && data[0] == '\t' {
		return "found a tab where blanks are to indent"
	}
	return msg
}
