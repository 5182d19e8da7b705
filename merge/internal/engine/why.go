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
	"lost":                "something that a side has there would be gone",
	"apart":               "each side removed another one of two equal things",
	"elsewhere":           "an edit would end in another entry than the one in which it was made",
	"kept":                "something that all versions have there would be gone",
	"undone":              "an edit of a side would be undone",
	"value":               "the value would not be what the edits of the sides make it",
	"invented":            "it would have what neither side wrote",
	"doubled":             "it would be there twice",
	"deleted and changed": "one side deleted what the other changed",
	"added differently":   "both sides added it, and neither has all that the other has",
	"emptied":             "each side removed a part of it, and nothing would be left",
	"alias":               "an alias would mean something else",
	"anchor or tag":       "its anchor or tag would be that of neither side",
	"key twice":           "a side has its key twice, and the other side changed it",
	"key":                 "both sides added it, with keys of two types",
	"one of":              "it would have two fields that exclude each other",
	"guard":               "it would end up under different template conditions",
	"text":                "its lines would not be what the edits of the sides make them",
	"comment":             "a comment would be lost or duplicated",
	"order":               "its order would be that of neither side",
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
