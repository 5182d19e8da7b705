package resolve

import "bytes"

// sameButLabels reports whether a and b are equal but for the labels behind
// conflict markers of the size.
func sameButLabels(a, b []byte, size int) bool {
	for len(a) > 0 && len(b) > 0 {
		var x, y []byte
		x, a = cutLine(a)
		y, b = cutLine(b)
		if bytes.Equal(x, y) {
			continue
		}
		if m := marker(x, size); m == 0 || m != marker(y, size) || bytes.HasSuffix(x, []byte("\r\n")) != bytes.HasSuffix(y, []byte("\r\n")) {
			return false
		}
	}
	return len(a) == 0 && len(b) == 0
}

// cutLine returns the first line of b, its break included, and the rest.
func cutLine(b []byte) (line, rest []byte) {
	i := bytes.IndexByte(b, '\n') + 1
	if i == 0 {
		i = len(b)
	}
	return b[:i], b[i:]
}

// marker returns the character of a conflict marker that may have a label, 0
// where the line is none.
func marker(line []byte, size int) byte {
	if len(line) <= size || bytes.IndexByte([]byte("<|>"), line[0]) < 0 {
		return 0
	}
	c := line[0]
	for _, other := range line[1:size] {
		if other != c {
			return 0
		}
	}
	switch line[size] {
	case ' ', '\n', '\r':
		return c
	}
	return 0
}

// readMarkers returns the labels ours, base, theirs of the first markers in a
// file, the roles' names where it has none, and the size of its markers: as
// given, or more where git merged renamed files or conflicts within conflicts.
func readMarkers(file []byte, size int) (labels [3]string, length int) {
	labels = [3]string{"ours", "base", "theirs"}
	length = firstMarker(file, size)
	var seen [3]bool
	for rest := file; len(rest) > 0; {
		var line []byte
		line, rest = cutLine(rest)
		i := bytes.IndexByte([]byte("<|>"), marker(line, length))
		if i < 0 || seen[i] {
			continue
		}
		seen[i] = true
		if label := bytes.Trim(line[length:], " \r\n"); len(label) > 0 {
			labels[i] = string(label)
		}
	}
	return labels, length
}

// firstMarker returns the length of the first opening marker of at least size
// characters in a file, or size.
func firstMarker(file []byte, size int) int {
	for rest := file; len(rest) > 0; {
		var line []byte
		line, rest = cutLine(rest)
		n := len(line) - len(bytes.TrimLeft(line, "<"))
		if n >= size && n <= size+maxNesting && n < len(line) && line[n] == ' ' {
			return n
		}
	}
	return size
}

// maxNesting is how much longer than asked git's markers may be.
const maxNesting = 8
