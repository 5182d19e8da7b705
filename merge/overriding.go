package merge

import (
	"errors"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/referee"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
)

// overriding merges by a rule set under which updated wins. The error says
// why the inputs cannot be merged so.
func overriding(raw [3][]byte, opts Options, set ruleSet) (res Result, err error) {
	defer guard(&err)
	opts.name(userNames[:]...)
	m := newMerger(raw, opts)
	if reason := m.in.unfit(opts.MaxSize); reason != "" {
		return res, errors.New(reason)
	}
	m.in.unify(set.always && len(raw[dest]) > 0)
	if err := m.in.parse(); err != nil {
		return res, err
	}
	if encrypted(m.in.streams[dest]) || encrypted(m.in.streams[updated]) {
		return res, errors.New(sopsReason)
	}
	if reason := m.in.doubled(); reason != "" {
		return res, errors.New(reason)
	}
	if err := opts.Rules.known().Err(); err != nil {
		return res, err
	}
	var settled []referee.Open
	if set.always {
		settled = m.dropBlank()
	}
	for _, all := range [2]bool{!set.always, true} {
		w := m.walker(set)
		w.allComments = all
		if err := w.checkResources(); err != nil {
			return res, ruleError(err, m.in, set.name)
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
	for _, s := range [2]side{original, updated} {
		st := m.in.streams[s]
		st.Docs = slices.DeleteFunc(st.Docs, func(d *syntax.Document) bool {
			blank := d.Root.Content.Empty()
			if blank && s == updated {
				gone = append(gone, referee.Open{Updated: d.Span})
			}
			return blank
		})
	}
	return gone
}

// overridden writes the merge of w, and proves it; settled are comments that
// do not stand.
func (m *merger) overridden(w *walker, settled []referee.Open) (Result, error) {
	r := m.renderer()
	r.destStarts = w.set.always
	p := r.stream(w.documents())
	if w.err != nil {
		return Result{}, ruleError(w.err, m.in, w.set.name)
	}
	for _, c := range p.clashes() {
		settled = append(settled, openOf(c))
	}
	p, done := p.decide(r, func(c *marked) (verdict, bool) { return c.taken(w.set.comments, w.set.name), true })
	if w.set.always {
		done = nil
	}
	res := Result{Method: Structural, LineConflicts: -1, Resolved: append(m.lost(w), decisions(done)...)}
	res.Bytes = p.choose(dest)
	lists := w.rules.Of
	if w.set.strategic {
		lists = w.rules.Strategic
	}
	st, refusal := parseResult(res.Bytes)
	if refusal == nil {
		refusal = referee.CheckOverride(referee.Override{
			Original: m.in.streams[original], Dest: m.in.streams[dest], Updated: m.in.streams[updated], Result: st,
			File: m.opts.Path, Lists: lists, Strategic: w.set.strategic, ByPlace: w.set.byPlace,
			Always: w.set.always, DestNull: w.set.destNull, Settled: settled,
		})
	}
	if refusal != nil {
		return res, errors.New("the merge could not be verified: " + refusal.Error())
	}
	res.Bytes = m.in.write(res.Bytes)
	return res, nil
}

// lost are the changes that do not stand under the rule set.
func (m *merger) lost(w *walker) (all []Conflict) {
	for _, l := range w.overridden {
		c := Conflict{Path: l.path.String(), Kind: ConflictValue, By: w.set.name, Took: userNames[l.side.other()]}
		f := w.files[l.side]
		v := Version{Text: string(f.Slice(l.entry.Span)), Line: f.Line(l.entry.Start)}
		if l.side == dest {
			c.Ours = v
		} else {
			c.Theirs = v
		}
		all = append(all, c)
	}
	return all
}

// renderer is what writes the pages of m.
func (m *merger) renderer() *renderer {
	src := sources{streams: m.in.streams, nl: []byte(m.in.merged.lineBreak())}
	for s, st := range m.in.streams {
		src.files[s] = st.File
	}
	if m.elided != nil {
		src.unseen = m.elided.layout
	}
	return &renderer{sources: src}
}

// matcher is what pairs entries by the rules of opts and of a rule set.
func (o Options) matcher(set ruleSet) *matcher {
	return &matcher{rules: o.Rules.known(), file: o.Path, sums: newSums(), set: set}
}

// walker is what makes the plan of m.
func (m *merger) walker(set ruleSet) *walker {
	w := newWalker(m.in.streams, m.opts.matcher(set), m.opts.Names)
	w.deep = m.deep || m.sealed
	return w
}
