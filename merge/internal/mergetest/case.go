// Package mergetest supports the tests of all packages below merge. It does not merge. It has two kinds of inputs:
//
//   - ReadCase reads a case of testdata, which a person wrote.
//   - The generators make any number of inputs of one kind, each from a seed. Most of them return a Triple: base, ours
//     and theirs, and their right merge.
//
// The packages dense and rulesets below this one have more generators, and trees parses YAML.
//
//	for _, file := range mergetest.Files(t, "merge/*.txtar") {
//		c := mergetest.ReadCase(t, file) // c.Raw are base, ours and theirs
//	}
//	for seed := range 100 {
//		g := mergetest.SeparateEdits(seed) // g.Raw are base, ours and theirs; g.Want is their right merge
//	}
package mergetest

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/team"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// A Case is a merge test case in a txtar file, a text file that contains several files. For example:
//
//	Each side changed another field.
//	path: k8s/web.yaml
//	-- base --
//	a: 1
//	b: 1
//	-- ours --
//	a: 2
//	b: 1
//	-- theirs --
//	a: 1
//	b: 2
//	-- want --
//	a: 2
//	b: 2
//
// The text before the first file describes what the case shows. Lines of the form "option: value" in it change the
// defaults:
//
//	style: diff3               merge, diff3 or zdiff3
//	path: k8s/web.yaml         the file's path
//	resolve: ours              ours, theirs or union
//	own: theirs                which side is the user's own
//	crlf: ours theirs          these files end their lines with CRLF
//	nofinal: base want         these files have no final newline
//	bom: ours                  these files start with a byte order mark
//	size: 9                    the length of a marker
//	labels: HEAD|main|topic    labels of ours, base and theirs
//	bytes: differ              the merge by field writes other bytes than git's merge by lines
//	again: differ              merging the result with a side again changes it
//	rules: kustomize           kustomize, merge2 or apply
//	asks: yes                  yes: the merge must have a conflict; maybe: or equal a file whose name begins with "right"
//
// The files of a case are base, ours, theirs and want. Optional files check more of the result: conflicts (line, kind
// and path on a line each), resolved (for each conflict that was decided: path, side taken and reason; in other rule
// sets, the file is called decided), combined (path and value, and lists in a guessed order), refused (why no clean
// merge was possible) and how (method and reason). The file rules has the team's rules, and crd has custom resource
// definitions. If want is not yet the desired result, the file ideal has the
// desired one. The case fails when the result equals ideal, so that it is then changed. A case with the option asks
// needs no want.
//
// The values of the option rules are rule sets, which replace the default rules of a merge: kustomize and merge2 merge
// as kustomize does, and apply merges as kubectl apply does. The input files of merge2 are src and dest. Those of apply
// are last-applied, config and live. If last-applied is missing, apply reads it from the annotation in live and writes
// a new annotation. A case that expects an error has a file error instead of want.
type Case struct {
	Archive *txtar.Archive
	Path    string
	Rules   *team.Rules // the team's rules, or nil
	// Markers are the markers of the options style, size and labels. By default, the labels are base, ours and theirs.
	Markers text.Markers
	Resolve string // ours, theirs or union; "" for none
	Own     string // ours or theirs; "" if it is not known
	RuleSet string // the value of the option rules; "" for the default rules

	// Raw are base, ours and theirs (in other rule sets: last-applied, live and config, or nil, dest and src). Want is
	// the expected result, and Ideal one that is not reached yet; they are nil if the case does not have them.
	Raw   [3][]byte
	Want  []byte
	Ideal []byte
	// NeedsConflict is the value of the option asks: yes, maybe, or "" for none.
	NeedsConflict string
	// Accepted are the results without a conflict that a case with the option asks accepts: its files whose name
	// begins with "right".
	Accepted [][]byte
	// ChangesAgain is the option again: merging the result with a side again changes it, which is a known error.
	ChangesAgain bool
	// MayDifferFromLines is the option bytes: git's merge by lines and the merge by field give different bytes.
	MayDifferFromLines bool
}

// ReadCase reads the case in a txtar file. file is relative to the folder of the running test, as in
// ../../../testdata/merge/a.txtar. It fails the test at once if the file cannot be read or has a mistake, such as an
// unknown option.
func ReadCase(t testing.TB, file string) *Case {
	t.Helper()
	ar, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	c := &Case{Archive: ar}
	if err := c.readArchive(); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	c.Rules = readCaseRules(t, ar)
	return c
}

