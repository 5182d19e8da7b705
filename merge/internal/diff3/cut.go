package diff3

import (
	"bytes"
	"encoding/binary"
	"hash/maphash"
	"math/bits"
	"slices"
)

// cut cuts the three versions of a text into lines. What dest and updated
// have in common with original is not looked up again.
func cut(original, dest, updated []byte) (o, d, u *lines) {
	t := &table{seed: maphash.MakeSeed()}
	o = t.cut(original)
	return o, t.cutLike(o, dest), t.cutLike(o, updated)
}

// cut cuts the first text, in which much may come again.
func (t *table) cut(data []byte) *lines {
	l := newLines(data, count(data))
	t.texts = append(t.texts, l)
	t.follow(l, 0, l, 0, len(data))
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
	l.take(o, Range{0, head}, 0)
	t.follow(o, head, l, from, to)
	l.take(o, Range{tail, o.len()}, to)
	return l
}

// follow appends the lines of l.data[from:to]. It guesses that the first is
// line next of o, and each other the one behind its predecessor in o, which may
// be l itself.
func (t *table) follow(o *lines, next int, l *lines, from, to int) {
	for from < to {
		if n := o.shared(next, l.data[from:to]); n > 0 {
			l.take(o, Range{next, next + n}, from)
			from = int(l.at[l.len()])
			next += n
			continue
		}
		var k known
		if from, k = t.append(l, from); t.texts[k.text] == o {
			next = int(k.line)
		}
		next++
	}
}

// shared returns how many lines data begins with that are those from line i on,
// each with its line break.
func (l *lines) shared(i int, data []byte) int {
	if i >= l.len() {
		return 0
	}
	end := l.at[i] + int32(prefix(l.data[l.at[i]:l.at[l.len()]], data))
	n := i
	for n < l.len() && l.at[n+1] <= end && l.data[l.at[n+1]-1] == '\n' {
		n++
	}
	return n - i
}

// take appends the lines r of o, which stand at from.
func (l *lines) take(o *lines, r Range, from int) {
	shift := int32(from) - o.at[r.Start]
	for _, at := range o.at[r.Start+1 : r.End+1] {
		l.at = append(l.at, at+shift)
	}
	l.ids = append(l.ids, o.ids[r.Start:r.End]...)
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

// blocks are the sizes of what is compared at once.
var blocks = [...]int{4096, 64}

const word = 8

// prefix returns the length of the longest common prefix.
func prefix(a, b []byte) int {
	n, end := 0, min(len(a), len(b))
	for _, block := range blocks {
		for n+block <= end && bytes.Equal(a[n:n+block], b[n:n+block]) {
			n += block
		}
	}
	for ; n+word <= end; n += word {
		if x := binary.LittleEndian.Uint64(a[n:]) ^ binary.LittleEndian.Uint64(b[n:]); x != 0 {
			return n + bits.TrailingZeros64(x)/8
		}
	}
	for n < end && a[n] == b[n] {
		n++
	}
	return n
}

// suffix returns the length of the longest common suffix.
func suffix(a, b []byte) int {
	n, end := 0, min(len(a), len(b))
	for _, block := range blocks {
		for n+block <= end && bytes.Equal(a[len(a)-n-block:len(a)-n], b[len(b)-n-block:len(b)-n]) {
			n += block
		}
	}
	for n < end && a[len(a)-n-1] == b[len(b)-n-1] {
		n++
	}
	return n
}
