package engine

import (
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/verify"
)

// describeViolation returns the message of a violation, after the path of the entry that it is about, as in
// "spec.image: …". Without a path, it returns the message only.
func (m *merger) describeViolation(violation *verify.Violation) string {
	text := violation.Error()
	// the details of these rules are sentences
	if violation.Rule == "misplaced" || violation.Rule == "wider access" {
		text = violation.Detail
	}
	if p := m.opts.violationPath(m.in.Streams, violation); p != "" {
		return p + ": " + text
	}
	return text
}

// violationPath returns the path of the entry that a violation is about, as in spec.containers[name=web].image, in the
// first of ours, theirs and base that has it. It returns "" if none has, or if the violation is about the whole of a
// single document. streams are base, ours and theirs; nil is a missing version.
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
var ruleReasons = map[string]string{
	"lost":                 "an entry that one side has would be missing",
	"ambiguous copy":       "it would be unknown which of several equal entries a side deleted or added",
	"misplaced":            "a change would end up in a different entry",
	"lost in a move":       "an entry that all versions have would be missing",
	"undone":               "a change of one side would be undone",
	"wrong value":          "the value would not be the merge of both sides",
	"unexpected":           "the result would have an entry that neither side has",
	"duplicate":            "an entry would be duplicated",
	"repeated value":       "two items would have a value that only one may have",
	"deleted and modified": "deleted by one side, modified by the other",
	"added by both":        "both added, with different contents",
	"nothing left":         "with the changes of both sides, nothing would be left in it",
	"wrong alias":          "an alias would refer to a different value",
	"wrong anchor or tag":  "the key, anchor or tag would not be the merge of both sides",
	"duplicate key":        "one side has the key more than once, and the other side changed the field",
	"exclusive fields":     "the result would have two fields that exclude each other",
	verify.RuleUnit:        "fields that are one value would be from two sides",
	"dead reference":       "a reference would be to no earlier entry",
	"wrong condition":      "an entry would be inside different template blocks",
	"wrong text":           "the lines would not be the merge of both sides",
	"wrong comment":        "a comment would be lost or duplicated",
	"wrong order":          "the order would not be the merge of both sides",
	"wrong format":         "the byte order mark, line ends or final newline would not be the merge of both sides",
	"foreign text":         "the result would have a text that no version has",
}

// reasonForConflict returns a sentence for the user, about why something is in conflict although the edits of the sides
// do not contradict each other (Result.Refused): violation is what would be wrong without a conflict.
//
//	spec.image cannot be merged cleanly: a change of one side would be undone
//	the file cannot be merged cleanly: a comment would be lost or duplicated     without a path
func (m *merger) reasonForConflict(violation *verify.Violation) string {
	subject, reason := "the file", ruleReasons[violation.Rule]
	if p := m.opts.violationPath(m.in.Streams, violation); p != "" {
		subject = p
	}
	switch {
	case reason != "":
	// The line is one of a merge that the user does not see.
	case strings.HasPrefix(violation.Detail, "line "):
		_, problem, _ := strings.Cut(violation.Detail, ": ")
		reason = "the file would be invalid: " + problem
	default: // the template rules have their own messages
		reason = violation.Error()
	}
	return subject + " cannot be merged cleanly: " + reason
}
