package verify

// The rules that apply to a result depend only on its maker. Each maker has a bit in the two tables below.

// A maker is who created a result. Makers can be combined with |.
type maker uint8

const (
	byFields maker = 1 << iota // this program, field by field
	byLines                    // git, line by line
	byPerson                   // a person, who may change the order and resolve conflicts in any way
	byRules                    // this program, with rules that prefer theirs; compared with an ExpectedResult

	// pageDefect is not a maker. No page of git's line merge may violate a rule with it, whichever side the user takes
	// in the conflicts. A violation of another rule is no defect of the page if the user can avoid it by taking the
	// other side.
	pageDefect

	byAll = byFields | byLines | byPerson | byRules
	// byEdits are the makers for which edits are verified by comparing values. Git's line merge contains every line of
	// a side that the other side did not delete, so it is verified whether these lines are in the right mapping or
	// list.
	byEdits = byAll &^ byLines
)

// A Rule is one kind of violation. The table rules has its name, and the makers to which it applies.
type Rule uint8

const (
	RuleJSON Rule = iota
	// RuleDuplicate is about what must be unique: a mapping key, an item with a key, a resource, or a line that prints.
	RuleDuplicate
	// RuleRepeated is about what may be repeated: an item without a key, a line of a text, or an assignment in a
	// template.
	RuleRepeated
	RuleUnique
	RuleLost
	RuleUndone
	RuleDeletedAndChanged
	// RuleDeletedItemKept is about an item, or a line of a text, that one side deleted.
	RuleDeletedItemKept
	RuleInvented
	RuleAddedDifferently
	RuleEmptied
	RuleValue
	RuleProperty
	RuleText
	RuleSplitDuplicate
	RuleRepeatedKey
	RuleOneOf
	// RuleUnit is about fields of one mapping that are one value, such as kind and name of a reference. The result must
	// not combine the fields of two sides.
	RuleUnit
	RuleReference
	// RuleAccess is about access fields. These are fields of one mapping that grant every combination of their values,
	// such as verbs and resources of an RBAC rule. The result must not grant a combination that neither side grants.
	RuleAccess
	RuleGuard
	RuleMisplaced
	RuleAlias
	RuleOrder
	RuleComment
	RuleAction
	RuleMovedLost
	RuleSource
	// RuleUnparsable and RuleFormat are about what is found before the values are verified.
	RuleUnparsable
	RuleFormat
)

// rules lists the name of each rule, which is shown to users, and the makers to which it applies.
var rules = [...]struct {
	name   string
	makers maker
}{
	RuleJSON:              {"not JSON", byAll | pageDefect},
	RuleDuplicate:         {"duplicate", byAll | pageDefect},
	RuleRepeated:          {"duplicate", byAll},
	RuleUnique:            {"repeated value", byAll | pageDefect},
	RuleLost:              {"lost", byEdits},
	RuleUndone:            {"undone", byAll},
	RuleDeletedAndChanged: {"deleted and modified", byAll},
	RuleDeletedItemKept:   {"deleted and modified", byFields | byLines},
	RuleInvented:          {"unexpected", byEdits},
	RuleAddedDifferently:  {"added by both", byEdits},
	RuleEmptied:           {"nothing left", byAll},
	RuleValue:             {"wrong value", byEdits},
	RuleProperty:          {"wrong anchor or tag", byEdits},
	RuleText:              {"wrong text", byAll},
	RuleSplitDuplicate:    {"ambiguous copy", byAll | pageDefect},
	RuleRepeatedKey:       {"duplicate key", byAll&^byRules | pageDefect},
	RuleOneOf:             {"exclusive fields", byAll&^byRules | pageDefect},
	RuleUnit:              {"one value", byAll&^byRules | pageDefect},
	RuleReference:         {"dead reference", byAll&^byRules | pageDefect},
	RuleAccess:            {"wider access", byAll&^byRules | pageDefect},
	RuleGuard:             {"wrong condition", byAll},
	RuleMisplaced:         {"misplaced", byFields | byLines},
	RuleAlias:             {"wrong alias", byAll},
	RuleOrder:             {"wrong order", byFields | byLines},
	RuleComment:           {"wrong comment", byEdits},
	RuleAction:            {"wrong action", byAll},
	RuleMovedLost:         {"lost in a move", byFields | byLines | pageDefect},
	RuleSource:            {"foreign text", byFields},
	RuleUnparsable:        {"unparsable", 0},
	RuleFormat:            {"wrong format", 0},
}

// String returns the name of r in a word or two, as users read it. Two rules can have the same name.
func (r Rule) String() string { return rules[r].name }

// checks lists the checks in the order in which they run, the makers to which they apply, and whether they are only
// about templates.
var checks = [...]struct {
	makers     maker
	ofTemplate bool
	check      func(*checker) *Violation
}{
	{byAll, false, (*checker).checkJSON},
	{byAll, false, (*checker).checkDuplicates},
	{byAll, false, (*checker).checkDocuments},
	{byAll, false, (*checker).checkAliases},
	{byFields | byPerson, false, (*checker).checkComments},
	{byFields | byLines | byPerson, true, (*checker).checkOutputGuards},
	{byFields | byPerson, true, (*checker).checkTextFieldKeys},
	{byFields | byLines | byPerson, true, (*checker).checkOwners},
	{byFields | byLines, true, (*checker).checkLineOrder},
	{byAll, false, (*checker).checkDots},
	{byFields | byLines, false, (*checker).checkLostItems},
	{byFields, false, (*checker).checkSources},
	{byFields | byLines, false, (*checker).checkLeaves},
	{byLines, false, (*checker).checkLineParents},
}

// demands reports whether rule r applies to results of this creator. Comments, for example, are not verified in git's
// line merge.
func (c *checker) demands(r Rule) bool { return rules[r].makers&c.maker != 0 }

// findViolations runs the checks that apply to the creator of the result, those of templates only if the versions are
// templates, and returns at most limit violations, in the order of the checks. limit is at least 1.
func (c *checker) findViolations(limit int) []*Violation {
	var selected []func() *Violation
	for _, k := range checks {
		if k.makers&c.maker != 0 && (c.isTemplate() || !k.ofTemplate) {
			selected = append(selected, func() *Violation { return k.check(c) })
		}
	}
	return c.runChecks(limit, selected...)
}
