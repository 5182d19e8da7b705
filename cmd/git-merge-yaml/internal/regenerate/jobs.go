package regenerate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/program"
)

// A job is a command that generates files, with all rules of the team that name it. It runs once, even if several rules
// name it. The files that its rules list under "files" are its outputs, those under "from" are its sources.
type job struct {
	command string
	rules   []program.Generated
}

// isOutput reports whether the command of j generates the file at path: a rule of j lists it under "files".
func (j *job) isOutput(path string) bool {
	return slices.ContainsFunc(j.rules, func(g program.Generated) bool { return g.Makes(path) })
}

// isSource reports whether the command of j generates its files from the file at path: a rule of j lists it under
// "from", or has no "from", which means all other files. It reports false for the files that j generates itself.
func (j *job) isSource(path string) bool {
	return !j.isOutput(path) && slices.ContainsFunc(j.rules, func(g program.Generated) bool { return g.Needs(path) })
}

// isDeclaredSource reports whether a rule of j lists the file at path under "from". Rules without "from", for which
// isSource reports true for every other file, are ignored. It reports false for the files that j generates itself.
func (j *job) isDeclaredSource(path string) bool {
	return !j.isOutput(path) && slices.ContainsFunc(j.rules, func(g program.Generated) bool { return len(g.From) > 0 && g.Needs(path) })
}

// planJobs returns the jobs that have to run after a merge, each after those that generate its declared sources: those
// of which each side changed an output or a source, and those that follow them; with all, every job. contributions are
// the files that each side changed, and paths those of the work tree. The error is a cycle of jobs.
//
//	# the order is make render, make readme
//	{files: [README.md], from: [out/**], by: make readme}
//	{files: [out/**], from: [chart/**], by: make render}
func planJobs(rules []program.Generated, contributions [][]string, paths []string, all bool) (due []*job, err error) {
	var jobs, jobOfRule []*job // jobOfRule has the job of each rule, by index
	for _, g := range rules {
		// A rule without a command is a job of its own, about which Run reports an error.
		i := slices.IndexFunc(jobs, func(j *job) bool { return j.command == g.By && g.By != "" })
		if i < 0 {
			i = len(jobs)
			jobs = append(jobs, &job{command: g.By})
		}
		jobs[i].rules = append(jobs[i].rules, g)
		jobOfRule = append(jobOfRule, jobs[i])
	}
	mustPrecede := map[[2]*job]bool{} // keys are pairs (a, b): a generates a declared source of b
	for _, j := range jobs {
		outputs := slices.DeleteFunc(slices.Clone(paths), func(p string) bool { return !j.isOutput(p) })
		for _, g := range j.rules {
			outputs = append(outputs, g.Files...) // a pattern matches itself; it represents files that do not exist yet
		}
		for _, other := range jobs {
			mustPrecede[[2]*job{j, other}] = slices.ContainsFunc(outputs, other.isDeclaredSource)
		}
	}
	isDue := map[*job]bool{}
	var setDue func(*job)
	setDue = func(j *job) {
		isDue[j] = true
		for _, o := range jobs {
			if mustPrecede[[2]*job{j, o}] && !isDue[o] {
				setDue(o)
			}
		}
	}
	for _, j := range jobs {
		isAffected := func(p string) bool {
			i := slices.IndexFunc(rules, func(g program.Generated) bool { return g.Makes(p) }) // the first rule counts
			return i >= 0 && jobOfRule[i] == j || j.isDeclaredSource(p)
		}
		missesJob := func(changed []string) bool { return !slices.ContainsFunc(changed, isAffected) }
		if all || len(contributions) > 0 && !slices.ContainsFunc(contributions, missesJob) {
			setDue(j)
		}
	}
	remaining := slices.DeleteFunc(jobs, func(j *job) bool { return !isDue[j] })
	for len(remaining) > 0 {
		i := slices.IndexFunc(remaining, func(j *job) bool {
			return !slices.ContainsFunc(remaining, func(o *job) bool { return o != j && mustPrecede[[2]*job{o, j}] })
		})
		if i < 0 {
			var names []string
			for _, j := range remaining {
				names = append(names, fmt.Sprintf("%s (`%s`)", j.rules[0].Source, j.command))
			}
			return nil, fmt.Errorf("the rules generate their files from each other in a cycle: %s", strings.Join(names, ", "))
		}
		due = append(due, remaining[i])
		remaining = slices.Delete(remaining, i, i+1)
	}
	return due, nil
}
