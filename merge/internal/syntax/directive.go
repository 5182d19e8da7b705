package syntax

import (
	"bytes"
	"regexp"
	"sync"
)

// acceptable returns data as the YAML parser accepts it: with every directive
// %YAML 1.2, which it refuses, as %YAML 1.1, and with the lines of Unity as they are meant.
// All offsets stay. It copies only if there is something to change.
func acceptable(data []byte) []byte {
	changes := map[int]byte{}
	if bytes.Contains(data, []byte("%YAML")) {
		for _, off := range versions(data) {
			changes[off] = '1'
		}
	}
	if bytes.Contains(data, []byte("\n%TAG")) || bytes.HasPrefix(data, []byte("%TAG")) {
		for _, m := range unity().FindAllSubmatchIndex(data, -1) {
			changes[m[2]] = '_'
			if m[4] >= 0 {
				changes[m[4]] = '_'
			}
		}
	}
	if len(changes) == 0 {
		return data
	}
	out := bytes.Clone(data)
	for off, b := range changes {
		out[off] = b
	}
	return out
}

// unity is the line above a document of Unity's. It defines the handle for the first document
// alone, and writes a word of its own behind the anchor:
//
//	%TAG !u! tag:unity3d.com,2011:
//	--- !u!1 &100
//	a: 1
//	--- !u!114 &102 stripped
//	b: 1
var unity = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?m)^--- ![a-z]+(!)[0-9]+ &-?[0-9]+(?:( )stripped)?\r?$`)
})

// stripped is that word, and as what the parser reads it: a part of the anchor.
const stripped, strippedAs = " stripped", "_stripped"

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
