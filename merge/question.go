package merge

import (
	"bytes"
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/conflict"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/diff3"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/page"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/plan"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/read"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// contextLines is how many lines of the file a question has above and below.
const contextLines = 3

// A Question is a conflict with what a person needs to decide it.
type Question struct {
	// Conflict has the versions whole; its Line is that of the first marker in
	// the bytes of the Result, 0 once it is decided.
	Conflict
	// Answer is how it was decided.
	Answer Answer
	// Resource is the kind of the resource around it as a team's file selects
	// it, as in apps/Deployment or core/Service; empty where there is none.
	Resource string
	// Field is its path as a team's file writes it, as in
	// spec.template.spec.containers[*].image; empty where no policy can decide
	// it.
	Field string
	// Before and After are the lines around it, without their breaks, with
	// ours at other conflicts.
	Before, After []string
}

// ask tells what the rules decide from what people have to.
func (x *Resolution) ask() {
	_, ruled := x.m.proof.Sound(x.page, x.r, x.m.policy, nil)
	x.ruled = map[*page.Conflict]page.Verdict{}
	for _, c := range x.page.Conflicts() {
		if v, ok := x.m.policy(c); ok && len(ruled) > 0 && c.Kind != plan.ConflictEncrypted {
			x.ruled[c] = v
			continue
		}
		x.open = append(x.open, c)
	}
	x.answers = make([]Answer, len(x.open))
}

// askLines makes the conflicts of the line merge o questions. Where no page of it was chosen, it is of the
// bytes as they came: no form of a file merges on its own then. There are no
// questions where the page is not what the merge wrote, and where a version
// has markers of its own, which nobody could tell from those of a conflict.
func (x *Resolution) askLines(o outcome) {
	m := x.m
	if slices.ContainsFunc(m.in.Raw[:], func(b []byte) bool { return conflict.Left(b) > 0 }) {
		return
	}
	r, p := o.pages, o.page
	if p == nil {
		parts, err := m.raw.Parts(diff3.Options{Markers: m.markers(), As: diff3.Merge})
		if err != nil {
			return
		}
		m.in = read.AsTheyCame(m.in.Raw, m.in.Names)
		r = &page.Renderer{Sources: page.Sources{Files: m.in.Files(), Break: []byte(m.in.Merged.LineBreak())}}
		p = page.OfLines(m.in.Raw, parts)
	}
	if b, _ := m.write(r, p); !bytes.Equal(b, x.merged.Bytes) {
		return
	}
	x.r, x.page, x.open = r, p, p.Conflicts()
	x.answers = make([]Answer, len(x.open))
	x.unread = !m.readableWith(p)
}

// readableWith reports whether a page of the line merge is YAML with either
// side at its conflicts.
func (m *merger) readableWith(p *page.Page) bool {
	return m.in.Unfit() == "" && readable(p.Choose(three.Dest)) && readable(p.Choose(three.Updated))
}

// Questions returns the conflicts that the team's rules leave, in the order
// of the file, also those that have been answered.
func (x *Resolution) Questions() []Question {
	if x.page == nil {
		return nil
	}
	lines := x.markerLines()
	file, at := x.chosen(x.answers, three.Dest)
	all := make([]Question, len(x.open))
	for i, c := range x.open {
		q := &all[i]
		q.Conflict = conflictOf(x.r.Whole(c, lines[c]))
		q.Answer = x.answers[i]
		q.Resource, q.Field = c.Field()
		q.Before = lastLines(file[:at[c].Start], contextLines)
		q.After = firstLines(file[at[c].End:], contextLines)
	}
	return all
}

// markerLines returns the lines of the first markers of what is not decided.
func (x *Resolution) markerLines() map[*page.Conflict]int {
	p, _ := x.page.Decide(x.r, x.judge(x.answers))
	w := x.r.Write(p, x.m.markers(), x.m.in.Merged.Bom)
	lines := map[*page.Conflict]int{}
	for _, k := range w.Marks {
		if lines[k.Of] == 0 {
			lines[k.Of] = k.Line
		}
	}
	return lines
}

func firstLines(b []byte, n int) []string {
	var all []string
	for line := range bytes.Lines(b) {
		if len(all) == n {
			break
		}
		all = append(all, strings.TrimRight(string(line), "\r\n"))
	}
	return all
}

func lastLines(b []byte, n int) []string {
	start := len(b)
	for range n + 1 {
		start = bytes.LastIndexByte(b[:max(start, 0)], '\n')
	}
	return firstLines(b[start+1:], n)
}

// Offers returns what can be taken at question i, text aside: ours, theirs and
// base; highest and lowest where that can be told; both where the rules that
// results have to pass accept it, or the line merge knows none.
func (x *Resolution) Offers(i int) []Take {
	offers := []Take{TakeOurs, TakeTheirs, TakeBase}
	c := x.open[i]
	if c.BothMayStand() && x.prove(x.with(i, Answer{Take: TakeBoth}), c) == nil {
		offers = append(offers, TakeBoth)
	}
	for _, t := range []Take{TakeHighest, TakeLowest} {
		if _, ok := extreme(c, t); ok {
			offers = append(offers, t)
		}
	}
	return offers
}
