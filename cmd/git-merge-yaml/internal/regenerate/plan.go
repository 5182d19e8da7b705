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

// from is needs for rules that say what their files are made from.
func (j *job) from(path string) bool {
	return !j.makes(path) && slices.ContainsFunc(j.rules, func(g merge.Generated) bool { return len(g.From) > 0 && g.Needs(path) })
}

// plan are the jobs that have something to make: those with files or sources among the open
// ones, and those that make files from what is made; or all. They are ordered by what is made
// from what, else as the rules are given. The files are those of the work tree, by which it is
// told what is what; of what a rule makes that does not say from what, nothing is.
func plan(rules []merge.Generated, open, files []string, all bool) (due []*job, err error) {
	var jobs, jobOf []*job // jobOf is that of each rule
	for _, g := range rules {
		i := slices.IndexFunc(jobs, func(j *job) bool { return j.by == g.By && g.By != "" })
		if i < 0 {
			i = len(jobs)
			jobs = append(jobs, &job{by: g.By})
		}
		jobs[i].rules = append(jobs[i].rules, g)
		jobOf = append(jobOf, jobs[i])
	}
	before := map[[2]*job]bool{} // the first makes what the second is made from
	for _, j := range jobs {
		made := slices.DeleteFunc(slices.Clone(files), func(p string) bool { return !j.makes(p) })
		for _, g := range j.rules {
			made = append(made, g.Files...) // patterns, which match themselves, where no file is there yet
		}
		for _, o := range jobs {
			before[[2]*job{j, o}] = slices.ContainsFunc(made, o.from)
		}
	}
	isDue := map[*job]bool{}
	for again := true; again; {
		again = false
		for _, j := range jobs {
			isOpen := func(p string) bool {
				i := slices.IndexFunc(rules, func(g merge.Generated) bool { return g.Makes(p) }) // the first counts
				return i >= 0 && jobOf[i] == j || j.from(p)
			}
			follows := func(o *job) bool { return isDue[o] && before[[2]*job{o, j}] }
			if !isDue[j] && (all || slices.ContainsFunc(open, isOpen) || slices.ContainsFunc(jobs, follows)) {
				isDue[j], again = true, true
			}
		}
	}
	rest := slices.DeleteFunc(jobs, func(j *job) bool { return !isDue[j] })
	for len(rest) > 0 {
		i := slices.IndexFunc(rest, func(j *job) bool {
			return !slices.ContainsFunc(rest, func(o *job) bool { return o != j && before[[2]*job{o, j}] })
		})
		if i < 0 {
			var names []string
			for _, j := range rest {
				names = append(names, fmt.Sprintf("%s (`%s`)", j.rules[0].Source, j.by))
			}
			return nil, fmt.Errorf("these rules make their files from each other's, so that none can be first: %s", strings.Join(names, ", "))
		}
		due = append(due, rest[i])
		rest = slices.Delete(rest, i, i+1)
	}
	return due, nil
}
