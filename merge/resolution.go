package merge

import (
	"bytes"
	"cmp"
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
	united  []plan.UnionApplied             // lists that policies decided on the way
	ruled   map[*page.Conflict]page.Verdict // what the team's rules decide
	open    []*page.Conflict                // the questions
	number  map[*page.Conflict]int          // of each question
	answers []Answer                        // to them
	// unproven is what was accepted although it cannot be proven.
	unproven map[doubt]bool
	proofs   int          // how often answers were proven
	both     map[int]bool // which questions both sides can be the answer to; nil if that is not known
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
	x := &Resolution{m: m, number: map[*page.Conflict]int{}, unproven: map[doubt]bool{}}
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
				x.ask(c)
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
	if slices.ContainsFunc(m.in.Raw[:], func(b []byte) bool { return text.UnresolvedConflictLine(b) > 0 }) {
		return
	}
	r, p := o.pages, o.page
	if p == nil {
		parts, err := m.raw.Parts(diff3.Options{Markers: m.markers(), As: diff3.Merge})
		if err != nil {
			return
		}
		m.in = read.AsTheyCame(m.in.Raw, m.in.Names)
		r = &page.Renderer{Sources: page.Sources{Files: m.in.Files(), LineBreak: []byte(m.in.Merged.LineBreak())}}
		p = page.FromLineMerge(m.in.Raw, parts, m.raw.Merging(diff3.Merge, nil))
	}
	if b, _ := m.write(r, p); !bytes.Equal(b, x.merged.Bytes) {
		return
	}
	x.r, x.page = r, p
	for _, c := range p.Conflicts() {
		x.ask(c)
	}
	x.unread = m.in.Unfit() != "" || !readable(p.Resolve(three.Dest)) || !readable(p.Resolve(three.Updated))
}

