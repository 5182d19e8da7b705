package facts

import (
	"bytes"
	"hash/maphash"
)

// Seed is a constant of the process: sums of different checks may be compared.
var Seed = maphash.MakeSeed()

func Hash(s string) uint64 { return maphash.String(Seed, s) }

// Mix joins two sums into one; the order counts.
func Mix(a, b uint64) uint64 {
	a ^= b*0x9e3779b97f4a7c15 + 0x2545f4914f6cdd1d + a<<7
	a = (a ^ a>>30) * 0xbf58476d1ce4e5b9
	a = (a ^ a>>27) * 0x94d049bb133111eb
	return a ^ a>>31
}

// LinesSum is the sum of the lines of b, without blanks around them.
func LinesSum(b []byte) uint64 {
	b = bytes.TrimSpace(b)
	s := uint64(5)
	for line := range bytes.Lines(b) {
		s = Mix(s, maphash.Bytes(Seed, bytes.TrimSpace(line)))
	}
	return s
}
