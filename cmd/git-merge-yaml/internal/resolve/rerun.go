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

// runLineMerge runs resolve with Options.LineMerge: it replaces files by git's own line merge, and prints how each
// ended. The files are r.files, and those that pathspecs name exactly and that are merged already. Without conflicts,
// an unmerged file is staged, and a merged one is left to the user to stage. With conflicts, a merged file becomes
// unmerged. It sets r.unresolved if a file has conflicts or is skipped. The error is about a pathspec, or that of the
// index.
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
		// git or this program has merged it already
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
			name := terminal.QuoteForShell(f.relPath())
			f.printStatus(fmt.Sprintf(`wrote git's line merge, without conflicts; run "git add %s" to take it, or "git checkout -- %s" to go back`, name, name))
		default:
			f.printStatus("wrote and staged git's line merge, without conflicts")
		}
	}
	return nil
}

// errNotMerged is returned for a path that no merge in progress or of HEAD has merged.
var errNotMerged = errors.New("not changed on both sides, neither in the current operation nor in HEAD")

// findMerged returns the file at name, which git or this program has merged already, with its versions in that merge:
// the operation that stopped or, if none did, the merge behind HEAD. After a rebase, that is the newest of its merges
// in which both sides changed the file. name is slash-separated and relative to the top. It returns errNotMerged if
// there is none, and other errors if git fails or the merge has several common ancestors.
func (r *resolver) findMerged(name string) (*unmergedFile, error) {
	var merges []git.Merge
	if m, ok := r.situation.StoppedMerge(); ok {
		merges = []git.Merge{m}
	} else if merges, _ = r.tree.MergesOf(""); len(merges) == 0 {
		return nil, errNotMerged
	}
	// a rebase may have picked several commits: the first in which both sides changed the file counts
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

// mergeByLine merges the versions of f by lines, as git does without a driver, and prepares the file for writing. It
// sets f.result, which may have conflicts. A missing base counts as empty. The error is the reason why the file is left
// unchanged: it cannot be merged, or the user edited or deleted it and Options.Force is not set.
func (f *unmergedFile) mergeByLine() error {
	for _, step := range []func() error{f.checkMergeable, f.readWorkFile, f.readStages} {
		if err := step(); err != nil {
			return err
		}
	}
	edited, err := false, error(nil)
	switch {
	case f.Force:
	case f.gitLabels[0] != "": // a finished operation merged it, so that HEAD has the file without edits
		var head [][]byte
		if head, err = f.objects.BlobsByName("HEAD:" + f.Path); err == nil {
			var blob []byte
			blob, err = f.tree.Clean(f.Path, f.workContent)
			isCommittedAsMerged := bytes.Equal(f.mergedContent, head[0])
			isInHEAD := bytes.Equal(f.cleaned, head[0]) || bytes.Equal(blob, head[0]) // line ends of f.cleaned may differ
			edited = !isCommittedAsMerged || !isInHEAD
		}
	default:
		if f.result, err = f.newMerger("").Run(false); err == nil {
			edited, err = f.isEdited()
		}
	}
	if err != nil {
		return err
	}
	if f.result, err = f.newMerger("").Run(true); err != nil {
		return err
	}
	if edited && !bytes.Equal(f.cleaned, f.result.Bytes) {
		return errors.New("edited after the merge; use --force to discard the edits and write git's line merge")
	}
	return f.prepareWrite()
}
