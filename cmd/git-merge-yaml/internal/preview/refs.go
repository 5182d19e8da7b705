package preview

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
)

// branches are what is to be merged; those that are in the base already are Merged.
func (r *run) branches() (all []*Branch, err error) {
	patterns := r.Patterns
	if len(r.Refs)+len(patterns) == 0 {
		patterns = []string{"refs/remotes/"}
		if bare, err := r.Git.IsBare(); err == nil && bare {
			patterns = []string{"refs/heads/"}
		}
	}
	if len(patterns) > 0 {
		if all, err = r.matching(patterns); err != nil {
			return nil, err
		}
	}
	named, err := r.named()
	if err != nil {
		return nil, err
	}
	all = append(all, named...)
	if len(all) == 0 {
		return nil, errNothing
	}
	return all, r.findMerged(all)
}

// named are the revisions that were named.
func (r *run) named() (all []*Branch, err error) {
	if len(r.Refs) == 0 {
		return nil, nil
	}
	out, err := r.Git.Feed([]byte(strings.Join(r.Refs, "^{commit}\n")+"^{commit}\n"), "cat-file", "--batch-check=%(objectname)")
	if err != nil {
		return nil, err
	}
	ids := strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
	for i, name := range r.Refs {
		b := &Branch{Name: name}
		if b.Commit, err = git.ParseID(ids[min(i, len(ids)-1)]); err != nil {
			_, err = r.commit(name) // which says what is wrong
			return nil, cmp.Or(err, errNothing)
		}
		if r.Into {
			b.ref, _ = r.Git.Line("rev-parse", "--verify", "-q", "--symbolic-full-name", "--end-of-options", name)
		}
		all = append(all, b)
	}
	return all, nil
}

// matching are the refs that match patterns, but for the base.
func (r *run) matching(patterns []string) (all []*Branch, err error) {
	args := append([]string{"for-each-ref", "--format=%(refname)%00%(objectname)%00%(*objectname)%00%(symref)"}, patterns...)
	out, err := r.Git.Run(args...)
	if err != nil {
		return nil, err
	}
	for line := range strings.Lines(string(out)) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\x00")
		if len(f) != 4 || f[3] != "" { // HEAD of a remote is another one's name
			continue
		}
		if f[2] != "" { // a tag
			f[1] = f[2]
		}
		id, err := git.ParseID(f[1])
		if err != nil {
			return nil, err
		}
		if id != r.base {
			name := strings.TrimPrefix(strings.TrimPrefix(strings.TrimPrefix(f[0], "refs/heads/"), "refs/remotes/"), "refs/")
			all = append(all, &Branch{Name: name, Commit: id, ref: f[0]})
		}
	}
	return all, nil
}

// findMerged marks what the base has, or what has the base where that is merged into the
// branches.
func (r *run) findMerged(all []*Branch) error {
	if r.Into {
		return r.findUpToDate(all)
	}
	var in strings.Builder
	for _, b := range all {
		in.WriteString(b.Commit.String() + "\n")
	}
	out, err := r.git.Feed([]byte(in.String()+"^"+r.base.String()+"\n"), "rev-list", "--stdin")
	if err != nil {
		return err
	}
	missing := map[string]bool{}
	for line := range strings.Lines(string(out)) {
		missing[strings.TrimSpace(line)] = true
	}
	for _, b := range all {
		if !missing[b.Commit.String()] {
			b.State = Merged
		}
	}
	return nil
}

// findUpToDate marks the branches that have the base.
func (r *run) findUpToDate(all []*Branch) error {
	out, err := r.Git.Run("for-each-ref", "--contains="+r.base.String(), "--format=%(objectname)")
	if err != nil {
		return err
	}
	for _, b := range all {
		if strings.Contains(string(out), b.Commit.String()) {
			b.State = Merged
		}
	}
	return nil
}

// attributes writes those that count: all YAML files are the driver's, then what the
// user's say, then those of the base, whose folders have to be written out, as git
// reads none of them without a work tree.
func (r *run) attributes() (name string, err error) {
	var b strings.Builder
	b.WriteString("*.[yY][aA][mM][lL] merge=yaml\n*.[yY][mM][lL] merge=yaml\n")
	if file, err := r.Git.Line("config", "--type=path", "--get", "core.attributesFile"); err == nil && file != "" {
		if data, err := os.ReadFile(file); err == nil {
			b.Write(append(data, '\n'))
		}
	}
	out, err := r.git.Run("ls-tree", "-r", "-z", "--name-only", r.base.String())
	if err != nil {
		return "", err
	}
	for file := range strings.SplitSeq(string(out), "\x00") {
		if path.Base(file) != ".gitattributes" {
			continue
		}
		data, err := r.git.Run("cat-file", "blob", r.base.String()+":"+file)
		if err != nil {
			return "", err
		}
		for line := range strings.Lines(string(data)) {
			b.WriteString(below(path.Dir(file), strings.TrimRight(line, "\r\n")) + "\n")
		}
	}
	name = filepath.Join(r.scratch, "attributes")
	return name, os.WriteFile(name, []byte(b.String()), 0o600)
}

// below is a line of the attributes of a folder as one of the top folder's.
func below(folder, line string) string {
	trimmed := strings.TrimLeft(line, " \t")
	if folder == "." || trimmed == "" || trimmed[0] == '#' || trimmed[0] == '[' || trimmed[0] == '"' {
		return line
	}
	if pattern, _, _ := strings.Cut(strings.ReplaceAll(trimmed, "\t", " "), " "); strings.Contains(pattern, "/") {
		return "/" + folder + "/" + strings.TrimPrefix(trimmed, "/")
	}
	return "/" + folder + "/**/" + trimmed
}

func (r *run) commit(name string) (git.ID, error) {
	line, err := r.Git.Line("rev-parse", "--verify", "--end-of-options", name+"^{commit}")
	if err != nil {
		return "", fmt.Errorf("there is no commit %s here (git branch --all lists the branches)", name)
	}
	return git.ParseID(line)
}

var errNothing = errors.New("there is nothing to merge: no ref matches")
