package engine

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// A job is an item of a generated list of similar items. It has a name and fields.
type job struct {
	name   string
	fields map[string]string
}

// jobFields lists the fields of a job in the order in which writeJobs writes them.
var jobFields = []string{"interval", "cluster", "image", "args", "cpu", "memory", "owner", "more", "extra"}

// jobs holds three versions of a list and the expected merge. An item has the same index
// in all versions, so that the matches are known.
type jobs struct {
	rand               *rand.Rand
	base, ours, theirs []*job
	want               []*job
	clashes            bool // the edits conflict, and a clean merge is wrong
}

// newJobs generates a list and edits of both sides. The same seed always gives the same
// jobs.
func newJobs(seed int) *jobs {
	g := &jobs{rand: rand.New(rand.NewPCG(uint64(seed), 9))}
	renames := g.rand.IntN(3) > 0
	for i := range 3 + g.rand.IntN(6) {
		base := &job{name: fmt.Sprintf("ci-job-%d-gci", i), fields: map[string]string{
			"interval": "1h", "cluster": "build", "image": "runner:v1", "args": fmt.Sprintf("[--suite=%d, --zone=a]", i), "cpu": "4", "memory": "8Gi",
		}}
		g.base = append(g.base, base)
		ours, theirs, want := base.clone(), base.clone(), base.clone()
		if renames && g.rand.IntN(4) > 0 {
			ours.name = strings.Replace(base.name, "gci", "cos", 1)
			want.name = ours.name
			if g.rand.IntN(5) == 0 {
				theirs.name = ours.name // both sides rename it, to the same name
			}
		}
		g.edit(ours, want, []string{"image", "owner"})
		g.edit(theirs, want, []string{"memory", "interval", "more"})
		g.ours, g.theirs, g.want = append(g.ours, ours), append(g.theirs, theirs), append(g.want, want)
	}
	g.added()
	return g
}

func (j *job) clone() *job { return &job{j.name, maps.Clone(j.fields)} }

// edit makes one edit to j, and to the expected item, in half of the calls: it deletes one
// of the given fields or sets it to a new value.
func (g *jobs) edit(j, want *job, fields []string) {
	if g.rand.IntN(2) == 0 {
		return
	}
	f := fields[g.rand.IntN(len(fields))]
	switch _, has := j.fields[f]; {
	case has && g.rand.IntN(4) == 0:
		delete(j.fields, f)
		delete(want.fields, f)
	default:
		j.fields[f] = "new"
		want.fields[f] = "new"
	}
}

// added appends new items in three of four calls: an item of the same name to both sides,
// either with different fields or with more fields in theirs, or a copy of the last item
// under another name to ours.
func (g *jobs) added() {
	x := &job{name: "ci-new", fields: map[string]string{"interval": "2h", "cluster": "trusted"}}
	switch g.rand.IntN(4) {
	case 0: // the fields differ: a conflict
		y := x.clone()
		x.fields["image"], y.fields["args"] = "a:v1", "[--b]"
		g.ours, g.theirs = append(g.ours, x), append(g.theirs, y)
		g.clashes = true
	case 1: // theirs has all fields of ours and one more
		y := x.clone()
		y.fields["args"] = "[--b]"
		g.ours, g.theirs, g.want = append(g.ours, x), append(g.theirs, y), append(g.want, y)
	case 2: // a copy under another name
		c := g.ours[len(g.ours)-1].clone()
		c.name = "ci-copy"
		g.ours, g.want = append(g.ours, c), append(g.want, c)
	}
}

// writeJobs returns the YAML file of a list of jobs.
func writeJobs(all []*job) []byte {
	var b strings.Builder
	b.WriteString("periodics:\n")
	for _, j := range all {
		lead := "- interval: " + j.fields["interval"]
		if j.fields["interval"] == "" {
			lead = "- cron: daily"
		}
		fmt.Fprintf(&b, "%s\n  name: %s\n", lead, j.name)
		for _, f := range jobFields[1:] {
			if v, ok := j.fields[f]; ok {
				fmt.Fprintf(&b, "  %s: %s\n", f, v)
			}
		}
	}
	return []byte(b.String())
}

// TestFollowed checks generated merges of similar items that the sides edited, renamed,
// copied and added. A clean result has to have exactly the expected items, and there must
// not be a clean result if the edits conflict. At least a quarter of the merges has to be
// clean and merged by field.
func TestFollowed(t *testing.T) {
	n := *triples
	clean := 0
	for seed := *from; seed < *from+n; seed++ {
		g := newJobs(seed)
		raw := [3][]byte{writeJobs(g.base), writeJobs(g.ours), writeJobs(g.theirs)}
		res, err := mergeBy(noPages, raw, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if !res.Clean() || res.Method == ByLine {
			continue // the line merge may apply an edit to the copy
		}
		clean++
		if got, want := itemsOf(t, res.Bytes), itemsOf(t, writeJobs(g.want)); g.clashes || !slices.Equal(got, want) {
			t.Fatalf("seed %d: %s: got\n%s\nwant (contradicting: %v)\n%s\nbase\n%s\nours\n%s\ntheirs\n%s", seed, res.Method, res.Bytes, g.clashes, writeJobs(g.want), raw[0], raw[1], raw[2])
		}
	}
	if 4*clean < n {
		t.Errorf("only %d of %d are merged by field, clean", clean, n)
	}
}

// itemsOf parses a file of writeJobs and returns one text for each item, sorted, with the
// fields of the item sorted, too.
func itemsOf(t *testing.T, b []byte) []string {
	t.Helper()
	st, err := syntax.Parse(text.New(b))
	if err != nil {
		t.Fatalf("%v in\n%s", err, b)
	}
	var all []string
	for _, e := range st.Docs[0].Root.Entries[0].Value.Entries {
		var fields []string
		for _, f := range e.Value.Entries {
			fields = append(fields, f.KeyText()+"="+f.Value.Value+fmt.Sprint(len(f.Value.Entries)))
		}
		slices.Sort(fields)
		all = append(all, strings.Join(fields, " "))
	}
	slices.Sort(all)
	return all
}

// TestFollowedIsTold checks that Result.Followed lists an item that one side renamed and
// the other side edited, and that it is empty if the other side did not edit the item.
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

// TestFollowedThroughAFormatter checks that an edit reaches an item that the other side
// renamed, although the other side also changed the format of every line.
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