// ask makes c the next question.
func (x *Resolution) ask(c *page.Conflict) {
	x.number[c] = len(x.open)
	x.open = append(x.open, c)
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
		if lines[k.Conflict] == 0 {
			lines[k.Conflict] = k.Line
		}
	}
	file, at := x.chosen(x.answers, three.Dest)
	all := make([]Question, len(x.open))
	for i, c := range x.open {
		q := &all[i]
		q.Conflict = conflictOf(x.r.WholeMark(c, lines[c]))
		q.Answer = x.answers[i]
		q.Resource, q.Field = c.PolicyTarget()
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

// Offers returns what can be taken at question i, text aside: nothing where SOPS encrypted it; else ours, theirs and
// base; highest and lowest where that can be told; both where the rules that
// results have to pass accept it, or the line merge knows none.
func (x *Resolution) Offers(i int) []Take {
	c := x.open[i]
	if c.Kind == plan.ConflictEncrypted {
		return nil
	}
	offers := []Take{TakeOurs, TakeTheirs, TakeBase}
	if x.bothHold()[i] {
		offers = append(offers, TakeBoth)
	}
	for _, t := range []Take{TakeHighest, TakeLowest} {
		if _, ok := extreme(c, t); ok {
			offers = append(offers, t)
		}
	}
	return offers
}

// bothHold returns the questions of which both sides can be taken, if that is done with all of them, with the other answers as
// they are.
func (x *Resolution) bothHold() map[int]bool {
	if x.both != nil {
		return x.both
	}
	y, all := *x, map[int]Answer{}
	y.unproven = maps.Clone(x.unproven)
	for i, c := range x.open {
		if c.CanKeepBoth() {
			all[i] = Answer{Take: TakeBoth}
		}
	}
	refused := y.DecideSome(all)
	x.both = map[int]bool{}
	for i := range all {
		x.both[i] = refused[i] == nil
	}
	return x.both
}

// Has reports whether question i is answered so that the file has what a makes of it.
func (x *Resolution) Has(i int, a Answer) bool {
	c := x.open[i]
	if x.refused(c, a) != nil {
		return false
	}
	is, answered := x.verdict(c, x.answers[i])
	want, _ := x.verdict(c, a)
	return answered && bytes.Equal(is.Text, want.Text)
}

// with returns the answers with others to some questions.
func (x *Resolution) with(changed map[int]Answer) []Answer {
	answers := slices.Clone(x.answers)
	for i, a := range changed {
		answers[i] = a
	}
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
	if refused := x.decideAll(all); len(refused) > 0 {
		return refused[0].AnswerError
	}
	return nil
}

// decideAll is DecideAll; it returns each refusal.
func (x *Resolution) decideAll(all map[int]Answer) (refused []refusal) {
	changed, unproven := slices.Sorted(maps.Keys(all)), false
	for _, i := range changed {
		if err := x.refused(x.open[i], all[i]); err != nil {
			refused = append(refused, refusal{i, err})
		}
		unproven = unproven || all[i].Unproven
	}
	if len(refused) > 0 || len(all) == 0 {
		return refused
	}
	x.proofs++
	answers := x.with(all)
	refused = x.prove(answers, changed)
	isAccepted := func(r refusal) bool {
		_, again := all[r.question]
		return r.Unproven && (unproven || x.unproven[r.doubt()] && !again)
	}
	if slices.ContainsFunc(refused, func(r refusal) bool { return !isAccepted(r) }) {
		return refused
	}
	for _, i := range changed {
		delete(x.unproven, doubt{question: i})
	}
	for _, r := range refused {
		x.unproven[r.doubt()] = true
	}
	x.answers, x.both = answers, nil
	return nil
}

// maxProofs is how often DecideSome proves a file, so that many answers of which many are refused cost little more than
// as many that are accepted.
const maxProofs = 32

// DecideSome answers those questions whose answers hold together, and returns why the others are not answered. An answer is
// tried on its own before it is refused, unless many are: then some that would hold may be refused with the others, and can be
// given again.
func (x *Resolution) DecideSome(all map[int]Answer) (refused map[int]error) {
	refused = map[int]error{}
	left := maxProofs
	var decide func(some map[int]Answer)
	decide = func(some map[int]Answer) {
		if len(some) == 0 {
			return
		}
		if left--; left < 0 {
			for i := range some {
				refused[i] = cmp.Or(refused[i], errTooMany)
			}
			return
		}
		why := x.decideAll(some)
		if len(why) == 0 {
			for i := range some {
				delete(refused, i)
			}
			return
		}
		blamed := map[int]Answer{}
		for _, r := range why {
			if a, ok := some[r.question]; ok {
				blamed[r.question], refused[r.question] = a, r.AnswerError
			}
		}
		if n := len(some); len(blamed) == 0 || len(blamed) == n {
			if n == 1 {
				for i := range some {
					refused[i] = why[0].AnswerError
				}
				return
			}
			rest := slices.Sorted(maps.Keys(some))
			some, blamed = map[int]Answer{}, map[int]Answer{}
			for k, i := range rest {
				if k < n/2 {
					some[i] = all[i]
				} else {
					blamed[i] = all[i]
				}
			}
		} else {
			some = maps.Clone(some)
			for i := range blamed {
				delete(some, i)
			}
		}
		decide(some)
		decide(blamed)
	}
	decide(maps.Clone(all))
	return refused
}

// errTooMany is why an answer is refused that was not tried on its own.
var errTooMany error = &AnswerError{Msg: "too many answers about this file are refused, so that this one was not tried; give it again"}

// refused says why an answer is none, whatever the file looks like then.
func (x *Resolution) refused(c *page.Conflict, a Answer) *AnswerError {
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
		return &AnswerError{Msg: "nothing called " + string(a.Take) + " can be taken"}
	}
	if c.Kind == plan.ConflictEncrypted {
		return &AnswerError{Msg: "the file is encrypted by SOPS, and only SOPS can write this value"}
	}
	return nil
}
