package three

// A RuleSet is how the walk decides where rule sets differ. Its zero value is
// the default rules.
type RuleSet struct {
	Name string // for people
	// UpdatedWins says that updated's value stands where both changed a field.
	UpdatedWins bool
	// Always says that updated's value stands also where it left alone what
	// dest changed or deleted.
	Always bool
	// DestNull says that a null in dest clears its field, as one in updated does.
	DestNull bool
	// Comments is the side whose comment stands where both changed it.
	Comments Side
	// Ordered says that the items of a list, resources aside, stand in updated's
	// order, before those that dest alone has; else new ones stand at the end.
	Ordered bool
	// ByPlace says that resources are known by their place in the file.
	ByPlace bool
	// Strategic says that lists are what patch strategies say, and unions
	// have one member.
	Strategic bool
	// Patches says that updated may be a strategic merge patch: its $patch is obeyed.
	Patches bool
	// JSON says that the result is JSON where dest is, or updated if dest says nothing.
	JSON bool
}
