package regenerate

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/terminal"
)

// told is what is worth a word about files that were made again.
type told struct {
	clean    []string // merged clean, and come out otherwise
	more     []string // the merge did not touch, or one side alone made
	gone     []string // unmerged, and no longer made
	stale    []string // unmerged, and not written
	unlisted []string // changed, and no rule's
}

// unmerged looks at a file that was unmerged.
func (t *told) unmerged(w *work, u git.Unmerged) {
	info, err := os.Lstat(w.tree.File(u.Path))
	switch was, known := w.written[u.Path]; {
	case err != nil:
		t.gone = append(t.gone, u.Path)
	case known && info.ModTime().Equal(was):
		t.stale = append(t.stale, u.Path)
	}
}

// otherwise takes a file that was not unmerged.
func (t *told) otherwise(w *work, path string) {
	if slices.Contains(w.clean, path) {
		t.clean = append(t.clean, path)
	} else {
		t.more = append(t.more, path)
	}
}

func (t *told) lines(made int) (all []string) {
	all = append(all, terminal.Count(made, "file")+" made and staged")
	for _, l := range []struct {
		what  string
		paths []string
	}{
		{"merged clean, but made otherwise", t.clean},
		{"not in conflict, but made otherwise", t.more},
		{"no longer made, so deleted", t.gone},
		{"not written by its command, so that ours stands", t.stale},
		{"changed, but among the files of no rule, so not staged", t.unlisted},
	} {
		if len(l.paths) > 0 {
			all = append(all, fmt.Sprintf("%s: %s", l.what, some(l.paths)))
		}
	}
	return all
}

// shown is how many paths are named.
const shown = 10

func some(paths []string) string {
	slices.Sort(paths)
	if len(paths) <= shown {
		return strings.Join(paths, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(paths[:shown], ", "), len(paths)-shown)
}
