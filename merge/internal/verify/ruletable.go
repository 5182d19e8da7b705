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

// A RuleName is the name of one or more rules, which is shown to users.
type RuleName string

// The names of the rules.
const (
	RuleJSON              RuleName = "not JSON"
	RuleDuplicate         RuleName = "duplicate"
	RuleUnique            RuleName = "repeated value"
	RuleLost              RuleName = "lost"
	RuleUndone            RuleName = "undone"
	RuleDeletedAndChanged RuleName = "deleted and modified"
	RuleInvented          RuleName = "unexpected"
	RuleAddedDifferently  RuleName = "added by both"
	RuleEmptied           RuleName = "nothing left"
	RuleValue             RuleName = "wrong value"
	RuleProperty          RuleName = "wrong anchor or tag"
	RuleText              RuleName = "wrong text"
	RuleSplitDuplicate    RuleName = "ambiguous copy"
	RuleRepeatedKey       RuleName = "duplicate key"
	RuleOneOf             RuleName = "exclusive fields"
	// RuleUnit is about fields of one mapping that are one value, such as kind and name of a reference. The result must not
	// combine the fields of two sides.
	RuleUnit      RuleName = "one value"
	RuleReference RuleName = "dead reference"
	// RuleAccess is about access fields. These are fields of one mapping that grant every combination of their values, such
	// as verbs and resources of an RBAC rule. The result must not grant a combination that neither side grants.
	RuleAccess    RuleName = "wider access"
	RuleGuard     RuleName = "wrong condition"
	RuleMisplaced RuleName = "misplaced"
	RuleAlias     RuleName = "wrong alias"
	RuleOrder     RuleName = "wrong order"
	RuleComment   RuleName = "wrong comment"
	RuleAction    RuleName = "wrong action"
	RuleMovedLost RuleName = "lost in a move"
	RuleSource    RuleName = "foreign text"

	// RuleUnparsable and RuleFormat are about what is found before the values are verified.
	RuleUnparsable RuleName = "unparsable"
	RuleFormat     RuleName = "wrong format"
)

// rules lists the name of each rule and the makers to which it applies.
var rules = [...]struct {
	name   RuleName
	makers maker
}{
	ruleJSON:              {RuleJSON, byAll | pageDefect},
	ruleDuplicate:         {RuleDuplicate, byAll | pageDefect}, // a mapping key, an item with a key, a resource, or a line that prints
	ruleRepeated:          {RuleDuplicate, byAll},              // an item without a key, a line of a text, or an assignment in a template
	ruleUnique:            {RuleUnique, byAll | pageDefect},
	ruleLost:              {RuleLost, byEdits},
	ruleUndone:            {RuleUndone, byAll},
	ruleDeletedAndChanged: {RuleDeletedAndChanged, byAll},
	ruleDeletedItemKept:   {RuleDeletedAndChanged, byFields | byLines}, // an item, or a line of a text
	ruleInvented:          {RuleInvented, byEdits},
	ruleAddedDifferently:  {RuleAddedDifferently, byEdits},
	ruleEmptied:           {RuleEmptied, byAll},
	ruleValue:             {RuleValue, byEdits},
	ruleProperty:          {RuleProperty, byEdits},
	ruleText:              {RuleText, byAll},
	ruleSplitDuplicate:    {RuleSplitDuplicate, byAll | pageDefect},
	ruleRepeatedKey:       {RuleRepeatedKey, byAll&^byRules | pageDefect},
	ruleOneOf:             {RuleOneOf, byAll&^byRules | pageDefect},
	ruleUnit:              {RuleUnit, byAll&^byRules | pageDefect},
	ruleReference:         {RuleReference, byAll&^byRules | pageDefect},
	ruleAccess:            {RuleAccess, byAll&^byRules | pageDefect},
	ruleGuard:             {RuleGuard, byAll},
	ruleMisplaced:         {RuleMisplaced, byFields | byLines},
	ruleAlias:             {RuleAlias, byAll},
	ruleOrder:             {RuleOrder, byFields | byLines},
	ruleComment:           {RuleComment, byEdits},
	ruleAction:            {RuleAction, byAll},
	ruleMovedLost:         {RuleMovedLost, byFields | byLines | pageDefect},
	ruleSource:            {RuleSource, byFields},
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
