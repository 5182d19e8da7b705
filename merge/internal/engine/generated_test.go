package engine

import (
	"bytes"
	"flag"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/mergetest"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/mergetest/dense"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/plan"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

var (
	triples    = flag.Int("triples", 100, "how many generated merges TestGenerated, TestFollowed and TestMoved make, each")
	from       = flag.Int("from", 0, "the seed of the first of all generated merges")
	denseCases = flag.Int("dense", 300, "how many generated merges TestDense, TestRendered, TestGuarded, TestPlaced, TestDoubled, TestUnits and TestPrinted make, each")
	shown      = flag.Int("shown", 3, "how many wrong merges of each class they show")
	flows      = flag.Int("flows", 200, "how many generated merges TestFlowModel makes of each form")
)

// TestGenerated checks the merges of mergetest.SeparateEdits, of which the right merge is known. To repeat a failure,
// run the test with -from SEED -triples 1.
func TestGenerated(t *testing.T) {
	n := *triples
	shards := runtime.GOMAXPROCS(0)
	for shard := range shards {
		t.Run(fmt.Sprint(shard), func(t *testing.T) {
			t.Parallel()
			for seed := *from + shard; seed < *from+n; seed += shards {
				checkGenerated(t, seed)
			}
		})
	}
}

// FuzzGenerated makes the checks of TestGenerated with any seed.
func FuzzGenerated(f *testing.F) {
	for seed := range 10 {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed int) { checkGenerated(t, seed) })
}

