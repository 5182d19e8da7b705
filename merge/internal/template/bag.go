package template

import "slices"

// A fact is something that a version of a file has, perhaps several times.
type fact struct {
	path string // of the entry
	said string // the guard, or the directive line
	of   string // what opened the blocks that the line divides or closes
}

// A ledger numbers facts, so that versions compare by numbers.
type ledger struct {
	numbers map[fact]int
	facts   []fact
}

const usualFacts = 64 // of a small chart

// number is that of x.
func (l *ledger) number(x fact) int {
	n, ok := l.numbers[x]
	if !ok {
		if l.numbers == nil {
			l.numbers = make(map[fact]int, usualFacts)
		}
		n = len(l.facts)
		l.numbers[x], l.facts = n, append(l.facts, x)
	}
	return n
}

// A bag counts facts, and remembers in which order they came.
type bag struct {
	counts []int // by the number of the fact, as far as there are any
	order  []int // those that are not 0, or were once
}

// count is how often the fact of a number is there.
func (b *bag) count(number int) int {
	if number < len(b.counts) {
		return b.counts[number]
	}
	return 0
}

func (b *bag) add(number, n int) {
	if more := number + 1 - len(b.counts); more > 0 {
		b.counts = append(b.counts, make([]int, more)...)
	}
	if b.counts[number] == 0 {
		b.order = append(b.order, number)
	}
	b.counts[number] += n
}

// less is b without some of its facts.
func (b bag) less(some []int) bag {
	if len(some) == 0 {
		return b
	}
	out := bag{counts: slices.Clone(b.counts), order: slices.Clip(b.order)}
	for _, n := range some {
		out.add(n, -1)
	}
	return out
}
