package engine

import (
	"fmt"
	"slices"
	"strings"
	"testing"

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

// TestSmallLists merges every pair of edits of a list of three items. A clean result must have the changes that only
// one side made and lack the items that only one side deleted. If both sides changed an item differently, or one
// deleted an item that the other changed, the result must not be clean.
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
				for _, theirs := range all[i+1:] {
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
