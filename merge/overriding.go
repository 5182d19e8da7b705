package merge

import (
	"errors"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/referee"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// overriding merges by a rule set under which updated wins. The error says
// why the inputs cannot be merged so.
func overriding(raw [3][]byte, opts Options, set ruleSet) (res Result, err error) {
	defer guard(&err)
	opts.name(userNames[:]...)
	m := &merger{opts: opts, raw: raw, lineConflicts: -1, destForm: set.always && len(raw[dest]) > 0}
	if reason := m.unfit(); reason != "" {
		return res, errors.New(reason)
	}
	if err := m.parse(); err != nil {
		return res, err
	}
	if encrypted(m.streams[dest]) || encrypted(m.streams[updated]) {
		return res, errors.New(sopsReason)
	}
	if reason := m.doubled(); reason != "" {
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
		w := m.walker()
		w.set, w.names, w.allComments = set, opts.Names, all
		if err := w.checkResources(); err != nil {
			return res, err
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
		st := m.streams[s]
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
	r := &renderer{w: w, nl: []byte(m.in.merged.lineBreak())}
	p := r.stream(w.documents())
	if w.err != nil {
		return Result{}, w.err
	}
	for _, o := range opens(p) {
		settled = append(settled, referee.Open{Original: o[original], Dest: o[dest], Updated: o[updated]})
	}
	p, done := p.decide(r, func(c *marked) (verdict, bool) { return c.taken(w.set.comments, w.set.name), true })
	if w.set.always {
		done = nil
	}
	res := Result{Method: Structural, LineConflicts: -1, Resolved: append(w.overridden, done...)}
	res.Bytes = p.choose(dest)
	lists := w.rules.Of
	if w.set.strategic {
		lists = w.rules.Strategic
	}
	st, refusal := parseResult(res.Bytes)
	if refusal == nil {
		refusal = referee.CheckOverride(referee.Override{
			Original: m.streams[original], Dest: m.streams[dest], Updated: m.streams[updated], Result: st,
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

// walker is what makes the plan of m.
func (m *merger) walker() *walker {
	w := &walker{files: [3]*text.File{}, streams: m.streams, rules: m.opts.Rules.known(), file: m.opts.Path, sums: newSums(), deep: m.deep || m.sealed, elided: m.elided}
	for s, st := range m.streams {
		w.files[s] = st.File
	}
	return w
}
