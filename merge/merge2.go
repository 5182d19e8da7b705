package merge

// merge2Rules are those of kustomize's documented two-way merge: there is no
// original, and dest's comments stay.
var merge2Rules = ruleSet{name: "rules of merge2", updatedWins: true, always: true, comments: dest}

// Merge2 merges the fields of src into dest by the rules of kustomize's
// documented two-way merge: what src has wins, what it has null is removed,
// what dest alone has stays; a list without keys is one value; new items stand
// at the end. Comments of src come along with what it adds, and stand where
// dest has none. Of the options it reads Path, Rules, MaxSize and Names.
//
// The error says which file cannot be merged, and where; a *RuleError where
// the rules are what asks for more.
func Merge2(src, dest []byte, opts Options) (Result, error) {
	opts.name("", "DEST", "SRC")
	return overriding([3][]byte{nil, dest, src}, opts, merge2Rules)
}

// name gives names to files that have none.
func (o *Options) name(names ...string) {
	for i, n := range names {
		if o.Names[i] == "" {
			o.Names[i] = n
		}
	}
}
