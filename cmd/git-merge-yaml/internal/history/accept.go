package history

import (
	"slices"
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

// acceptByTrailers sets Accepted in each of m.checkResults whose findings a trailer of the commit of m accepts (see
// AcceptTrailer), to the reason in the trailer. A trailer that accepts nothing is appended to m.checkResults as a
// result of its own (CheckResult.Unused). A trailer accepts nothing if it has no reason, or if the team's rules do not
// allow trailers.
func (w *walk) acceptByTrailers(m *mergeJob) {
	rules, _ := w.Session.Rules()
	isAllowed := program.AcceptsTrailers(rules)
	for _, text := range m.acceptTrailers {
		problem := "there is no finding about such a file in this merge"
		reason := ""
		// the value is "PATH: REASON"; the path may contain colons, and ends where it is that of a result
		i := slices.IndexFunc(m.checkResults, func(c CheckResult) bool {
			rest, isPath := strings.CutPrefix(text+":", c.Path+":")
			reason = strings.TrimSpace(strings.TrimSuffix(rest, ":"))
			return isPath && len(c.Findings) > 0
		})
		switch {
		case i < 0:
		case !isAllowed:
			problem = "the team's file of the base does not allow it (check: {accept: trailers})"
		case reason == "":
			problem = "it has no reason"
		default:
			m.checkResults[i].Accepted = reason
			continue
		}
		m.checkResults = append(m.checkResults, CheckResult{Merge: m.ID, Unused: &UnusedTrailer{text, problem}})
	}
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
