package verify

// A template block that contains only a part of an entry is merged as text: its lines are not in the syntax tree. Lines
// with a field in such blocks, such as "b: 1", are verified like comments (see listRemarks), and their keys here: a
// merge of lines does not see that the mapping already has the field.

// checkTextFieldKeys returns a violation if a mapping of the result has a field, and a template block that is merged as
// text may render its mapping key a second time. Keys that an input repeats like this are accepted. The versions must
// be templates.
//
//	m:
//	  b: 2         # violation
//	{{ if .x }}
//	  b: 1         # in a block that is text, because it ends inside of n
//	n:
//	{{ end }}
//	  c: 1
func (c *checker) checkTextFieldKeys() *Violation {
	inInputs := map[occurrence]bool{} // keys that a mapping of an input repeats, each with the address of the mapping
	for v := range versions {         // the result is the last one
		for _, l := range c.Facts[v].Lines {
			if l.Key == "" || l.Above == nil { // it has no field, or is above the first entry of a document
				continue
			}
			for n := range c.docs[v].NodesAt(l.Above.Start) { // the mappings that the key may belong to
				place := occurrence{c.addressOf(n), Hash(l.Key)}
				switch field := n.Field(l.Key); {
				case field == nil:
				case v != result:
					inInputs[place] = true
				case !inInputs[place]:
					return c.newViolationAt(RuleAction, field, "", "the key also occurs in a template block that is merged as text")
				}
			}
		}
	}
	return nil
}
