package engine

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/mergetest"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/plan"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// fates are what a side can do with an item of a small list: the new version of the item, or 0 to delete it.
var fates = []int{1, 0, 2, 3}

// smallLists are functions that write an item with a name and a version, by form.
var smallLists = map[string]func(name string, version int) string{
	"scalars": func(n string, v int) string { return fmt.Sprintf("- %s:%d\n", n, v) },
	"named":   func(n string, v int) string { return fmt.Sprintf("- name: %s\n  version: %d\n", n, v) },
	"text":    func(n string, v int) string { return fmt.Sprintf("  pull %s:%d\n", n, v) },
}

// TestSmallLists merges pairs of edits of a list of three items: a third of all pairs, or all with -long. A clean result
// must have the changes that only one side made and lack the items that only one side deleted. If both sides changed an
// item differently, or one deleted an item that the other changed, the result must not be clean.
func TestSmallLists(t *testing.T) {
	names := []string{"redis", "kafka", "mysql"}
	for form, item := range smallLists {
		t.Run(form, func(t *testing.T) {
			file := func(fate [3]int) []byte {
				b := "list:\n"
				if form == "text" {
					b = "run: |\n  set -e\n"
				}
				for i, v := range fate {
					if v > 0 {
						b += item(names[i], v)
					}
				}
				if form != "text" && fate == [3]int{} {
					b = "list: []\n"
				}
				return []byte(b)
			}
			var all [][3]int
			for i := range len(fates) * len(fates) * len(fates) {
				all = append(all, [3]int{fates[i%4], fates[i/4%4], fates[i/16]})
			}
			for i, ours := range all {
				for j, theirs := range all[i+1:] {
					if !*long && (i+j)%3 != len(form)%3 {
						continue
					}
					raw := [3][]byte{three.Original: file([3]int{1, 1, 1}), three.Dest: file(ours), three.Updated: file(theirs)}
					r, err := Merge(raw[0], raw[1], raw[2], Options{})
					if err != nil || len(r.Conflicts) > 0 || r.Method == Delegated {
						continue
					}
					want, ok := [3]int{}, true
					for k := range want {
						v, same := three.Pick([3]int{1, ours[k], theirs[k]})
						want[k], ok = [3]int{1, ours[k], theirs[k]}[v], ok && same
					}
					lines := func(b []byte) []string { return slices.Sorted(strings.Lines(string(b))) }
					if !ok || !slices.Equal(lines(r.Bytes), lines(file(want))) {
						t.Errorf("%v and %v become\n%s", ours, theirs, r.Bytes)
					}
				}
			}
		})
	}
}

// TestManyItemsAllChanged checks the merge of lists with 600 items, which are too many to compare each item with each
// other item. Both sides change a field of every item, insert items of their own and delete some of the same items. The
// merge has to be clean and contain all these edits, in either order of the sides.
func TestManyItemsAllChanged(t *testing.T) {
	version := func(ours, theirs bool) []byte {
		return []byte(times(600, func(i int) string {
			if (ours || theirs) && i%101 == 50 {
				return "" // both sides delete it
			}
			item := fmt.Sprintf("- u: %d\n  a: %d\n  b: %d\n  c: 7\n", i, i+5000*len(or(ours, "x", "")), i+9000*len(or(theirs, "x", "")))
			return item + or(ours && i%37 == 5, fmt.Sprintf("- ours %d\n", i), "") + or(theirs && i%41 == 11, fmt.Sprintf("- theirs %d\n", i), "")
		}))
	}
	o, d, u, want := version(false, false), version(true, false), version(false, true), version(true, true)
	for name, v := range map[string][2][]byte{"as it is": {d, u}, "swapped": {u, d}} {
		res, err := Merge(o, v[0], v[1], Options{})
		switch {
		case err != nil || !res.Clean():
			t.Errorf("%s: %d conflicts, %s %v", name, len(res.Conflicts), res.Reason, err)
		case string(res.Bytes) != string(want):
			t.Errorf("%s: another merge", name)
		}
	}
}

// TestFollowedIsTold checks that Result.Followed lists an item that one side renamed and the other side edited, and
// that it is empty if the other side did not edit the item.
func TestFollowedIsTold(t *testing.T) {
	const base = "env:\n- name: A\n  value: \"1\"\n  note: n\n  more: m\n"
	ours := strings.Replace(base, "name: A", "name: B", 1)
	theirs := strings.Replace(base, "more: m", "more: x", 1)
	for _, c := range []struct{ ours, theirs string }{{ours, theirs}, {theirs, ours}} {
		res, err := mergeBy(fieldsOnly, [3][]byte{[]byte(base), []byte(c.ours), []byte(c.theirs)}, Options{})
		if want := []Rename{{"env[name=A]", "env[name=B]"}}; err != nil || !res.Clean() || !slices.Equal(res.Followed, want) {
			t.Errorf("%v, %v; want %v", res.Followed, err, want)
		}
	}
	res, err := mergeBy(fieldsOnly, [3][]byte{[]byte(base), []byte(ours), []byte(base + "z: 1\n")}, Options{})
	if err != nil || len(res.Followed) > 0 {
		t.Errorf("%v, %v; nothing followed", res.Followed, err)
	}
}

