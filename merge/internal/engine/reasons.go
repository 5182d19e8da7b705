package engine

import (
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/verify"
)

// describeViolation returns the message of a violation, as in "spec.image: …": the path of the entry that the violation
// is about, if there is one, and the text of the violation.
func (m *merger) describeViolation(violation *verify.Violation) string {
	text := violation.Error()
	// the details of these rules are sentences
	if violation.Rule == verify.RuleMisplaced || violation.Rule == verify.RuleAccess {
		text = violation.Detail
	}
	if p := m.opts.violationPath(m.in.Streams, violation); p != "" {
		return p + ": " + text
	}
	return text
}

// violationPath returns the path of the entry that a violation is about, as in spec.containers[name=web].image. streams
// are base, ours and theirs, nil for a missing version. The path is the one in ours if ours has the entry, or else the
// one in theirs, or in base. It is "" if no version has the entry.
func (o Options) violationPath(streams [3]*syntax.Stream, violation *verify.Violation) string {
	m := o.newPathMatcher(streams)
	for _, s := range [...]three.Version{three.Dest, three.Updated, three.Original} {
		if at := violation.At[s]; !at.Empty() && streams[s] != nil {
			return m.PathAt(streams[s], at).String()
		}
	}
	return ""
}

// ruleReasons describes, for each rule of verification, what would be wrong with a merge without a conflict.
var ruleReasons = map[verify.Rule]string{
	verify.RuleLost:              "an entry that one side has would be missing",
	verify.RuleSplitDuplicate:    "it would be unknown which of several equal entries a side deleted or added",
	verify.RuleMisplaced:         "a change would end up in a different entry",
	verify.RuleMovedLost:         "an entry that all versions have would be missing",
	verify.RuleUndone:            "a change of one side would be undone",
	verify.RuleValue:             "the value would not be the merge of both sides",
	verify.RuleInvented:          "the result would have an entry that neither side has",
	verify.RuleDuplicate:         "an entry would be duplicated",
	verify.RuleRepeated:          "an entry would be duplicated",
	verify.RuleUnique:            "two items would have a value that only one may have",
	verify.RuleDeletedAndChanged: "deleted by one side, modified by the other",
	verify.RuleDeletedItemKept:   "deleted by one side, modified by the other",
	verify.RuleAddedDifferently:  "both added, with different contents",
	verify.RuleEmptied:           "with the changes of both sides, nothing would be left in it",
	verify.RuleAlias:             "an alias would refer to a different value",
	verify.RuleProperty:          "the key, anchor or tag would not be the merge of both sides",
	verify.RuleRepeatedKey:       "one side has the key more than once, and the other side changed the field",
	verify.RuleOneOf:             "the result would have two fields that exclude each other",
	verify.RuleUnit:              "fields that are one value would be from two sides",
	verify.RuleReference:         "a reference would be to no earlier entry",
	verify.RuleGuard:             "an entry would be inside different template blocks",
	verify.RuleText:              "the lines would not be the merge of both sides",
	verify.RuleComment:           "a comment would be lost or duplicated",
	verify.RuleOrder:             "the order would not be the merge of both sides",
	verify.RuleFormat:            "the byte order mark, line ends or final newline would not be the merge of both sides",
	verify.RuleSource:            "the result would have a text that no version has",
}

// reasonForConflict returns a sentence for the user about why something is in conflict, although the edits of the sides
// do not contradict each other (Result.Refused). violation is what would be wrong without the conflict.
//
//	spec.image cannot be merged cleanly: a change of one side would be undone
//	the file cannot be merged cleanly: a comment would be lost or duplicated     without a path
func (m *merger) reasonForConflict(violation *verify.Violation) string {
	subject, reason := "the file", ruleReasons[violation.Rule]
	if p := m.opts.violationPath(m.in.Streams, violation); p != "" {
		subject = p
	}
	switch {
	case reason != "": // it is complete
	// without the line, which is one of a merge that the user does not see
	case violation.Problem != "":
		reason = "the file would be invalid: " + violation.Problem
	default: // the template rules have their own messages
		reason = violation.Error()
	}
	return subject + " cannot be merged cleanly: " + reason
}
