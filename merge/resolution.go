package merge

import (
	"bytes"
	"cmp"
	"errors"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/diff3"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/page"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/plan"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/read"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// A Resolution is a merge whose conflicts are decided one by one. Every answer
// is held against the rules that results have to pass; see Decide. Where the
// result is Delegated, no rules are known, and nothing is proven. It is not safe
// for concurrent use.
type Resolution struct {
	m       *merger
	r       *page.Renderer
	page    *page.Page // with all conflicts, those that the team's rules decide too
	merged  Result
	united  []plan.United                   // lists that policies decided on the way
	ruled   map[*page.Conflict]page.Verdict // what the team's rules decide
	open    []*page.Conflict                // the questions
	answers []Answer                        // to them
	// unproven is what was accepted although it is not proven.
	unproven string
	// unread says that the file need not be YAML: it was merged by lines, and
	// was none before anything was answered.
	unread bool
}

// An Answer is how a conflict is decided.
type Answer struct {
	Take Take
	// Text are the lines that stand for TakeText, none to leave the thing out.
	Text string
	// Unproven accepts the answer although it cannot be proven: the file is
	// YAML, but it lacks an edit outside of the conflict, or has one too many.
	Unproven bool
}

// Take is what stands in the place of a conflict.
type Take string

// What can be taken. Undecided is the zero value: the conflict stays.
const (
	Undecided   Take = ""
	TakeOurs    Take = "ours"
	TakeTheirs  Take = "theirs"
	TakeBase    Take = "base"
	TakeBoth    Take = "both"    // ours, then theirs; of a ConflictMultiplied, the edits of both
	TakeHighest Take = "highest" // of the two, by the policy of that name
	TakeLowest  Take = "lowest"
	TakeText    Take = "text" // the text of the answer
)

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

// NewResolution merges as Merge does by the default rules, and leaves the conflicts
// to be decided. Of the options it reads no Resolve and no RuleSet.
//
// What cannot be merged as YAML is asked about as the line merge leaves it. It
// has no questions where a version has conflict markers of its own.
func NewResolution(base, ours, theirs []byte, opts Options) (_ *Resolution, err error) {
	defer guard(&err)
	opts.Resolve, opts.RuleSet = ResolveNone, DefaultRules
	if opts.Markers != nil {
		opts.Markers = sync.OnceValue(opts.Markers)
	}
	var bad error
	m := newMerger([3][]byte{base, ours, theirs}, opts.watched(&bad))
	x := &Resolution{m: m}
	o, err := m.merge(ways)
	if err = cmp.Or(bad, err); err != nil {
		return nil, err
	}
	x.merged, x.united = o.Result, o.united
	switch x.merged.Method {
	case Structural:
		x.r, x.page, x.ruled = o.pages, o.page, map[*page.Conflict]page.Verdict{}
		_, ruled := m.settled(x.page, x.r, m.policy, nil)
		for _, c := range x.page.Conflicts() {
			if v, ok := m.policy(c); ok && len(ruled) > 0 && c.Kind != plan.ConflictEncrypted {
				x.ruled[c] = v
			} else {
				x.open = append(x.open, c)
			}
		}
	case Delegated:
		x.askLines(o)
	}
	x.answers = make([]Answer, len(x.open))
	return x, nil
}

// askLines makes the conflicts of the line merge o questions. Where no page of it was chosen, it is of the
// bytes as they came: no form of a file merges on its own then. There are no
// questions where the page is not what the merge wrote, and where a version
// has markers of its own, which nobody could tell from those of a conflict.
func (x *Resolution) askLines(o outcome) {
	m := x.m
	if slices.ContainsFunc(m.in.Raw[:], func(b []byte) bool { return text.ConflictLeft(b) > 0 }) {
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
	x.unread = m.in.Unfit() != "" || !readable(p.Choose(three.Dest)) || !readable(p.Choose(three.Updated))
}

// contextLines is how many lines of the file a question has above and below.
const contextLines = 3

// Questions returns the conflicts that the team's rules leave, in the order
// of the file, also those that have been answered.
func (x *Resolution) Questions() []Question {
	if x.page == nil {
		return nil
	}
	left, _ := x.page.Decide(x.r, x.judge(x.answers))
	lines := map[*page.Conflict]int{} // of the first markers of what is not decided
	for _, k := range x.r.Write(left, x.m.markers(), x.m.in.Merged.Bom).Marks {
		if lines[k.Of] == 0 {
			lines[k.Of] = k.Line
		}
	}
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

// firstLines are the first n lines of b without their breaks.
func firstLines(b []byte, n int) (all []string) {
	for line := range bytes.Lines(b) {
		if len(all) == n {
			break
		}
		all = append(all, strings.TrimRight(string(line), "\r\n"))
	}
	return all
}

// lastLines are the last n lines of b, all of which end.
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

// with returns the answers with a to question i.
func (x *Resolution) with(i int, a Answer) []Answer {
	answers := slices.Clone(x.answers)
	answers[i] = a
	return answers
}

// Result is the merge with what has been decided so far: clean once nothing
// is left.
func (x *Resolution) Result() Result {
	if x.page == nil {
		return x.merged
	}
	p, done := x.page.Decide(x.r, x.judge(x.answers))
	res := x.merged
	res.Resolved = slices.Concat(decisions(done), unions(x.united), x.m.told)
	res.Bytes, res.Conflicts = x.m.write(x.r, p)
	return res
}

// Decide answers question i, from 0; the zero Answer opens it again. What is
// refused leaves all as it was, and the error is an *AnswerError: the file
// would be no YAML or have a key twice; or it cannot be proven that
// outside of the conflicts the edits of both sides stand, and nothing else,
// with either side at the conflicts that are left. Of a Delegated result it is
// only that the file would be no YAML any more.
func (x *Resolution) Decide(i int, a Answer) error { return x.DecideAll(map[int]Answer{i: a}) }

// DecideAll answers questions together, as Decide does one: an alias and its anchor that
// moved hold only so. All of them are refused, or none.
func (x *Resolution) DecideAll(all map[int]Answer) error {
	answers := slices.Clone(x.answers)
	var last *page.Conflict
	unproven := false
	for _, i := range slices.Sorted(maps.Keys(all)) {
		c := x.open[i]
		if err := x.refused(c, all[i]); err != nil {
			return err
		}
		if last == nil || last.Lines != nil || c.Lines == nil {
			last = c
		}
		answers[i], unproven = all[i], unproven || all[i].Unproven
	}
	if last == nil {
		return nil
	}
	if err := x.prove(answers, last); err != nil {
		if !err.Unproven || !unproven && err.Msg != x.unproven {
			return err
		}
		x.unproven = err.Msg
	}
	x.answers = answers
	return nil
}

// refused says why an answer is none, whatever the file looks like then.
func (x *Resolution) refused(c *page.Conflict, a Answer) error {
	switch a.Take {
	case Undecided:
		return nil
	case TakeOurs, TakeTheirs, TakeBase, TakeBoth:
	case TakeHighest, TakeLowest:
		if _, ok := extreme(c, a.Take); !ok {
			return &AnswerError{Msg: "it is not clear which of the two is the " + string(a.Take)}
		}
	case TakeText:
		if n := text.FirstMarkerLine([]byte(a.Text), x.m.markers().Size); n > 0 {
			return &AnswerError{Line: n, Column: 1, Msg: "a conflict marker is left"}
		}
	default:
		return errors.New("nothing called " + string(a.Take) + " can be taken")
	}
	if c.Kind == plan.ConflictEncrypted {
		return &AnswerError{Msg: "the file is encrypted by SOPS, and only SOPS can write this value"}
	}
	return nil
}
