package history

import (
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
	"github.com/git-merge-yaml/git-merge-yaml/merge/program"
)

// AcceptTrailer is the key of the trailer by which a merge commit accepts the findings of one of its files, if the
// team's file allows it:
//
//	Merge-Yaml-Accept: k8s/web.yaml: the limit of main was a mistake
const AcceptTrailer = "Merge-Yaml-Accept"

// An UnusedTrailer is a trailer with AcceptTrailer that accepts nothing.
type UnusedTrailer struct {
	Text    string // the value of the trailer
	Problem string // why it accepts nothing
}

// acceptByTrailers lets a trailer of the merge commit, "PATH: REASON" (see AcceptTrailer), accept the findings about a
// file: it sets Accepted of this result in m.checkResults to the reason. If there is no such finding or no reason, or
// if the team's rules do not allow trailers, the trailer is appended as a result of its own (CheckResult.Unused).
func (w *walk) acceptByTrailers(m *mergeJob) {
	rules, _ := w.Session.Rules()
	isAllowed := program.AcceptsTrailers(rules)
	for _, text := range m.acceptTrailers {
		result, reason := m.acceptedBy(text)
		var problem string
		switch {
		case result == nil:
			problem = "there is no finding about such a file in this merge"
		case !isAllowed:
			problem = "the team's file of the base does not allow it (check: {accept: trailers})"
		case reason == "":
			problem = "it has no reason"
		default:
			result.Accepted = reason
			continue
		}
		m.checkResults = append(m.checkResults, CheckResult{Merge: m.ID, Unused: &UnusedTrailer{text, problem}})
	}
}

// acceptedBy returns the result with findings whose path the trailer text, "PATH: REASON", names, and the reason, which
// may be "". It returns nil and "" if there is no such result.
func (m *mergeJob) acceptedBy(text string) (result *CheckResult, reason string) {
	for i := range m.checkResults {
		c := &m.checkResults[i]
		rest, isPath := strings.CutPrefix(text+":", c.Path+":") // the path may contain colons
		if isPath && len(c.Findings) > 0 {
			return c, strings.TrimSpace(strings.TrimSuffix(rest, ":"))
		}
	}
	return nil, ""
}

// readAcceptTrailers sets m.acceptTrailers of all merges to the values of the trailers of their commits with the key
// AcceptTrailer. The error is that of git.
func (w *walk) readAcceptTrailers(merges []*mergeJob) error {
	var ids []git.ID
	for _, m := range merges {
		ids = append(ids, m.ID)
	}
	trailers, err := w.git.Trailers(AcceptTrailer, ids)
	for i := range trailers {
		merges[i].acceptTrailers = trailers[i]
	}
	return err
}
