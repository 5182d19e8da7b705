package resolve

import (
	"fmt"
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// A neighbour is the lines of another open conflict among those that are shown
// around a question. They are ours, as the markers of that one would hide what
// the file is like.
type neighbour struct {
	number   int // of the question in its file; 0 for none
	from, to int // which of the lines
}

// findNeighbours looks for the conflicts before and behind v.
func (v *view) findNeighbours() {
	all := v.question.file.questions()
	if i := v.question.index - 1; i >= 0 && open(all[i]) {
		v.openBefore = lastOf(v.Before, valueLines(all[i].Ours))
		v.openBefore.number = i + 1
	}
	if i := v.question.index + 1; i < len(all) && open(all[i]) {
		v.openAfter = firstOf(v.After, valueLines(all[i].Ours))
		v.openAfter.number = i + 1
	}
}

// open reports whether a question has lines in ours, and no answer.
func open(q merge.Question) bool {
	return q.Answer.Take == merge.Undecided && q.Ours.Text != ""
}

// firstOf finds a value in the lines behind a question: all of it, or as much as
// is shown.
func firstOf(shown, value []string) (n neighbour) {
	for from := range shown {
		size := min(len(value), len(shown)-from)
		if slices.Equal(shown[from:from+size], value[:size]) {
			return neighbour{from: from, to: from + size}
		}
	}
	return n
}

// lastOf finds a value in the lines before a question.
func lastOf(shown, value []string) (n neighbour) {
	for to := len(shown); to > 0; to-- {
		size := min(len(value), to)
		if slices.Equal(shown[to-size:to], value[len(value)-size:]) {
			return neighbour{from: to - size, to: to}
		}
	}
	return n
}

// beside is what stands before line i around a question: the number of the
// open conflict that it is of, or nothing.
func (v *view) beside(n neighbour, i int) string {
	if n.from <= i && i < n.to {
		return fmt.Sprintf("#%d", n.number)
	}
	return ""
}

// nothing stands for a version that has no text.
var nothing = []string{"(nothing)"}

// valueLines are the lines of a version, or what there is instead.
func valueLines(x merge.Version) []string {
	if x.Text == "" {
		return nothing
	}
	return strings.Split(strings.TrimSuffix(strings.ReplaceAll(x.Text, "\r\n", "\n"), "\n"), "\n")
}
