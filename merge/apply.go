package merge

import (
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// applyRules are what `kubectl apply` does: the original is what was applied
// last, dest is live, updated is the config.
var applyRules = three.RuleSet{Name: "rules of apply", UpdatedWins: true, Always: true, Comments: three.Dest, Ordered: true, Strategic: true}

// Apply returns live as `kubectl apply` leaves it: fields of config are set,
// also where only live drifted; fields of lastApplied that config lacks are
// removed, and those that config has null; others are kept. Lists merge by
// the patch strategies of the built-in types, or as the team's rules say; all
// others are replaced. Of the options it reads Path, Rules, MaxSize and Names.
//
// A nil lastApplied is what live has in the annotation in which kubectl keeps
// it. The annotation stays as it is; ApplyAnnotated writes it anew.
//
// The error says which file cannot be merged, and where; a *RuleError where
// the rules are what asks for more.
func Apply(lastApplied, config, live []byte, opts Options) (Result, error) {
	opts.name("last-applied", "LIVE", "CONFIG")
	if lastApplied == nil {
		var err error
		if lastApplied, err = annotated(live, opts.Names[three.Dest]); err != nil {
			return Result{}, err
		}
	}
	return overriding([3][]byte{lastApplied, live, config}, opts, applyRules)
}

// merge2Rules are those of kustomize's documented two-way merge: there is no
// original, and dest's comments stay.
var merge2Rules = three.RuleSet{Name: "rules of merge2", UpdatedWins: true, Always: true, Comments: three.Dest}

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
