package compare

import (
	"fmt"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/plan"
)

// A Conflict is a conflict of a merge that is to be described to the user.
type Conflict struct {
	Kind plan.ConflictKind
	// Path is the path of the conflict.
	Path string
	// Detail is the clause that Why returns for a conflict about fields that grant more together than in each side
	// (plan.ConflictMultiplied). It is empty for other kinds.
	Detail string
	// Base, Ours and Theirs are the lines of the versions; "" if a version has nothing there.
	Base, Ours, Theirs string
}

// kindReasons has the text of Why for each kind of conflict.
var kindReasons = map[plan.ConflictKind]string{
	plan.ConflictValue:        "both changed it, each to something else",
	plan.ConflictDeleteModify: "one deleted a part of it that the other changed",
	plan.ConflictAddAdd:       "both added something different at the same place",
	plan.ConflictReplace:      "both replaced the same by something else",
	plan.ConflictList:         "both changed the same items of a list",
	plan.ConflictComment:      "both changed the same comment",
	plan.ConflictText:         "both changed the same lines of a text",
	plan.ConflictRefused:      "it cannot be merged cleanly",
	plan.ConflictLine:         "both changed the same lines",
	plan.ConflictEncrypted:    "SOPS encrypted it, and only SOPS can write it",
	plan.ConflictMultiplied:   "each side widened another of the fields that are multiplied",
}

// Why returns a clause that describes the conflict. It is the first of these:
//
//  1. Detail, if that is not empty
//  2. the clause of Deletion, as in "ours deleted it, theirs changed resources.limits.cpu"
//  3. "both added it, each something else", if only the base has nothing there, and the conflict is about a value, a
//     comment or lines
//  4. the clause for the kind, as in "both changed it, each to something else"
//  5. "", for an unknown kind
func (c Conflict) Why() string {
	if c.Detail != "" {
		return c.Detail
	}
	if deleted := c.Deletion(); deleted != "" {
		return deleted
	}
	switch c.Kind {
	case plan.ConflictValue, plan.ConflictLine, plan.ConflictComment:
		if c.Base == "" && c.Ours != "" && c.Theirs != "" {
			return "both added it, each something else"
		}
	}
	return kindReasons[c.Kind]
}

// Deletion returns a clause about a side that deleted what the other side changed.
//
//	ours deleted it, theirs changed resources.limits.cpu
//	theirs deleted limits, ours changed limits.cpu            if only a part of the lines in conflict was deleted
//	ours deleted it, theirs changed a, b, c and 2 more        if there are more than four changes
//	ours deleted it, theirs changed it                        if the changes cannot be named
//
// It returns "" if c is not such a conflict. This is so if no side deleted something that the other side changed, or if
// the kind is not plan.ConflictDeleteModify, plan.ConflictList or plan.ConflictValue.
func (c Conflict) Deletion() string {
	switch c.Kind {
	case plan.ConflictDeleteModify, plan.ConflictList, plan.ConflictValue:
	default:
		return ""
	}
	noOurs, noTheirs := c.Ours == "", c.Theirs == ""
	ours, theirs := c.changesFromBase(c.Ours), c.changesFromBase(c.Theirs)
	switch {
	case noOurs != noTheirs && c.Base == "" && c.Kind != plan.ConflictDeleteModify:
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

// ChangesToDeleted returns the changes that one side made to an entry that the other side deleted. oursDeleted is
// whether the other side is ours. The paths of the changes are relative to c.Path, and empty for the entry itself.
//
// It returns false and nil if c is not a conflict between a deletion and a change (plan.ConflictDeleteModify). It does
// so, too, if both sides or neither have lines. changes is nil if only comments or quotes changed, or if the lines
// cannot be parsed as YAML.
func (c Conflict) ChangesToDeleted() (oursDeleted bool, changes []Change) {
	switch {
	case c.Kind != plan.ConflictDeleteModify || (c.Ours == "") == (c.Theirs == ""):
		return false, nil
	case c.Ours == "":
		return true, c.changesFromBase(c.Theirs)
	}
	return false, c.changesFromBase(c.Ours)
}

// findDeletedAndChanged looks for an entry that one side deleted, and that the other side changed itself or in part.
// changes are those of the first side, and others those of the second. It returns the path of the first such entry, and
// the paths of the changes of the second side as a text. It returns empty strings if there is none.
//
//	first side         second side                                   result
//	limits deleted     limits.cpu modified                           "limits", "limits.cpu"
//	limits deleted     limits.cpu modified, limits.memory modified   "limits", "limits.cpu, limits.memory"
//	limits deleted     limits deleted                                "", ""
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

// changesFromBase returns the changes from the base of c to v, the text of a side. Their paths are relative to c.Path,
// and empty for the entry itself. It returns nil if there are none, or if the text of a version cannot be parsed as
// YAML.
func (c Conflict) changesFromBase(v string) []Change {
	all, err := Changes([]byte(c.Base), []byte(v), Options{})
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
//	server             spec.server                 "", which is the entry itself
//	[name=web].image   spec.containers[name=web]   image
//	[0].image          spec.containers[2]          image
//
// It returns path itself if it does not contain the end of c.Path. It returns "" if the conflict is about an item of a
// list, and path is about another item than the first in its lines, as [1].image.
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

// cutPath returns path relative to parent, as limits.cpu for resources.limits.cpu and resources. It is "" if they are
// equal. ok is false, and relative "", if path is neither parent nor inside parent, as for resources2 and resource. An
// empty parent contains only itself and paths that start with "[" or ".".
func cutPath(path, parent string) (relative string, ok bool) {
	rest, ok := strings.CutPrefix(path, parent)
	if !ok || rest != "" && rest[0] != '.' && rest[0] != '[' {
		return "", false
	}
	return strings.TrimPrefix(rest, "."), true
}

// maxNamedPaths is the number of paths that a clause lists before "and N more".
const maxNamedPaths = 3

// joinPaths returns the paths of changes for a clause. It depends on their number:
//
//	none         it
//	up to four   a, b, c, d
//	more         a, b, c and 2 more     (maxNamedPaths is 3)
//
// It returns "it" if one of the paths that it would list is empty: the change is about the whole entry.
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
