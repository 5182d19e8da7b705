package diff3

import (
	"bytes"
	"hash/maphash"
	"slices"
)

// cut cuts the three versions of a text into lines. What dest and updated
// have in common with original is not looked up again.
func cut(original, dest, updated []byte) (o, d, u *lines) {
	t := &table{seed: maphash.MakeSeed()}
	o = t.cut(original)
	return o, t.cutLike(o, dest), t.cutLike(o, updated)
}

// cut cuts the first text.
func (t *table) cut(data []byte) *lines {
	l := newLines(data, count(data))
	t.texts = append(t.texts, l)
	for from := 0; from < len(data); {
		from, _ = t.append(l, from)
	}
	return l
}

// cutLike cuts a text that has much in common with o, the first text: its
// head and its tail, and most lines are the one that follows in o.
func (t *table) cutLike(o *lines, data []byte) *lines {
	head, tail := o.common(data)
	shift := len(data) - len(o.data)
	from, to := int(o.at[head]), int(o.at[tail])+shift
	l := newLines(data, head+count(data[from:to])+o.len()-tail)
	t.texts = append(t.texts, l)
	l.at = append(l.at, o.at[1:head+1]...)
	l.ids = append(l.ids, o.ids[:head]...)
	t.follow(o, head, l, from, to)
	for _, at := range o.at[tail+1:] {
		l.at = append(l.at, at+int32(shift))
	}
	l.ids = append(l.ids, o.ids[tail:]...)
	return l
}

// follow appends the lines of l.data[from:to]. It guesses that the first is
// line next of o, and each other the one behind its predecessor in o.
func (t *table) follow(o *lines, next int, l *lines, from, to int) {
	for from < to {
		if line, ok := o.whole(next); ok && bytes.HasPrefix(l.data[from:to], line) {
			from += len(line)
			l.at = append(l.at, int32(from))
			l.ids = append(l.ids, o.ids[next])
			next++
			continue
		}
		var k known
		if from, k = t.append(l, from); t.texts[k.text] == o {
			next = int(k.line)
		}
		next++
	}
}

// whole returns line i if there is one and it has a line break.
func (l *lines) whole(i int) ([]byte, bool) {
	if i >= l.len() {
		return nil, false
	}
	line := l.line(i)
	return line, line[len(line)-1] == '\n'
}

// count returns the number of lines of data.
func count(data []byte) int {
	n := bytes.Count(data, lf)
	if len(data) > 0 && !bytes.HasSuffix(data, lf) {
		n++
	}
	return n
}

// common returns how many lines at the head of l data begins with, and the
// first of the lines at the tail of l that data ends with. The two do not
// overlap in either text.
func (l *lines) common(data []byte) (head, tail int) {
	n := prefix(l.data, data)
	head = l.after(bytes.LastIndexByte(data[:n], '\n') + 1)
	from := int(l.at[head])
	x, y := l.data[from:], data[from:]
	n = suffix(x, y)
	nl := bytes.IndexByte(x[len(x)-n:], '\n')
	if nl < 0 {
		return head, l.len()
	}
	return head, l.after(len(l.data) - n + nl + 1)
}

// after returns the line that starts at the offset at.
func (l *lines) after(at int) int {
	i, _ := slices.BinarySearch(l.at, int32(at))
	return i
}

const block = 4096

// prefix returns the length of the longest common prefix.
func prefix(a, b []byte) int {
	n, end := 0, min(len(a), len(b))
	for n+block <= end && bytes.Equal(a[n:n+block], b[n:n+block]) {
		n += block
	}
	for n < end && a[n] == b[n] {
		n++
	}
	return n
}

// suffix returns the length of the longest common suffix.
func suffix(a, b []byte) int {
	n, end := 0, min(len(a), len(b))
	for n+block <= end && bytes.Equal(a[len(a)-n-block:len(a)-n], b[len(b)-n-block:len(b)-n]) {
		n += block
	}
	for n < end && a[len(a)-n-1] == b[len(b)-n-1] {
		n++
	}
	return n
}
