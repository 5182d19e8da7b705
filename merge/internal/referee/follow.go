package referee

import "bytes"

// A follower goes along the lines of a text while those of another one come
// that is much the same.
type follower struct {
	rest   []byte // from the line that is expected next
	missed int    // how many lines in a row it did not find
}

// passes reports whether line, which has its break, is the next line or one
// further ahead; then the line behind it is the next. That it is not found
// means nothing: the follower looks further only where the number of lines that
// it missed doubles, so that its time is linear in all lines that come.
func (f *follower) passes(line []byte) bool {
	rest := f.rest
	for ahead := f.ahead(); !startsWith(rest, line); ahead-- {
		i := bytes.IndexByte(rest, '\n')
		if ahead == 0 || i < 0 {
			f.missed++
			return false
		}
		rest = rest[i+1:]
	}
	f.rest, f.missed = rest[len(line):], 0
	return true
}

// ahead is how many lines to look ahead at.
func (f *follower) ahead() int {
	if n := f.missed + 1; n&(n-1) == 0 {
		return 8 * n
	}
	return 0
}

// startsWith reports whether line is the first of b's.
func startsWith(b, line []byte) bool {
	return bytes.HasPrefix(b, line) && (len(b) == len(line) || line[len(line)-1] == '\n')
}
