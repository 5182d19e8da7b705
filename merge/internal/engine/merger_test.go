package engine

import (
	"bytes"
	"cmp"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/diff3"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/mergetest"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/mergetest/dense"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
	"golang.org/x/tools/txtar"
)

var update = flag.Bool("update", false, "rewrite the expectations of testdata/merge and testdata/rulesets")

// A mergeCase is a case of testdata with the options of its merge.
type mergeCase struct {
	*mergetest.Case
	opts Options
}

// readCase reads a case.
func readCase(t testing.TB, file string) *mergeCase {
	t.Helper()
	c := mergetest.ReadCase(t, file)
	opts := Options{Path: c.Path, Rules: c.Rules, Markers: c.Markers}
	opts.Resolve = map[string]diff3.Favor{"ours": diff3.FavorOurs, "theirs": diff3.FavorTheirs, "union": diff3.FavorUnion}[c.Resolve]
	opts.Own = map[string]three.Optional{"ours": three.Some(three.Dest), "theirs": three.Some(three.Updated)}[c.Own]
	opts.Kustomize = c.RuleSet == "kustomize"
	return &mergeCase{c, opts}
}

func TestMerge(t *testing.T) {
	files, err := filepath.Glob("../../../testdata/merge/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			c := readCase(t, file)
			res, err := Merge(c.Raw[three.Original], c.Raw[three.Dest], c.Raw[three.Updated], c.opts)
			if err != nil {
				t.Fatal(err)
			}
			if *update {
				c.rewrite(t, file, res)
				return
			}
			if c.NeedsConflict != "" {
				c.checkNeedsConflict(t, res)
			}
			if !bytes.Equal(res.Bytes, c.Want) && (c.Want != nil || c.NeedsConflict == "") {
				t.Errorf("got (%s%s):\n%s\nwant:\n%s", report("how", res), report("conflicts", res), res.Bytes, c.Want)
			}
			for _, f := range c.Archive.Files {
				if got := report(f.Name, res); got != "" && got != string(f.Data) {
					t.Errorf("%s: got:\n%swant:\n%s", f.Name, got, f.Data)
				}
			}
			if c.Ideal != nil && bytes.Equal(res.Bytes, c.Ideal) {
				t.Error("the ideal is reached: make it want")
			}
			c.checkByField(t, res)
			if testing.Short() {
				return
			}
			if broken := checkLaws(t, c.Raw, c.opts); (broken != "") != c.ChangesAgain {
				t.Errorf("merged again (%v):\n%s", c.ChangesAgain, broken)
			}
		})
	}
}

// checkNeedsConflict checks that the result has a conflict, or that it is one of the accepted clean results if the option asks
// is "maybe". It also checks that resolving all conflicts to one side creates no duplicate keys or items, unless an
// input already has some.
func (c *mergeCase) checkNeedsConflict(t *testing.T, res Result) {
	t.Helper()
	if strings.Contains(res.Reason, "internal error") {
		t.Error(res.Reason)
	}
	right := slices.ContainsFunc(c.Accepted, func(b []byte) bool { return bytes.Equal(b, res.Bytes) })
	if res.Clean() && (c.NeedsConflict == "yes" || !right) {
		t.Errorf("clean (%s):\n%s", report("how", res), res.Bytes)
	}
	for _, s := range three.Sides {
		b := mergetest.TakeSide(res.Bytes, s)
		if key, ok := findDuplicate(b); ok && !slices.ContainsFunc(c.Raw[:], hasDuplicateKey) {
			t.Errorf("with %s, %s:\n%s", three.Names[s], key, res.Bytes)
		}
	}
}

// findDuplicate reports whether a mapping of b has a duplicate key, or a list of named items has a duplicate name, and
// returns a message that names it.
func findDuplicate(b []byte) (string, bool) {
	_, err := dense.Facts(b)
	return fmt.Sprint(err), err != nil && strings.Contains(err.Error(), "duplicate ")
}

// checkByField checks that the merge by field has the same result as the normal merge, unless the option bytes says that
// they differ.
func (c *mergeCase) checkByField(t *testing.T, res Result) {
	t.Helper()
	if res.Method == Delegated || c.MayDifferFromLines {
		return
	}
	deep, err := mergeBy(fieldsOnly, c.Raw, c.opts)
	if err != nil {
		t.Fatal(err)
	}
	if c.NeedsConflict != "" {
		c.checkNeedsConflict(t, deep)
		return
	}
	if !bytes.Equal(deep.Bytes, res.Bytes) {
		t.Errorf("by fields (%s):\n%s\nwant:\n%s", deep.Reason, deep.Bytes, res.Bytes)
	}
}

