package engine

import (
	"bytes"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

var dense = flag.Int("dense", 1000, "how many generated merges TestDense, TestRendered and TestGuarded make, each, from the seed -from on")
var shown = flag.Int("shown", 3, "how many of each class of wrong ones they show")

// A denseCase is a generated merge: a small file, the edits that each side makes to
// nodes close to each other, and the format in which the versions are written.
type denseCase struct {
	base  *denseTree
	edits [3][]denseEdit
	form  denseForm
}

// newDenseCase generates a case. The same seed always gives the same case.
func newDenseCase(seed int) denseCase {
	g := &denseDraw{Rand: rand.New(rand.NewPCG(uint64(seed), 2))}
	g.vivid = g.IntN(3) > 0
	c := denseCase{base: g.tree(), form: denseForm{dented: g.IntN(2) == 0, crlf: g.IntN(20) == 0}}
	near := g.IntN(len(c.base.nodes))
	for _, s := range three.Sides {
		c.edits[s] = g.edits(c.base, near)
	}
	return c
}

// trees returns the three versions: the base, and the base with the edits of each side.
func (c denseCase) trees() (all [3]*denseTree) {
	for s := range all {
		all[s] = c.base
		for _, e := range c.edits[s] {
			all[s] = e.made(all[s])
		}
	}
	return all
}

// wrong merges c and returns a description of the first defect, or "" if there is none.
// The description begins with the class of the defect, up to the first colon. wrong
// judges the merge as Merge runs it and the merge by field alone. For the former it also
// checks that there is no conflict where the line merge is right, and that the merge
// with the sides swapped is clean exactly if this one is.
func (c denseCase) wrong() string {
	m := newDenseModel(c.trees())
	var raw [3][]byte
	for s, t := range m.in {
		raw[s] = t.write(c.form)
	}
	for name, by := range map[string]order{"": asMerge, "by fields, ": fieldsOnly} {
		res, err := mergeBy(by, raw, Options{})
		if err != nil {
			return err.Error()
		}
		if wrong := m.judge(c, raw, res); wrong != "" {
			return fmt.Sprintf("%s%s, %s", name, methodNames[res.Method], wrong)
		}
		if name != "" {
			continue
		}
		if wrong := m.needless(c, raw); !res.Clean() && wrong != "" {
			return wrong
		}
		back, err := mergeBy(by, [3][]byte{raw[0], raw[2], raw[1]}, Options{})
		if err != nil {
			return err.Error()
		}
		if back.Clean() != res.Clean() {
			return fmt.Sprintf("swap: %d conflicts, swapped %d", len(res.Conflicts), len(back.Conflicts))
		}
	}
	return ""
}

// judge returns a description of what is wrong with a result, or "" if it is right. Every
// result has to be valid YAML with either side taken at all conflicts. A clean result must
// not contain anything a wrong number of times, must have the data and comments of the
// model if the model has an answer, and must pass Check.
func (m *denseModel) judge(c denseCase, raw [3][]byte, res Result) string {
	if strings.Contains(res.Reason, "internal error") {
		return "panic: " + res.Reason
	}
	for _, s := range three.Sides {
		if _, err := denseData(chosen(res.Bytes, s)); err != nil {
			return fmt.Sprintf("invalid: with %s, %v", three.Names[s], err)
		}
	}
	if !res.Clean() {
		return ""
	}
	if wrong := m.miscounted(res.Bytes); wrong != "" {
		return wrong
	}
	if m.open == "" {
		if wrong := m.differs(c, res.Bytes); wrong != "" {
			return wrong
		}
	}
	found, err := Check(raw[0], raw[1], raw[2], res.Bytes, Options{})
	if err == nil && len(found) > 0 {
		return "check: " + found[0].String()
	}
	return ""
}

// differs describes the first difference in data or comments between the result b and the
// model's merge. It returns "" if they are equal, or if the model's merge is no valid YAML.
func (m *denseModel) differs(c denseCase, b []byte) string {
	want := m.out.write(c.form)
	have, _ := denseData(b)
	data, err := denseData(want)
	if err != nil {
		return ""
	}
	if !slices.Equal(have, data) {
		return fmt.Sprintf("data: %q, not %q", have, data)
	}
	if have, want := denseComments(b), denseComments(want); !slices.Equal(have, want) {
		return fmt.Sprintf("comments: %q, not %q", have, want)
	}
	return ""
}

// needless returns a description if git's line merge of c is clean and equal to the
// model's merge, so that a conflict is unnecessary. It returns "" otherwise, if the model
// has no answer, and if a side renamed, moved, wrapped or copied something.
func (m *denseModel) needless(c denseCase, raw [3][]byte) string {
	b, n, err := mergeLines(raw[0], raw[1], raw[2], text.Markers{})
	unsure := func(e denseEdit) bool { return slices.Contains([]string{"key", "move", "wrap", "add copy"}, e.op) }
	if err != nil || n > 0 || slices.ContainsFunc(slices.Concat(c.edits[:]...), unsure) || m.open != "" || m.differs(c, b) != "" {
		return ""
	}
	return "worse than git: its merge is clean and right"
}

// String returns the versions, the edits and the result of the merge, for messages.
func (c denseCase) String() string {
	var raw [3][]byte
	for s, t := range c.trees() {
		raw[s] = t.write(c.form)
	}
	return showGenerated(raw, c.edits, Options{})
}

// showGenerated returns the versions with the edits of each side, and the result of their
// merge, for messages.
func showGenerated(raw [3][]byte, edits [3][]denseEdit, opts Options) string {
	var b strings.Builder
	for s := range raw {
		fmt.Fprintf(&b, "---- %s\n%s", three.Names[s], raw[s])
		for _, e := range edits[s] {
			fmt.Fprintf(&b, "   (%s at %d, %d: %s %s)\n", e.op, e.at, e.other, e.word, e.value)
		}
	}
	res, err := mergeBy(asMerge, raw, opts)
	fmt.Fprintf(&b, "---- result (%v, %s, %v)\n%s", res.Method, res.Reason, err, bytes.TrimSuffix(res.Bytes, []byte("\n")))
	return b.String()
}

// shrink returns a smaller base and fewer edits for which wrong still returns true. It
// removes edits, nodes and comments one at a time until nothing more can be removed. It
// keeps only bases for which valid returns true.
func shrink(base *denseTree, edits [3][]denseEdit, valid func(*denseTree) bool, wrong func(*denseTree, [3][]denseEdit) bool) (*denseTree, [3][]denseEdit) {
	for again := true; again; {
		again = false
		for _, s := range three.Sides {
			for i := len(edits[s]) - 1; i >= 0; i-- {
				fewer := edits
				fewer[s] = slices.Delete(slices.Clone(edits[s]), i, i+1)
				if wrong(base, fewer) {
					edits, again = fewer, true
				}
			}
		}
		for _, id := range base.ids() {
			for _, leave := range []func(*denseTree){
				func(t *denseTree) { t.drop(id) },
				func(t *denseTree) { t.nodes[id].above = "" },
				func(t *denseTree) { t.nodes[id].behind = "" },
			} {
				if id == 0 || base.nodes[id] == nil {
					continue
				}
				less := base.clone()
				if leave(less); valid(less) && less.size() < base.size() && wrong(less, edits) {
					base, again = less, true
				}
			}
		}
	}
	return base, edits
}

// size returns the number of nodes of t plus the length of their comments in bytes.
func (t *denseTree) size() int {
	n := len(t.nodes)
	for _, m := range t.nodes {
		n += len(m.above) + len(m.behind)
	}
	return n
}

// inClasses calls wrong with all seeds, in parallel, and groups the failures by class: the
// text before the first colon. For each class it reports the number of failures and the
// shortest descriptions, as many as -shown says. small returns the description of a seed
// after shrinking its case. A known seed is reported only if it no longer fails.
func inClasses(t *testing.T, known map[string][]int, wrong func(seed int) string, small func(seed int, class string) string) {
	var mu sync.Mutex
	var wg sync.WaitGroup
	classes := map[string][]string{}
	seeds := slices.Concat(slices.Collect(maps.Values(known))...)
	shards := runtime.GOMAXPROCS(0)
	for shard := range shards {
		wg.Go(func() {
			for seed := *from + shard; seed < *from+*dense; seed += shards {
				why := wrong(seed)
				isKnown := slices.Contains(seeds, seed)
				if isKnown && why == "" {
					t.Errorf("seed %d is right, and not to be known any longer", seed)
				}
				if isKnown || why == "" {
					continue
				}
				class, _, _ := strings.Cut(why, ":")
				text := fmt.Sprintf("==== seed %d: %s", seed, why)
				if *shown > 0 {
					text = fmt.Sprintf("==== seed %d: %s", seed, small(seed, class))
				}
				mu.Lock()
				classes[class] = append(classes[class], text)
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	for _, class := range slices.Sorted(maps.Keys(classes)) {
		all := classes[class]
		slices.SortFunc(all, func(a, b string) int { return len(a) - len(b) })
		t.Errorf("%s: %d of %d\n%s", class, len(all), *dense, strings.Join(all[:min(len(all), *shown)], "\n"))
	}
}

// denseKnown and renderedKnown list the failing ones of the first 200,000 seeds, by the
// reason. In some of them the merge is wrong. In the others it is right, and the model
// expects something that cannot be known from the three versions.
var (
	denseKnown = map[string][]int{
		"each side made the same item, one of a copy":                          {21554},
		"lines of a text are alike":                                            {41533, 194276},
		"the comment of an item without a name that the other side emptied":    {79612},
		"each side made the same field, one of another":                        {95924},
		"both moved items without names: a conflict in one order of the sides": {172319},
	}
	renderedKnown = map[string][]int{
		"one side put it into a block, or a block around it, and the other changed the conditions there": {140562, 196923},
		"a conflict in one order of the sides: added by both at one place, in blocks":                    {7226, 43873, 53584, 59462, 73737, 95305, 95832, 96828, 124737, 140997, 147676, 197964},
		"items are alike": {48731},
		"a comment at a key that a side added to a define, too":           {86558, 92088, 115558, 195488},
		"a comment stands above the else, and not below it":               {90433},
		"an item has another path where its name is not rendered":         {107042, 147758, 164388},
		"added in a block whose condition the other side changed":         {120733},
		"a comment of an item without a name that the other side deleted": {190735},
		"theirs renamed the item in which ours deleted a field":           {197097},
	}
)

// TestDense checks generated merges of small files that both sides edited at places close
// to each other. The result has to agree with denseModel.
func TestDense(t *testing.T) {
	wrong := func(seed int) string { return newDenseCase(seed).wrong() }
	inClasses(t, denseKnown, wrong, func(seed int, class string) string {
		c := newDenseCase(seed)
		c.base, c.edits = shrink(c.base, c.edits, (*denseTree).valid, func(t *denseTree, edits [3][]denseEdit) bool {
			return strings.HasPrefix(denseCase{t, edits, c.form}.wrong(), class)
		})
		return fmt.Sprintf("%s (model: %s)\n%s", c.wrong(), newDenseModel(c.trees()).open, c)
	})
}

// TestRendered checks generated merges of templates that both sides edited: it compares
// what the versions and the result render to.
func TestRendered(t *testing.T) {
	wrong := func(seed int) string { return newRenderedCase(seed).wrong() }
	inClasses(t, renderedKnown, wrong, func(seed int, class string) string {
		c := newRenderedCase(seed)
		c.base, c.edits = shrink(c.base, c.edits, (*denseTree).sound, func(t *denseTree, edits [3][]denseEdit) bool {
			return strings.HasPrefix(renderedCase{t, edits}.wrong(), class)
		})
		return c.wrong() + "\n" + showGenerated(c.raw(), c.edits, Options{Path: "templates/x.yaml"})
	})
}
