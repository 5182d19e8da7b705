package git

import (
	"context"
	"strconv"
	"strings"
)

// Revisions reads what a user calls commits: main, v1..v2, --all. It returns
// the commits to begin at, and those that are left out with their ancestors.
func (g Git) Revisions(names ...string) (tips, without []ID, err error) {
	out, err := g.Run(append(append([]string{"rev-parse"}, names...), "--")...)
	if err != nil {
		return nil, nil, err
	}
	for line := range strings.FieldsSeq(string(out)) {
		if line == "--" {
			continue
		}
		hex, excluded := strings.CutPrefix(line, "^")
		id, err := ParseID(hex)
		if err != nil {
			return nil, nil, err
		}
		if excluded {
			without = append(without, id)
		} else {
			tips = append(tips, id)
		}
	}
	return tips, without, nil
}

// Merges returns the commits with several parents that tips and their
// ancestors have, but not those of without, the newest first: max of them at
// most (0 is no limit), and only those since a date as git reads it ("" is
// no limit).
func (g Git) Merges(ctx context.Context, tips, without []ID, since string, max int) ([]ID, error) {
	args := []string{"rev-list", "--min-parents=2"}
	if since != "" {
		args = append(args, "--since="+since)
	}
	if max > 0 {
		args = append(args, "--max-count="+strconv.Itoa(max))
	}
	var input strings.Builder
	for _, id := range tips {
		input.WriteString(id.String() + "\n")
	}
	for _, id := range without {
		input.WriteString("^" + id.String() + "\n")
	}
	var merges []ID
	err := g.asIs().lines(ctx, input.String(), append(args, "--stdin"), func(line string) error {
		id, err := ParseID(line)
		merges = append(merges, id)
		return err
	})
	return merges, err
}

// FirstParents returns commits, their first parents, the first parents of these, and
// so on; none where refs name nothing.
func (g Git) FirstParents(refs ...string) []ID {
	out, err := g.asIs().Run(append([]string{"rev-list", "--first-parent", "--end-of-options"}, refs...)...)
	if err != nil {
		return nil
	}
	ids, _ := parseIDs(string(out))
	return ids
}

// IsAncestor reports whether a commit is another one or in its history.
func (g Git) IsAncestor(commit, of string) bool {
	_, err := g.Run("merge-base", "--is-ancestor", commit, of)
	return err == nil
}

// A Rename is a file that one tree has under another name.
type Rename struct{ From, To string }

// Renames returns which files were renamed between two trees, as git merge
// finds them: alike by half at least.
func (g Git) Renames(old, new ID) ([]Rename, error) {
	out, err := g.asIs().Run("diff-tree", "-r", "-z", "-M", "--no-rename-empty", "-l7000", "--diff-filter=R", "--name-status", old.String(), new.String())
	if err != nil {
		return nil, err
	}
	f := strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
	var renames []Rename
	for i := 0; i+2 < len(f); i += 3 {
		renames = append(renames, Rename{f[i+1], f[i+2]})
	}
	return renames, nil
}
