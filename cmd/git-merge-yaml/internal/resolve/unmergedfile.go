package resolve

import (
	"fmt"
	"io/fs"
	"strconv"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/driver"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
	here "github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/session"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// An unmergedFile is a file on its way through resolve.
type unmergedFile struct {
	git.Unmerged
	*resolver
	attributes map[string]string
	named      bool // by the user, alone

	work   []byte      // the file in the work tree, nil if there is none
	info   fs.FileInfo // of work
	text   []byte      // work as its blob would have it, but perhaps for line ends
	in     driver.Inputs
	result merge.Result
	rule   merge.Generated // that leaves it to be made again
	id     git.ID          // of the result
	skip   string          // why it stays as it is

	// What resolve -i knows beside.
	asked   *merge.Resolution
	opened  *opened          // nil unless sops decrypted it, for asked
	known   []merge.Question // to asked
	byHand  bool             // it was edited since, and is taken as it is
	staged  bool
	sides   [2]string      // ours and theirs, for people
	changes []merge.Change // of both
}

func (f *unmergedFile) clean() bool { return f.skip == "" && f.result.Clean() }

// reason says why the stages of f are none to be merged, or "".
func (f *unmergedFile) reason() string {
	m := f.attributes["merge"]
	_, ours := driver.RulesOf(m)
	switch {
	case f.Ours.ID == "" && f.Theirs.ID == "":
		return "deleted or renamed by both sides"
	case f.Ours.ID == "":
		return "deleted or renamed by us, changed by them"
	case f.Theirs.ID == "":
		return "changed by us, deleted or renamed by them"
	case !f.Ours.Mode.IsFile() || !f.Theirs.Mode.IsFile() || f.Base.ID != "" && !f.Base.Mode.IsFile():
		return "a symbolic link or a submodule"
	case f.attributes["filter"] == "lfs":
		return "kept by git LFS"
	case !f.named && m != "unspecified" && !ours:
		return "its merge attribute is " + m + " (name it alone to have it merged)"
	}
	return ""
}

// merge merges the stages, and writes the file unless it is to be skipped.
func (f *unmergedFile) merge() error {
	if f.skip = f.read(); f.skip != "" {
		return nil
	}
	if err := f.readStages(); err != nil {
		return err
	}
	if f.in.BeyondLines() {
		f.skip = "binary"
		return nil
	}
	m := f.merger("")
	result, err := m.Run(false)
	if err != nil {
		return err
	}
	f.result = result
	if here.IsLeft(result) {
		f.rule, _ = m.File().Rule()
		return f.restore()
	}
	if f.Ask {
		if err := f.makeQuestions(m); err != nil {
			return err
		}
	}
	if !f.Force {
		edited, err := f.edited()
		if err != nil {
			return err
		}
		if edited && m.File().MaySeal(result) {
			return f.settle(f.text)
		}
		if edited {
			f.skip = f.resume()
			return nil
		}
	}
	return f.write()
}

// settle writes text, in which a person settled the values that sops encrypted, as sops writes it.
func (f *unmergedFile) settle(text []byte) error {
	result, err := f.merger("").File().Settled(text)
	if err != nil {
		return fmt.Errorf("edited since git merged it, and sops was not let write it: %w", err)
	}
	f.result, f.asked, f.opened = result, nil, nil
	return f.write()
}

// restore puts ours in the place of markers in a file that is to be made again.
func (f *unmergedFile) restore() error {
	if len(merge.ParseConflicts(f.text, 0)) == 0 {
		return nil
	}
	if edited, err := f.edited(); edited || err != nil {
		return err
	}
	return f.write()
}

// merger returns the merge that git would have the driver do, with conflicts
// in a style, "" for what git is configured to, and the labels and the size of
// the markers that are in the file already.
func (f *unmergedFile) merger(style string) *driver.Merger {
	labels, size := readMarkers(f.text, markerSize(f.attributes["conflict-marker-size"]))
	set, _ := driver.RulesOf(f.attributes["merge"])
	return &driver.Merger{
		Options: driver.Options{Path: f.Path, Labels: labels, MarkerSize: size, Style: style, RuleSet: set},
		Session: f.resolver.in,
		In:      f.in,
	}
}

// markerSize is what git gives a driver as %L.
func markerSize(attribute string) int {
	n, err := strconv.Atoi(attribute)
	if err != nil || n < 1 || n > driver.MaxMarkerSize {
		return merge.DefaultMarkerSize
	}
	return n
}
