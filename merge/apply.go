package merge

import (
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
)

// applyRules are what `kubectl apply` does: the original is what was applied
// last, dest is live, updated is the config.
var applyRules = ruleSet{name: "rules of apply", updatedWins: true, always: true, comments: dest, ordered: true, strategic: true}

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
		if lastApplied, err = annotated(live, opts.Names[dest]); err != nil {
			return Result{}, err
		}
	}
	return overriding([3][]byte{lastApplied, live, config}, opts, applyRules)
}

// fail remembers the first error of the walk, about what stands at off in s.
func (w *walker) fail(s side, off int, what string) {
	if w.err == nil {
		w.err = &problem{s, off, what}
	}
}

// checkKeys fails where an item lacks the key by which its list is paired.
func (w *walker) checkKeys(v nodes, p *path) {
	for s, n := range v {
		if n == nil {
			continue
		}
		if e, keys := w.rules.WithoutKey(p.place(), n); e != nil {
			w.fail(side(s), e.Start, "an item of "+p.String()+" has no "+keys[0]+", the key of that list")
		}
	}
}

// checkKinds fails where a list and a mapping are to be one value.
func (w *walker) checkKinds(v nodes, p *path) {
	d, u := v[dest], v[updated]
	kinds := [2]syntax.Kind{d.Kind, u.Kind}
	switch {
	case kinds == [2]syntax.Kind{syntax.Mapping, syntax.Sequence}:
		w.fail(updated, u.Content.Start, p.String()+" is a list here and a mapping in "+w.names[dest])
	case kinds == [2]syntax.Kind{syntax.Sequence, syntax.Mapping}:
		w.fail(updated, u.Content.Start, p.String()+" is a mapping here and a list in "+w.names[dest])
	}
}

// sent reports whether kubectl sends a field of live that config lacks, so that
// it is not removed; of annotations those are that were applied last.
func (w *walker) sent(at entries, name func(entries) *path) bool {
	return w.set.strategic && at[dest].Key != nil && schema.Sent(name(at).place())
}

// retained reports whether the mappings v are a union: of dest's fields none
// stand that updated lacks, also where updated changes nothing.
func (w *walker) retained(v nodes, p *path) bool {
	return w.set.strategic && v[dest] != nil && v[updated] != nil && schema.RetainsKeys(p.place(), v[updated])
}
