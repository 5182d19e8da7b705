package driver

import (
	"os"
	"path/filepath"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
)

// ProgramName is the name by which sh finds the program on the PATH.
const ProgramName = "git-merge-yaml"

// Program returns how a driver line calls this program: by its full path, since
// programs with windows may have another PATH than a terminal. Where sh finds
// the program by its name, which it reports, the path is the one it finds: that of a package
// manager's link stays when the version behind it changes.
func Program(g git.Git) (program string, byName bool) {
	self, err := os.Executable()
	if err != nil {
		return ProgramName, false
	}
	found := g.Which(ProgramName)
	a, err := os.Stat(self)
	b, err2 := os.Stat(found)
	byName = err == nil && err2 == nil && os.SameFile(a, b)
	if byName && filepath.IsAbs(found) {
		self = found
	}
	return filepath.ToSlash(self), byName
}
