// Package program is the part of this module that only the command git-merge-yaml needs. It is not part of the API: it may
// change in any version.
//
// A team's file also has entries that a merge of three versions does not use: which files a program generates, what
// happens to a file that one side deleted, and which presets it includes. They are read with the other rules, and this
// package returns them.
//
//	for _, g := range program.Generated(rules) { … g.Makes(path) … }
package program

import (
	"github.com/git-merge-yaml/git-merge-yaml/merge"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/bridge"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/compare"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
)

// A Preset is a named set of rules that a team's file can include with the field extends.
type Preset struct {
	// Name is the name for extends. About describes the rules for the user.
	Name, About string
	// Files are patterns as in .gitattributes. The preset is recommended for repositories with a file that matches one
	// of them. It is empty for a preset that is only for some branches.
	Files []string
}

// Presets returns the available presets.
func Presets() (all []Preset) {
	for _, p := range schema.NamedPresets {
		all = append(all, Preset{p.Name, p.About, p.Files})
	}
	return all
}

// Extended returns the names of the presets that rules include.
func Extended(rules *merge.Rules) []string { return bridge.Schema(rules).PresetNames() }

// IsEmpty reports whether the team's file has no rules, apart from those with a mistake.
func IsEmpty(rules *merge.Rules) bool { return bridge.Schema(rules).IsEmpty() }

// Shadowed returns a message for each rule of the team's file that never applies, because an earlier one applies to all
// that it is for. Each starts with name:line:column.
func Shadowed(rules *merge.Rules) []string { return bridge.Schema(rules).Shadowed() }

// HasNextVersion reports whether a rule applies the policy next to a version in the file at path. A rule for labels
// only does not count.
func HasNextVersion(rules *merge.Rules, path string) bool {
	return bridge.Schema(rules).HasNextVersion(path)
}

// HasFilePatterns reports whether an entry of the team's file is limited to some files. Such an entry does not apply
// to a merge without a path.
func HasFilePatterns(rules *merge.Rules) bool { return bridge.Schema(rules).HasFilePatterns() }

// Unmatched returns the patterns, kinds and paths in the team's own rules that match nothing in the given files, each as
// name:line:column and a text. read returns the content of a file. Files that cannot be read or parsed are skipped.
func Unmatched(rules *merge.Rules, files []string, read func(path string) ([]byte, error)) []string {
	return compare.Unmatched(bridge.Schema(rules), files, read)
}

// Deleted is a rule for a file that one side deleted and the other side changed.
type Deleted struct {
	// Take is the side whose change is kept.
	Take Take
	// Source is the file and line of the rule.
	Source string
}

// Take is the side whose change of a deleted file is kept.
type Take string

// The values of Take: keep the change of the user's own side or of the other side, or leave a conflict.
const (
	TakeOwn      Take = Take(schema.Own)
	TakeUpstream Take = Take(schema.Upstream)
	TakeNone     Take = Take(schema.Ask)
)

// DeletedRule returns the rule of the team's file for the file at path, if one side deleted it. path is relative to the
// top of the work tree and separated by slashes. ok is false if there is no rule.
func DeletedRule(rules *merge.Rules, path string) (d Deleted, ok bool) {
	p, ok := bridge.Schema(rules).DeletedPolicy(path)
	return Deleted{Take(p.Take), p.Source}, ok
}

// Generated is a rule for files that a program generates from other files. A merge of such a file is correct only if
// it equals the output of the program for the merged sources. Paths are relative to the top of the work tree and
// separated by slashes.
type Generated struct {
	// Files are the patterns of the generated files. From are the patterns of their sources; if it is empty, all other
	// files are.
	Files, From []string
	// By is the command, or "".
	By string
	// Source is the file and line of the rule.
	Source string

	rule *schema.Generated
}

// Makes reports whether the file at path is one of the generated files.
func (g *Generated) Makes(path string) bool { return g.rule.Makes(path) }

// Needs reports whether the file at path is one of the sources.
func (g *Generated) Needs(path string) bool { return g.rule.Needs(path) }

// GeneratedRules returns the rules of the team's file for generated files, in the order of the file.
func GeneratedRules(rules *merge.Rules) (all []Generated) {
	for _, g := range bridge.Schema(rules).Generated() {
		all = append(all, Generated{g.Files, g.From, g.By, g.Source, g})
	}
	return all
}
