package diff3

// A group is a maximal range of changed items, or the empty range before an
// unchanged one. A version with n unchanged items has n+1 groups, so that the
// groups of the two versions of a delta pair one to one.
type group struct {
	version
	Range
}

// first returns the first group of v.
func first(v version) group {
	return group{v, Range{0, v.unchanged(0)}}
}

// next moves g to the next group, if there is one.
func (g *group) next() bool {
	if g.End == len(g.ids) {
		return false
	}
	g.Start = g.End + 1
	g.End = g.unchanged(g.Start)
	return true
}

// previous moves g to the group before it, if there is one.
func (g *group) previous() bool {
	if g.Start == 0 {
		return false
	}
	g.End = g.Start - 1
	g.Start = g.End
	g.absorbUp()
	return true
}

// down moves g by one item, if its first item equals the one behind it, and
// joins it with the group that it meets.
func (g *group) down() bool {
	if g.End == len(g.ids) || g.ids[g.Start] != g.ids[g.End] {
		return false
	}
	g.changed[g.Start], g.changed[g.End] = false, true
	g.Start++
	g.End = g.unchanged(g.End)
	return true
}

// up is down in the other direction.
func (g *group) up() bool {
	if g.Start == 0 || g.ids[g.Start-1] != g.ids[g.End-1] {
		return false
	}
	g.Start--
	g.End--
	g.changed[g.Start], g.changed[g.End] = true, false
	g.absorbUp()
	return true
}

func (g *group) absorbUp() {
	for g.Start > 0 && g.changed[g.Start-1] {
		g.Start--
	}
}

// slide moves every group of v as far down as it goes, joining groups that
// meet; a group that can stand beside a group of other stands there instead.
func slide(v, other version) {
	g, o := first(v), first(other)
	for {
		if !g.Empty() {
			settle(&g, &o)
		}
		if !g.next() {
			return
		}
		o.next()
	}
}

// settle moves one group to its place; o stays the group that pairs with g.
func settle(g, o *group) {
	var beside, movable bool
	for size := -1; size != g.Len(); {
		size = g.Len()
		for g.up() {
			o.previous()
		}
		top := g.End
		beside = !o.Empty()
		for g.down() {
			o.next()
			beside = beside || !o.Empty()
		}
		movable = g.End != top
	}
	for movable && beside && o.Empty() {
		g.up()
		o.previous()
	}
}
