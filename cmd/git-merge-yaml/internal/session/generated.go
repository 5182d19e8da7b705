package session

import (
	"bytes"
	"cmp"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/maker"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// Rule is what the team's rules say of the program that makes f, if they do. The first
// entry that names it counts.
func (f File) Rule() (g merge.Generated, ok bool) {
	rules, err := f.Session.Rules()
	if err != nil || f.Path == "" {
		return g, false
	}
	return RuleFor(rules, f.Path)
}

// RuleFor is the first entry of rules that says of the file at path that a program makes it.
func RuleFor(rules *merge.Rules, path string) (g merge.Generated, ok bool) {
	for _, g := range rules.Generated() {
		if g.Makes(path) {
			return g, true
		}
	}
	return g, false
}

// Maker is what made f: by the team's rules, by the marks in it, or by git's attributes.
func (f File) Maker() (m maker.Maker, ok bool) {
	if g, ok := f.Rule(); ok {
		return maker.Maker{Program: cmp.Or(g.By, "a program"), Mark: g.Source, Command: "git merge-yaml regenerate"}, true
	}
	if m, ok = maker.Of(f.Path, f.Ours); !ok {
		m, ok = maker.Of(f.Path, f.Theirs)
	}
	if !ok && f.Path != "" && f.markedByAttribute() {
		return maker.Attribute, true
	}
	return m, ok
}

// markedByAttribute asks git only where an attributes file has the word.
func (f File) markedByAttribute() bool {
	if !f.mentionsAttribute() {
		return false
	}
	values, err := f.Git.Attributes([]string{f.Path}, maker.AttributeName)
	if err != nil || len(values) != 1 {
		return false
	}
	v := values[0][maker.AttributeName]
	return v == "set" || v == "true"
}

func (f File) mentionsAttribute() bool {
	for dir := path.Dir(f.Path); ; dir = path.Dir(dir) {
		file := path.Join(dir, ".gitattributes")
		if f.Git.Dir != "" {
			file = path.Join(f.Git.Dir, file)
		}
		if data, err := os.ReadFile(file); err == nil && bytes.Contains(data, []byte(maker.AttributeName)) {
			return true
		}
		if dir == "." || dir == "/" {
			return false
		}
	}
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
	return !maker.IsLock(f.Path)
}

// Left is what stands in the place of res in the work tree: of a file that is to be made
// again, ours without markers.
func (f File) Left(res merge.Result) merge.Result {
	rules, err := f.Session.Rules()
	if err != nil {
		return res
	}
	return LeftBy(rules, f.Path, f.Ours, res)
}

// LeftBy is Left by rules that may be no session's.
func LeftBy(rules *merge.Rules, path string, ours []byte, res merge.Result) merge.Result {
	if _, ok := RuleFor(rules, path); res.Clean() || path == "" || !ok {
		return res
	}
	return merge.Result{
		Bytes: ours, Method: res.Method, LineConflicts: res.LineConflicts,
		Conflicts: []merge.Conflict{{Kind: merge.ConflictGenerated}},
	}
}

// IsLeft reports whether res is that of a file that is to be made again.
func IsLeft(res merge.Result) bool {
	return len(res.Conflicts) == 1 && res.Conflicts[0].Kind == merge.ConflictGenerated
}

// IsLock reports whether f is a lock file that the team's rules have put together until it is
// made again.
func (f File) IsLock() bool {
	rules, err := f.Session.Rules()
	return err == nil && maker.IsLock(f.Path) && slices.Contains(rules.Extended(), "locks")
}
