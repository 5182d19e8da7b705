package merge

// A RuleSet is a family of merge rules.
type RuleSet uint8

// The rule sets of Merge.
const (
	// DefaultRules ask where both sides changed one thing differently.
	DefaultRules RuleSet = iota
	// KustomizeRules are those of kustomize's documented three-way merge:
	// updated wins, so that nothing is in conflict; a null clears its field;
	// a list without keys is one value. Result.Resolved names the changes of
	// dest that were overridden.
	KustomizeRules
)

var ruleSets = [...]ruleSet{
	KustomizeRules: {name: "rules kustomize", updatedWins: true, destNull: true, comments: updated},
}
