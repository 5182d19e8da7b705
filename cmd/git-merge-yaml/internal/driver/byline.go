package driver

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// byLine is git's line merge, in this process, for the reason given.
func (m *Merger) byLine(reason string) (res merge.Result, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = Bug(r)
		}
	}()
	var merged []byte
	var n int
	if m.Resolve != "" {
		merged, err = merge.ResolveLines(m.In.Base, m.In.Ours, m.In.Theirs, resolves[m.Resolve])
	} else {
		merged, n, err = merge.MergeLines(m.In.Base, m.In.Ours, m.In.Theirs, m.Markers())
	}
	switch {
	case err != nil && m.In.BeyondLines():
		return m.whole(), nil
	case err != nil && reason != "":
		return res, fmt.Errorf("%s; the line merge failed too: %w", reason, err)
	case err != nil:
		return res, err
	}
	return merge.DelegatedResult(merged, n, m.MarkerSize, reason), nil
}

// Markers is how conflicts are written; it asks git for their style, unless
// an option says it.
func (m *Merger) Markers() merge.Markers {
	style := m.Style
	if style == "" {
		style = m.ConflictStyle()
	}
	l := m.labels()
	return merge.Markers{
		Style: styles[style], // merge, where it is not set
		Size:  m.MarkerSize,
		Ours:  l[0], Base: l[1], Theirs: l[2],
	}
}

// labels are those that git says or, before 2.44, leaves to be found.
func (m *Merger) labels() [3]string {
	l := m.Labels
	if slices.Contains(l[:], "") && !m.mayBeAncestor() {
		l = m.File().Labels(l)
	}
	for i, role := range [3]string{"ours", "base", "theirs"} {
		l[i] = oneLine(cmp.Or(l[i], role))
	}
	return l
}

// mayBeAncestor reports whether git may be merging common ancestors: it makes their markers
// longer, and does not before 2.44 say more.
func (m *Merger) mayBeAncestor() bool {
	return m.OfAncestors() || slices.Contains(m.Labels[:], "") && m.MarkerSize >= merge.DefaultMarkerSize+2
}

// oneLine keeps a label from breaking its marker's line.
func oneLine(label string) string {
	return strings.NewReplacer("\n", " ", "\r", " ").Replace(label)
}

// Bug is the error for a panic.
func Bug(panicked any) error {
	return fmt.Errorf("a bug in git-merge-yaml, please report it: %v", panicked)
}

// whole decides about files that git does not merge by line, as git does:
// ours stays, and it is a conflict unless a side was asked for.
func (m *Merger) whole() merge.Result {
	res := merge.Result{Bytes: m.In.Ours, LineConflicts: -1}
	switch m.Resolve {
	case "ours":
	case "theirs":
		res.Bytes = m.In.Theirs
	default:
		res.Reason = "binary or huge, so not merged: ours is left as it is; choose with git checkout --ours or --theirs"
		res.Conflicts = make([]merge.Conflict, 1)
	}
	return res
}

// Inputs are base, ours and theirs.
type Inputs struct{ Base, Ours, Theirs []byte }

// BeyondLines reports whether git takes an input for binary, or as too large
// for its line merge.
func (in Inputs) BeyondLines() bool {
	const looked, limit = 8000, 1023 << 20 // git's buffer_is_binary, MAX_XDIFF_SIZE
	for _, f := range [][]byte{in.Base, in.Ours, in.Theirs} {
		if len(f) > limit || bytes.IndexByte(f[:min(len(f), looked)], 0) >= 0 {
			return true
		}
	}
	return false
}
