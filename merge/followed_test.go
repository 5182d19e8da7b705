package merge

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

// A job is an item of a generated list whose items look alike: a name and fields.
type job struct {
	name   string
	fields map[string]string
}

// jobFields are the fields of a job, in order; what is not there is left out.
var jobFields = []string{"interval", "cluster", "image", "args", "cpu", "memory", "owner", "more", "extra"}

// jobs are versions of a list, and the answer of their merge. Items stay in the
// place of the original's, so that which is which is known.
type jobs struct {
	rand               *rand.Rand
	base, ours, theirs []*job
	want               []*job
	clashes            bool // the edits contradict each other
}

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
				theirs.name = ours.name // renamed alike
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

// edit gives a field of j another value, adds one, or deletes one.
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

// added appends an item of one name to both sides, or a copy to ours.
func (g *jobs) added() {
	x := &job{name: "ci-new", fields: map[string]string{"interval": "2h", "cluster": "trusted"}}
	switch g.rand.IntN(4) {
	case 0: // two ways to do one thing
		y := x.clone()
		x.fields["image"], y.fields["args"] = "a:v1", "[--b]"
		g.ours, g.theirs = append(g.ours, x), append(g.theirs, y)
		g.clashes = true
	case 1: // one holds all of the other
		y := x.clone()
		y.fields["args"] = "[--b]"
		g.ours, g.theirs, g.want = append(g.ours, x), append(g.theirs, y), append(g.want, y)
	case 2: // a copy under another name
		c := g.ours[len(g.ours)-1].clone()
		c.name = "ci-copy"
		g.ours, g.want = append(g.ours, c), append(g.want, c)
	}
}

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

// TestFollowed merges lists of jobs that look alike, of which one side or both gave
// some other names, made copies, and added what the other added too: a clean
// result is the one that the edits give, and what they contradict each other in
// is no clean result.
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
			continue // git's own merge may put an edit into the copy
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

// itemsOf spells the items of a list of jobs, sorted.
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

// TestFollowedIsTold: a change that went where the other side's rename did is told.
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

// TestFollowedThroughAFormatter: what theirs renamed is followed though theirs wrote every line in another way.
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
