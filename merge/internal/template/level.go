package template

import "strings"

// A Level is a block around an entry that is not around what the entry is in, and the branch of
// it in which the entry stands.
type Level struct {
	// Said is what the branch depends on: "if .a", "if .a / else".
	Said string
	// Block is where the block starts, which tells it from others of its file.
	Block int
}

// Condition is what opens the block.
func (l Level) Condition() string {
	first, _, _ := strings.Cut(l.Said, branches)
	return first
}

// Called is what l says once its block has another condition.
func (l Level) Called(condition string) string {
	_, rest, divided := strings.Cut(l.Said, branches)
	if divided {
		return condition + branches + rest
	}
	return condition
}

// Exclude reports whether what stands under a and what stands under b never stand together, as
// far as their words tell: in two branches of one condition, or under it and its negation.
func Exclude(a, b []Level) bool {
	for _, x := range a {
		for _, y := range b {
			p, yes := x.holds()
			q, also := y.holds()
			if x.Said != y.Said && (x.Condition() == y.Condition() || p == q && yes != also) {
				return true
			}
		}
	}
	return false
}

// holds is the condition of l without its negation, and whether it is to hold.
func (l Level) holds() (condition string, yes bool) {
	word, condition, _ := strings.Cut(l.Condition(), " ")
	positive, negated := strings.CutPrefix(condition, "not ")
	branch := l.Said[len(l.Condition()):]
	if word != "if" || branch != "" && branch != branches+"else" {
		return l.Said, true
	}
	return positive, negated == (branch != "")
}
