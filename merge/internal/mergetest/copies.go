package mergetest

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// Duplicates are three versions of a file that repeats words. Each side may remove one copy of a repeated word, and may
// add another word at the end. The words are written as items, keys, lines of a text, documents or in flow style. For
// example:
//
//	base    ours    theirs
//	- ann   - ann   - bob
//	- bob   - bob   - ann
//	- ann
//
// A result without ann is wrong: each side kept one copy. Want is nil, because a result with one copy and a result with
// two copies of ann can both be right.
type Duplicates struct {
	Triple
	words    [3][]string
	repeated []string // the words that base has more than once
}

// duplicatesForms are the ways to write the words as YAML. A file is head, followed by word for each of the words. The
// flow style needs a "]" after them.
var duplicatesForms = [...]struct{ head, word string }{
	{"l:\n", "- %s\n"},                              // a list of scalars
	{"l:\n", "- p: %s\n  q: 1\n"},                   // a list of mappings
	{"", "%s: 1\n"},                                 // keys
	{"run: |\n", "  %s\n"},                          // lines of a text
	{"", "---\nkind: %[1]s\nmetadata: {name: a}\n"}, // documents
	{"l: [\n", "  %s,\n"},                           // flow style
}

// NewDuplicates generates the three versions. The same seed always gives the same versions. Base has three to six
// different words, of which it repeats one or two. About has the index of the form in duplicatesForms, as in "form
// 0\n".
func NewDuplicates(seed int) *Duplicates {
	g := rand.New(rand.NewPCG(uint64(seed), 8))
	form := g.IntN(len(duplicatesForms))
	d := &Duplicates{}
	d.About = fmt.Sprintf("form %d\n", form)
	words := []string{"ann", "bob", "eve", "joe", "kim", "lea", "mia"}
	base := slices.Clone(words[:3+g.IntN(4)])
	for range 1 + g.IntN(2) {
		w := base[g.IntN(len(base))]
		if !slices.Contains(d.repeated, w) {
			d.repeated = append(d.repeated, w)
		}
		base = slices.Insert(base, g.IntN(len(base)+1), w)
	}
	d.words[three.Original] = base
	for _, s := range three.Sides {
		v := slices.Clone(base)
		for _, w := range d.repeated {
			var at []int
			for i, x := range v {
				if x == w {
					at = append(at, i)
				}
			}
			if len(at) > 1 && g.IntN(4) > 0 {
				i := at[g.IntN(len(at))]
				v = slices.Delete(v, i, i+1)
			}
		}
		if g.IntN(3) == 0 {
			v = append(v, "new"+three.Names[s])
		}
		d.words[s] = v
	}
	for s, words := range d.words {
		d.Raw[s] = writeWords(form, words)
	}
	return d
}

// writeWords returns a file with these words. form is an index in duplicatesForms. For ann and bob:
//
//	form 0     form 2     form 3     form 5
//	l:         ann: 1     run: |     l: [
//	- ann      bob: 1       ann        ann,
//	- bob                   bob        bob,
//	                                 ]
func writeWords(form int, words []string) []byte {
	f := duplicatesForms[form]
	var b strings.Builder
	b.WriteString(f.head)
	for _, w := range words {
		fmt.Fprintf(&b, f.word, w)
	}
	if strings.HasSuffix(f.head, "[\n") {
		b.WriteString("]\n")
	}
	return []byte(b.String())
}

// CheckResult returns a description of what is wrong with the result of a merge, or "" if it is right. Of each word
// that base repeats, the result must have at least as many copies as the side that has fewer, with either side taken at
// all conflicts.
func (d *Duplicates) CheckResult(result []byte) string {
	for _, s := range three.Sides {
		b := TakeSide(result, s)
		for _, w := range d.repeated {
			count := func(words []string) (n int) {
				for _, x := range words {
					if x == w {
						n++
					}
				}
				return n
			}
			least := min(count(d.words[three.Dest]), count(d.words[three.Updated]))
			if n := strings.Count(string(b), w); n < least {
				return fmt.Sprintf("%s: %d of %s with %s, not %d", strings.TrimSpace(d.About), n, w, three.Names[s], least)
			}
		}
	}
	return ""
}
