package git

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// A Merged is a file that a merge commit has, or had to have, from its
// parents. An ID is "" where there is no such file.
type Merged struct {
	Path                       string
	Base, Ours, Theirs, Result ID
}

// A Merge is a merge commit with its two parents.
type Merge struct {
	Commit, Ours, Theirs ID
	Bases                []ID // the best common ancestors, maybe none
}

// Base is the commit that the parents are compared with, "" for none.
func (m Merge) Base() ID {
	if len(m.Bases) == 0 {
		return ""
	}
	return m.Bases[0]
}

// ErrParents says that a commit has not two parents.
var ErrParents = errors.New("is no merge of two branches")

// Merge returns the merge commit that name names.
func (g Git) Merge(name string) (m Merge, err error) {
	line, err := g.asIs().Line("rev-list", "--parents", "--max-count=1", name, "--")
	if err != nil {
		return m, err
	}
	ids, err := parseIDs(line)
	switch {
	case err != nil:
		return m, err
	case len(ids) != 3:
		return m, fmt.Errorf("%s %w: it has %d parents", name, ErrParents, max(0, len(ids)-1))
	}
	m.Commit, m.Ours, m.Theirs = ids[0], ids[1], ids[2]
	out, err := g.asIs().Run("merge-base", "--all", m.Ours.String(), m.Theirs.String())
	if err != nil && ExitCode(err) != 1 { // 1: there is none
		return m, err
	}
	m.Bases, err = parseIDs(string(out))
	return m, err
}

func parseIDs(s string) (ids []ID, err error) {
	for hex := range strings.FieldsSeq(s) {
		id, err := ParseID(hex)
		if err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	return ids, nil
}

// Merged returns the files of m that want wants and that at least one parent
// changed, by their paths; renames are not followed.
func (g Git) Merged(m Merge, want func(path string) bool) ([]Merged, error) {
	var changed [3]map[string]change
	for i, to := range [3]ID{m.Ours, m.Theirs, m.Commit} {
		var err error
		if changed[i], err = g.changes(m.Base(), to); err != nil {
			return nil, err
		}
	}
	var all []Merged
	for path, c := range changed[0] {
		all = append(all, Merged{Path: path, Base: c.from, Ours: c.to, Theirs: c.from, Result: c.from})
	}
	for path, c := range changed[1] {
		if _, ok := changed[0][path]; !ok {
			all = append(all, Merged{Path: path, Base: c.from, Ours: c.from, Theirs: c.to, Result: c.from})
		}
	}
	all = slices.DeleteFunc(all, func(f Merged) bool { return !want(f.Path) })
	for i := range all {
		f := &all[i]
		if c, ok := changed[1][f.Path]; ok {
			f.Theirs = c.to
		}
		if c, ok := changed[2][f.Path]; ok {
			f.Result = c.to
		}
	}
	slices.SortFunc(all, func(a, b Merged) int { return strings.Compare(a.Path, b.Path) })
	return all, nil
}

// A change is what a file was and became; "" where it was none.
type change struct{ from, to ID }

// changes returns the files that differ between two commits; from "" all that
// the second has.
func (g Git) changes(from, to ID) (map[string]change, error) {
	if from == "" {
		return g.allOf(to)
	}
	out, err := g.asIs().Run("diff-tree", "-r", "-z", "--no-renames", "--no-abbrev", from.String(), to.String())
	if err != nil {
		return nil, err
	}
	files := map[string]change{}
	fields := strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
	for i := 0; i+1 < len(fields); i += 2 {
		f := strings.Fields(strings.TrimPrefix(fields[i], ":")) // mode mode id id status
		if len(f) != 5 {
			return nil, fmt.Errorf("git diff-tree printed %q", fields[i])
		}
		var c change
		for j, to := range []*ID{&c.from, &c.to} {
			if strings.HasPrefix(f[j], "100") { // a file
				if *to, err = ParseID(f[2+j]); err != nil {
					return nil, err
				}
			}
		}
		files[fields[i+1]] = c
	}
	return files, nil
}

// allOf returns the files of a commit as if all were new.
func (g Git) allOf(commit ID) (map[string]change, error) {
	out, err := g.asIs().Run("ls-tree", "-r", "-z", "--full-tree", commit.String())
	if err != nil {
		return nil, err
	}
	files := map[string]change{}
	for entry := range strings.SplitSeq(strings.TrimSuffix(string(out), "\x00"), "\x00") {
		info, path, ok := strings.Cut(entry, "\t")
		f := strings.Fields(info) // mode type id
		if !ok || len(f) != 3 || !strings.HasPrefix(f[0], "100") {
			continue
		}
		id, err := ParseID(f[2])
		if err != nil {
			return nil, err
		}
		files[path] = change{to: id}
	}
	return files, nil
}
