package session

import (
	"sync"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/situation"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// Situation is what git is doing now. labels are those that git gives a driver.
func (s *Session) Situation(labels [3]string) *situation.Situation {
	return situation.Read(s.Git, labels)
}

// Now makes the own side of f the one in what git is doing. Alone says that the caller is
// nobody that is known to have a merge under way.
func (f File) Now(labels [3]string, alone bool) File {
	f.Own = func() merge.Own {
		return f.Situation(labels).Own(f.here(), situation.Sides[f.OwnSetting()], alone)
	}
	return f
}

// here is what f tells of what git is doing.
func (f File) here() situation.File {
	return situation.File{Path: f.Path, Ours: f.Ours, Theirs: f.Theirs}
}

// Labels are what git has behind markers in what it does now, "" for what is not known.
// given are those that it says.
func (f File) Labels(given [3]string) [3]string { return f.Situation(given).Labels(f.here()) }

// Favour is the side for which -X has conflicts decided in what git does now, as far as it
// says.
func (f File) Favour(given [3]string) string { return f.Situation(given).Favour(f.here()) }

// Past makes the own side of f that of a finished merge, by the subject of its message
// and its first parent.
func (f File) Past(subject func() string, ours git.ID) File {
	f.Own = func() merge.Own {
		return f.past().Own(subject(), ours, f.Now([3]string{}, false).Own)
	}
	return f
}

// past is what the repository tells of merges that are over.
func (s *Session) past() *situation.Past {
	s.pastOnce.Do(func() { s.readPast = situation.NewPast(s.Git) })
	return s.readPast
}

// onePast is read once.
type onePast struct {
	pastOnce sync.Once
	readPast *situation.Past
}
