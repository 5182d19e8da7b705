package verify

// WithoutRule switches rule r off for results of all makers, and returns a function that switches it on again.
func WithoutRule(r Rule) (restore func()) {
	makers := rules[r].makers
	rules[r].makers = 0
	return func() { rules[r].makers = makers }
}

// RuleCount is the number of rules that this package verifies. They precede RuleUnparsable.
const RuleCount = RuleUnparsable
