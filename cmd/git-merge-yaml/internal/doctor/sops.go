package doctor

import (
	"path"
	"slices"
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
	version, new, err := sops.Version()
	switch {
	case err != nil:
		d.failure("sops", "install sops 3.11 or newer, or git config --unset "+sops.Key, "%s is set, but %v", sops.Key, err)
	case !new:
		d.warning("sops", "install sops 3.11 or newer", "version %s: it cannot write values that were merged in the clear", version)
	default:
		d.ok("sops", "version %s; merges run it for files that it encrypted (%s)", version, sops.Key)
	}
	if err == nil && d.tree != nil {
		d.checkKey()
		d.checkOpen()
	}
}

// checkOpen looks for files of the index that .sops.yaml has encrypted, and that are not: a merge takes them as they are.
// Where a rule names more files that are open than others, it names what somebody may encrypt.
func (d *doctor) checkOpen() {
	config, err := d.git.Run("cat-file", "blob", ":.sops.yaml")
	if err != nil {
		return
	}
	rules, err := sops.ReadRules([]byte(config))
	if err != nil {
		d.warning("sops", "mend it: sops reads it, too", ".sops.yaml: %v", err)
		return
	}
	tracked, err := d.git.Run("ls-files", "-z", "--", ":/*.yaml", ":/*.yml")
	if err != nil {
		return
	}
	sealed, _ := d.git.Run("grep", "--cached", "--full-name", "-lze", "^sops:", "--", ":/*.yaml", ":/*.yml")
	known := strings.Split(string(sealed), "\x00")
	encrypted := 0
	var open []string
	for name := range strings.SplitSeq(strings.TrimSuffix(string(tracked), "\x00"), "\x00") {
		switch {
		case !rules.Name(name) || path.Base(name) == ".sops.yaml":
		case slices.Contains(known, name):
			encrypted++
		default:
			open = append(open, name)
		}
	}
	if len(open) > 0 && len(open) <= encrypted {
		g := &group{paths: open}
		d.warning("sops", "sops encrypt -i "+open[0], "%s: .sops.yaml has them encrypted, and nothing in them is", g.files())
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
		if err != nil || !sops.Sealed([]byte(file)) {
			continue
		}
		if _, err := sops.Clear([]byte(file)); err != nil {
			d.warning("sops", "try sops decrypt on it; merges of it stay in conflict until that works", "%s: %v", name, err)
		} else {
			d.ok("sops", "%s: it can be decrypted, with the key at hand", name)
		}
		return
	}
}
