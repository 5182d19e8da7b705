package verify

// What is demanded of a result depends on who made it, and on nothing else: each maker is a column of the two tables below.

// A maker is who made a result. Values can be combined with |.
type maker uint8

const (
	byFields maker = 1 << iota // this program, field by field
	byLines                    // git, line by line
	byPerson                   // a person, who may reformat and reorder, and who decided conflicts at will
	byRules                    // this program, by rules under which theirs wins: the result is held against what these give

	byAll = byFields | byLines | byPerson | byRules
	// byEdits are the makers whose edits are judged by the facts that they leave. A line merge has every line of a side that
	// the other side did not delete, so its edits are judged by where their lines are: see places.go.
	byEdits = byAll &^ byLines
)

// A rule is what a result can break.
type rule uint8

const (
	ruleJSON rule = iota
	ruleDuplicate
	ruleDuplicateItem
	ruleLost
	ruleUndone
	ruleBothUndone
	ruleDeletedAndChangedKept
	ruleInvented
	ruleDeletedAndChanged
	ruleAddedDifferently
	ruleEmptied
	ruleValue
	ruleProperty
	ruleKeyType
	ruleText
	ruleSplitDuplicate
	ruleFewerCopies
	ruleNewName
	ruleRepeatedKey
	ruleOneOf
	ruleMultiplied
	ruleGuard
	ruleGuardMissing
	ruleMisplaced
	ruleAlias
	ruleOrder
	ruleFormat
	ruleComment
	ruleLineComment
	ruleAction
	ruleMovedLost
	ruleNewLine
)

// RuleMultiplied is the name of the rule of multiplied fields (schema.Multiplied).
const RuleMultiplied = "multiplied"

// rules are the name of each rule, which users read, and the makers of whose results it is demanded.
var rules = [...]struct {
	name   string
	makers maker
}{
	ruleJSON:                  {"json", byAll},
	ruleDuplicate:             {"doubled", byAll},
	ruleDuplicateItem:         {"doubled", byEdits}, // without a name
	ruleLost:                  {"lost", byEdits},
	ruleUndone:                {"undone", byAll},
	ruleBothUndone:            {"undone", byEdits},            // both edits
	ruleDeletedAndChangedKept: {"deleted and changed", byAll}, // and the result has it
	ruleInvented:              {"invented", byEdits},
	ruleDeletedAndChanged:     {"deleted and changed", byEdits},
	ruleAddedDifferently:      {"added differently", byEdits},
	ruleEmptied:               {"emptied", byEdits},
	ruleValue:                 {"value", byEdits},
	ruleProperty:              {"anchor or tag", byEdits},
	ruleKeyType:               {"key", byEdits},
	ruleText:                  {"text", byEdits},
	ruleSplitDuplicate:        {"apart", byAll},
	ruleFewerCopies:           {"lost", byLines},     // a copy of something
	ruleNewName:               {"invented", byLines}, // of a resource
	ruleRepeatedKey:           {"key twice", byAll &^ byRules},
	ruleOneOf:                 {"one of", byAll &^ byRules},
	ruleMultiplied:            {RuleMultiplied, byAll &^ byRules},
	ruleGuard:                 {"guard", byAll},
	ruleGuardMissing:          {"guard", byEdits}, // it has no guard more often than an input
	ruleMisplaced:             {"elsewhere", byFields | byLines},
	ruleAlias:                 {"alias", byAll},
	ruleOrder:                 {"order", byFields},
	ruleFormat:                {"form", byFields},
	ruleComment:               {"comment", byEdits},
	ruleLineComment:           {"comment", byFields}, // on the line of its entry
	ruleAction:                {"template", byAll},
	ruleMovedLost:             {"kept", byFields},
	ruleNewLine:               {"line", byFields},
}

// checks are what looks for violations, in order, and the makers of whose results it looks at.
var checks = [...]struct {
	makers maker
	check  func(*checker) *Violation
}{
	{byAll, (*checker).checkJSON},
	{byAll, (*checker).checkDuplicates},
	{byFields, (*checker).checkFileFormat},
	{byAll, (*checker).checkDocuments},
	{byAll, (*checker).checkAliases},
	{byFields | byPerson, (*checker).checkComments},
	{byFields | byPerson, (*checker).checkActions},
	{byLines, (*checker).checkPrintGuards},
	{byFields, (*checker).checkMovedItems},
	{byFields, (*checker).checkNewLines},
	{byFields, (*checker).checkDeletions},
	{byLines, (*checker).checkPlaces},
}

// demands reports whether the result may not break r.
func (c *checker) demands(r rule) bool { return rules[r].makers&c.maker != 0 }

// findViolations returns what is wrong with the result by the rules of its maker, most at most.
func (c *checker) findViolations(limit int) []*Violation {
	var selected []func() *Violation
	for _, k := range checks {
		if k.makers&c.maker != 0 {
			selected = append(selected, func() *Violation { return k.check(c) })
		}
	}
	return c.runChecks(limit, selected...)
}
