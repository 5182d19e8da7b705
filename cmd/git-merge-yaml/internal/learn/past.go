package learn

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/replay"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/session"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/terminal"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// newest is how many merges of a history are read for questions.
const newest = 5000

// A Past is what people decided in the history of HEAD, read in the background.
// The nil Past knows nothing.
type Past struct {
	read  chan struct{} // closed once all is read, or nothing can be
	all   []replay.Decision
	start time.Time
}

// ReadPast begins to read the past of a repository, until ctx ends. What was read
// before is in a cache below the folder of git.
func ReadPast(ctx context.Context, s *session.Session) *Past {
	p := &Past{read: make(chan struct{}), start: time.Now()}
	go func() {
		defer close(p.read) // also where there is no history: nobody waits for it then
		p.all, _ = decisions(ctx, s)
	}()
	return p
}

// decisions returns those of the history of HEAD, the newest first.
func decisions(ctx context.Context, s *session.Session) ([]replay.Decision, error) {
	g := s.Git
	g.Context = ctx
	head, err := g.Line("rev-parse", "--verify", "HEAD^{commit}")
	if err != nil {
		return nil, err
	}
	c := openCache(g)
	o := replay.Options{Session: s.WithoutRules(), Revisions: []string{head}, Max: newest}
	switch {
	case c.Head == head:
		return c.decisions(), nil
	case c.Head != "" && g.IsAncestor(c.Head, head):
		o.Revisions = append(o.Revisions, "^"+c.Head)
	default:
		c.Decisions = nil
	}
	var found []replay.Decision
	read, err := replay.Decisions(ctx, o, func(d replay.Decision) error {
		if d.Field != "" {
			found = append(found, d)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	found = append(found, c.decisions()...)
	slices.SortStableFunc(found, func(a, b replay.Decision) int { return b.Time.Compare(a.Time) })
	if read.Merges > 0 {
		c.save(head, found)
		Propose(s, rulesOf(found))
	}
	return found, nil
}

// Proposed are the rules that the history of HEAD supports, without what have decides, if
// it can be read in that time; what was read is kept for the driver.
func Proposed(s *session.Session, have *merge.Rules, within time.Duration) []*Rule {
	ctx, cancel := context.WithTimeout(context.Background(), within)
	defer cancel()
	p := ReadPast(ctx, s)
	p.Wait(within)
	return p.Rules(have)
}

func rulesOf(all []replay.Decision) []*Rule { return (&Learner{decisions: all}).Rules() }

// Rules are the rules that what was read supports, without what have decides; none
// where it is not read yet.
func (p *Past) Rules(have *merge.Rules) []*Rule {
	select {
	case <-p.read:
	default:
		return nil
	}
	return rulesOf(slices.DeleteFunc(slices.Clone(p.all), func(d replay.Decision) bool {
		return have.Decides(d.Path, d.Resource, d.Field)
	}))
}

// Wait waits until all is read, but no longer than d from the start on.
func (p *Past) Wait(d time.Duration) {
	if p == nil {
		return
	}
	select {
	case <-p.read:
	case <-time.After(d - time.Since(p.start)):
	}
}

// Of says what people took at a field of a file, "" where nothing is known, or not
// yet:
//
//	people took theirs 19 of 20 times here (last: 3f2a91c0ab, May 4)
func (p *Past) Of(path, resource, field string) string {
	if p == nil || field == "" {
		return ""
	}
	select {
	case <-p.read:
	default:
		return ""
	}
	like := replay.Decision{Path: path, Choice: merge.Choice{Resource: resource, Field: field}}
	said := ""
	for i, width := range slices.Backward(widths) { // the same file, its folder, others of its name or kind
		place, ok := width(like)
		if !ok || i == folder {
			continue
		}
		votes := votesOf(at(p.all, place, width))
		if len(votes) == 0 || said != "" && len(votes) < enoughVotes {
			continue
		}
		here := "here"
		if place.Files != "/"+path {
			here = "at " + place.String()
		}
		said = tell(votes, here)
		if len(votes) >= enoughVotes {
			break
		}
	}
	return said
}

// enoughVotes is how many merges of one file say more than those of all alike.
const enoughVotes = 3

func at(all []replay.Decision, p Place, width func(replay.Decision) (Place, bool)) (found []replay.Decision) {
	for _, d := range all {
		if place, ok := width(d); ok && place == p {
			found = append(found, d)
		}
	}
	return found
}

// answers are what people may have taken, in words; the first of those that explain
// most is told.
var answers = []struct {
	take merge.Take
	said string
}{
	{merge.TakeNext, "wrote the next version"},
	{merge.TakeTheirs, "took theirs"},
	{merge.TakeOurs, "took ours"},
	{merge.TakeHighest, "took the higher one"},
	{merge.TakeLowest, "took the lower one"},
	{merge.TakeBoth, "kept both"},
	{merge.TakeBase, "took what base has"},
}

// tell says what people took most often, of votes the newest of which comes first.
func tell(votes [][]replay.Decision, here string) string {
	said, most := "wrote something else", 0
	last := votes[0][0]
	for _, a := range answers {
		var agree [][]replay.Decision
		for _, v := range votes {
			if _, right := verdict(v, a.take); right && slices.Contains(v[0].Taken, a.take) {
				agree = append(agree, v)
			}
		}
		if len(agree) > most {
			said, most, last = a.said, len(agree), agree[0][0]
			if a.take == merge.TakeOurs || a.take == merge.TakeTheirs {
				said += side(agree)
			}
		}
	}
	if most == 0 {
		most = len(votes)
	}
	return fmt.Sprintf("people %s %d of %s %s (last: %s, %s)", said, most, terminal.Count(len(votes), "time"), here,
		last.Merge.Short(), date(last.Time, time.Now()))
}

// side says whose side was taken, where that is known of most votes: ours and theirs
// change places in a rebase.
func side(votes [][]replay.Decision) string {
	n := map[string]int{}
	for _, v := range votes {
		n[Whose(v[0])]++
	}
	switch {
	case 2*n["own"] > len(votes):
		return " (one's own)"
	case 2*n["upstream"] > len(votes):
		return " (upstream's)"
	}
	return ""
}

// date is a day as people say it, with its year if that is not the one of now.
func date(t, now time.Time) string {
	if t.Year() == now.Year() {
		return t.Format("January 2")
	}
	return t.Format("January 2, 2006")
}
