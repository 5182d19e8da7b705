package diff3

import (
	"bytes"
	"hash/maphash"
)

// A table gives equal lines equal ids, from 0 up. It holds no pointers into
// the texts, so that it costs the garbage collector nothing.
type table struct {
	seed  maphash.Seed
	texts []*lines
	known []known // by id
	slots []slot  // by hash; the length is a power of two
}

// known is where a line stands first.
type known struct{ text, line int32 }

// A slot is an id+1, or empty, and the hash of its line.
type slot struct {
	id   int32
	hash uint32
}

// append appends the line of l, the last text, that starts at from. It
// returns where the line ends, and where an equal one stands first.
func (t *table) append(l *lines, from int) (int, known) {
	end := len(l.data)
	if n := bytes.IndexByte(l.data[from:], '\n'); n >= 0 {
		end = from + n + 1
	}
	id := t.id(l.data[from:end], known{int32(len(t.texts) - 1), int32(l.len())})
	l.ids = append(l.ids, id)
	l.at = append(l.at, int32(end))
	return end, t.known[id]
}

// id returns the id of line, which stands at k.
func (t *table) id(line []byte, k known) int32 {
	if len(t.slots) <= 2*len(t.known) {
		t.grow()
	}
	h := uint32(maphash.Bytes(t.seed, line))
	mask := uint32(len(t.slots) - 1)
	i := h & mask
	for ; t.slots[i].id != 0; i = (i + 1) & mask {
		if s := t.slots[i]; s.hash == h && bytes.Equal(t.line(s.id-1), line) {
			return s.id - 1
		}
	}
	t.known = append(t.known, k)
	t.slots[i] = slot{int32(len(t.known)), h}
	return int32(len(t.known) - 1)
}

// line returns the line that has the id.
func (t *table) line(id int32) []byte {
	k := t.known[id]
	return t.texts[k.text].line(int(k.line))
}

// grow makes the slots four times as many.
func (t *table) grow() {
	old := t.slots
	t.slots = make([]slot, max(4*len(old), 64))
	mask := uint32(len(t.slots) - 1)
	for _, s := range old {
		if s.id == 0 {
			continue
		}
		i := s.hash & mask
		for t.slots[i].id != 0 {
			i = (i + 1) & mask
		}
		t.slots[i] = s
	}
}
