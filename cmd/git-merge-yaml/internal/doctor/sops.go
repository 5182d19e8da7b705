package doctor

import (
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/sops"
)

// checkSOPS looks at the sops program, where a person lets merges run it.
func (d *doctor) checkSOPS() {
	if value := d.git.LazySettings(sops.Key).Value(sops.Key); !git.IsTrue(value) {
		if value != "" && value != "false" {
			d.warning("sops", "git config "+sops.Key+" true", "%s is %q, which is not true: merges do not run sops", sops.Key, value)
		}
		return
	}
	version, err := sops.Version()
	if err != nil {
		d.failure("sops", "install sops 3.9 or newer, or git config --unset "+sops.Key, "%s is set, but %v", sops.Key, err)
		return
	}
	d.ok("sops", "version %s; merges run it for files that it encrypted (%s)", version, sops.Key)
	if d.tree != nil {
		d.checkKey()
	}
}

// checkKey has sops decrypt, in memory, the first file of the index that it encrypted.
func (d *doctor) checkKey() {
	out, err := d.git.Run("grep", "--cached", "--full-name", "-lze", "^sops:", "--", ":/*.yaml", ":/*.yml")
	if err != nil { // there is none
		return
	}
	for name := range strings.SplitSeq(strings.TrimSuffix(string(out), "\x00"), "\x00") {
		file, err := d.git.Run("cat-file", "blob", ":"+name)
		if err != nil || sops.Gate([]byte(file)) != nil {
			continue
		}
		if _, err := sops.Open([]byte(file)); err != nil {
			d.warning("sops", "try sops decrypt on it; merges of it stay in conflict until that works", "%s: %v", name, err)
		} else {
			d.ok("sops", "%s: it can be decrypted, with the key at hand", name)
		}
		return
	}
}
