package engine

import (
	"bytes"
	"cmp"
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/diff3"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/mergetest"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/mutant"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/page"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/proof"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/read"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/verify"
)

// A provenResult is a merge result that passed verification. judge verifies another file as the result of the same
// three versions and returns the violation, or nil.
type provenResult struct {
	name  string
	bytes []byte
	judge func(*syntax.Stream) *verify.Violation
}

// proofs merges three versions and returns the verified results: the clean result or, if there are conflicts, one file
// for each side, with that side taken at every conflict. It returns nil if the versions could not be merged by field,
// as git's line merge is not verified then.
func proofs(t *testing.T, name string, raw [3][]byte, opts Options) []provenResult {
	t.Helper()
	m := newMerger(raw, opts)
	o, err := m.mergeBy(unelided)
	if err == nil && o.Method == Trivial {
		m = newMerger(raw, opts)
		o, err = m.mergeBy(fieldsOnly)
	}
	if err != nil {
		t.Fatal(err)
	}
	check := func(st *syntax.Stream) *verify.Violation { return m.proof.Verify(st.File.Bytes()) }
	checkPage := func(s three.Version) func(*syntax.Stream) *verify.Violation { // with sources of the mutant's lines
		known := sourcesByLine(o.page, s)
		return func(st *syntax.Stream) *verify.Violation {
			open := proof.ConflictsTaking(o.page, s)
			if len(open) == 0 {
				if violation := check(st); violation != nil {
					return violation // also of the line ends
				}
				st = m.proof.ParseResult(st.File.Bytes())
			}
			claim := m.proof.Claim(st, open...)
			claim.Sources = mergetest.GuessSources(m.in.Data, known, st.File.Bytes())
			return verify.Check(claim)
		}
	}
	switch {
	case o.Method == Delegated:
		return nil
	case o.Method == ByLine:
		return []provenResult{{name, o.Bytes, check}}
	case len(o.page.Conflicts()) == 0:
		return []provenResult{{name, m.in.FormatResult(o.page.Resolve(three.Dest)), checkPage(three.Dest)}}
	}
	var both []provenResult
	for _, s := range three.Sides {
		both = append(both, provenResult{name + " with " + three.Names[s], o.page.Resolve(s), checkPage(s)})
	}
	return both
}

// sourcesByLine returns the sources of each line of the file that p becomes with version s in its conflicts.
func sourcesByLine(p *page.Page, s three.Version) map[string][]three.Piece {
	known, pieces, done := map[string][]three.Piece{}, p.SourcesOf(s), 0
	for line := range bytes.Lines(p.Resolve(s)) {
		var all []three.Piece
		for left := len(line); left > 0; {
			piece := pieces[0]
			piece.Len, piece.Offset = min(piece.Len-done, left), piece.Offset+done
			if done += piece.Len; done == pieces[0].Len {
				pieces, done = pieces[1:], 0
			}
			left -= piece.Len
			all = append(all, piece)
		}
		known[string(line)] = all
	}
	return known
}

// generatedProofs is the number of generated merges that TestMutants uses.
const generatedProofs = 40

// allProofs returns the verified results of test cases and of generated merges: of one in three, or of all with the flag
// -long.
func allProofs(t *testing.T) (cases, generated []provenResult) {
	t.Helper()
	files, err := filepath.Glob("../../../testdata/merge/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".txtar")
		if !isTried(name, 3) {
			continue
		}
		c := readCase(t, file)
		c.opts.Resolve = diff3.FavorNone
		cases = append(cases, proofs(t, name, c.Raw, c.opts)...)
	}
	for seed := range generatedProofs {
		if name := fmt.Sprintf("generated %d", seed); isTried(name, 3) {
			generated = append(generated, proofs(t, name, mergetest.SeparateEdits(seed).Raw, Options{})...)
		}
	}
	return cases, generated
}

// TestMutants checks that verification refuses wrong results. It applies every mutation of package mutant to the right
// results of all test cases and of generated merges.
//
// Verification may accept the mutants for which mutant.Classify returns a class, for example a comment in another
// place. Any other accepted mutant has to be listed with a reason in testdata/mutants.txt. That file also lists every
// accepted mutant of a test case with its class, and one of class "order" is only accepted if it does. It tries one
// mutant in ten of one result in three, or all with -long; the flags -long and -update together rewrite the file.
func TestMutants(t *testing.T) {
	if testing.Short() {
		t.Skip("each case spoilt in many ways")
	}
	cases, generated := allProofs(t)
	l := readAccepted(t)
	l.check(t, cases, func(name, class string) {
		switch {
		case *update && class != "":
			l.class[name] = class
		case l.class[name] == "" && (class == "" || class == "order" || *long):
			t.Errorf("accepted, and not in %s: %s (%q)", l.file, name, class)
		case class != "" && l.class[name] != "" && l.class[name] != class:
			t.Errorf("accepted as %q, not as %q: %s", class, l.class[name], name)
		}
	})
	l.check(t, generated, func(name, class string) {
		if class == "" && l.class[name] == "" {
			t.Errorf("accepted, without a reason: %s", name)
		}
	})
	t.Logf("%d mutants of %d results, %d accepted: %v", l.tried, len(cases)+len(generated), l.survived, l.classes)
	if *long {
		l.finish(t)
	}
}

// accepted is the list of mutants that verification accepts, and counts what the test met.
type accepted struct {
	file            string
	class           map[string]string // by the name of the mutant: its class, or the reason why it may be accepted
	met             map[string]bool
	classes         map[string]int
	tried, survived int
}

