package resolve

import (
	"io/fs"
	"strconv"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/driver"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/sops"
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
	failed string          // why nothing can be done about it

	// What resolve -i knows beside.
	asked   *merge.Resolution
	opened  *sops.Opened     // nil unless sops decrypted it
	known   []merge.Question // to asked
	byHand  bool             // it was edited since, and is taken as it is
	staged  bool
	sides   [2]string      // ours and theirs, for people
	changes []merge.Change // of both
}

func (f *unmergedFile) clean() bool { return f.skip == "" && f.result.Clean() }

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
