package diff3

import (
	"bytes"
	"hash/maphash"
	"slices"
)

// cut cuts the three versions of a text into lines. What dest and updated
// have in common with the head and the tail of original is cut only once.
func cut(original, dest, updated []byte) (o, d, u *lines) {
	t := &table{seed: maphash.MakeSeed()}
	o = t.cut(original)
	return o, t.cutLike(o, dest), t.cutLike(o, updated)
}

// A table gives equal lines equal ids, from 0 up.
type table struct {
	seed  maphash.Seed
	slots []int32 // id+1 by hash, 0 is empty; the length is a power of two
	known []known // by id
}

// known is a line that has an id.
type known struct {
	hash uint64
	line []byte
}

// cut cuts a whole text.
func (t *table) cut(data []byte) *lines {
	l := newLines(data, count(data))
	t.append(l, 0, len(data))
	return l
}

// cutLike cuts a text that has much in common with o.
func (t *table) cutLike(o *lines, data []byte) *lines {
	head, tail := o.common(data)
	from, to := int(o.at[head]), len(data)-(len(o.data)-int(o.at[tail]))
	l := newLines(data, head+count(data[from:to])+o.len()-tail)
	l.at = append(l.at, o.at[1:head+1]...)
	l.ids = append(l.ids, o.ids[:head]...)
	t.append(l, from, to)
	shift := int32(len(data) - len(o.data))
	for _, at := range o.at[tail+1:] {
		l.at = append(l.at, at+shift)
	}
	l.ids = append(l.ids, o.ids[tail:]...)
	return l
}

func newLines(data []byte, n int) *lines {
	l := &lines{data: data, at: make([]int32, 1, n+1), ids: make([]int32, 0, n)}
	return l
}

// count returns the number of lines of data.
func count(data []byte) int {
	n := bytes.Count(data, lf)
	if len(data) > 0 && !bytes.HasSuffix(data, lf) {
		n++
	}
	return n
}

// append appends the lines of l.data[from:to], which are whole lines.
func (t *table) append(l *lines, from, to int) {
	t.reserve(cap(l.ids) - len(l.ids))
	for from < to {
		n := bytes.IndexByte(l.data[from:to], '\n') + 1
		if n == 0 {
			n = to - from
		}
		l.ids = append(l.ids, t.id(l.data[from:from+n]))
		from += n
		l.at = append(l.at, int32(from))
	}
}

// reserve makes room for n more lines.
func (t *table) reserve(n int) {
	size := 16
	for size < 2*(len(t.known)+n) {
		size *= 2
	}
	if size <= len(t.slots) {
		return
	}
	t.slots = make([]int32, size)
	for i, k := range t.known {
		slot := t.find(k.hash, k.line)
		*slot = int32(i + 1)
	}
}

// id returns the id of line.
func (t *table) id(line []byte) int32 {
	h := maphash.Bytes(t.seed, line)
	slot := t.find(h, line)
	if *slot == 0 {
		t.known = append(t.known, known{h, line})
		*slot = int32(len(t.known))
	}
	return *slot - 1
}

// find returns the slot of line, which is empty if it is new.
func (t *table) find(hash uint64, line []byte) *int32 {
	mask := uint64(len(t.slots) - 1)
	for i := hash & mask; ; i = (i + 1) & mask {
		slot := &t.slots[i]
		if *slot == 0 {
			return slot
		}
		if k := &t.known[*slot-1]; k.hash == hash && bytes.Equal(k.line, line) {
			return slot
		}
	}
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
