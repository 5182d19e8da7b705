package schema

// imageMark is how the table of Kubernetes' types marks the reference of an image.
const imageMark = "@"

// Image reports whether the field at p is the reference of an image: by the team's
// rules, Kubernetes' types or the presets.
func (r *Rules) Image(p Place) bool {
	if r == nil {
		r = new(Rules)
	}
	sel := r.selection(p)
	if imageAt(sel.team, p.Path) {
		return true
	}
	if s, ok := builtin(sel.types(), p); ok {
		return s.list == imageMark
	}
	return imageAt(sel.presets(), p.Path)
}

func imageAt(entries []*entry, path []string) bool {
	for _, e := range entries {
		for _, at := range e.images {
			if at.match(path) {
				return true
			}
		}
	}
	return false
}