// checkGenerated merges the versions of a seed by the ways of noPages and by field alone, and fails the test if a result
// differs from the right one.
func checkGenerated(t *testing.T, seed int) {
	t.Helper()
	g := mergetest.SeparateEdits(seed)
	var last []byte
	for _, by := range []order{noPages, fieldsOnly} {
		res, err := mergeBy(by, g.Raw, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if last != nil && bytes.Equal(res.Bytes, last) {
			return // the first order gave the same bytes
		}
		last = res.Bytes
		if wrong := wrongGenerated(g, res); wrong != "" {
			t.Fatalf("seed %d: %s (%s)\n%s\nof\n%s", seed, wrong, res.Reason, res.Bytes, g)
		}
	}
}

// wrongGenerated describes the first difference between a result and the right merge of g, in the number of conflicts or
// in the content. It returns "" if there is none.
func wrongGenerated(g mergetest.Triple, res Result) string {
	if len(res.Conflicts) != g.Conflicts {
		return fmt.Sprintf("%d conflicts, not %d", len(res.Conflicts), g.Conflicts)
	}
	return g.Difference(res.Bytes)
}

// TestGeneratedTells checks wrongGenerated: if any one line is removed from a right result, it has to find a difference.
// It removes one line in three, in turn, or each with -long.
func TestGeneratedTells(t *testing.T) {
	for seed := range 10 {
		g := mergetest.SeparateEdits(seed)
		res, err := Merge(g.Raw[three.Original], g.Raw[three.Dest], g.Raw[three.Updated], Options{})
		if err != nil {
			t.Fatal(err)
		}
		lines := slices.Collect(bytes.Lines(res.Bytes))
		for i, l := range lines {
			if !*long && i%3 != seed%3 {
				continue
			}
			shorter := res
			shorter.Bytes = slices.Concat(slices.Delete(slices.Clone(lines), i, i+1)...)
			if wrongGenerated(g, shorter) == "" {
				t.Errorf("seed %d: right without %q", seed, l)
			}
		}
	}
}

// TestFollowed checks the merges of mergetest.RenamedItems. A clean result has to have exactly the items of the right
// merge, and there must not be a clean result if the right merge has a conflict. At least a quarter of the merges has to
// be clean and merged by field.
func TestFollowed(t *testing.T) {
	n := *triples
	clean := 0
	for seed := *from; seed < *from+n; seed++ {
		g := mergetest.RenamedItems(seed)
		res, err := mergeBy(noPages, g.Raw, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if !res.Clean() || res.Method == ByLine {
			continue // the line merge may apply an edit to the copy
		}
		clean++
		if wrong := g.Difference(res.Bytes); g.Conflicts > 0 || wrong != "" {
			t.Fatalf("seed %d: %s, %d conflicts are right: %s\n%s\nof\n%s", seed, res.Method, g.Conflicts, wrong, res.Bytes, g)
		}
	}
	if 4*clean < n {
		t.Errorf("only %d of %d are merged by field, clean", clean, n)
	}
}

// TestMoved checks that the edits of one side follow a mapping to the place to which the other side moved it, byte for
// byte, and that the law of merging again holds.
func TestMoved(t *testing.T) {
	for seed := *from; seed < *from+*triples; seed++ {
		g := mergetest.MovedMapping(seed)
		res, err := mergeBy(asMerge, g.Raw, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if want := g.Want[three.Dest]; !bytes.Equal(res.Bytes, want) {
			t.Errorf("seed %d: %s%v %s\n%s\nwant:\n%s", seed, g.About, res.Followed, res.Refused, res.Bytes, want)
			continue
		}
		if broken := remergeDifference(t, res, g.Raw, Options{}); broken != "" {
			t.Errorf("seed %d: %smerged again: %s", seed, g.About, broken)
		}
	}
}

// TestFlowModel merges generated flow collections. A clean merge has to have the data of the right merge. With either
// side taken at all conflicts, the result has to be valid in its form. At least 80 % of the merges whose edits can be
// merged have to be clean.
func TestFlowModel(t *testing.T) {
	for _, form := range mergetest.FlowForms {
		t.Run(form, func(t *testing.T) {
			clean, mergeable := 0, 0
			for seed := range *flows {
				c, m := checkFlow(t, form, uint64(*from+seed))
				clean, mergeable = clean+c, mergeable+m
			}
			t.Logf("%d merges, %d can be merged, %d of these are clean", *flows, mergeable, clean)
			if clean*10 < mergeable*8 {
				t.Errorf("only %d of %d are clean", clean, mergeable)
			}
		})
	}
}

// FuzzFlowModel makes the checks of TestFlowModel with any seed.
func FuzzFlowModel(f *testing.F) {
	f.Add(uint64(1))
	f.Fuzz(func(t *testing.T, seed uint64) {
		for _, form := range mergetest.FlowForms {
			checkFlow(t, form, seed)
		}
	})
}

// checkFlow merges the flow collections of a seed and fails the test if the result is wrong. mergeable is 1 if the edits
// can be merged, else 0. clean is 1 if the result is clean as well. Both are 0 if the test fails.
func checkFlow(t *testing.T, form string, seed uint64) (clean, mergeable int) {
	t.Helper()
	g := mergetest.NewFlow(form, seed)
	res, err := Merge(g.Raw[three.Original], g.Raw[three.Dest], g.Raw[three.Updated], Options{Path: g.Path})
	if err != nil {
		t.Errorf("seed %d: %v\n%s", seed, err, g)
		return 0, 0
	}
	if wrong := g.CheckResult(res.Bytes); wrong != "" {
		t.Errorf("seed %d: %s\n%s-- result (%s %s) --\n%s", seed, wrong, g, res.Method, res.Reason, res.Bytes)
		return 0, 0
	}
	if g.Mergeable {
		mergeable = 1
		if res.Clean() {
			clean = 1
		}
	}
	return clean, mergeable
}

// TestGeneratedGrants merges generated roles, for which each combination that a rule grants is known. It checks:
//   - If a merged rule would grant a combination that neither side grants, the merge is not clean.
//   - If all fields can be merged, there is a conflict about access fields if and only if there is such a rule.
//   - No rule in a clean result grants such a combination.
//   - Check reports git's clean line merge if it has such a rule.
func TestGeneratedGrants(t *testing.T) {
	conflicts, clean, found := 0, 0, 0
	for seed := range uint64(600) {
		g := mergetest.NewGrants(seed)
		fail := func(format string, a ...any) {
			t.Errorf("seed %d: %s\n%s", seed, fmt.Sprintf(format, a...), g)
		}
		res, err := Merge(g.Raw[three.Original], g.Raw[three.Dest], g.Raw[three.Updated], Options{})
		if err != nil {
			t.Fatal(err)
		}
		isAboutAccess := slices.ContainsFunc(res.Conflicts, func(c Conflict) bool { return c.Kind == plan.ConflictAccess })
		switch {
		case g.WidensAccess && res.Clean():
			fail("merged to\n%s", res.Bytes)
		case g.WidensAccess && !isAboutAccess && !g.HasOtherConflict:
			fail("another conflict\n%s", res.Bytes)
		case !g.WidensAccess && !g.HasOtherConflict && isAboutAccess:
			fail("a needless conflict\n%s", res.Bytes)
		}
		if g.WidensAccess {
			conflicts++
		}
		if res.Clean() {
			clean++
			if wrong := g.CheckResult(res.Bytes); wrong != "" {
				fail("%s in\n%s", wrong, res.Bytes)
			}
		}
		if b, n, err := mergeLines(g.Raw[0], g.Raw[1], g.Raw[2], text.Markers{}); g.WidensAccess && err == nil && n == 0 {
			all, err := Check(g.Raw[0], g.Raw[1], g.Raw[2], b, Options{})
			if !slices.ContainsFunc(all, func(f Finding) bool { return f.Rule == "wider access" }) {
				fail("check finds %v, %v in\n%s", all, err, b)
			}
			found++
		}
	}
	if conflicts < 60 || clean < 200 || found < 20 {
		t.Errorf("%d conflicts, %d clean, %d found by the check", conflicts, clean, found)
	}
}

// TestPlaced merges files in which one side restructures groups that the other side edits. The flag -dense N sets how
// many are generated.
func TestPlaced(t *testing.T) {
	wrong := func(seed int) string {
		g := mergetest.NewRestructured(seed)
		return wrongMerge(g.Triple, g.CheckResult)
	}
	reportByClass(t, nil, wrong, func(seed int, _ string) string {
		return showMerge(mergetest.NewRestructured(seed).Triple, Options{}, wrong(seed))
	})
}

// doubledKnown lists the seeds up to 3,000 whose result has too few copies with one side chosen in a conflict.
var doubledKnown = map[string][]int{
	"git's conflict cuts items": {245, 892},
}

// TestDoubled merges files with duplicates, of which each side may remove a copy.
func TestDoubled(t *testing.T) {
	wrong := func(seed int) string {
		g := mergetest.NewDuplicates(seed)
		return wrongMerge(g.Triple, g.CheckResult)
	}
	reportByClass(t, doubledKnown, wrong, func(seed int, _ string) string {
		return showMerge(mergetest.NewDuplicates(seed).Triple, Options{}, wrong(seed))
	})
}

// TestUnits merges mappings with fields that are one value together.
func TestUnits(t *testing.T) {
	wrong := func(seed int) string {
		g := mergetest.NewUnits(seed)
		return wrongMerge(g.Triple, g.CheckResult)
	}
	reportByClass(t, nil, wrong, func(seed int, _ string) string {
		return showMerge(mergetest.NewUnits(seed).Triple, Options{}, wrong(seed))
	})
}

// wrongMerge merges the versions of g and returns what judge says about the result.
func wrongMerge(g mergetest.Triple, judge func(result []byte) string) string {
	res, err := Merge(g.Raw[three.Original], g.Raw[three.Dest], g.Raw[three.Updated], Options{})
	if err != nil {
		return err.Error()
	}
	return judge(res.Bytes)
}

// showMerge returns the versions of g, a description of a fault, and the result of their merge, for messages.
func showMerge(g mergetest.Triple, opts Options, fault string) string {
	res, err := mergeBy(asMerge, g.Raw, opts)
	return fmt.Sprintf("%s\n%s-- result (%v, %s, %v) --\n%s", fault, g, res.Method, res.Reason, err, bytes.TrimSuffix(res.Bytes, []byte("\n")))
}

// reportByClass calls wrong with all seeds, in parallel, and groups the failures by class: the text before the first
// colon. For each class it reports the number of failures and the shortest descriptions, as many as -shown says. small
// returns the description of a seed after shrinking its case. A known seed is reported only if it no longer fails.
func reportByClass(t *testing.T, known map[string][]int, wrong func(seed int) string, small func(seed int, class string) string) {
	var mu sync.Mutex
	var wg sync.WaitGroup
	classes := map[string][]string{}
	seeds := slices.Concat(slices.Collect(maps.Values(known))...)
	shards := runtime.GOMAXPROCS(0)
	for shard := range shards {
		wg.Go(func() {
			for seed := *from + shard; seed < *from+*denseCases; seed += shards {
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
		t.Errorf("%s: %d of %d\n%s", class, len(all), *denseCases, strings.Join(all[:min(len(all), *shown)], "\n"))
	}
}

// reportDense calls reportByClass with the cases that generate returns. faults merges a case and returns the faults of
// the results.
func reportDense(t *testing.T, known map[string][]int, generate func(seed int) *dense.Case, opts Options, faults func(*dense.Case) []string) {
	wrong := func(c *dense.Case, class string) string {
		for _, f := range faults(c) {
			if strings.HasPrefix(f, class) {
				return f
			}
		}
		return ""
	}
	reportByClass(t, known, func(seed int) string { return wrong(generate(seed), "") }, func(seed int, class string) string {
		c := generate(seed).Shrink(func(c *dense.Case) bool { return wrong(c, class) != "" })
		return showMerge(c.Triple(), opts, wrong(c, class)+" ("+c.UnknownReason()+")")
	})
}

// denseKnown and renderedKnown list the failing ones of the first 200,000 seeds, by the reason. In some of them the
// merge is wrong. In the others it is right, and the model expects something that cannot be known from the three
// versions.
var (
	denseKnown = map[string][]int{
		"each side made the same item, one of a copy":                          {21554},
		"lines of a text are alike":                                            {41533, 194276},
		"the comment of an item without a name that the other side emptied":    {79612},
		"each side made the same field, one of another":                        {95924},
		"both moved items without names: a conflict in one order of the sides": {172319},
	}
	renderedKnown = map[string][]int{
		"one side put it into a block, or a block around it, and the other changed the conditions there": {4371, 5115, 25118, 140562, 196923},
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

// TestDense checks generated merges of small files that both sides edited at places close to each other. Every result
// has to be valid with either side taken at all conflicts. A clean result must not be wrong for the model of the case,
// and must pass Check. There must not be a conflict if git's line merge is right, nor if the merge of the swapped sides
// has none.
func TestDense(t *testing.T) {
	reportDense(t, denseKnown, dense.NewYAML, Options{}, func(c *dense.Case) (faults []string) {
		raw := c.Raw()
		results, fault := mergeDense(c, Options{})
		if fault != "" {
			return []string{fault}
		}
		for _, res := range results {
			for _, s := range sidesToTake(res.Result) {
				if why := c.InvalidReason(mergetest.TakeSide(res.Bytes, s)); why != "" {
					faults = append(faults, fmt.Sprintf("invalid: with %s, %s", three.Names[s], why))
				}
			}
			faults = append(faults, faultsOfClean(c, res)...)
			if res.Clean() {
				if found, err := Check(raw[0], raw[1], raw[2], res.Bytes, Options{}); err == nil && len(found) > 0 {
					faults = append(faults, "check: "+found[0].String())
				}
			}
			if !res.byField {
				faults = append(faults, needlessConflict(c, res.Result)...)
				faults = append(faults, faultsOfSwap(c, res.Result, Options{})...)
			}
		}
		return faults
	})
}

// TestRendered checks generated merges of templates that both sides edited: it compares what the versions and the result
// render to.
func TestRendered(t *testing.T) {
	opts := Options{Path: "templates/x.yaml"}
	reportDense(t, renderedKnown, dense.NewTemplate, opts, func(c *dense.Case) (faults []string) {
		results, fault := mergeDense(c, opts)
		if fault != "" {
			return []string{fault}
		}
		for _, res := range results {
			faults = append(faults, faultsOfClean(c, res)...)
			if !res.byField && !c.BothMove() {
				faults = append(faults, faultsOfSwap(c, res.Result, opts)...)
			}
		}
		return faults
	})
}

// TestGuarded merges generated templates in which sides put entries into blocks, and checks what the results render to.
// With either side taken at all conflicts, the result has to render to valid YAML.
func TestGuarded(t *testing.T) {
	opts := Options{Path: "templates/x.yaml"}
	reportDense(t, guardedKnown, dense.NewGuarded, opts, func(c *dense.Case) (faults []string) {
		results, fault := mergeDense(c, opts)
		if fault != "" {
			return []string{fault}
		}
		for _, res := range results {
			faults = append(faults, faultsOfClean(c, res)...)
			if res.byField {
				continue
			}
			for _, s := range sidesToTake(res.Result) {
				why := c.InvalidReason(mergetest.TakeSide(res.Bytes, s))
				// a side taken in git's line merge may lack the end of a block, or have an item without a key twice
				if res.Clean() || why == "" || res.Method == Delegated && (why == "no template" || why == "duplicate names") {
					continue
				}
				faults = append(faults, fmt.Sprintf("an answer is %s: with %s (%s)", why, three.Names[s], res.Method))
				break
			}
			faults = append(faults, needlessConflict(c, res.Result)...)
			faults = append(faults, faultsOfSwap(c, res.Result, opts)...)
		}
		return faults
	})
}

// A denseResult is the result of merging a generated case, like Merge or only by field.
type denseResult struct {
	Result
	byField bool
}

// mergeDense merges the versions of c like Merge, and then only by field. It leaves out the second result if it is the
// same. It returns a fault instead if a merge fails or has an internal error.
func mergeDense(c *dense.Case, opts Options) (results []denseResult, fault string) {
	for _, by := range []order{asMerge, fieldsOnly} {
		res, err := mergeBy(by, c.Raw(), opts)
		switch {
		case err != nil:
			return nil, "error: " + err.Error()
		case strings.Contains(res.Reason, "internal error"):
			return nil, "panic: " + res.Reason
		case len(results) == 0 || res.Clean() != results[0].Clean() || !bytes.Equal(res.Bytes, results[0].Bytes):
			results = append(results, denseResult{res, len(results) > 0})
		}
	}
	return results, ""
}

// faultsOfClean returns what the model of c says is wrong with a clean result, with the order and the method in the
// class. It returns nil if the result is right or not clean.
func faultsOfClean(c *dense.Case, res denseResult) []string {
	if !res.Clean() {
		return nil
	}
	wrong := c.CheckResult(res.Bytes)
	if wrong == "" {
		return nil
	}
	prefix := ""
	if res.byField {
		prefix = "by fields, "
	}
	return []string{fmt.Sprintf("%s%s, %s", prefix, res.Method, wrong)}
}

// needlessConflict returns a fault if res has a conflict although git's line merge of c is clean and right.
func needlessConflict(c *dense.Case, res Result) []string {
	raw := c.Raw()
	if res.Clean() {
		return nil
	}
	if b, n, err := mergeLines(raw[0], raw[1], raw[2], text.Markers{}); err != nil || n > 0 || !c.IsRight(b) {
		return nil
	}
	return []string{"worse than git: its line merge is clean and right"}
}

// faultsOfSwap returns a fault if the merge of the swapped sides is clean and res is not, or the other way round.
func faultsOfSwap(c *dense.Case, res Result, opts Options) []string {
	back, err := mergeBy(asMerge, c.Triple().Swapped().Raw, opts)
	if err != nil || back.Clean() != res.Clean() {
		return []string{fmt.Sprintf("swap: %d conflicts, swapped %d, %v", len(res.Conflicts), len(back.Conflicts), err)}
	}
	return nil
}

// guardedKnown lists, by cause, those of the first 6,000 seeds whose merges are known to be wrong.
var guardedKnown = map[string][]int{
	"git's page, on which one side took the line of the only key out":                          {4870, 5215, 5888},
	"an edit in a block that holds no entry, or around it":                                     {2007, 2085},
	"a line of a text changed in a block that the other side wrapped with others":              {2144},
	"a field added to an else beside a line that prints, the other side wraps all":             {1317},
	"moved into a block that the other side put into another one":                              {2268},
	"a line that prints in or behind a block that the other side changed, a needless conflict": {1676, 5319, 5427},
	"a field added to a block without one, a needless conflict":                                {3651},
	"both moved one field, a conflict in one order of the sides":                               {2960},
}

// TestPrinted merges generated templates with blocks that only print, and checks what the results render to: each printed
// entry has to be below the entry that its version gives it.
func TestPrinted(t *testing.T) {
	opts := Options{Path: "templates/x.yaml"}
	wrong := func(seed int) string {
		p := mergetest.NewPrinted(seed)
		res, err := Merge(p.Raw[three.Original], p.Raw[three.Dest], p.Raw[three.Updated], opts)
		switch {
		case err != nil || strings.Contains(res.Reason, "internal error"):
			return fmt.Sprintf("error: %v %s", err, res.Reason)
		case !res.Clean():
			return ""
		}
		if why := p.CheckResult(res.Bytes); why != "" {
			return fmt.Sprintf("%s, %s", res.Method, why)
		}
		return ""
	}
	reportByClass(t, nil, wrong, func(seed int, _ string) string {
		return showMerge(mergetest.NewPrinted(seed).Triple, opts, wrong(seed))
	})
}
