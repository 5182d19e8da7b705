package plan

// ConflictKind classifies a conflict.
type ConflictKind string

// The kinds of conflicts.
const (
	ConflictValue        ConflictKind = "value"         // both changed one value differently
	ConflictDeleteModify ConflictKind = "delete/modify" // one deleted what the other changed
	ConflictAddAdd       ConflictKind = "add/add"       // both added something different at one place
	ConflictReplace      ConflictKind = "replace"       // both removed and added in one gap
	ConflictList         ConflictKind = "list"          // overlapping changes of a list's items
	ConflictComment      ConflictKind = "comment"       // both changed the same comment
	ConflictText         ConflictKind = "text"          // lines of a multi-line scalar
	ConflictRefused      ConflictKind = "refused"       // the merged result did not verify
	ConflictLine         ConflictKind = "line"          // a conflict of the line merge
	ConflictEncrypted    ConflictKind = "encrypted"     // a SOPS mac
)