// caseFiles lists the file names that a case may have, by its option rules. "" applies to all other values.
var caseFiles = map[string]string{
	"":       "base ours theirs want ideal conflicts resolved combined refused decided how rules crd error",
	"merge2": "src dest want decided how rules crd error",
	"apply":  "last-applied config live want decided how rules crd error",
}

// readArchive sets the fields of c from the files and options in c.Archive, except for Rules. It returns an error for
// an unknown file, option or value, because a misspelled name would silently disable a check. After an error, only some
// fields of c are set.
func (c *Case) readArchive() error {
	c.Markers = text.Markers{Base: "base", Ours: "ours", Theirs: "theirs"}
	var lines [][2]string
	for l := range strings.Lines(string(c.Archive.Comment)) {
		key, val, ok := strings.Cut(strings.TrimSpace(l), ": ")
		if ok && strings.Trim(key, "abcdefghijklmnopqrstuvwxyz") == "" {
			lines = append(lines, [2]string{key, val})
		}
		if key == "rules" {
			c.RuleSet = val
		}
	}
	files, known := caseFiles[c.RuleSet]
	if !known {
		files = caseFiles[""]
	}
	for _, f := range c.Archive.Files {
		switch to := c.versionField(f.Name); {
		case strings.HasPrefix(f.Name, "right"):
			c.Accepted = append(c.Accepted, f.Data)
		case !slices.Contains(strings.Fields(files), f.Name):
			return fmt.Errorf("unknown file %q; expected one of %s", f.Name, files)
		case to != nil:
			*to = f.Data
		}
	}
	for _, l := range lines {
		if err := c.setOption(&c.Markers, l[0], l[1]); err != nil {
			return fmt.Errorf("%s: %s: %w", l[0], l[1], err)
		}
	}
	return nil
}

// versionField returns the address of the field of c for the file with this name in the archive. Cases of apply and
// merge2, which are merges in the way of kubectl and kustomize, have other names for the three versions:
//
//	base, last-applied    Raw[three.Original]
//	ours, dest, live      Raw[three.Dest]
//	theirs, src, config   Raw[three.Updated]
//	want                  Want
//	ideal                 Ideal
//	any other name        nil
func (c *Case) versionField(name string) *[]byte {
	switch name {
	case "base", "last-applied":
		return &c.Raw[three.Original]
	case "ours", "dest", "live":
		return &c.Raw[three.Dest]
	case "theirs", "src", "config":
		return &c.Raw[three.Updated]
	case "want":
		return &c.Want
	case "ideal":
		return &c.Ideal
	}
	return nil
}

// setOption sets the field of c, or of markers, for one option of the case. For style: diff3, key is "style" and val is
// "diff3". The files of the case must have been read before, because some options change their bytes. It returns an
// error for an unknown option, value or file.
func (c *Case) setOption(markers *text.Markers, key, val string) (err error) {
	switch key {
	case "style":
		markers.Style, err = valueNamed(val, map[string]text.Style{"merge": text.StyleMerge, "diff3": text.StyleDiff3, "zdiff3": text.StyleZdiff3})
	case "path":
		c.Path = val
	case "size":
		markers.Size, err = strconv.Atoi(val)
	case "labels":
		l := strings.Split(val, "|")
		if len(l) != 3 {
			return errors.New("expected three labels")
		}
		markers.Ours, markers.Base, markers.Theirs = l[0], l[1], l[2]
	case "rules":
		c.RuleSet, err = checkAllowed(val, "kustomize", "merge2", "apply")
	case "bytes":
		c.MayDifferFromLines, err = valueNamed(val, map[string]bool{"differ": true})
	case "again":
		c.ChangesAgain, err = valueNamed(val, map[string]bool{"differ": true})
	case "asks":
		c.NeedsConflict, err = checkAllowed(val, "yes", "maybe")
	case "resolve":
		c.Resolve, err = checkAllowed(val, "ours", "theirs", "union")
	case "own":
		c.Own, err = checkAllowed(val, "ours", "theirs")
	case "crlf":
		err = c.changeFiles(val, func(b []byte) []byte { return bytes.ReplaceAll(b, []byte("\n"), []byte("\r\n")) })
	case "nofinal":
		err = c.changeFiles(val, func(b []byte) []byte { return bytes.TrimRight(b, "\r\n") })
	case "bom":
		err = c.changeFiles(val, func(b []byte) []byte { return append(bytes.Clone(text.BOM), b...) })
	default:
		err = errors.New("unknown option")
	}
	return err
}

