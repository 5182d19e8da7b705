package syntax

import "bytes"

// acceptable returns data as the YAML parser accepts it: with every directive
// %YAML 1.2, which it refuses, as %YAML 1.1. All offsets stay. It copies only
// if there is something to change.
func acceptable(data []byte) []byte {
	if !bytes.Contains(data, []byte("%YAML")) {
		return data
	}
	out := data
	for _, off := range versions(data) {
		if len(out) > 0 && &out[0] == &data[0] {
			out = bytes.Clone(data)
		}
		out[off] = '1'
	}
	return out
}

// versions returns the offsets of the 2 in the %YAML 1.2 directives of data.
// A directive stands before any content: at the start, or behind a "..." line.
func versions(data []byte) []int {
	var offs []int
	c := newCursor(data)
	for prologue := true; c.pos < len(data); c.nextLine() {
		switch {
		case c.marker("..."):
			prologue = true
		case prologue && c.at('%'):
			if off, ok := version12(data, c.pos); ok {
				offs = append(offs, off)
			}
		case prologue && !c.blankLine() && !c.at('#'):
			prologue = false
		}
	}
	return offs
}

// version12 returns the offset of the 2 if a %YAML 1.2 directive stands at off.
func version12(data []byte, off int) (int, bool) {
	rest, ok := bytes.CutPrefix(data[off:], []byte("%YAML"))
	if !ok {
		return 0, false
	}
	number := bytes.TrimLeft(rest, " \t")
	two := len(data) - len(number) + len("1.")
	if len(number) == len(rest) || !bytes.HasPrefix(number, []byte("1.2")) {
		return 0, false
	}
	return two, isBlankz(data, two+1)
}
