package regenerate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// A job is a command, with all rules that name it: it runs once.
type job struct {
	by    string
	rules []merge.Generated
}

func (j *job) makes(path string) bool {
	return slices.ContainsFunc(j.rules, func(g merge.Generated) bool { return g.Makes(path) })
}

// needs reports whether a file is made from path, which j does not make itself.
func (j *job) needs(path string) bool {
	return !j.makes(path) && slices.ContainsFunc(j.rules, func(g merge.Generated) bool { return g.Needs(path) })
}

// plan orders rules by what is made from what, else as they are given. The files are those
// of the work tree, by which it is told what is what.
func plan(rules []merge.Generated, files []string) ([]*job, error) {
	var rest []*job
	for _, g := range rules {
		i := slices.IndexFunc(rest, func(j *job) bool { return j.by == g.By && g.By != "" })
		if i < 0 {
			i = len(rest)
			rest = append(rest, &job{by: g.By})
		}
		rest[i].rules = append(rest[i].rules, g)
	}
	var jobs []*job
	for len(rest) > 0 {
		i := slices.IndexFunc(rest, func(j *job) bool {
			return !slices.ContainsFunc(rest, func(o *job) bool { return o != j && o.before(j, files) })
		})
		if i < 0 {
			var names []string
			for _, j := range rest {
				names = append(names, fmt.Sprintf("%s (`%s`)", j.rules[0].Source, j.by))
			}
			return nil, fmt.Errorf("these rules make their files from each other's, so that none can be first: %s", strings.Join(names, ", "))
		}
		jobs = append(jobs, rest[i])
		rest = slices.Delete(rest, i, i+1)
	}
	return jobs, nil
}

// before reports whether j makes what o is made from: by the files that there are, or by the
// patterns themselves. A rule that does not say what its files are made from comes in no
// order.
func (j *job) before(o *job, files []string) bool {
	for _, g := range o.rules {
		if len(g.From) == 0 {
			continue
		}
		named := func(p string) bool {
			return slices.ContainsFunc(j.rules, func(m merge.Generated) bool { return slices.Contains(m.Files, p) })
		}
		if slices.ContainsFunc(g.From, named) {
			return true
		}
		if slices.ContainsFunc(files, func(p string) bool { return j.makes(p) && !o.makes(p) && g.Needs(p) }) {
			return true
		}
	}
	return false
}
