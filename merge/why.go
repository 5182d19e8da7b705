package merge

import (
	"fmt"
	"strings"
)

// Why returns a clause for the user that describes the conflict in the words of git status. It is Detail or, if that is
// empty, the clause of Deletion, such as "deleted by us, modified by them (resources.limits.cpu)". If that is empty,
// too, it is a clause such as "both modified the comment".
func (c Conflict) Why() string {
	if c.Detail != "" {
		return c.Detail
	}
	if deleted := c.Deletion(); deleted != "" {
		return deleted
	}
	return c.describeEdits()
}

// describeEdits returns a clause that describes the conflict by its kind and by what each side did:
//
//	kind              ours       theirs     clause
//	ConflictRefused                         no clean merge passed verification
//	ConflictValue     modified   modified   both modified
//	ConflictComment   modified   modified   both modified the comment
//	ConflictComment   deleted    modified   comment deleted by us, modified by them
//	ConflictText      added      added      both added lines of the text at the same place
//	ConflictList                 modified   modified by them, next to a change by us
func (c Conflict) describeEdits() string {
	switch c.Kind {
	case ConflictEncrypted:
		return "encrypted by SOPS, and only SOPS can write this value"
	case ConflictRefused:
		return "no clean merge passed verification"
	case ConflictAccess:
		return "modified by us and by them; together they grant more than either"
	}
	ours, theirs := c.sideEdit(c.Ours.Text), c.sideEdit(c.Theirs.Text)
	bothAdded := ours == "added" && theirs == "added"
	switch object := editedObjects[c.Kind].before; {
	case c.Base.Text == "" && c.Ours.Text == "" && c.Theirs.Text == "": // the lines are not known
		return "both modified" + c.editedObject()
	case ours == "" || theirs == "":
		return c.describeOneEdit(ours, theirs)
	case ours != theirs:
		return fmt.Sprintf("%s%s by us, %s by them", object, ours, theirs)
	case bothAdded && c.Kind == ConflictAddAdd:
		return "both added, at the same place"
	case bothAdded && (c.Kind == ConflictText || c.Kind == ConflictLine):
		return "both added " + object + "at the same place"
	}
	return "both " + ours + c.editedObject()
}

// editedObjects has what the sides edited, for the kinds of conflicts that are not about entries: as it is written
// before the edit of a side, and after the edits of both.
var editedObjects = map[ConflictKind]struct{ before, after string }{
	ConflictComment: {"comment ", " the comment"},
	ConflictText:    {"lines of the text ", " the same lines of the text"},
	ConflictLine:    {"lines ", " the same lines"},
}

// editedObject returns what both sides edited, with a space before it, to be written after "both modified": " the
// comment", " the same items" or " the list", for example. It is "" for an entry, which c.Path names.
func (c Conflict) editedObject() string {
	switch {
	case c.Kind != ConflictList:
		return editedObjects[c.Kind].after
	case strings.HasSuffix(c.Path, "]"):
		return " the same items"
	}
	return " the list" // it is merged as one value
}

// sideEdit returns what one side did to the lines of c: added, deleted, modified or, if it changed the mapping key in a
// ConflictReplace, renamed. side is the text of the lines in that side. It returns "" if it is equal to the base.
func (c Conflict) sideEdit(side string) string {
	switch {
	case c.Base.Text == side:
		return ""
	case c.Base.Text == "":
		return "added"
	case side == "":
		return "deleted"
	case c.Kind != ConflictReplace:
		return "modified"
	}
	if changes := c.changesFromBase(side); len(changes) > 0 && changes[0].Kind == ChangeRenamed {
		return "renamed"
	}
	return "modified"
}

// describeOneEdit returns a clause for a conflict in which at most one side edited the lines themselves; the other side
// edited something next to them. ours and theirs are the edits, as sideEdit returns them, and at least one of them is
// "".
//
//	ours       theirs   clause
//	modified   ""       modified by us, next to a change by them
//	""         added    added by them, another entry added by us
//	""         added    added by them, comment deleted by us         in a ConflictComment
//	""         ""       conflicts with the adjacent lines
func (c Conflict) describeOneEdit(ours, theirs string) string {
	edit, by, other := ours, "us", "them"
	if ours == "" {
		edit, by, other = theirs, "them", "us"
	}
	switch {
	case edit == "":
		return "conflicts with the adjacent lines"
	case c.Kind == ConflictComment && edit == "added":
		return fmt.Sprintf("added by %s, comment deleted by %s", by, other)
	case edit == "added":
		return fmt.Sprintf("added by %s, another entry added by %s", by, other)
	}
	return fmt.Sprintf("%s%s by %s, next to a change by %s", editedObjects[c.Kind].before, edit, by, other)
}

// Deletion returns a clause for the user about a side that deleted what the other side changed. It returns "" if c is
// not such a conflict; its kind may be ConflictDeleteModify, ConflictList or ConflictValue. The changes are listed in
// parentheses if they have paths within the entry.
//
//	deleted by us, modified by them (resources.limits.cpu)
//	deleted by us, modified by them (a, b, c and 2 more)
//	limits deleted by them, modified by us (limits.cpu)      if only a part of the lines was deleted
//	a part deleted by one side, modified by the other        if a ConflictDeleteModify does not show which part
func (c Conflict) Deletion() string {
	isDeleteModify := c.Kind == ConflictDeleteModify
	isValue := c.Kind == ConflictList || c.Kind == ConflictValue
	if !isDeleteModify && (!isValue || c.Base.Text == "") { // without a base, a side only added something
		return ""
	}
	type side struct {
		name, text string
		changes    []Change
	}
	ours, theirs := side{"us", c.Ours.Text, c.changesFromBase(c.Ours.Text)}, side{"them", c.Theirs.Text, c.changesFromBase(c.Theirs.Text)}
	pairs := [][2]side{{ours, theirs}, {theirs, ours}}
	for _, p := range pairs {
		if deleter, modifier := p[0], p[1]; deleter.text == "" && modifier.text != "" {
			return fmt.Sprintf("deleted by %s, modified by %s%s", deleter.name, modifier.name, describeChanges(modifier.changes))
		}
	}
	for _, p := range pairs {
		deleter, modifier := p[0], p[1]
		if part, changed := findDeletedAndChanged(deleter.changes, modifier.changes); part != "" {
			return fmt.Sprintf("%s deleted by %s, modified by %s%s", part, deleter.name, modifier.name, describeChanges(changed))
		}
	}
	if isDeleteModify {
		return "a part deleted by one side, modified by the other"
	}
	return ""
}

