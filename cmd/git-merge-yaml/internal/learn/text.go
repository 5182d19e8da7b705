package learn

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/replay"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/terminal"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// day is how a time is told.
const day = "2006-01-02"

// Write writes a rule for people:
//
//	#1 version of every Chart.yaml: next
//	   right in 1021 of 1350 merges (75 %), tried on the later half of them
func (r *Rule) Write(p *terminal.Painter) error {
	p.Line()
	p.Print(terminal.Faint, fmt.Sprintf("#%d ", r.Number))
	p.Print(terminal.Bold, r.Place.String())
	p.Print(terminal.Plain, ": ")
	p.Print(terminal.Green, r.Answer())
	p.Line()
	for _, line := range r.evidence() {
		p.Print(terminal.Plain, "   "+line)
		p.Line()
	}
	return p.Err
}

// Answer is what the rule says, as a team's file has it.
func (r *Rule) Answer() string {
	switch {
	case r.Take != merge.TakeBoth:
		return string(r.Take)
	case r.Items == merge.ItemsScalars:
		return "set"
	}
	return "union"
}

// evidence is what speaks for a rule, and against it, in lines.
func (r *Rule) evidence() []string {
	lines := []string{
		fmt.Sprintf("right in %d of %s of the later half (%d %%), learned from the earlier half", r.Tried.Right,
			terminal.Count(r.Tried.Right+r.Tried.Wrong, "merge"), r.Tried.Share()),
		fmt.Sprintf("in all: right %s, otherwise %s%s; %s to %s", times(r.All.Right), times(r.All.Wrong), left(r.All.Left),
			r.First.Format(day), r.Last.Format(day)),
		"people took " + counts(r.Taken) + whose(r.Own, r.Upstream),
	}
	for _, name := range slices.Sorted(maps.Keys(r.Of)) {
		lines = append(lines, fmt.Sprintf("%s: right %s, otherwise %s%s", name, times(r.Of[name].Right), times(r.Of[name].Wrong), left(r.Of[name].Left)))
	}
	for _, e := range r.Examples {
		as := ""
		if !e.Right {
			as = ", otherwise"
		}
		lines = append(lines, fmt.Sprintf("see %s %s %s%s", e.Merge.Short(), e.Time.Format(day), e.Path, as))
	}
	return lines
}

func times(n int) string { return terminal.Count(n, "time") }

func left(n int) string {
	if n == 0 {
		return ""
	}
	return ", nothing decided " + times(n)
}

func whose(own, upstream int) string {
	if own+upstream == 0 {
		return ""
	}
	return fmt.Sprintf("; one's own side %s, upstream's %s", times(own), times(upstream))
}

// counts tells what people took, in the order of answers.
func counts(n map[string]int) string {
	var parts []string
	for _, t := range []string{string(merge.TakeOurs), string(merge.TakeTheirs), string(merge.TakeBase),
		string(merge.TakeBoth), string(merge.TakeNext), Else} {
		if n[t] > 0 {
			parts = append(parts, fmt.Sprintf("%s %d", t, n[t]))
		}
	}
	return strings.Join(parts, ", ")
}

// Comment is the evidence as it stands beside a rule in a team's file.
func (r *Rule) Comment() []string {
	var seen []string
	for _, e := range r.Examples {
		if e.Right {
			seen = append(seen, e.Merge.Short())
		} else {
			seen = append(seen, e.Merge.Short()+" (otherwise)")
		}
	}
	e := r.evidence()
	return append(slices.Clone(e[:len(e)-len(r.Examples)]), "see "+strings.Join(seen, ", "))
}

// Summary says what was read, and what came of it.
func (l *Learner) Summary(p *terminal.Painter, rules []*Rule) error {
	merges := map[string]bool{}
	own, upstream := 0, 0
	for _, d := range l.decisions {
		merges[d.Merge.String()] = true
		switch Whose(d) {
		case "own":
			own++
		case "upstream":
			upstream++
		}
	}
	p.Line()
	lines := []string{fmt.Sprintf("%s in %s: %s in %d of them", terminal.Count(l.Read.Merges, "merge"),
		terminal.Count(l.Read.Commits, "commit"), terminal.Count(len(l.decisions), "field")+" in conflict", len(merges))}
	if len(l.decisions) > 0 {
		lines = append(lines, "people took "+counts(l.Taken())+whose(own, upstream))
	}
	lines = append(lines, held(len(rules)))
	if l.Read.Generated > 0 {
		lines = append(lines, generated(l.Read))
	}
	if l.Read.Unread > 0 {
		lines = append(lines, terminal.Count(l.Read.Unread, "file")+" could not be read as YAML")
	}
	if l.Read.Large > 0 {
		lines = append(lines, terminal.Count(l.Read.Large, "file")+" above 128 KB left out")
	}
	for _, line := range lines {
		p.Print(terminal.Plain, line)
		p.Line()
	}
	return p.Err
}

// generated says what part of the conflicts a rule about what programs make takes away, or
// would.
func generated(r replay.Read) string {
	of := terminal.Count(r.Files, "file") + " in conflict"
	is, it := " are", "them"
	if r.Generated == 1 {
		is, it = " is", "it"
	}
	if r.Named == r.Generated {
		return fmt.Sprintf("%d of %s%s generated", r.Generated, of, is)
	}
	return fmt.Sprintf("%d of %s (%d %%)%s generated: git merge-yaml rules add generated would leave %s to be made again",
		r.Generated, of, 100*r.Generated/max(r.Files, 1), is, it)
}

// held says how many rules were right on the later merges.
func held(n int) string {
	switch n {
	case 0:
		return "no rule held up on merges it was not learned from"
	case 1:
		return "1 rule held up on merges it was not learned from"
	}
	return strconv.Itoa(n) + " rules held up on merges they were not learned from"
}
