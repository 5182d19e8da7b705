package report

import (
	"bytes"
	"errors"
	"hash/maphash"
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// errOtherwise says that a merge depends on words that are no keys.
var errOtherwise = errors.New("with its words replaced, the merge comes out in another way; nothing is written (without --anonymous it would be, as it is)")

// Anonymous returns r with every word replaced. Words of keys, kinds and the path on
// which the merge depends are kept, as few as will do: the program knows lists by
// them. The error is not nil where no choice of these makes the merge come out the
// same way.
func (r *Report) Anonymous() (*Report, error) {
	was, err := r.merge()
	if err != nil {
		return nil, err
	}
	s := search{report: r, was: was, seed: maphash.MakeSeed()}
	if s.try(nil) {
		return s.found, nil
	}
	words := r.known()
	if !s.try(words) {
		return nil, errOtherwise
	}
	s.try(s.drop(words, nil))
	return s.found, nil
}

// A search looks for the words that have to stay.
type search struct {
	report *Report
	was    merge.Result
	seed   maphash.Seed
	found  *Report // the last that came out the same way
}

// try replaces all words but those to keep, and reports whether the merge comes out
// the same way.
func (s *search) try(keep []string) bool {
	kept := map[string]bool{}
	for _, w := range keep {
		kept[w] = true
	}
	if s.report.Rules != nil {
		for _, w := range rulesWords {
			kept[w] = true
		}
	}
	a := newAnonymizer(s.seed, kept)
	r := *s.report
	r.Base, r.Ours, r.Theirs, r.Committed, r.Rules = a.text(r.Base), a.text(r.Ours), a.text(r.Theirs), a.text(r.Committed), a.rules(r.Rules)
	r.Path = a.path(r.Path)
	now, err := r.merge()
	if err != nil || !same(a, s.was, now) {
		return false
	}
	r.Replaced = &Replaced{Words: len(a.words), Kept: keep}
	s.found = &r
	return true
}

// same reports whether a merge came out as another one did, whose words were
// replaced by those of a.
func same(a *anonymizer, was, now merge.Result) bool {
	if was.Method != now.Method || was.LineConflicts != now.LineConflicts || len(was.Resolved) != len(now.Resolved) {
		return false
	}
	if !slices.EqualFunc(was.Conflicts, now.Conflicts, func(x, y merge.Conflict) bool { return x.Kind == y.Kind && x.Line == y.Line }) {
		return false
	}
	return bytes.Equal(a.marked(was.Bytes), now.Bytes)
}

// drop finds those of words that can be replaced too, beside others that stay, and
// returns the rest: it drops all, or else each half.
func (s *search) drop(words, others []string) (rest []string) {
	if len(words) == 0 || s.try(others) {
		return nil
	}
	if len(words) == 1 {
		return words
	}
	half := len(words) / 2
	first := s.drop(words[:half], slices.Concat(others, words[half:]))
	second := s.drop(words[half:], slices.Concat(others, first))
	return slices.Concat(first, second)
}

// rulesWords are the words of a team's file itself.
var rulesWords = strings.Fields("requires extends crds rules name files kinds lists oneOf images fields keys separators after defaults ordered set atomic core own upstream ours theirs highest lowest union next helm generated from by yaml yml")

const (
	keyWords  = `(?m)^[ \t]*(?:- +)*["']?([^\s"'#:{}\[\],&*!|>%@-][^"'#:{}\[\],]*)["']?[ \t]*:(?:[ \t\r]|$)`
	flowWords = `[{,]\s*["']?([\w./-]+)["']?\s*:`
	kindWords = `(?m)^[ \t]*(?:- +)?["']?(?:apiVersion|kind)["']?:(.*)$`
)

// known are the words of keys, of kinds and of the path.
func (r *Report) known() (words []string) {
	words = wordsOf(r.Path)
	for _, b := range [][]byte{r.Base, r.Ours, r.Theirs} {
		for _, form := range []string{keyWords, flowWords, kindWords} {
			for _, m := range compiled(form).FindAllSubmatch(b, -1) {
				words = append(words, wordsOf(string(m[1]))...)
			}
		}
	}
	slices.Sort(words)
	return slices.Compact(words)
}

func wordsOf(s string) []string {
	return strings.FieldsFunc(s, func(r rune) bool { return !inWord(r) })
}
