package resolve

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/terminal"
)

// runLineMerge writes git's own line merge of files to the work tree, instead of the merge by field. The files are
// r.files, which are unmerged, and the other files that pathspecs name, which git or this program has merged already;
// these are appended to r.files. Each pathspec must be a path relative to the current directory, or an absolute one; a
// folder is allowed if an unmerged file is in it. It prints to r.Stdout how each file ended:
//
//	the result has conflicts             the file is written, and unmerged in the index afterwards
//	it has none, and it was unmerged     the file is written and staged
//	it has none, and it was merged       the file is written if it differs; the index may need git add
//
// A file that the user edited since it was merged is skipped, unless r.Force is set. r.unresolved is set if a file has
// conflicts or is skipped. err is not nil if a pathspec is not the path of a file that was merged, or if git or the
// index fails.
func (r *resolver) runLineMerge(pathspecs []string) error {
	r.collectConflicts()
	for _, spec := range pathspecs {
		name := path.Join(r.tree.Prefix, filepath.ToSlash(spec))
		if filepath.IsAbs(spec) {
			rel, _ := filepath.Rel(r.tree.Top, spec)
			name = filepath.ToSlash(rel)
		}
		if slices.ContainsFunc(r.files, func(f *unmergedFile) bool {
			return name == "." || f.Path == name || strings.HasPrefix(f.Path, name+"/")
		}) {
			continue
		}
		f, err := r.findMerged(name)
		if err != nil {
			return fmt.Errorf("%s: %w", spec, err)
		}
		r.files = append(r.files, f)
	}
	for _, f := range r.files {
		if err := f.mergeByLine(); err != nil {
			f.skipReason = err.Error()
		}
	}
	if err := r.writeAndStage(r.files...); err != nil {
		return err
	}
	for _, f := range r.files {
		switch n := len(f.result.Conflicts); {
		case f.skipReason != "":
			r.unresolved = true
			f.printStatus("skipped: " + f.skipReason)
		case n > 0:
			r.unresolved = true
			f.printStatus("wrote git's line merge, with " + terminal.CountNoun(n, "conflict"))
		case bytes.Equal(f.result.Bytes, f.mergedContent):
			f.printStatus("unchanged; git's line merge is the same, without conflicts")
		case f.mergedContent != nil:
			f.printStatus(fmt.Sprintf(`wrote git's line merge, without conflicts; run "git add %s"`, terminal.QuoteForShell(f.relPath())))
		default:
			f.printStatus("wrote and staged git's line merge, without conflicts")
		}
	}
	return nil
}

// errNotMerged is returned for a path that no merge in progress or of HEAD has merged.
var errNotMerged = errors.New("not changed on both sides, neither in the current operation nor in HEAD")

// findMerged returns the file at name, which git or this program has merged without a conflict, with the three versions
// from which it was merged. name is a slash-separated path from the top of the work tree. The file is marked as staged,
// and mergedContent is its content in the index. The versions are those of the merge that stopped in this work tree or,
// if none stopped, of the merge that made HEAD. If a rebase or a cherry-pick made HEAD, they are those of the first of
// the commits that it picked last in which both sides changed the file.
//
// It returns errNotMerged if there is no such merge, or if not both sides changed the file, in different ways. It
// returns another error if the merge has several common ancestors or if git fails.
func (r *resolver) findMerged(name string) (*unmergedFile, error) {
	var merges []git.Merge
	if m, ok := r.situation.StoppedMerge(); ok {
		merges = []git.Merge{m}
	} else if merges, _ = r.tree.MergesOf(""); len(merges) == 0 {
		return nil, errNotMerged
	}
	for _, m := range merges {
		base := m.Base
		if base == "" {
			bases, err := r.tree.Line("merge-base", "--all", m.Ours.String(), m.Theirs.String())
			switch {
			case err != nil && git.ExitCode(err) != 1: // 1: they have none
				return nil, err
			case strings.Contains(bases, "\n"):
				return nil, errors.New(`the merge has several common ancestors; to merge by lines, abort the merge and run "GIT_MERGE_YAML=off git merge BRANCH"`)
			case bases != "":
				if base, err = git.ParseID(bases); err != nil {
					return nil, err
				}
			}
		}
		f := &unmergedFile{Unmerged: git.Unmerged{Path: name}, resolver: r, namedByUser: true}
		if m.Commit != "" {
			f.gitLabels = [3]string{r.describeCommit(m.Ours), r.describeCommit(base), r.describeCommit(m.Theirs)}
		}
		for _, x := range []struct {
			commit git.ID
			to     *git.Stage
		}{{base, &f.Base}, {m.Ours, &f.Ours}, {m.Theirs, &f.Theirs}} {
			if x.commit == "" {
				continue
			}
			var err error
			if *x.to, err = r.tree.TreeEntry(x.commit, name); err != nil {
				return nil, err
			}
		}
		if f.Ours == f.Base || f.Theirs == f.Base || f.Ours == f.Theirs {
			continue
		}
		staged, err := r.tree.StagedEntries([]string{name})
		if err != nil {
			return nil, err
		}
		contents, err := r.objects.Blobs(staged[name].ID)
		if err != nil {
			return nil, err
		}
		f.mergedContent = append([]byte{}, contents[0]...)
		f.staged = true
		attributes, err := r.session.Attributes([]string{name}, "merge", "conflict-marker-size")
		conversions, err2 := r.tree.Attributes([]string{name}, "filter", "working-tree-encoding")
		if err = cmp.Or(err, err2); err != nil {
			return nil, err
		}
		f.attributes = attributes[0]
		maps.Copy(f.attributes, conversions[0])
		return f, nil
	}
	return nil, errNotMerged
}

// describeCommit returns the abbreviated id and the subject of a commit, as git writes them after conflict markers:
// "8ca51e7 (subject)". It returns "" if there is no such commit.
func (r *resolver) describeCommit(id git.ID) string {
	line, _ := r.tree.Line("log", "-1", "--no-show-signature", "--format=%h (%s)", id.String())
	return line
}

// mergeByLine reads the file and its versions, and merges the versions by lines, as git does without a driver. It sets
// f.result, and prepares the bytes that writeAndStage writes later; nothing is written to the work tree yet. The error
// is the reason why the file is left unchanged:
//
//   - it cannot be merged, because of its versions, git LFS or its merge attribute
//   - it cannot be read, or was deleted and Options.Force is not set
//   - the user edited it since it was merged, and Options.Force is not set
func (f *unmergedFile) mergeByLine() error {
	for _, step := range []func() error{f.checkMergeable, f.readWorkFile, f.readStages} {
		if err := step(); err != nil {
			return err
		}
	}
	edited, err := false, error(nil)
	switch {
	case f.Force:
	case f.mergedContent != nil:
		var blob []byte
		blob, err = f.tree.Clean(f.Path, f.workContent)
		edited = !bytes.Equal(f.cleaned, f.mergedContent) && !bytes.Equal(blob, f.mergedContent)
	default:
		if f.result, err = f.newMerger("").Run(false); err == nil {
			edited, err = f.isEdited()
		}
	}
	switch {
	case err != nil:
		return err
	case edited:
		return errors.New("edited after the merge; use --force to discard the edits and write git's line merge")
	}
	if f.result, err = f.newMerger("").Run(true); err != nil {
		return err
	}
	return f.prepareWrite()
}
