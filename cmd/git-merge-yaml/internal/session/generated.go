package session

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// Rule is what the team's rules say of the program that makes f, if they do. The first
// entry that names it counts.
func (f File) Rule() (g merge.Generated, ok bool) {
	rules, err := f.Rules()
	if err != nil || f.Path == "" {
		return g, false
	}
	for _, g := range rules.Generated() {
		if g.Makes(f.Path) {
			return g, true
		}
	}
	return g, false
}

// Maker is what made f: by the team's rules, or by the marks in it.
func (f File) Maker() (m Maker, ok bool) {
	if g, ok := f.Rule(); ok {
		return Maker{Program: cmp.Or(g.By, "a program"), Mark: g.Source, Command: "git merge-yaml regenerate"}, true
	}
	if m, ok = makerOf(f.Path, f.Ours); !ok {
		m, ok = makerOf(f.Path, f.Theirs)
	}
	return m, ok
}

// IsText reports whether f is neither YAML nor JSON, but something else that the team's
// rules name, and so is merged by lines.
func (f File) IsText() bool {
	if _, ok := f.Rule(); !ok {
		return false
	}
	switch strings.ToLower(path.Ext(f.Path)) {
	case ".yaml", ".yml", ".json":
		return false
	}
	return !isLock(f.Path)
}

// IsLock reports whether f is a lock file that the team's rules have put together until it is
// made again.
func (f File) IsLock() bool {
	rules, err := f.Rules()
	return err == nil && isLock(f.Path) && slices.Contains(rules.Extended(), "locks")
}

// Left is what stands in the place of res in the work tree: of a file that is to be made
// again, ours without markers.
func (f File) Left(res merge.Result) merge.Result {
	if _, ok := f.Rule(); res.Clean() || !ok {
		return res
	}
	return merge.Result{
		Bytes: f.Ours, Method: res.Method, LineConflicts: res.LineConflicts,
		Conflicts: []merge.Conflict{{Kind: merge.ConflictGenerated}},
	}
}

// IsLeft reports whether res is that of a file that is to be made again.
func IsLeft(res merge.Result) bool {
	return len(res.Conflicts) == 1 && res.Conflicts[0].Kind == merge.ConflictGenerated
}
