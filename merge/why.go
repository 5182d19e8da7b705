package merge

import (
	"fmt"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/verify"
)

// kindReasons has the text of Why for each kind of conflict.
var kindReasons = map[ConflictKind]string{
	ConflictValue:        "both changed it, each to something else",
	ConflictDeleteModify: "one deleted a part of it that the other changed",
	ConflictAddAdd:       "both added something different at the same place",
	ConflictReplace:      "both replaced the same by something else",
	ConflictList:         "both changed the same items of a list",
	ConflictComment:      "both changed the same comment",
	ConflictText:         "both changed the same lines of a text",
	ConflictRefused:      "it cannot be merged cleanly",
	ConflictLine:         "both changed the same lines",
	ConflictEncrypted:    "SOPS encrypted it, and only SOPS can write it",
	ConflictMultiplied:   "each side widened another of the fields that are multiplied",
	ConflictGenerated:    "a program makes it, and is to make it again",
}

// Why returns a clause that describes the conflict, as in "both changed it, each to something else".
func (c Conflict) Why() string {
	if c.Detail != "" {
		return c.Detail
	}
	if deleted := c.Deletion(); deleted != "" {
		return deleted
	}
	switch c.Kind {
	case ConflictValue, ConflictLine, ConflictComment:
		if c.Base.Text == "" && c.Ours.Text != "" && c.Theirs.Text != "" {
			return "both added it, each something else"
		}
	}
	return kindReasons[c.Kind]
}

// Deletion returns a clause about a side that deleted what the other side changed, or "" if c is not such a conflict.
//
//	ours deleted it, theirs changed resources.limits.cpu
//	theirs deleted limits, ours changed limits.cpu        if a part of the lines in conflict was deleted, as in flow style
func (c Conflict) Deletion() string {
	switch c.Kind {
	case ConflictDeleteModify, ConflictList, ConflictValue:
	default:
		return ""
	}
	noOurs, noTheirs := c.Ours.Text == "", c.Theirs.Text == ""
	ours, theirs := c.changesFromBase(c.Ours), c.changesFromBase(c.Theirs)
	switch {
	case noOurs != noTheirs && c.Base.Text == "" && c.Kind != ConflictDeleteModify:
		return ""
	case noOurs && !noTheirs:
		return "ours deleted it, theirs changed " + joinPaths(theirs)
	case noTheirs && !noOurs:
		return "theirs deleted it, ours changed " + joinPaths(ours)
	}
	if deletedPath, changedPaths := findDeletedAndChanged(ours, theirs); deletedPath != "" {
		return fmt.Sprintf("ours deleted %s, theirs changed %s", deletedPath, changedPaths)
	}
	if deletedPath, changedPaths := findDeletedAndChanged(theirs, ours); deletedPath != "" {
		return fmt.Sprintf("theirs deleted %s, ours changed %s", deletedPath, changedPaths)
	}
	return ""
}

// ChangesToDeleted returns the changes of one side to an entry that the other side, deletedBy, deleted. Their paths are
// relative to c. It returns no changes if c is not such a conflict, or if only comments and the like changed.
func (c Conflict) ChangesToDeleted() (deletedBy Take, changes []Change) {
	switch {
	case c.Kind != ConflictDeleteModify || (c.Ours.Text == "") == (c.Theirs.Text == ""):
		return Undecided, nil
	case c.Ours.Text == "":
		return TakeOurs, c.changesFromBase(c.Theirs)
	}
	return TakeTheirs, c.changesFromBase(c.Ours)
}

// findDeletedAndChanged returns the path of the first entry that changes delete and others change, and the paths of
// these other changes. It returns empty strings if there is none.
func findDeletedAndChanged(changes, others []Change) (deletedPath, changedPaths string) {
	for _, d := range changes {
		if d.Kind != ChangeDeleted || d.Path == "" {
			continue
		}
		var changed []Change
		for _, x := range others {
			if _, ok := cutPath(x.Path, d.Path); ok && x.Kind != ChangeDeleted {
				changed = append(changed, x)
			}
		}
		if len(changed) > 0 {
			return d.Path, joinPaths(changed)
		}
	}
	return "", ""
}

