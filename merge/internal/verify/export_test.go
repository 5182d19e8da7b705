package verify

// WithoutRule switches rule r off for results of all makers, and returns a function that switches it on again.
func WithoutRule(r int) (restore func()) {
	makers := rules[r].makers
	rules[r].makers = 0
	return func() { rules[r].makers = makers }
}

// NameOfRule returns the name of rule r.
func NameOfRule(r int) RuleName { return rules[r].name }

// RuleCount is the number of rules.
const RuleCount = len(rules)

// The rules for which TestEachRuleHasACase has a wrong result.
const (
	IndexJSON, IndexLost                           = int(ruleJSON), int(ruleLost)
	IndexInvented, IndexAddedByBoth, IndexProperty = int(ruleInvented), int(ruleAddedDifferently), int(ruleProperty)
	IndexSource                                    = int(ruleSource)
)
