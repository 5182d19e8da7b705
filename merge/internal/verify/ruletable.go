package verify

// The rules that apply to a result depend only on its maker. Each maker has a bit in the two tables below.

// A maker is who created a result. Makers can be combined with |.
type maker uint8

const (
	byFields maker = 1 << iota // this program, field by field
	byLines                    // git, line by line
	byPerson                   // a person, who may change the order and resolve conflicts in any way
	byRules                    // this program, with rules that prefer theirs; compared with an ExpectedResult

	// pageDefect is not a maker. No page of git's line merge may violate a rule with it, whichever side the user takes in the
	// conflicts. A violation of another rule is no defect of the page if the user can avoid it by taking the other side.
	pageDefect

	byAll = byFields | byLines | byPerson | byRules
	// byEdits are the makers for which edits are verified by comparing values. Git's line merge contains every line of a
	// side that the other side did not delete, so it is verified whether these lines are in the right mapping or list.
	byEdits = byAll &^ byLines
)

// A rule is one kind of violation. Names and makers are in the table rules.
type rule uint8

const (
	ruleJSON rule = iota
	ruleDuplicate
	ruleRepeated
	ruleUnique
	ruleLost
	ruleUndone
	ruleDeletedAndChanged
	ruleDeletedItemKept
	ruleInvented
	ruleAddedDifferently
	ruleEmptied
	ruleValue
	ruleProperty
	ruleText
	ruleSplitDuplicate
	ruleRepeatedKey
	ruleOneOf
	ruleUnit
	ruleReference
	ruleAccess
	ruleGuard
	ruleMisplaced
	ruleAlias
	ruleOrder
	ruleComment
	ruleAction
	ruleMovedLost
	ruleSource
)

// RuleAccess is the name of the rule about access fields. These are fields of one mapping that grant every combination
// of their values, such as verbs and resources of an RBAC rule. The result must not grant a combination that neither
// side grants.
const RuleAccess = "wider access"

// RuleUnit is the name of the rule about fields of one mapping that are one value, such as kind and name of a
// reference. The result must not combine the fields of two sides.
const RuleUnit = "one value"

// rules lists the name of each rule, which is shown to users, and the makers to which it applies.
var rules = [...]struct {
	name   string
	makers maker
}{
	ruleJSON:              {"not JSON", byAll | pageDefect},
	ruleDuplicate:         {"duplicate", byAll | pageDefect}, // a mapping key, an item with a key, a resource, or a line that prints
	ruleRepeated:          {"duplicate", byAll},              // an item without a key, a line of a text, or an assignment in a template
	ruleUnique:            {"repeated value", byAll | pageDefect},
	ruleLost:              {"lost", byEdits},
	ruleUndone:            {"undone", byAll},
	ruleDeletedAndChanged: {"deleted and modified", byAll},
	ruleDeletedItemKept:   {"deleted and modified", byFields | byLines}, // an item, or a line of a text
	ruleInvented:          {"unexpected", byEdits},
	ruleAddedDifferently:  {"added by both", byEdits},
	ruleEmptied:           {"nothing left", byAll},
	ruleValue:             {"wrong value", byEdits},
	ruleProperty:          {"wrong anchor or tag", byEdits},
	ruleText:              {"wrong text", byAll},
	ruleSplitDuplicate:    {"ambiguous copy", byAll | pageDefect},
	ruleRepeatedKey:       {"duplicate key", byAll&^byRules | pageDefect},
	ruleOneOf:             {"exclusive fields", byAll&^byRules | pageDefect},
	ruleUnit:              {RuleUnit, byAll&^byRules | pageDefect},
	ruleReference:         {"dead reference", byAll&^byRules | pageDefect},
	ruleAccess:            {RuleAccess, byAll&^byRules | pageDefect},
	ruleGuard:             {"wrong condition", byAll},
	ruleMisplaced:         {"misplaced", byFields | byLines},
	ruleAlias:             {"wrong alias", byAll},
	ruleOrder:             {"wrong order", byFields | byLines},
	ruleComment:           {"wrong comment", byEdits},
	ruleAction:            {"wrong action", byAll},
	ruleMovedLost:         {"lost in a move", byFields | byLines | pageDefect},
	ruleSource:            {"foreign text", byFields},
}

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
	{byFields | byLines, false, (*checker).checkMovedItems},
	{byFields, false, (*checker).checkSources},
	{byFields, false, (*checker).checkLeaves},
	{byLines, false, (*checker).checkLineParents},
}

// demands reports whether rule r applies to results of this creator. Comments, for example, are not verified in git's
// line merge.
func (c *checker) demands(r rule) bool { return rules[r].makers&c.maker != 0 }

// findViolations runs the checks that apply to the creator of the result and to the language, and returns at most limit
// violations, in the order of the checks. limit is at least 1.
func (c *checker) findViolations(limit int) []*Violation {
	var selected []func() *Violation
	for _, k := range checks {
		if k.makers&c.maker != 0 && (c.isTemplate() || !k.ofTemplate) {
			selected = append(selected, func() *Violation { return k.check(c) })
		}
	}
	return c.runChecks(limit, selected...)
}
