package merge

import (
	"errors"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/page"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/pair"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/parallel"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/plan"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/proof"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/referee"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/tree"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/walk"
)

// name gives names to files that have none.
func (o *Options) name(names ...string) {
	for i, n := range names {
		if o.Names[i] == "" {
			o.Names[i] = n
		}
	}
}

// overriding merges by a rule set under which updated wins. The error says
// why the inputs cannot be merged so.
func overriding(raw [3][]byte, opts Options, set three.RuleSet) (res Result, err error) {
	defer parallel.Guard(&err)
	opts.name(three.Names[:]...)
	m := newMerger(raw, opts)
	if reason := m.in.Unfit(opts.MaxSize); reason != "" {
		return res, errors.New(reason)
	}
	m.in.Unify(set.Always && len(raw[three.Dest]) > 0)
	if err := m.in.Parse(); err != nil {
		return res, err
	}
	if tree.Encrypted(m.in.Streams[three.Dest]) || tree.Encrypted(m.in.Streams[three.Updated]) {
		return res, errors.New(sopsReason)
	}
	if reason := m.in.Doubled(); reason != "" {
		return res, errors.New(reason)
	}
	if err := opts.Rules.known().Err(); err != nil {
		return res, err
	}
	var settled []referee.Open
	if set.Always {
		settled = m.dropBlank()
	}
	for _, all := range [2]bool{!set.Always, true} {
		w := m.walker(set)
		w.AllComments = all
		if err := w.CheckResources(); err != nil {
			return res, ruleError(err, m.in, set.Name)
		}
		if res, err = m.overridden(w, settled); err == nil || all {
			break
		}
	}
	return res, err
}

// dropBlank drops the documents without content from the files that dest is
// to follow: they ask for nothing. It returns their comments.
func (m *merger) dropBlank() (gone []referee.Open) {
	for _, s := range [2]three.Side{three.Original, three.Updated} {
		st := m.in.Streams[s]
		st.Docs = slices.DeleteFunc(st.Docs, func(d *syntax.Document) bool {
			blank := d.Root.Content.Empty()
			if blank && s == three.Updated {
				gone = append(gone, referee.Open{Updated: d.Span})
			}
			return blank
		})
	}
	return gone
}

// overridden writes the merge of w, and proves it; settled are comments that
// do not stand.
func (m *merger) overridden(w *walk.Walker, settled []referee.Open) (Result, error) {
	r := m.renderer()
	r.DestStarts = w.RuleSet.Always
	p := r.Page(w.Documents())
	if w.Err != nil {
		return Result{}, ruleError(w.Err, m.in, w.RuleSet.Name)
	}
	for _, c := range p.Conflicts() {
		settled = append(settled, proof.Open(c))
	}
	p, done := p.Decide(r, func(c *page.Conflict) (page.Verdict, bool) { return c.Taken(w.RuleSet.Comments, w.RuleSet.Name), true })
	if w.RuleSet.Always {
		done = nil
	}
	res := Result{Method: Structural, LineConflicts: -1, Resolved: append(m.lost(w), decisions(done)...)}
	res.Bytes = p.Choose(three.Dest)
	lists := w.Rules.Of
	if w.RuleSet.Strategic {
		lists = w.Rules.Strategic
	}
	st, refusal := proof.Parse(res.Bytes)
	if refusal == nil {
		refusal = referee.CheckOverride(referee.Override{
			Original: m.in.Streams[three.Original], Dest: m.in.Streams[three.Dest], Updated: m.in.Streams[three.Updated], Result: st,
			File: m.opts.Path, Lists: lists, Strategic: w.RuleSet.Strategic, ByPlace: w.RuleSet.ByPlace,
			Always: w.RuleSet.Always, DestNull: w.RuleSet.DestNull, Settled: settled,
		})
	}
	if refusal != nil {
		return res, errors.New("the merge could not be verified: " + refusal.Error())
	}
	res.Bytes = m.in.Write(res.Bytes)
	return res, nil
}

// lost are the changes that do not stand under the rule set.
func (m *merger) lost(w *walk.Walker) (all []Conflict) {
	for _, l := range w.Overridden {
		c := Conflict{Path: l.Path.String(), Kind: plan.ConflictValue, By: w.RuleSet.Name, Took: three.Names[l.Side.Other()]}
		f := w.Files[l.Side]
		v := Version{Text: string(f.Slice(l.Entry.Span)), Line: f.Line(l.Entry.Start)}
		if l.Side == three.Dest {
			c.Ours = v
		} else {
			c.Theirs = v
		}
		all = append(all, c)
	}
	return all
}

// renderer is what writes the pages of m.
func (m *merger) renderer() *page.Renderer {
	src := page.Sources{Streams: m.in.Streams, Break: []byte(m.in.Merged.LineBreak())}
	for s, st := range m.in.Streams {
		src.Files[s] = st.File
	}
	if m.elided != nil {
		src.Elided = m.elided.layout
	}
	return &page.Renderer{Sources: src}
}

// matcher is what pairs entries by the rules of opts and of a rule set.
func (o Options) matcher(set three.RuleSet) *pair.Matcher {
	return &pair.Matcher{Rules: o.Rules.known(), File: o.Path, Sums: pair.NewSums(), RuleSet: set}
}

// walker is what makes the plan of m.
func (m *merger) walker(set three.RuleSet) *walk.Walker {
	w := walk.New(m.in.Streams, m.opts.matcher(set), m.opts.Names)
	w.Deep = m.deep || m.sealed
	return w
}

// A RuleSet is a family of merge rules.
type RuleSet uint8

// The rule sets of Merge.
const (
	// DefaultRules ask where both sides changed one thing differently.
	DefaultRules RuleSet = iota
	// KustomizeRules are those of kustomize's documented three-way merge:
	// updated wins, so that nothing is in conflict; a null clears its field;
	// a list without keys is one value. Result.Resolved names the changes of
	// dest that were overridden.
	KustomizeRules
)

var ruleSets = [...]three.RuleSet{
	KustomizeRules: {Name: "rules kustomize", UpdatedWins: true, DestNull: true, Comments: three.Updated},
}