// changesFromBase returns the changes from the base of c to v, which is one of its sides. Their paths are relative to
// c. It returns nil if the text of a version cannot be parsed.
func (c Conflict) changesFromBase(v Version) []Change {
	all, err := Changes([]byte(c.Base.Text), []byte(v.Text), Options{})
	if err != nil {
		return nil
	}
	for i := range all {
		all[i].Path = c.relativePath(all[i].Path)
	}
	return all
}

// relativePath returns path, which was found in the lines of c, without the path of c:
//
//	path               c.Path                      result
//	server.image       spec.server                 image
//	[name=web].image   spec.containers[name=web]   image
//	[0].image          spec.containers[2]          image
//
// It returns path itself if it does not contain the end of c.Path, and "" for another item than the first of a
// conflict about an item.
func (c Conflict) relativePath(path string) string {
	for i := range c.Path {
		if begins := i == 0 || c.Path[i] == '[' || c.Path[i-1] == '.'; begins {
			if rest, ok := cutPath(path, c.Path[i:]); ok {
				return rest
			}
		}
	}
	if !strings.HasSuffix(c.Path, "]") || path == "" || path[0] != '[' {
		return path
	}
	rest, _ := cutPath(path, "[0]") // the index of an item within c is not meaningful
	return rest
}

// cutPath returns path relative to parent. It returns false if path is not parent and not inside parent.
func cutPath(path, parent string) (string, bool) {
	rest, ok := strings.CutPrefix(path, parent)
	if !ok || rest != "" && rest[0] != '.' && rest[0] != '[' {
		return "", false
	}
	return strings.TrimPrefix(rest, "."), true
}

// maxNamedPaths is the number of paths that a clause lists before "and N more".
const maxNamedPaths = 3

// joinPaths returns the paths of changes for a clause. If there are more than maxNamedPaths+1, it lists maxNamedPaths
// and the number of the others. It returns "it" if a change is about the whole entry, or if there are no changes.
func joinPaths(all []Change) string {
	var paths []string
	for i, c := range all {
		switch {
		case c.Path == "":
			return "it"
		case i == maxNamedPaths && len(all) > maxNamedPaths+1:
			return fmt.Sprintf("%s and %d more", strings.Join(paths, ", "), len(all)-i)
		}
		paths = append(paths, c.Path)
	}
	if len(paths) == 0 {
		return "it"
	}
	return strings.Join(paths, ", ")
}

// describeViolation returns the text of r after the path of its entry, if it has one.
func (m *merger) describeViolation(r *verify.Violation) string {
	if p := m.opts.violationPath(m.in.Streams, r); p != "" {
		return p + ": " + r.Error()
	}
	return r.Error()
}

// violationPath returns the path of the entry that r is about: in ours if ours has it, otherwise in theirs or base.
// It returns "" if no version has it.
func (o Options) violationPath(streams [3]*syntax.Stream, r *verify.Violation) string {
	m := o.newMatcher()
	for _, st := range streams {
		m.MultiDocument = m.MultiDocument || st != nil && len(st.Docs) > 1
	}
	for _, s := range [...]three.Version{three.Dest, three.Updated, three.Original} {
		if at := r.At[s]; !at.Empty() && streams[s] != nil {
			return m.PathAt(streams[s], at).String()
		}
	}
	return ""
}

// ruleReasons describes, for each rule of verification, what would be wrong with a clean merge.
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

// refusalReason returns the text for Result.Refused. r is the first violation of the clean merge.
func (m *merger) refusalReason(r *verify.Violation) string {
	subject, reason := "it", ruleReasons[r.Rule]
	if p := m.opts.violationPath(m.in.Streams, r); p != "" {
		subject = p
	}
	if reason == "" { // the parser and the template rules have their own messages
		reason = r.Error()
	}
	return subject + " cannot be merged cleanly: " + reason
}
