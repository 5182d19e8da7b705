package plan

import (
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/tree"
)

// BreakSeals marks the mac of every merged document that SOPS encrypted, so
// that no such file comes out clean. It reports whether there is one.
func BreakSeals(docs []*Document) bool {
	found := false
	for _, d := range docs {
		if d.Root == nil {
			continue
		}
		if (d.Root.Flows() || d.Root.Spread()) && encryptedRoot(d) {
			d.Contest(ConflictEncrypted)
			found = true
		}
		for _, c := range d.Root.Kids {
			if named(c, "sops") {
				found = breakSeal(c) || found
			}
		}
	}
	return found
}

func encryptedRoot(d *Document) bool {
	for _, x := range d.At {
		if x != nil && tree.ScalarAt(x.Root, "sops", "mac") != "" {
			return true
		}
	}
	return false
}

func named(c *Child, key string) bool {
	for _, e := range c.At {
		if e != nil && e.Key != nil && e.Key.Value == key {
			return true
		}
	}
	return false
}

// breakSeal marks the mac in the sops field c, or all of c where that does not
// merge by its fields.
func breakSeal(c *Child) bool {
	if c.Clash != nil {
		return true
	}
	if c.Whole == three.Original && c.Value != nil && !c.Value.Flows() {
		for _, k := range c.Value.Kids {
			if named(k, "mac") {
				k.Contest(ConflictEncrypted)
				return true
			}
		}
	}
	c.Contest(ConflictEncrypted)
	return true
}
