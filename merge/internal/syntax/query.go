package syntax

// Field returns the field of the root mapping with the given key, nil if
// there is none.
func (d *Document) Field(name string) *Entry { return d.Root.Field(name) }

// Field returns the first field of the mapping n whose key is a scalar with
// the given value; nil if there is none or n is no mapping.
func (n *Node) Field(name string) *Entry {
	if n == nil || n.Kind != Mapping {
		return nil
	}
	for _, e := range n.Entries {
		if e.Key.Kind == Scalar && e.Key.Value == name {
			return e
		}
	}
	return nil
}

// KeyText returns the key's value, "*name" for an alias, and "" for items.
func (e *Entry) KeyText() string {
	switch {
	case e.Key == nil:
		return ""
	case e.Key.Kind == Alias:
		return "*" + e.Key.Value
	}
	return e.Key.Value
}