// ChangesToDeleted returns the side that deleted the entry of a ConflictDeleteModify, and the changes of the other
// side, with paths relative to c.Path. changes is nil if only comments or quotes changed. For other kinds, and unless
// one side has no lines, it returns SideUnknown and nil.
func (c Conflict) ChangesToDeleted() (deletedBy Side, changes []Change) {
	switch {
	case c.Kind != ConflictDeleteModify || (c.Ours.Text == "") == (c.Theirs.Text == ""):
		return SideUnknown, nil
	case c.Ours.Text == "":
		return SideOurs, c.changesFromBase(c.Theirs.Text)
	}
	return SideTheirs, c.changesFromBase(c.Ours.Text)
}

// findDeletedAndChanged looks for an entry that one side deleted and in which the other side changed something. changes
// and others are the changes of the two sides. It returns the path of the first such entry, and the changes of the
// other side in it, without deletions; "" and nil if there is none.
//
//	changes            others                        result
//	limits deleted     limits.cpu modified           "limits", the change of limits.cpu
//	limits deleted     limits deleted                "", nil
func findDeletedAndChanged(changes, others []Change) (deletedPath string, changed []Change) {
	for _, deletion := range changes {
		if deletion.Kind != ChangeDeleted || deletion.Path == "" {
			continue
		}
		for _, other := range others {
			if _, isInside := cutPath(other.Path, deletion.Path); isInside && other.Kind != ChangeDeleted {
				changed = append(changed, other)
			}
		}
		if len(changed) > 0 {
			return deletion.Path, changed
		}
	}
	return "", nil
}

// changesFromBase returns the changes from the base of c to side, the text of a side. Their paths are relative to
// c.Path. It returns nil if there are none, or if the text of a version cannot be parsed as YAML.
func (c Conflict) changesFromBase(side string) []Change {
	all, err := Changes([]byte(c.Base.Text), []byte(side), FileOptions{})
	if err != nil {
		return nil
	}
	for i := range all {
		all[i].Path = c.relativePath(all[i].Path)
	}
	return all
}

// relativePath returns path relative to c.Path, for a message about c. path is that of a change within the lines of c.
// The lines begin at the entry of c or at one of its parents, so path may begin with an end of c.Path, or with [0];
// that is cut off. It returns "" for another item of a list, and otherwise path unchanged.
//
//	path               c.Path                      result
//	server.image       spec.server                 image
//	[name=web].image   spec.containers[name=web]   image
//	[0].image          spec.containers[2]          image
func (c Conflict) relativePath(path string) string {
	for i := range c.Path { // each end of c.Path that begins with a whole step, the longest first
		if isStep := i == 0 || c.Path[i] == '[' || c.Path[i-1] == '.'; !isStep {
			continue
		}
		if rest, ok := cutPath(path, c.Path[i:]); ok {
			return rest
		}
	}
	isItem := strings.HasSuffix(c.Path, "]")
	if !isItem || !strings.HasPrefix(path, "[") {
		return path
	}
	rest, _ := cutPath(path, "[0]") // the index of an item within c is not meaningful
	return rest
}

// cutPath returns path relative to parent: "limits.cpu" for resources.limits.cpu and resources, "[0]" for args[0] and
// args, and "" for equal paths. ok is false if path is neither parent nor inside parent, as for resources2 and
// resources. An empty parent contains only itself and paths that start with "[" or ".".
func cutPath(path, parent string) (relative string, ok bool) {
	rest, ok := strings.CutPrefix(path, parent)
	if !ok || rest != "" && !strings.ContainsAny(rest[:1], ".[") {
		return "", false
	}
	return strings.TrimPrefix(rest, "."), true
}

// maxNamedChanges is the number of changes that a clause lists before "and N more".
const maxNamedChanges = 3

// describeChanges returns a list of changes in parentheses, with a space before it, for the end of a clause. If there
// are more than maxNamedChanges+1, it names the first maxNamedChanges and the number of the others. It returns ""
// without changes, or if one of the first ones is about the whole entry and so has no path.
//
//	(spec.replicas, added spec.paused, deleted spec.selector and 2 more)
func describeChanges(all []Change) string {
	if len(all) == 0 {
		return ""
	}
	var list []string
	for i, c := range all {
		switch {
		case c.Path == "":
			return ""
		case i == maxNamedChanges && len(all) > maxNamedChanges+1:
			return fmt.Sprintf(" (%s and %d more)", strings.Join(list, ", "), len(all)-i)
		}
		list = append(list, changeVerbs[c.Kind]+c.Path)
	}
	return " (" + strings.Join(list, ", ") + ")"
}

// changeVerbs has the verb before the path of a change. Modifications have none.
var changeVerbs = map[ChangeKind]string{
	ChangeAdded: "added ", ChangeDeleted: "deleted ", ChangeRenamed: "renamed ", ChangeReordered: "reordered ",
	ChangeGuarded: "condition of ", ChangeActions: "actions below ",
}
