package doctor

import (
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
}
