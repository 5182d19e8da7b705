package session

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge"
	"github.com/git-merge-yaml/git-merge-yaml/merge/program"
)

// GeneratedRule returns the first entry of the team's rules that declares f a generated file. ok is false if there is
// no such entry, if f has no path, or if the rules cannot be used.
func (f File) GeneratedRule() (g program.Generated, ok bool) {
	rules, err := f.Rules()
	if err != nil || f.Path == "" {
		return g, false
	}
	for _, g := range program.GeneratedRules(rules) {
		if g.Makes(f.Path) {
			return g, true
		}
	}
	return g, false
}

// Generator returns the program that generates f. It is the program of the team's rules, if they declare f a generated
// file. Otherwise it is detected from the file name and the text of ours, then of theirs (see detectGenerator). ok is
// false if f does not seem to be generated.
func (f File) Generator() (m Generator, ok bool) {
	if g, ok := f.GeneratedRule(); ok {
		return Generator{Program: cmp.Or(g.By, "a program"), Evidence: g.Source, Command: "git merge-yaml regenerate"}, true
	}
	if m, ok = detectGenerator(f.Path, f.Ours); !ok {
		m, ok = detectGenerator(f.Path, f.Theirs)
	}
	return m, ok
}

// IsGeneratedText reports whether the team's rules declare f a generated file, and its name is not that of a YAML, JSON
// or lock file, as in README.md. Such a file is merged by lines.
func (f File) IsGeneratedText() bool {
	if _, ok := f.GeneratedRule(); !ok {
		return false
	}
	switch strings.ToLower(path.Ext(f.Path)) {
	case ".yaml", ".yml", ".json":
		return false
	}
	return !isLockFile(f.Path)
}

// IsMergedLockFile reports whether f has the name of a lock file (see lockFiles) and the team's rules extend the preset
// locks. Its packages are then merged, until the program that writes the lock file is run again.
func (f File) IsMergedLockFile() bool {
	rules, err := f.Rules()
	return err == nil && isLockFile(f.Path) && slices.Contains(program.Extended(rules), "locks")
}

// ConflictGenerated is the kind of the conflict in a file that is left to the program that generates it. Package merge
// does not have it.
const ConflictGenerated merge.ConflictKind = "generated"

// KeepOursIfGenerated returns the result to write to the work tree for res, the result of merging f. If res has
// conflicts and the team's rules declare f a generated file, it is ours without markers, with a single conflict of the
// kind ConflictGenerated. Otherwise it is res.
func (f File) KeepOursIfGenerated(res merge.Result) merge.Result {
	if _, ok := f.GeneratedRule(); res.Clean() || !ok {
		return res
	}
	return merge.Result{
		Bytes: f.Ours, Method: res.Method, LineConflicts: res.LineConflicts,
		Conflicts: []merge.Conflict{{Kind: ConflictGenerated, Detail: "a program makes it, and is to make it again"}},
	}
}

// NeedsRegeneration reports whether res is a result in which KeepOursIfGenerated kept ours, so that the file has to be
// generated again.
func NeedsRegeneration(res merge.Result) bool {
	return len(res.Conflicts) == 1 && res.Conflicts[0].Kind == ConflictGenerated
}
