package merge

// A ruleSet is how the walk decides where rule sets differ. Its zero value is
// the default rules.
type ruleSet struct {
	name string // for people
	// updatedWins says that updated's value stands where both changed a field.
	updatedWins bool
	// always says that updated's value stands also where it left alone what
	// dest changed or deleted.
	always bool
	// destNull says that a null in dest clears its field, as one in updated does.
	destNull bool
	// comments is the side whose comment stands where both changed it.
	comments side
	// ordered says that the items of a list, resources aside, stand in updated's
	// order, before those that dest alone has; else new ones stand at the end.
	ordered bool
	// byPlace says that resources are known by their place in the file.
	byPlace bool
	// strategic says that lists are what patch strategies say, and unions
	// have one member.
	strategic bool
}