// TestRenamesInConflict checks that a rename is not listed as followed if the renamed entry is in conflict as a whole.
func TestRenamesInConflict(t *testing.T) {
	renamed := []plan.FollowedRename{{From: "Role/a", To: "Role/b"}}
	for path, want := range map[string]int{"Role/b": 0, "Role/b.rules": 1, "Role/bc": 1} {
		if got := toRenames(renamed, []Conflict{{Path: path}}); len(got) != want {
			t.Errorf("conflict at %s: %v", path, got)
		}
	}
}

// TestFollowedThroughAFormatter checks that an edit reaches an item that the other side renamed, although the other
// side also changed the format of every line.
func TestFollowedThroughAFormatter(t *testing.T) {
	item := "- name: %s\n  labels:\n    cluster: %[1]s\n    tab: %[1]s\n  spec:\n    containers:\n    - image: runner:v1\n      command: run\n      resources:\n        limits:\n          cpu: %[1]s\n"
	base := "jobs:\n" + fmt.Sprintf(item, "a") + fmt.Sprintf(item, "b")
	ours := strings.ReplaceAll(base, "v1", "v2")
	for name, formatted := range map[string]string{
		"indented": strings.NewReplacer("\n- ", "\n  - ", "\n  ", "\n    ").Replace(base),
		"CRLF":     strings.ReplaceAll(base, "\n", "\r\n"),
		"blanks":   strings.ReplaceAll(base, "\n", " \n"),
	} {
		theirs := strings.NewReplacer("name: a", "name: c", "tab: a", "tab: c", "cluster: a", "cluster: c").Replace(formatted)
		want := strings.ReplaceAll(theirs, "v1", "v2")
		for _, v := range [][3]string{{base, ours, theirs}, {base, theirs, ours}} {
			res, err := Merge([]byte(v[0]), []byte(v[1]), []byte(v[2]), Options{})
			if err != nil || string(res.Bytes) != want {
				t.Errorf("%s: got\n%s\nwant\n%s%v", name, res.Bytes, want, err)
			}
		}
	}
}

// FuzzItemOrder checks that the merge of a list with an associative key has the same items and conflicts for every
// order of its items.
func FuzzItemOrder(f *testing.F) {
	f.Add([]byte("\x00\x01\x02\x03\x04\x05\x06\x07"), uint64(1))
	f.Add([]byte("\x10\x21\x32\x43\x54\x65\x76\x07"), uint64(2))
	f.Fuzz(func(t *testing.T, items []byte, seed uint64) {
		if len(items) > 20 {
			return
		}
		order := rand.New(rand.NewPCG(seed, 1)).Perm(len(items))
		straight, mixed := mergeItems(t, items, nil), mergeItems(t, items, order)
		if straight != mixed {
			t.Errorf("in order\n%s\n\nmixed\n%s", straight, mixed)
		}
	})
}

// mergeItems merges a list that has an item for each byte of items, and returns the outcome as a string that does not
// depend on the order of the items. The byte says which side changes, deletes or adds the item. order is the order in
// which the items are written; nil for that of items.
func mergeItems(t *testing.T, items []byte, order []int) string {
	t.Helper()
	var v [3]strings.Builder
	for s := range v {
		v[s].WriteString("kind: Pod\nspec:\n  containers:\n  - name: first\n")
	}
	for i := range items {
		if order != nil {
			i = order[i]
		}
		value := [3]string{"1", "1", "1"}
		switch items[i] % 7 {
		case 0:
			value[three.Dest] = "2"
		case 1:
			value[three.Updated] = "3"
		case 2:
			value[three.Dest], value[three.Updated] = "4", "4"
		case 3:
			value[three.Dest], value[three.Updated] = "5", "6"
		case 4:
			value[three.Dest] = ""
		case 5:
			value[three.Original], value[three.Dest] = "", ""
		}
		for s := range v {
			if value[s] != "" {
				fmt.Fprintf(&v[s], "  - name: c%d\n    image: i%d:%s\n    args: [a%d, b%d]\n", i, i, value[s], i, i)
			}
		}
	}
	res, err := mergeBy(fieldsOnly, [3][]byte{[]byte(v[0].String()), []byte(v[1].String()), []byte(v[2].String())}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	var conflicts []string
	for _, c := range res.Conflicts {
		conflicts = append(conflicts, c.Path)
	}
	slices.Sort(conflicts)
	return fmt.Sprintf("%s\n%s\n%q", contents(mergetest.TakeSide(res.Bytes, three.Dest)), contents(mergetest.TakeSide(res.Bytes, three.Updated)), conflicts)
}
