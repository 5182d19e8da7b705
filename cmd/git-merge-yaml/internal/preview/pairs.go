package preview

import (
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
)

// pairs merges each two branches that are clean alone, the second on top of the first:
// those that change a file in common. Others are clean together too.
func (r *run) pairs(p *Preview) error {
	var clean []*Branch
	for _, b := range p.Branches {
		if b.State.IsClean() {
			clean = append(clean, b)
		}
	}
	together, err := r.together(clean)
	if err != nil || len(together) == 0 {
		return err
	}
	tops := map[*Branch]git.ID{}
	sides := make([][2]git.ID, len(together))
	for i, t := range together {
		if tops[t[0]] == "" {
			if tops[t[0]], err = r.committed(t[0], "preview"); err != nil {
				return err
			}
		}
		sides[i] = [2]git.ID{tops[t[0]], t[1].Commit}
	}
	options, err := r.options()
	if err != nil {
		return err
	}
	p.Tried = len(together)
	return r.git.MergeTrees(options, sides, func(i int, m git.MergedTree) error {
		r.progress(i, len(together))
		b := &Branch{Name: together[i][0].Name, With: together[i][1].Name, Commit: together[i][1].Commit}
		if b.take(m, m); b.State == Clean {
			return nil
		}
		p.Pairs = append(p.Pairs, b)
		return r.tell(b, m)
	})
}

// together are the pairs that change a file in common, by the trees of their merges.
func (r *run) together(clean []*Branch) (pairs [][2]*Branch, err error) {
	root, err := r.git.Line("rev-parse", r.base.String()+"^{tree}")
	if err != nil {
		return nil, err
	}
	of := map[string][]int{} // branches by the paths that they change
	for i, b := range clean {
		out, err := r.git.Run("diff-tree", "-r", "-z", "--name-only", "--no-renames", root, b.Tree.String())
		if err != nil {
			return nil, err
		}
		for path := range strings.SplitSeq(strings.TrimSuffix(string(out), "\x00"), "\x00") {
			if path != "" {
				of[path] = append(of[path], i)
			}
		}
	}
	seen := map[[2]int]bool{}
	for _, all := range of {
		for k, i := range all {
			for _, j := range all[k+1:] {
				seen[[2]int{i, j}] = true
			}
		}
	}
	for i := range clean {
		for j := i + 1; j < len(clean); j++ {
			if seen[[2]int{i, j}] {
				pairs = append(pairs, [2]*Branch{clean[i], clean[j]})
			}
		}
	}
	return pairs, nil
}

// committed is the merge of a branch as a commit, which no ref has yet.
func (r *run) committed(b *Branch, message string) (git.ID, error) {
	first, second := r.base, b.Commit
	if r.Into {
		first, second = second, first
	}
	line, err := r.git.Line("commit-tree", "-p", first.String(), "-p", second.String(), "-m", message, b.Tree.String())
	if err != nil {
		return "", err
	}
	return git.ParseID(line)
}
