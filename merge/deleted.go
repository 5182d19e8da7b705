package merge

import "github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"

// Deleted is what the team's file says of a file that one side deleted and the other one
// changed. Merge does not ask for it: it merges files that are there.
type Deleted struct {
	// By is whose doing stands: of one's own side, of the other one, or a person is asked.
	By     DeletedBy
	Source string // file and line, for people
}

// DeletedBy is whose doing stands where one side deleted a file and the other one changed it.
type DeletedBy string

// Whose doing stands.
const (
	DeletedOwn      DeletedBy = "own"
	DeletedUpstream DeletedBy = "upstream"
	DeletedAsk      DeletedBy = "ask"
)

// Deleted returns what the team's file says of the file at path, slash separated from the top
// of the work tree, where one side deleted it; false if it says nothing.
func (r *Rules) Deleted(path string) (d Deleted, ok bool) {
	var of schema.Deleted
	of, ok = r.known().Deleted(path)
	return Deleted{DeletedBy(of.Take), of.Source}, ok
}
