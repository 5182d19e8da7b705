package merge

import (
	"cmp"
	"strings"
)

// A Conflict is a part of a file that the user has to decide, or that was decided.
type Conflict struct {
	// Path names the field, item or document, as in spec.template.spec.containers[name=web].image. It is empty if the
	// conflict is about the whole file, and for conflicts of git's merge by lines (Kind is ConflictLine).
	Path string `json:"path"`
	// Elements are the steps of Path, from the root of the file. They are nil if Path is empty, and for decisions
	// about the packages of a lock file, such as package-lock.json. They are not part of the JSON form.
	Elements []PathElement `json:"-"`
	// Kind is the kind of the conflict. It is never empty.
	Kind ConflictKind `json:"kind"`
	// Detail is a clause about what Kind does not say: which fields the sides widened (ConflictAccess), for example, or
	// which comment a decision left out. It is often empty. Why returns it. It is not part of the JSON form.
	Detail string `json:"-"`
	// Line is the line of the opening marker in Result.Bytes, from 1. It is 0 if the conflict was decided.
	Line int `json:"line,omitempty"`
	// Span is the place in Result.Bytes of the markers and of everything between them. It is zero if the conflict was
	// decided, and in a Question. Adjacent conflicts share it.
	Span Span `json:"-"`
	// Base, Ours and Theirs are the conflicting parts of the three versions. The zero value means that the version has
	// nothing there, or that the part is not known, as in a conflict of git's merge by lines.
	Base   Version `json:"base,omitzero"`
	Ours   Version `json:"ours,omitzero"`
	Theirs Version `json:"theirs,omitzero"`
	// By is what decided the conflict: a policy, a rule set, an option or an answer. It is zero if the conflict is not
	// decided.
	By Decision `json:"by,omitzero"`
	// Took is the side that was chosen, ours or theirs. It is empty if the conflict is not decided, or if the decision
	// did not choose a side.
	Took Side `json:"took,omitempty"`
	// Wrote is the value that the policy next wrote, if neither side has that value. Otherwise it is empty. The policy
	// next gives a version that both sides raised the number of the next release.
	Wrote string `json:"wrote,omitempty"`
}

// A PathElement is one step of a path: a document, a field or an item.
type PathElement struct {
	// Document is the name of a document, as in Deployment/web, if the file has several. Otherwise it is empty.
	Document string
	// Field is the name of a field of a mapping. It is empty for an item or a document.
	Field string
	// Item names an item of a list: its associative keys (the fields that identify it), as in name=web, or its index
	// from 0. Otherwise it is empty.
	Item string
}

// A Span is a range of bytes of a file, from Start up to but not including End. The zero value means that the place is
// not known.
type Span struct{ Start, End int }

// A Version is the part of one version of the file that belongs to a conflict or a change.
type Version struct {
	// Text is the lines of that version; for a Change of a scalar, the value only. It is empty if the version has
	// nothing there, or if that is not known (Line is 0). Its line breaks are those of the result.
	Text string `json:"text"`
	// Line is the line of that version at which Text starts, or would be inserted, from 1. It is 0 if it is not
	// known.
	Line int `json:"line"`
	// Span is the place of Text in the bytes of that version. It is zero if Line is 0. It is not part of the JSON form.
	Span Span `json:"-"`
}

// A Decision is what decided a conflict: a policy of the team's rules (.git-merge-yaml.yaml), a rule set, or a choice
// of one side. In JSON it is the text of String. The zero value means that nothing decided it.
type Decision struct {
	// Policy is the policy that decided, such as highest. It is empty for other decisions.
	Policy string
	// Source is the place of the policy in the team's file, as in .git-merge-yaml.yaml:12. It is empty if no policy
	// decided.
	Source string
	// Preset is the preset (a named set of rules that the team's file includes) that has the policy. It is empty if a
	// rule of the team itself has it, and if no policy decided.
	Preset string
	// Rules is the name of the rule set of package kube that decided. Otherwise it is empty.
	Rules string
	// Take is the choice of Options.Resolve or of an Answer. Otherwise it is TakeNone.
	Take Take
}

// String returns d for messages. It is "" for the zero value. Otherwise it is one of these:
//
//	policy next (.git-merge-yaml.yaml:12)                 a policy of the team's rules
//	policy next (.git-merge-yaml.yaml:12, extends helm)   a policy of a preset that the team's rules include
//	policy next (extends helm)                            the same if Source is empty
//	rules kustomize                                       a rule set of package kube
//	ours                                                  a side, or another choice of an Answer, such as both
func (d Decision) String() string {
	if d.Policy == "" {
		return cmp.Or(d.Rules, string(d.Take))
	}
	from := d.Source
	if d.Preset != "" {
		from = strings.TrimPrefix(from+", extends "+d.Preset, ", ")
	}
	return "policy " + d.Policy + " (" + from + ")"
}

// MarshalText returns the text of String. It is the form of a Decision in JSON.
func (d Decision) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// ConflictKind is the kind of a conflict.
type ConflictKind string

// The kinds of conflicts. ConflictAccess is about fields of which each combination is granted: ours added a verb to an
// RBAC rule, and theirs a resource, so that the merge would grant the new verb on the new resource.
const (
	ConflictValue        ConflictKind = "value"         // both sides changed one value differently
	ConflictDeleteModify ConflictKind = "delete/modify" // one side deleted an entry that the other side changed
	ConflictAddAdd       ConflictKind = "add/add"       // both sides added different things at the same place
	ConflictReplace      ConflictKind = "replace"       // both sides replaced the same items or lines
	ConflictList         ConflictKind = "list"          // overlapping changes of a list's items
	ConflictComment      ConflictKind = "comment"       // both sides changed the same comment differently
	ConflictText         ConflictKind = "text"          // both sides changed the same lines of a multi-line scalar
	ConflictRefused      ConflictKind = "refused"       // the edits do not contradict each other, but no clean result passed verification
	ConflictLine         ConflictKind = "line"          // a conflict of git's merge by lines
	ConflictEncrypted    ConflictKind = "encrypted"     // a file or value that SOPS has to write, such as its mac
	ConflictAccess       ConflictKind = "access"        // each side widened another field, and the mapping grants every combination of their values
)
