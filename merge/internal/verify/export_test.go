package verify

// WithoutRule switches rule r off for results of all makers, and returns a function that switches it on again.
func WithoutRule(r int) (restore func()) {
	makers := rules[r].makers
	rules[r].makers = 0
	return func() { rules[r].makers = makers }
}

// RuleName returns the name of rule r.
func RuleName(r int) string { return rules[r].name }

// RuleCount is the number of rules.
const RuleCount = len(rules)

// The rules for which TestEachRuleHasACase has a wrong result.
const (
	RuleJSON, RuleLost                          = int(ruleJSON), int(ruleLost)
	RuleInvented, RuleAddedByBoth, RuleProperty = int(ruleInvented), int(ruleAddedDifferently), int(ruleProperty)
	RuleSource                                  = int(ruleSource)
)