// changeFiles replaces some files of the case by the result of change. names has their names, separated by spaces;
// right stands for all files in Accepted. c.Archive does not change. It returns an error if the case has no such file;
// the files named before it are then changed.
func (c *Case) changeFiles(names string, change func([]byte) []byte) error {
	for _, n := range strings.Fields(names) {
		if n == "right" && len(c.Accepted) > 0 {
			for i := range c.Accepted {
				c.Accepted[i] = change(c.Accepted[i])
			}
			continue
		}
		to := c.versionField(n)
		if to == nil || c.Section(n) == nil {
			return fmt.Errorf("the case has no version %s", n)
		}
		*to = change(*to)
	}
	return nil
}

// checkAllowed returns name if it is one of allowed. Otherwise it returns "" and an error that lists the allowed names
// in alphabetical order, as in `"a" is not one of [ours theirs]`.
func checkAllowed(name string, allowed ...string) (string, error) {
	if !slices.Contains(allowed, name) {
		return "", fmt.Errorf("%q is not one of %v", name, slices.Sorted(slices.Values(allowed)))
	}
	return name, nil
}

// valueNamed returns the value with this name in values. Otherwise it returns the zero value and an error that lists
// the allowed names in alphabetical order, as in `"a" is not one of [ours theirs]`.
func valueNamed[T any](name string, values map[string]T) (T, error) {
	v, ok := values[name]
	if !ok {
		return v, fmt.Errorf("%q is not one of %v", name, slices.Sorted(maps.Keys(values)))
	}
	return v, nil
}

// readCaseRules returns the merge rules in a case: its file rules, in the format of the team's rules file, and its file
// crd, with Kubernetes custom resource definitions. The result is nil if the case has neither file. It fails the test
// at once if a file has a mistake.
func readCaseRules(t testing.TB, ar *txtar.Archive) *team.Rules {
	t.Helper()
	var rules, crd []byte
	for _, f := range ar.Files {
		switch f.Name {
		case "rules":
			rules = f.Data
		case "crd":
			crd = f.Data
		}
	}
	if rules == nil && crd == nil {
		return nil
	}
	r, err := team.Parse("rules", rules, "")
	if err == nil {
		err = r.AddCRD("crd", crd)
	}
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// Section returns the content of a file in the archive of the case, for example Section("conflicts"), or nil if there
// is no such file. It is the content as the archive has it: options such as crlf do not change it. It is not a copy.
func (c *Case) Section(name string) []byte {
	for _, f := range c.Archive.Files {
		if f.Name == name {
			return f.Data
		}
	}
	return nil
}

// Dir is the path of the folder testdata of the repository, relative to the packages in merge/internal, in which their
// tests run.
const Dir = "../../../testdata"

// Files returns the paths of the files in the folder testdata of the repository that match pattern, such as
// merge/*.txtar. They are relative to the folder of the running test, as in ../../../testdata/merge/a.txtar, and
// sorted. It fails the test at once if no file matches or if pattern is malformed.
func Files(t testing.TB, pattern string) []string {
	t.Helper()
	dir := Dir
	if _, err := os.Stat(dir); err != nil {
		dir = "../testdata" // package merge is two folders above
	}
	files, err := filepath.Glob(filepath.Join(dir, filepath.FromSlash(pattern)))
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases %s: %v", pattern, err)
	}
	return files
}

// MergeVersions returns the three versions of every case in testdata/merge (base, ours and theirs). It fails the test at
// once if a case has a mistake or if there are no cases.
func MergeVersions(t testing.TB) (all [][3][]byte) {
	t.Helper()
	for _, file := range Files(t, "merge/*.txtar") {
		all = append(all, ReadCase(t, file).Raw)
	}
	return all
}

// FuzzVersions returns the versions of cases like MergeVersions, as seeds of a fuzz test: all of them with the flag -fuzz,
// and otherwise one case in eight, or in 16 with -short, because the test then merges nothing but its seeds. The name of
// the test decides which.
func FuzzVersions(f *testing.F) (all [][3][]byte) {
	f.Helper()
	all = MergeVersions(f)
	if flag.Lookup("test.fuzz").Value.String() != "" {
		return all
	}
	step := 8
	if testing.Short() {
		step = 16
	}
	chosen := all[:0]
	for i := len(f.Name()) % step; i < len(all); i += step {
		chosen = append(chosen, all[i])
	}
	return chosen
}

// AreSmall reports whether every version is at most 4 KiB long and has no NUL byte. It reports true if there are no
// versions. Fuzz tests skip other inputs.
func AreSmall(versions ...[]byte) bool {
	for _, b := range versions {
		if len(b) > 1<<12 || bytes.IndexByte(b, 0) >= 0 {
			return false
		}
	}
	return true
}
