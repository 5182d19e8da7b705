package elide

import (
	"math/rand"
	"testing"
)

// TestKeys holds that the set knows the keys of each mapping that is open, small or large.
func TestKeys(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	var k keys
	known := map[key]bool{}
	open := []uint64{1} // the mappings around
	doubled := 0
	for next := uint64(2); next < 50_000; {
		switch n := r.Intn(10); {
		case n == 0 && len(open) < 6:
			open = append(open, next)
			next++
		case n == 1 && len(open) > 1:
			open = open[:len(open)-1]
		}
		of := key{open[len(open)-1], uint64(r.Intn(20_000))} // the root becomes large
		if r.Intn(3) == 0 {
			of.hash %= 20
		}
		got := k.add(of.id, of.hash*0x9e3779b97f4a7c15)
		if got != known[of] {
			t.Fatalf("key %d of mapping %d known: %t, want %t", of.hash, of.id, got, known[of])
		}
		if known[of] = true; got {
			doubled++
		}
	}
	if doubled < 1000 || k.used < 1000 {
		t.Errorf("%d keys stood twice, %d in the table: too few to tell", doubled, k.used)
	}
}
