package merge

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Messages returns what git-merge-yaml prints about r, without the file name: how the versions were merged, what was
// combined, renamed or decided by rules, and each conflict that is left. Decisions by Options.Resolve or an answer have
// no message.
func (r Result) Messages() (all []string) {
	if s := r.describeWay(); s != "" {
		all = append(all, s)
	}
	if r.Refused != "" {
		all = append(all, r.Refused)
	}
	all = append(all, mapEach(r.Followed, Rename.String)...)
	all = append(all, mapEach(r.Combined, Combination.String)...)
	all = append(all, mapEach(r.GuessedOrders, GuessedOrder.String)...)
	for _, c := range r.Resolved {
		if c.By.Policy != "" || c.By.Rules != "" {
			all = append(all, c.String())
		}
	}
	return append(all, mapEach(r.Conflicts, Conflict.String)...)
}

// describeWay returns a message about how the versions were merged, without a final full stop, or "" if there is
// nothing to say. It mentions why git's line merge was used or not, and how many of its conflicts were resolved. For
// example:
//
//	merged by field: resolved 2 conflicts of git's line merge
func (r Result) describeWay() string {
	isEncrypted := slices.ContainsFunc(r.Conflicts, func(c Conflict) bool { return c.Kind == ConflictEncrypted })
	switch {
	case r.Reason == "" && !r.ImprovesLineMerge():
		return ""
	case r.Reason == "":
		way := "merged by field"
		if r.Method == MethodTrivial {
			way = "took the side that has all changes"
		}
		return way + ": resolved " + countNoun(r.LineConflicts, "conflict") + " of git's line merge"
	case r.Method == MethodDelegated:
		return "merged by lines: " + r.Reason
	case r.LineConflicts != 0 || isEncrypted:
		return r.Reason
	}
	// the reason is an error in git's line merge, which has no conflicts
	way := "git's line merge would be wrong (" + r.Reason + "); "
	if r.Clean() {
		return way + "merged by field"
	}
	return way + "the merge by field leaves " + countNoun(len(r.Conflicts), "conflict")
}

// ImprovesLineMerge reports whether this package did better than git's merge by lines: r is a MethodField or
// MethodTrivial result without conflicts, and git's merge by lines has conflicts or was not used because of an error.
func (r Result) ImprovesLineMerge() bool {
	return r.Clean() && (r.Method == MethodField || r.Method == MethodTrivial) && (r.LineConflicts > 0 || r.Reason != "")
}

// countNoun returns a number and a noun, with an s unless the number is 1.
func countNoun(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return fmt.Sprintf("%d %s", n, noun)
}

// String returns a message about c: its line and path if it is not decided, and otherwise how it was decided. A reason
// that is obvious, such as "both modified" for a value, is left out. The path is written as it is, without quotes.
//
//	line 12: conflict: spec.replicas
//	line 12: conflict: spec.limits: deleted by us, modified by them (cpu)
//	spec.replicas: took theirs' value by policy highest (rules.yaml:2)
func (c Conflict) String() string {
	if c.By != (Decision{}) {
		return joinNonEmpty(c.Path, c.decision())
	}
	line := ""
	if c.Line > 0 {
		line = fmt.Sprintf("line %d", c.Line)
	}
	why := cmp.Or(c.Detail, c.Deletion())
	isObvious := slices.Contains([]ConflictKind{"", ConflictValue, ConflictLine, ConflictRefused, ConflictEncrypted}, c.Kind)
	if why == "" && !isObvious {
		why = c.describeEdits()
	}
	return joinNonEmpty(line, "conflict", c.Path, why)
}

// joinNonEmpty joins the parts that are not empty with ": ".
func joinNonEmpty(parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), ": ")
}

// decision returns a clause for the user about how c was decided, without the path of c. c must be decided. For
// example:
//
//	took theirs' value, without the comment # keep, by policy highest (rules.yaml:2)
//	wrote 1.4.1 by policy next (rules.yaml:3)
//	kept both sides' values by policy union (rules.yaml:4)
//	took the text of the answer
func (c Conflict) decision() string {
	switch {
	case c.By.Rules != "":
		return c.ruleSetDecision()
	case c.By.Take == TakeBase:
		return "took base's value"
	case c.By.Take == TakeText:
		return "took the text of the answer"
	}
	by := ""
	if !slices.Contains([]Take{TakeOurs, TakeTheirs, TakeBoth}, c.By.Take) { // the clause has these choices already
		by = " by " + c.By.String()
	}
	switch {
	case c.Took != "":
		took := "took " + string(c.Took) + "' value"
		if c.Detail != "" {
			took += ", " + c.Detail + ","
		}
		return took + by
	case c.Wrote == "":
		return "kept both sides' values" + by
	case c.Kind == ConflictValue && c.Ours == c.Theirs:
		return "same new version on both sides: wrote " + c.Wrote + by
	}
	return "wrote " + c.Wrote + by
}

// ruleSetDecision returns the clause of decision for a conflict that a rule set of package kube decided:
//
//	took theirs, discarded ours at line 3 (rules kustomize)
func (c Conflict) ruleSetDecision() string {
	discarded, side := c.Ours, "ours"
	if c.Took == SideOurs {
		discarded, side = c.Theirs, "theirs"
	}
	atLine := ""
	if discarded.Line > 0 {
		atLine = fmt.Sprintf(" at line %d", discarded.Line)
	}
	return fmt.Sprintf("took %s, discarded %s%s (%s)", c.Took, side, atLine, c.By)
}

// String describes a rename by one side, to which a change of the other side was applied.
func (r Rename) String() string { return "followed the rename or move of " + r.From + " to " + r.To }

// String returns a message for the user about c, which begins with its path. For a CombinedReference, such as an image:
//
//	image: r.io/web:2 combines a change of each side; neither side has this value
func (c Combination) String() string {
	user, other := "us", "them" // c.By uses the value
	if c.By == SideTheirs {
		user, other = other, user
	}
	switch c.Kind {
	// a: &x is defined twice, once by each side; …
	case CombinedAnchor:
		return fmt.Sprintf("%s: %s is defined twice, once by each side; PyYAML and programs that use it refuse the file", c.Path, c.Value)
	// b: *x added by us, its value modified by them
	case CombinedAlias:
		return fmt.Sprintf("%s: %s added by %s, its value modified by %s", c.Path, c.Value, user, other)
	// jobs.c: lint used by them, replaced or deleted everywhere by us
	case CombinedValue:
		return fmt.Sprintf("%s: %s used by %s, replaced or deleted everywhere by %s", c.Path, c.Value, user, other)
	}
	return fmt.Sprintf("%s: %s combines a change of each side; neither side has this value", c.Path, c.Value)
}

// String returns a message about a list in which both sides added items at one place. It says which rule makes such
// additions a conflict:
//
//	args: both sides added items at the same place, kept ours first; to get a conflict instead, write into
//	.git-merge-yaml.yaml: rules: [{lists: {args: ordered}}]
func (g GuessedOrder) String() string {
	path := g.RulePath
	isPlain := !strings.ContainsAny(path, "[]{},#'\": ") && !strings.ContainsAny(path[:min(len(path), 1)], "*&!%@`")
	if !isPlain { // it has to be quoted in a flow mapping
		path = "'" + strings.ReplaceAll(path, "'", "''") + "'"
	}
	return fmt.Sprintf("%s: both sides added items at the same place, kept ours first; to get a conflict instead, write into .git-merge-yaml.yaml: rules: [{lists: {%s: %s}}]",
		g.Path, path, g.Rule)
}
