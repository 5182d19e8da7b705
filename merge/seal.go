package merge

// breakSeals marks the mac of every merged document that SOPS encrypted, so
// that no such file comes out clean. It reports whether there is one.
func breakSeals(docs []*docPlan) bool {
	found := false
	for _, d := range docs {
		if d.root == nil {
			continue
		}
		if d.root.flow != nil && encryptedRoot(d) {
			d.contest(ConflictEncrypted)
			found = true
		}
		for _, c := range d.root.kids {
			if named(c, "sops") {
				found = breakSeal(c) || found
			}
		}
	}
	return found
}

func encryptedRoot(d *docPlan) bool {
	for _, x := range d.at {
		if x != nil && scalarAt(x.Root, "sops", "mac") != "" {
			return true
		}
	}
	return false
}

func named(c *child, key string) bool {
	for _, e := range c.at {
		if e != nil && e.Key != nil && e.Key.Value == key {
			return true
		}
	}
	return false
}

// breakSeal marks the mac in the sops field c, or all of c where that does not
// merge by its fields.
func breakSeal(c *child) bool {
	if c.clash != nil {
		return true
	}
	if c.whole == original && c.value != nil && c.value.flow == nil {
		for _, k := range c.value.kids {
			if named(k, "mac") {
				k.contest(ConflictEncrypted)
				return true
			}
		}
	}
	c.contest(ConflictEncrypted)
	return true
}
