package session

import (
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// A File is the merge of one file, as the driver does it in a session.
type File struct {
	*Session
	Path               string // in the repository, "" if nobody knows
	Base, Ours, Theirs []byte
	// RuleSet is kustomize, or "" for the default rules.
	RuleSet string
	// Own is which side is one's own where no option says it; nil is that nobody
	// knows.
	Own func() merge.Own
}

// File is a merge in s by the rule set that its options say. Own may be nil.
func (s *Session) File(path string, base, ours, theirs []byte, own func() merge.Own) File {
	f := File{Session: s, Path: path, Base: base, Ours: ours, Theirs: theirs, Own: own}
	if s.RuleSet != "default" {
		f.RuleSet = s.RuleSet
	}
	return f
}

// Merge merges f as the driver does, with conflicts as markers say.
func (f File) Merge(markers func() merge.Markers) (merge.Result, error) {
	res, err := f.MergeAncestor(markers)
	if err != nil {
		return res, err
	}
	return f.Left(f.Sealed(res, func(f File) (merge.Result, error) { return f.MergeAncestor(markers) })), nil
}

// MergeAncestor is Merge for a file of which git makes a common ancestor.
func (f File) MergeAncestor(markers func() merge.Markers) (merge.Result, error) {
	if f.IsText() {
		m := merge.Markers{}
		if markers != nil {
			m = markers()
		}
		merged, n, err := merge.MergeLines(f.Base, f.Ours, f.Theirs, m)
		return merge.DelegatedResult(merged, n, m.Size, ""), err
	}
	opts := f.Merging()
	opts.Markers = markers
	return f.Library(f.Base, f.Ours, f.Theirs, opts)
}

// Changes are what a side, or any other version, changed of the base.
func (f File) Changes(version []byte) ([]merge.Change, error) {
	return merge.Changes(f.Base, version, f.Merging().File())
}
