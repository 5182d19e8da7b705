package three

// Pick is the three-way merge of what has no parts: dest's version stands where
// both sides are equal or updated left the original's alone, updated's where
// dest did. It reports false where both changed it differently.
func Pick[T comparable](v [3]T) (Side, bool) {
	return PickBy(func(a, b Side) bool { return v[a] == v[b] })
}

// PickFunc is Pick for versions that equal compares.
func PickFunc[T any](v [3]T, equal func(a, b T) bool) (Side, bool) {
	return PickBy(func(a, b Side) bool { return equal(v[a], v[b]) })
}

// PickBy is Pick where equal compares the versions of two sides.
func PickBy(equal func(a, b Side) bool) (Side, bool) {
	switch {
	case equal(Dest, Updated), equal(Original, Updated):
		return Dest, true
	case equal(Original, Dest):
		return Updated, true
	}
	return Dest, false
}

// Form merges one property of the form, which is never in conflict: updated's
// where it alone changed it, else dest's.
func Form[T comparable](original, dest, updated T) T {
	if dest == original {
		return updated
	}
	return dest
}
