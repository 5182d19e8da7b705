package verify

// What is demanded of a result depends on who made it, and on nothing else: each maker is a column of the two tables below.

// A column is who made a result. Values can be combined with |.
type column uint8

const (
	byFields column = 1 << iota // this program, field by field
	byLines                     // git, line by line
	byPerson                    // a person, who may reformat and reorder, and who decided conflicts at will
	byRules                     // this program, by rules under which theirs wins: the result is held against what these give

	byAll = byFields | byLines | byPerson | byRules
	// byEdits are the makers whose edits are judged by the facts that they leave. A line merge has every line of a side that
	// the other side did not delete, so its edits are judged by where their lines are: see places.go.
	byEdits = byAll &^ byLines
)

// A rule is what a result can break.
type rule uint8

const (
	ruleJSON rule = iota
	ruleDoubled
	ruleDoubledItem
	ruleLost
	ruleUndone
	ruleReset
	ruleKeptDeleted
	ruleInvented
	ruleDeletedAndChanged
	ruleAddedDifferently
	ruleEmptied
	ruleValue
	ruleProperty
	ruleKeyType
	ruleText
	ruleApart
	ruleFewer
	ruleNewName
	ruleKeyTwice
	ruleOneOf
	ruleMultiplied
	ruleGuard
	ruleGuardOwn
	ruleElsewhere
	ruleAlias
	ruleOrder
	ruleForm
	ruleComment
	ruleLineComment
	ruleAction
	ruleKept
	ruleNewLine
)

// RuleMultiplied is the name of the rule of multiplied fields (schema.Multiplied).
const RuleMultiplied = "multiplied"

// rules are the name of each rule, which users read, and the makers of whose results it is demanded.
var rules = [...]struct {
	name string
	of   column
}{
	ruleJSON:              {"json", byAll},
	ruleDoubled:           {"doubled", byAll},
	ruleDoubledItem:       {"doubled", byEdits}, // without a name
	ruleLost:              {"lost", byEdits},
	ruleUndone:            {"undone", byAll},
	ruleReset:             {"undone", byEdits},            // both edits
	ruleKeptDeleted:       {"deleted and changed", byAll}, // and the result has it
	ruleInvented:          {"invented", byEdits},
	ruleDeletedAndChanged: {"deleted and changed", byEdits},
	ruleAddedDifferently:  {"added differently", byEdits},
	ruleEmptied:           {"emptied", byEdits},
	ruleValue:             {"value", byEdits},
	ruleProperty:          {"anchor or tag", byEdits},
	ruleKeyType:           {"key", byEdits},
	ruleText:              {"text", byEdits},
	ruleApart:             {"apart", byAll},
	ruleFewer:             {"lost", byLines},     // a copy of something
	ruleNewName:           {"invented", byLines}, // of a resource
	ruleKeyTwice:          {"key twice", byAll &^ byRules},
	ruleOneOf:             {"one of", byAll &^ byRules},
	ruleMultiplied:        {RuleMultiplied, byAll &^ byRules},
	ruleGuard:             {"guard", byAll},
	ruleGuardOwn:          {"guard", byEdits}, // it has no guard more often than an input
	ruleElsewhere:         {"elsewhere", byFields | byLines},
	ruleAlias:             {"alias", byAll},
	ruleOrder:             {"order", byFields},
	ruleForm:              {"form", byFields},
	ruleComment:           {"comment", byEdits},
	ruleLineComment:       {"comment", byFields}, // on the line of its entry
	ruleAction:            {"template", byAll},
	ruleKept:              {"kept", byFields},
	ruleNewLine:           {"line", byFields},
}

// checks are what looks for violations, in order, and the makers of whose results it looks at.
var checks = [...]struct {
	of    column
	check func(*checker) *Violation
}{
	{byAll, (*checker).json},
	{byAll, (*checker).duplicates},
	{byFields, (*checker).fileForm},
	{byAll, (*checker).documents},
	{byAll, (*checker).aliases},
	{byFields | byPerson, (*checker).comments},
	{byFields | byPerson, (*checker).actions},
	{byLines, (*checker).printGuards},
	{byFields, (*checker).kept},
	{byFields, (*checker).newLines},
	{byFields, (*checker).deletions},
	{byLines, (*checker).places},
}

// demands reports whether the result may not break r.
func (c *checker) demands(r rule) bool { return rules[r].of&c.by != 0 }

// violations returns what is wrong with the result by the rules of its maker, most at most.
func (c *checker) violations(most int) []*Violation {
	var all []func() *Violation
	for _, k := range checks {
		if k.of&c.by != 0 {
			all = append(all, func() *Violation { return k.check(c) })
		}
	}
	return c.every(most, all...)
}