// readAccepted reads testdata/mutants.txt.
func readAccepted(t *testing.T) *accepted {
	t.Helper()
	l := &accepted{file: "../../../testdata/mutants.txt", class: map[string]string{}, met: map[string]bool{}, classes: map[string]int{}}
	b, err := os.ReadFile(l.file)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(b)) {
		if class, name, ok := strings.Cut(strings.TrimSpace(line), " | "); ok {
			l.class[name] = class
		}
	}
	return l
}

// check verifies mutants of all results and calls f with the name and class of each mutant that is accepted. The class
// is "" if mutant.Classify has none. Without the flag -long it tries one mutant in ten. It updates the counts of l.
func (l *accepted) check(t *testing.T, all []provenResult, f func(name, class string)) {
	t.Helper()
	for _, p := range all {
		named := func(way string, line int) string { return fmt.Sprintf("%s: %s, line %d", p.name, way, line) }
		chosen := func(way string, line int) bool { return isTried(named(way, line), 10) }
		mutant.Each(p.bytes, chosen, func(m mutant.Mutant) {
			l.tried++
			if p.judge(m.Stream) != nil {
				return
			}
			class := mutant.Classify(p.bytes, m)
			if class == "format" {
				return // not verified, and not listed
			}
			l.survived++
			l.classes[cmp.Or(class, "listed with a reason")]++
			name := named(m.Mutation, m.Line)
			l.met[name] = true
			f(name, class)
		})
	}
}

// isTried reports whether a name is among one in n names, always the same ones, or the flag -long is set.
func isTried(name string, n uint32) bool {
	h := fnv.New32a()
	h.Write([]byte(name))
	return *long || h.Sum32()%n == 0
}

// finish fails for every listed mutant that is no longer accepted. With the flag -update it instead writes the list
// without these mutants.
func (l *accepted) finish(t *testing.T) {
	t.Helper()
	var lines []string
	for name, class := range l.class {
		switch {
		case l.met[name]:
			lines = append(lines, class+" | "+name+"\n")
		case !*update:
			t.Errorf("in %s, and not accepted any more: %s", l.file, name)
		}
	}
	if !*update {
		return
	}
	slices.Sort(lines)
	if err := os.WriteFile(l.file, []byte(strings.Join(lines, "")), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestDoubledKeyMutants checks that a clean line merge with a duplicate key is never accepted. It duplicates each key
// in the clean line merges of all test cases and of generated merges, in turn, and LineMergeDefect has to find a defect
// every time.
func TestDoubledKeyMutants(t *testing.T) {
	files, err := filepath.Glob("../../../testdata/merge/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	tried := 0
	spoil := func(name string, raw [3][]byte, opts Options) {
		b, conflicts, err := mergeLines(raw[0], raw[1], raw[2], text.Markers{})
		if err != nil || conflicts > 0 || slices.ContainsFunc(raw[:], hasDuplicateKey) {
			return
		}
		m := newMerger(raw, opts)
		if o, err := m.mergeBy(fieldsOnly); err != nil || o.Method == Delegated || m.in.Language == read.Template {
			return
		}
		mutant.Each(b, func(way string, _ int) bool { return way == "double the key" }, func(x mutant.Mutant) {
			if !hasDuplicateKey(x.Stream.File.Bytes()) {
				return // the copy was appended to a line without a line break, so no key is duplicate
			}
			if tried++; m.proof.LineMergeDefect(x.Stream.File.Bytes(), nil) == nil {
				t.Errorf("%s: taken with a key twice, line %d:\n%s", name, x.Line, x.Stream.File.Bytes())
			}
		})
	}
	for _, f := range files {
		c := readCase(t, f)
		spoil(strings.TrimSuffix(filepath.Base(f), ".txtar"), c.Raw, c.opts)
	}
	for seed := range 40 {
		spoil("generated", mergetest.SeparateEdits(seed).Raw, Options{})
	}
	if tried < 100 {
		t.Errorf("%d tried", tried)
	}
}

// TestGuardMutants checks that verification refuses a merged template if its guards are wrong. It takes the clean
// merges of the template test cases and of generated templates and changes one block at a time: it negates, removes,
// renames or extends the block, removes its else or swaps its branches.
func TestGuardMutants(t *testing.T) {
	files, err := filepath.Glob("../../../testdata/merge/template-*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	tried := 0
	spoil := func(name string, raw [3][]byte, opts Options) {
		m := newMerger(raw, opts)
		o, err := m.mergeBy(fieldsOnly)
		if err != nil {
			t.Fatal(err)
		}
		if o.Method != Structural || !o.Clean() || m.in.Language != read.Template {
			return
		}
		mutant.EachGuardMutant(o.Bytes, func(way string, line int, b []byte) {
			if slices.ContainsFunc(raw[:], func(v []byte) bool { return bytes.Equal(v, b) }) {
				return
			}
			if tried++; m.proof.Verify(b) == nil {
				t.Errorf("accepted: %s: %s, line %d:\n%s", name, way, line, b)
			}
		})
	}
	for _, f := range files {
		c := readCase(t, f)
		spoil(strings.TrimSuffix(filepath.Base(f), ".txtar"), c.Raw, c.opts)
	}
	for seed := range uint64(60) {
		spoil(fmt.Sprintf("generated %d", seed), mergetest.TemplateParts(seed).Raw, Options{})
	}
	if tried < 100 {
		t.Errorf("%d tried", tried)
	}
}
