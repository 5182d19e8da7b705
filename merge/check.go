package merge

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/law"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/read"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// A Finding is something that the result of a merge lacks, or has although
// neither side put it there.
type Finding struct {
	// Path names it, as in spec.template.spec.containers[name=web].image;
	// empty for what belongs to the file as a whole.
	Path string
	// Line is the line of a conflict marker in the result, from 1; else 0.
	Line int
	// Rule is the rule that is broken, in a word or two: lost, undone, value,
	// doubled, invented, deleted and changed, comment, alias, markers, ...
	Rule string
	// Detail says what was expected, with the versions called base, ours and theirs.
	Detail string
}

// String is f as a line for people.
func (f Finding) String() string {
	s := f.Rule + ": " + f.Detail
	if f.Path != "" {
		s = f.Path + ": " + s
	}
	return s
}

// maxFindings ends a list that nobody reads to its end.
const maxFindings = 100

// Check lists what a three-way merge lost or made up, whoever made it: git, a
// person or another program. Every edit of either side has to stand in the
// result, and nothing else; only where Merge finds a conflict, a person may
// have written anything but what base has. Indents, quotes and order are not
// judged. It returns 100 findings at most, and one for each list without keys,
// however much is wrong in it. Git's clean line merge is judged as Merge judges
// it: only by what is wrong beyond doubt.
//
// Of the options it reads Path, Rules and MaxSize. The error says why the
// versions cannot be merged as YAML.
func Check(original, dest, updated, result []byte, opts Options) ([]Finding, error) {
	opts = Options{Path: opts.Path, Rules: opts.Rules, MaxSize: opts.MaxSize}
	if line := read.MarkerLine(result); line > 0 {
		return []Finding{{Line: line, Rule: "markers", Detail: fmt.Sprintf("a conflict is left at line %d", line)}}, nil
	}
	raw := [3][]byte{original, dest, updated}
	if reason := read.New(raw, opts.Names).Unfit(opts.MaxSize); reason != "" {
		return nil, errors.New(reason)
	}
	claim, err := claimOf(raw, opts)
	if err != nil {
		return nil, err
	}
	if claim.Result, err = syntax.Parse(text.New(result)); err != nil {
		return []Finding{{Rule: "parses", Detail: err.Error()}}, nil
	}
	if b, n, err := MergeLines(original, dest, updated, Markers{}); err == nil && n == 0 && bytes.Equal(b, result) {
		claim.Open = nil
		if law.Defect(claim) == nil {
			return nil, opts.Rules.known().Err() // as Merge itself would leave it
		}
	}
	var found []Finding
	streams := [3]*syntax.Stream{claim.Original, claim.Dest, claim.Updated}
	for _, r := range law.Findings(claim, maxFindings) {
		found = append(found, Finding{Path: opts.pathOf(streams, r), Rule: r.Rule, Detail: r.Detail})
	}
	return found, opts.Rules.known().Err()
}

// claimOf is what a result of a person has to fulfil.
func claimOf(raw [3][]byte, opts Options) (law.Claim, error) {
	claim := law.Claim{File: opts.Path, Rules: opts.Rules.known()}
	var err [3]error
	for s, to := range [3]**syntax.Stream{&claim.Original, &claim.Dest, &claim.Updated} {
		if *to, err[s] = syntax.Parse(text.New(raw[s])); err[s] != nil {
			return claim, fmt.Errorf("%s: %w", three.Names[s], err[s])
		}
	}
	res, mergeErr := merge(raw, opts, shortcuts{fields: true})
	switch {
	case mergeErr != nil:
		return claim, mergeErr
	case res.Method == Delegated:
		return claim, errors.New(res.Reason)
	}
	for _, c := range res.Conflicts {
		claim.Open = append(claim.Open, law.Open{Taken: law.Person, At: [3]text.Span{
			lineSpan(claim.Original.File, c.Base), lineSpan(claim.Dest.File, c.Ours), lineSpan(claim.Updated.File, c.Theirs),
		}})
	}
	return claim, nil
}

// lineSpan is the lines of v in its file.
func lineSpan(f *text.File, v Version) text.Span {
	n := strings.Count(v.Text, "\n")
	if v.Text != "" && !strings.HasSuffix(v.Text, "\n") {
		n++
	}
	if v.Line == 0 || n == 0 {
		return text.Span{}
	}
	return text.Span{Start: f.StartOf(v.Line), End: f.StartOf(v.Line + n)}
}
