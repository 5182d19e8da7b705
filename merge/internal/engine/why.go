package engine

import (
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/verify"
)

// describeViolation returns the message of a violation, after the path of the entry that it is about, as in
// "spec.image: …". A violation is a point in which a result is not the merge of the versions. Without a path, it
// returns the message only. violation must not be nil.
func (m *merger) describeViolation(violation *verify.Violation) string {
	if p := m.opts.violationPath(m.in.Streams, violation); p != "" {
		return p + ": " + violation.Error()
	}
	return violation.Error()
}

// violationPath returns the path of the entry that a violation is about, as in spec.containers[name=web].image. A
// violation is a point in which a result is not the merge of the versions. It is the path in ours if ours has the
// entry, otherwise in theirs or in base. It returns "" if no version has the entry, or if the violation is about the
// whole of a single document.
//
// streams are base, ours and theirs; nil means that a version is missing. Only the options Path and Rules are used.
func (o Options) violationPath(streams [3]*syntax.Stream, violation *verify.Violation) string {
	m := o.newMatcher()
	for _, st := range streams {
		m.MultiDocument = m.MultiDocument || st != nil && len(st.Docs) > 1
	}
	for _, s := range [...]three.Version{three.Dest, three.Updated, three.Original} {
		if at := violation.At[s]; !at.Empty() && streams[s] != nil {
			return m.PathAt(streams[s], at).String()
		}
	}
	return ""
}

// ruleReasons describes, for each rule of verification, what would be wrong with a merge without a conflict.
var ruleReasons = map[string]string{
	"lost":                 "something that one side has there would be missing",
	"ambiguous deletion":   "each side removed another one of two equal things",
	"misplaced":            "an edit would end in another entry than the one in which it was made",
	"lost in a move":       "something that all versions have there would be missing",
	"undone":               "an edit of a side would be undone",
	"wrong value":          "the value would not follow from the edits of both sides",
	"unexpected":           "it would contain something that neither side wrote",
	"duplicate":            "it would be duplicated",
	"deleted and modified": "one side deleted what the other changed",
	"added by both":        "both sides added it, and neither has all that the other has",
	"nothing left":         "each side removed a part of it, and nothing would be left",
	"wrong alias":          "an alias would mean something else",
	"wrong anchor or tag":  "its anchor or tag would be that of neither side",
	"duplicate key":        "one side repeats its key, and the other side changed it",
	"wrong key type":       "both sides added it, with keys of two types",
	"exclusive fields":     "it would have two fields that exclude each other",
	"wrong condition":      "it would end up under different template conditions",
	"wrong text":           "its lines would not follow from the edits of both sides",
	"wrong comment":        "a comment would be lost or duplicated",
	"wrong order":          "its order would be that of neither side",
}

// reasonForConflict returns a sentence for the user, about why something is in conflict although the edits of the sides
// do not contradict each other. It becomes Result.Refused. violation is the first point in which the merge without a
// conflict would not be the merge of the versions; it must not be nil.
//
//	spec.image cannot be merged cleanly: an edit of a side would be undone
//	it cannot be merged cleanly: its order would be that of neither side      without a path
func (m *merger) reasonForConflict(violation *verify.Violation) string {
	subject, reason := "it", ruleReasons[violation.Rule]
	if p := m.opts.violationPath(m.in.Streams, violation); p != "" {
		subject = p
	}
	if reason == "" { // the parser and the template rules have their own messages
		reason = violation.Error()
	}
	return subject + " cannot be merged cleanly: " + reason
}
