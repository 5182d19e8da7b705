package learn

import (
	"slices"
	"time"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/replay"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// A Rule is a policy for a place, and the evidence for it.
type Rule struct {
	Number int
	Place  Place
	Take   merge.Take // a policy
	All    Score
	// Learned is that of the earlier half, from which the policy was learned, Tried
	// that of the later half.
	Learned, Tried Score
	First, Last    time.Time
	Examples       []Example
	// Taken counts what people took, as Chosen names it, and Own and Upstream
	// whose side that was, as far as it is known.
	Taken         map[string]int
	Own, Upstream int
	// Items are what both sides put into a list, where the rule is that both stay.
	Items merge.Items
	// Of is the score in each of several repositories, by their names.
	Of map[string]Score
}

// sure reports whether a rule was right nearly always, in both halves.
func (r *Rule) sure() bool { return r.Learned.Share() >= sureShare && r.Tried.Share() >= sureShare }

// A Score counts merges: those in which a rule decides as people did, those in which
// it does otherwise, and those that it leaves to people.
type Score struct{ Right, Wrong, Left int }

// Share is how often the rule is right where it decides, in per cent.
func (s Score) Share() int { return 100 * s.Right / max(1, s.Right+s.Wrong) }

// An Example is a merge to look at.
type Example struct {
	Merge git.ID
	Time  time.Time
	Path  string
	Right bool
}

// policies are the answers that a rule can give, the most telling first. Ours and
// theirs are none: they change places in a rebase. Both is for items of lists.
var policies = []merge.Take{merge.TakeNext, merge.TakeHighest, merge.TakeLowest, merge.TakeUpstream, merge.TakeOwn, merge.TakeBoth}

// learn returns the rule that the decisions at a place support, in the order in
// which they were made; nil if there is none.
func learn(p Place, all []replay.Decision) *Rule {
	votes := votesOf(all)
	half := len(votes) / 2
	best, at := Score{}, merge.Undecided
	for _, t := range policies {
		if p.Field == Everywhere && t != merge.TakeUpstream && t != merge.TakeOwn {
			continue
		}
		if s := score(votes[:half], t); s.worth() > best.worth() {
			best, at = s, t
		}
	}
	tried := score(votes[half:], at)
	if at == merge.Undecided || best.Right+best.Wrong < leastVotes || tried.Right+tried.Wrong < leastVotes || tried.Share() < leastShare {
		return nil
	}
	r := &Rule{
		Place: p, Take: at, Learned: best, Tried: tried, All: score(votes, at), Taken: map[string]int{},
		First: all[0].Time, Last: all[len(all)-1].Time, Examples: examples(votes, at), Items: all[0].Items,
	}
	if p.Field == Everywhere && !r.sure() {
		return nil
	}
	r.Of = scores(votes, at)
	for _, d := range all {
		r.Taken[Chosen(d)]++
		switch Whose(d) {
		case "own":
			r.Own++
		case "upstream":
			r.Upstream++
		}
	}
	return r
}

// worth is what a score is good for: a wrong decision costs more than a right one
// saves.
func (s Score) worth() int { return s.Right - 2*s.Wrong }

// votesOf puts the decisions of a merge together.
func votesOf(all []replay.Decision) (votes [][]replay.Decision) {
	for i, d := range all {
		if i == 0 || d.Merge != all[i-1].Merge {
			votes = append(votes, nil)
		}
		last := &votes[len(votes)-1]
		*last = append(*last, d)
	}
	return votes
}

// scores are those of each repository, where there are several.
func scores(votes [][]replay.Decision, t merge.Take) map[string]Score {
	of := map[string][][]replay.Decision{}
	for _, v := range votes {
		if name := v[0].Repository; name != "" {
			of[name] = append(of[name], v)
		}
	}
	all := map[string]Score{}
	for name, votes := range of {
		all[name] = score(votes, t)
	}
	return all
}

// score counts how a policy does. In a merge, one wrong decision is too many.
func score(votes [][]replay.Decision, t merge.Take) (s Score) {
	for _, v := range votes {
		switch decides, right := verdict(v, t); {
		case !decides:
			s.Left++
		case right:
			s.Right++
		default:
			s.Wrong++
		}
	}
	return s
}

// verdict reports whether a policy decides anything in a merge, and all of it right.
func verdict(vote []replay.Decision, t merge.Take) (decides, right bool) {
	right = true
	for _, d := range vote {
		if t := sideOf(t, d.Own); slices.Contains(d.Offered, t) && (t != merge.TakeBoth || d.Items != "") {
			decides = true
			right = right && slices.Contains(d.Taken, t)
		}
	}
	return decides, right
}

// sideOf is the side that own and upstream are in a merge, undecided where nobody
// knows; any other answer is itself.
func sideOf(t merge.Take, own merge.Own) merge.Take {
	switch {
	case t != merge.TakeOwn && t != merge.TakeUpstream:
		return t
	case own == merge.OwnUnknown:
		return merge.Undecided
	case (t == merge.TakeOwn) == (own == merge.OwnOurs):
		return merge.TakeOurs
	}
	return merge.TakeTheirs
}

// examples are the newest three merges, or the newest two and the last time that
// people did otherwise.
func examples(votes [][]replay.Decision, t merge.Take) []Example {
	var right, wrong []Example
	for _, v := range slices.Backward(votes) {
		switch decides, as := verdict(v, t); {
		case decides && as && len(right) < 3:
			right = append(right, exampleOf(v[0], true))
		case decides && !as && len(wrong) == 0:
			wrong = append(wrong, exampleOf(v[0], false))
		}
	}
	return append(right[:min(len(right), 3-len(wrong))], wrong...)
}

func exampleOf(d replay.Decision, right bool) Example {
	path := d.Path
	if d.Repository != "" {
		path = d.Repository + ": " + path
	}
	return Example{d.Merge, d.Time, path, right}
}

// Chosen is what people took in one word: ours, theirs, base, both, next where it
// is neither side's version, or something else.
func Chosen(d replay.Decision) string {
	if len(d.Taken) == 0 {
		return Else
	}
	return string(d.Taken[0])
}

// Whose is the side that was taken, own or upstream; "" where that is not known.
func Whose(d replay.Decision) string {
	c := Chosen(d)
	switch {
	case d.Own == merge.OwnUnknown || c != string(merge.TakeOurs) && c != string(merge.TakeTheirs):
		return ""
	case (d.Own == merge.OwnOurs) == (c == string(merge.TakeOurs)):
		return "own"
	}
	return "upstream"
}
