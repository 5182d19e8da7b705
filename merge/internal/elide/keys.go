package elide

import "hash/maphash"

var seed = maphash.MakeSeed()

// keys is a set of the keys of mappings, by their hashes. What is asked for most, the few keys of a
// mapping at hand, is on a stack; only those of a large mapping are in a table, in which each question
// is for other memory.
type keys struct {
	few   []key
	slots []uint64 // 0 is empty; the length is a power of two
	used  int
}

// A key is that of a mapping in an entry. Who stands within another has the larger id.
type key struct{ id, hash uint64 }

// mostFew is how many keys of a mapping are on the stack.
const mostFew = 16

// add adds a key of the mapping in the entry id. It reports whether it was in
// the set already.
func (k *keys) add(id, hash uint64) bool {
	n := len(k.few)
	for n > 0 && k.few[n-1].id > id { // of mappings that have ended
		n--
	}
	k.few = k.few[:n]
	for ; n > 0 && k.few[n-1].id == id; n-- {
		if k.few[n-1].hash == hash {
			return true
		}
	}
	if len(k.few)-n < mostFew {
		k.few = append(k.few, key{id, hash})
		return false
	}
	return k.addToTable(id, hash)
}

func (k *keys) addToTable(id, hash uint64) bool {
	if 2*k.used >= len(k.slots) {
		k.grow()
	}
	h := max(1, (hash^id)*0x9e3779b97f4a7c15)
	at := k.find(h)
	if k.slots[at] == h {
		return true
	}
	k.slots[at] = h
	k.used++
	return false
}

// find returns the slot of h, or the empty one for it.
func (k *keys) find(h uint64) uint64 {
	mask := uint64(len(k.slots) - 1)
	at := h >> 32 & mask
	for k.slots[at] != 0 && k.slots[at] != h {
		at = (at + 1) & mask
	}
	return at
}

func (k *keys) grow() {
	old := k.slots
	k.slots = make([]uint64, max(4*len(old), 256))
	for _, h := range old {
		if h != 0 {
			k.slots[k.find(h)] = h
		}
	}
}

// forget empties the set, where that takes no time.
func (k *keys) forget() {
	k.few = k.few[:0]
	if len(k.slots) <= 1024 {
		clear(k.slots)
		k.used = 0
	}
}
