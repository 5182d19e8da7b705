package git

import (
	"path/filepath"
	"strings"
)

// Folders returns the folder of the repository: that of this work tree, and the one that
// all its work trees share, or ErrNoRepository. Git is asked only where its files do not tell.
func (g Git) Folders() (own, common string, err error) {
	own, common, sure := Locate(g.Dir)
	switch {
	case sure && own == "":
		return "", "", ErrNoRepository
	case sure:
		return own, common, nil
	}
	out, err := g.Run("rev-parse", "--absolute-git-dir", "--git-common-dir")
	own, common, _ = strings.Cut(strings.TrimRight(string(out), "\r\n"), "\n")
	if err == nil && !filepath.IsAbs(common) {
		common = filepath.Join(g.Dir, common)
	}
	return own, common, err
}
