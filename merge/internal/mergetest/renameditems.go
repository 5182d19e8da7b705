package mergetest

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"strings"
)

// RenamedItems generates a list of similar items. Ours edits, renames and copies items, and theirs edits other fields
// of the same items. If both sides add an item of the same name, each with a field that the other lacks, Conflicts is 1
// and Want is nil. The same seed always gives the same Triple.
//
//	base            ours            theirs          right merge
//	- name: a-gci   - name: a-cos   - name: a-gci   - name: a-cos
//	  memory: 8Gi     memory: 8Gi     memory: new     memory: new
func RenamedItems(seed int) Triple {
	g := newJobs(seed)
	raw := [3][]byte{writeJobs(g.base), writeJobs(g.ours), writeJobs(g.theirs)}
	if g.conflict {
		return Triple{Raw: raw, Conflicts: 1}
	}
	return cleanTriple(raw, writeJobs(g.want))
}

// A job is an item of a generated list of similar items. It has a name and fields.
type job struct {
	name   string
	fields map[string]string
}

// jobFields lists the fields of a job in the order in which writeJobs writes them.
var jobFields = []string{"interval", "cluster", "image", "args", "cpu", "memory", "owner", "more", "extra"}

// jobs holds three versions of a list and the expected merge. An item has the same index in all versions, so that the
// matches are known.
type jobs struct {
	rand               *rand.Rand
	base, ours, theirs []*job
	want               []*job
	conflict           bool // both sides added an item of the same name with different fields
}

// newJobs generates three versions of a list of similar items, and the list of the right merge. The same seed always
// gives the same lists.
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
		g.editRandomly(ours, want, []string{"image", "owner"})
		g.editRandomly(theirs, want, []string{"memory", "interval", "more"})
		g.ours, g.theirs, g.want = append(g.ours, ours), append(g.theirs, theirs), append(g.want, want)
	}
	g.addRandomItems()
	return g
}

// clone returns a deep copy of j.
func (j *job) clone() *job { return &job{j.name, maps.Clone(j.fields)} }

// editRandomly makes one edit to the item j in half of the calls, and none in the others. It chooses one of the named
// fields, and deletes it or sets it to "new"; a field that j does not have is added. It makes the same edit to want,
// the item in the right merge.
func (g *jobs) editRandomly(j, want *job, fields []string) {
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

// addRandomItems appends a new item to the lists in g, or none: an item of the same name to ours and theirs, or a copy
// of the last item to ours. It sets g.conflict if the two items of one name cannot be merged.
func (g *jobs) addRandomItems() {
	x := &job{name: "ci-new", fields: map[string]string{"interval": "2h", "cluster": "trusted"}}
	switch g.rand.IntN(4) {
	case 0: // the fields differ: a conflict
		y := x.clone()
		x.fields["image"], y.fields["args"] = "a:v1", "[--b]"
		g.ours, g.theirs = append(g.ours, x), append(g.theirs, y)
		g.conflict = true
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

// writeJobs returns the YAML file of a list of items. An item without an interval has the field cron: daily instead.
// For an item with an interval, a name and one other field:
//
//	periodics:
//	- interval: 1h
//	  name: ci-job-0-gci
//	  cluster: build
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
