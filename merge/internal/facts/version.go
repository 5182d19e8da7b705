package facts

// Counts are how often a thing stands in each version.
type Counts [Versions]int32

// Merged are how often a thing stands, at least and at most, where each side did to the
// base what it did: what both did counts once, or once for each.
func (n Counts) Merged() (least, most int32) {
	b, o, t := n[Base], n[Ours]-n[Base], n[Theirs]-n[Base]
	switch {
	case o > 0 && t > 0:
		return b + max(o, t), b + o + t
	case o < 0 && t < 0:
		return b + o + t, b + min(o, t)
	}
	return b + o + t, b + o + t
}

// Between reports whether the result has what the edits of both sides make of
// the base; exactly, if what both added is one thing.
func (n Counts) Between(exact bool) bool {
	least, most := n.Merged()
	if exact && most > n[Base] {
		most = least
	}
	return n[Result] >= least && n[Result] <= most
}

// Gone reports whether all versions have a thing once, and the result has it not.
func (n Counts) Gone() bool { return n == Counts{1, 1, 1, 0} }

// More reports whether the result has a thing more often than each version: what both sides added stands once.
func (n Counts) More() bool { return n[Result] > n.Most() }

// Most is how often the version has a thing that has it most, but for the result; at least once.
func (n Counts) Most() int32 { return max(1, n[Base], n[Ours], n[Theirs]) }

// A Bag is how often each fact stands in each version.
type Bag[F comparable] map[F]Counts

// Add adds a fact of v.
func (b Bag[F]) Add(v Version, fact F) {
	n := b[fact]
	n[v]++
	b[fact] = n
}

// Version is one of the four files of a claim.
type Version uint8

const (
	Base Version = iota
	Ours
	Theirs
	Result
	Versions // their number
)

// Sides are the versions that edit the base.
var Sides = [...]Version{Ours, Theirs}

// Other returns the side that v is not.
func (v Version) Other() Version { return Ours + Theirs - v }

// String names v as users know it.
func (v Version) String() string {
	return [...]string{"base", "ours", "theirs", "the result"}[v]
}

// Choose returns what the result has to be equal to where at most one side
// changed a thing, or both alike. It reports false where both changed it
// differently.
func Choose[T comparable](p [Versions]T) (want T, ok bool) {
	b, o, t := p[Base], p[Ours], p[Theirs]
	switch {
	case b == o:
		return t, true
	case b == t || o == t:
		return o, true
	}
	return want, false
}
