package merge

import (
	"fmt"
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/pair"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/read"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/template"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// FileOptions are the options of Changes and Lists. The zero value has no path and no rules.
type FileOptions struct {
	// Path is the path of the file in its repository, separated by slashes. It selects rules for well-known files, and
	// entries of the team's rules. The file is not opened. If it is empty, only rules for all files apply.
	Path string
	// Rules are the team's rules, by which the items of lists are matched. nil means none.
	Rules *Rules
}

// A Change is a difference between two versions of a file: a field, an item, a document, or actions of a template such
// as {{ if .Values.x }}.
type Change struct {
	// Path names the entry, as in spec.template.spec.containers[name=web].image. If the entry was renamed, it is the
	// path in the base. It is empty for the root of a single document, and for the order of actions in a file.
	Path string `json:"path"`
	// Kind is the kind of the change.
	Kind ChangeKind `json:"kind"`
	// From and To are the values in the base and in the changed version. If the entry was renamed, they are its two
	// mapping keys. For ChangeGuarded and ChangeActions they are the template actions. The zero value means that the
	// version has nothing there.
	From Version `json:"from,omitzero"`
	To   Version `json:"to,omitzero"`
	// List describes how the items of the surrounding list were matched, and the source of that rule. It is empty
	// outside of lists.
	List string `json:"list,omitempty"`
}

// ChangeKind is the kind of a change.
type ChangeKind string

// The kinds of changes.
const (
	ChangeAdded     ChangeKind = "added"
	ChangeDeleted   ChangeKind = "deleted"
	ChangeModified  ChangeKind = "modified"  // the value changed
	ChangeRenamed   ChangeKind = "renamed"   // the mapping key changed; the value may have changes of its own
	ChangeReordered ChangeKind = "reordered" // the order of the items changed, and nothing else
	ChangeGuarded   ChangeKind = "guarded"   // the guard changed: the template blocks around the entry, such as {{ if .Values.x }}
	ChangeActions   ChangeKind = "actions"   // a line of template actions below the entry changed
)

// IsOfActions reports whether c is about template actions, such as {{ if .Values.x }} around an entry or
// {{ include "a" . }} on a line of its own, and not about data.
func (c Change) IsOfActions() bool { return c.Kind == ChangeGuarded || c.Kind == ChangeActions }

// Changes returns the differences in data between two versions of a file, in file order, and then those in template
// actions. Comments, quotes, indentation and key order are not data. It fails if a version cannot be parsed, is too
// large or has conflict markers.
func Changes(base, version []byte, opts FileOptions) ([]Change, error) {
	if err := read.New([3][]byte{base, base, version}, [3]string{}).Unfit(); err != nil {
		return nil, err
	}
	language, files, err := read.Open(base, version)
	if err != nil { // files has the versions before the one that cannot be parsed
		return nil, fmt.Errorf("%s: %w", [...]string{"the base", "the changed version"}[len(files)], err)
	}
	before, after := files[0], files[1]
	d := differ{
		Matcher: pair.NewMatcher(opts.Rules.teamOrEmpty(), opts.Path),
		streams: [3]*syntax.Stream{three.Original: before.Stream, three.Dest: before.Stream, three.Updated: after.Stream},
	}
	if language != read.Template {
		d.compareDocuments()
		return d.changes, nil
	}
	d.facts = [3]*template.Facts{three.Original: before.Template.Facts(), three.Updated: after.Template.Facts()}
	d.paths = map[*syntax.Entry]string{}
	d.compareDocuments()
	d.changes = append(d.changes, d.guardChanges...)
	d.compareActionLines()
	if !slices.ContainsFunc(d.changes, Change.IsOfActions) && !d.haveSameActionLines() {
		d.changes = append(d.changes, Change{Kind: ChangeActions}) // for example the order of the lines differs
	}
	return d.changes, nil
}

// ChangedComments returns the comments that base has more often than version (removed), and the reverse (added),
// wherever they are in the file. Text is the line of the comment without indentation, and Span the comment alone. It
// fails if a version cannot be parsed.
func ChangedComments(base, version []byte) (removed, added []Version, err error) {
	_, files, err := read.Open(base, version)
	if err != nil {
		return nil, nil, err
	}
	return commentsBeyond(files[0], files[1]), commentsBeyond(files[1], files[0]), nil
}

// commentsBeyond returns the comments that f has more often than other, in the order of f. Comments are the same if
// their texts are, without blanks at the end. If f has a comment three times and other once, it returns the first two,
// because equal comments cannot be distinguished.
func commentsBeyond(f, other read.File) (all []Version) {
	text := func(f read.File, c syntax.Comment) string {
		return strings.TrimRight(string(f.File.Slice(c.Span)), " \t")
	}
	surplus := map[string]int{} // by text, how many more of them f has
	for _, c := range f.Comments() {
		surplus[text(f, c)]++
	}
	for _, c := range other.Comments() {
		surplus[text(other, c)]--
	}
	for _, c := range f.Comments() {
		if t := text(f, c); surplus[t] > 0 {
			surplus[t]--
			line := strings.TrimSpace(string(f.File.Bytes()[f.File.LineStart(c.Span.Start):c.Span.End]))
			all = append(all, Version{line, f.File.Line(c.Span.Start), Span(c.Span)})
		}
	}
	return all
}