// report returns what the section of that name should contain for the result, or "" if the section does not describe a
// result.
func report(name string, res Result) string {
	switch name {
	case "conflicts":
		var b strings.Builder
		for _, c := range res.Conflicts {
			fmt.Fprintf(&b, "%d %s %s\n", c.Line, c.Kind, c.Path)
		}
		if b.Len() == 0 {
			return "none\n"
		}
		return b.String()
	case "resolved":
		var b strings.Builder
		for _, c := range res.Resolved {
			fmt.Fprintf(&b, "%s: %s by %s\n", c.Path, cmp.Or(c.Took, c.Wrote, "both"), c.By)
		}
		if b.Len() == 0 {
			return "none\n"
		}
		return b.String()
	case "combined":
		var b strings.Builder
		for _, c := range res.Combined {
			fmt.Fprintf(&b, "%s: %s", c.Path, c.Value)
			if c.By != "" {
				fmt.Fprintf(&b, ", %s of %s", c.Kind, c.By)
			}
			b.WriteString("\n")
		}
		for _, g := range res.GuessedOrders {
			fmt.Fprintf(&b, "%s: ours first, unless it is %s\n", g.RulePath, g.Rule)
		}
		if b.Len() == 0 {
			return "none\n"
		}
		return b.String()
	case "decided":
		var b strings.Builder
		for _, c := range res.Resolved {
			fmt.Fprintf(&b, "%s: took %s (%s)\n", c.Path, c.Took, c.By)
		}
		if b.Len() == 0 {
			return "nothing\n"
		}
		return b.String()
	case "refused":
		return cmp.Or(res.Refused, "nothing") + "\n"
	case "how":
		s := map[Method]string{Trivial: "trivial", ByLine: "by line", Structural: "structural", Delegated: "delegated"}[res.Method]
		if res.Reason != "" {
			s += ": " + res.Reason
		}
		return s + "\n"
	}
	return ""
}

// rewrite updates the sections of the case that describe the result, such as want, conflicts and how, and writes the
// file.
func (c *mergeCase) rewrite(t *testing.T, file string, res Result) {
	t.Helper()
	want := bytes.ReplaceAll(res.Bytes, []byte("\r\n"), []byte("\n"))
	want = bytes.TrimPrefix(want, text.BOM)
	if n := len(want); n > 0 && want[n-1] != '\n' {
		want = append(want, '\n')
	}
	found := false
	for i, f := range c.Archive.Files {
		if f.Name == "want" {
			c.Archive.Files[i].Data, found = want, true
		}
		if r := report(f.Name, res); r != "" {
			c.Archive.Files[i].Data = []byte(r)
		}
	}
	if !found {
		c.Archive.Files = append(c.Archive.Files, txtar.File{Name: "want", Data: want})
	}
	c.write(t, file)
}

func (c *mergeCase) write(t *testing.T, file string) {
	t.Helper()
	if err := os.WriteFile(file, txtar.Format(c.Archive), 0o644); err != nil {
		t.Fatal(err)
	}
}

// everyField is a merge by field that visits every leaf. It does not skip entries whose bytes are identical.
var everyField = &way{"the merge by field, of every leaf", true, func(m *merger) (outcome, error) {
	w := m.newWalker()
	w.Deep = true
	m.plan = nil
	m.matchEntries(w)
	o, err := m.mergeByField()
	if reason := m.in.AddedDuplicateKey(); err == nil && reason != "" && o.Clean() {
		return m.useLineMerge(withCause(CauseKeys, errors.New(reason)))
	}
	return o, err
}}

// An order is how a test merges: the ways to try, and when parts of the versions are elided.
type order struct {
	ways    []*way
	elision *shorteningBounds // nil if nothing is elided
}

var (
	asMerge    = order{ways, &defaultShortening}                                          // like Merge
	unelided   = order{ways, nil}                                                         // like Merge, but without eliding anything
	elided     = order{ways, &shorteningBounds{maxQuarters: [...]int{4, 4}}}              // like Merge, but elides parts even if that is not faster
	fieldsOnly = order{[]*way{unmergeable, everyField}, nil}                              // only the merge by field
	noPages    = order{append([]*way{identicalVersions, unmergeable}, checkWays...), nil} // conflicts are those of the merge by field, not of git's line merge
)

// mergeBy merges three versions like Merge, but in the given order. It returns an error if a value in opts is
// invalid.
func mergeBy(by order, raw [3][]byte, opts Options) (Result, error) {
	if err := opts.validate(); err != nil {
		return Result{}, err
	}
	o, err := newMerger(raw, opts).mergeBy(by)
	return o.Result, err
}

// mergeBy tries the ways of an order. It returns an error if a byte of a page has no source, or another one.
func (m *merger) mergeBy(by order) (outcome, error) {
	m.shortening = by.elision
	o, err := m.merge(by.ways)
	if err == nil {
		_, err = m.checkPageSources(o)
	}
	return o, err
}
