package history

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/driver"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// A replacedFile is a path at which a side of a merge changed a regular file, and which git did not merge by content:
// one side deleted it or has something else there, such as a symbolic link.
type replacedFile struct {
	base, committed git.Stage    // zero for no entry, and for a folder
	sides           [2]git.Stage // of ours and theirs, as base
	changed         [2]bool      // whether ours and theirs changed it since every common ancestor
	folder          [2]bool      // whether ours and theirs have a folder there
}

// findReplacedFiles finds files in committed merges that cannot be checked by comparing four versions, because a side
// deleted or renamed the file, or put a folder or a symbolic link in its place. It sets m.replaced of each merge to the
// paths, selected or not, at which something may have got lost: the other side changed the file, or the commit differs
// from git's merge there. Merges without a base are skipped. The error is that of git.
func (w *walk) findReplacedFiles(merges []*mergeJob) error {
	merges = slices.DeleteFunc(slices.Clone(merges), func(m *mergeJob) bool { return m.committedDiff == nil || len(m.Bases) == 0 })
	var commits []git.ID
	for _, m := range merges {
		commits = append(append(commits, m.Bases...), m.Ours, m.Theirs)
	}
	trees, err := w.git.TreesOf(commits)
	if err != nil {
		return err
	}
	treeOf := map[git.ID]git.ID{}
	for i, commit := range commits {
		treeOf[commit] = trees[i]
	}
	// of each merge: the first base with the commit, and each base with ours and with theirs
	var pairs [][2]git.ID
	for _, m := range merges {
		pairs = append(pairs, [2]git.ID{treeOf[m.Bases[0]], m.Tree})
		for _, base := range m.Bases {
			pairs = append(pairs, [2]git.ID{treeOf[base], treeOf[m.Ours]}, [2]git.ID{treeOf[base], treeOf[m.Theirs]})
		}
	}
	diffs, err := w.git.DiffTrees(pairs)
	if err != nil {
		return err
	}
	for _, m := range merges {
		n := 1 + 2*len(m.Bases) // pairs of m
		m.replaced = replacedFiles(m.committedDiff, diffs[0], diffs[1:n])
		diffs = diffs[n:]
	}
	return nil
}

// replacedFiles returns the files that findReplacedFiles describes, by path. The arguments are differences between
// trees, by path:
//
//	gitToCommit     between git's merge and the commit
//	baseToCommit    between the first base and the commit
//	baseToSides     for each base: between it and ours, then between it and theirs
//
// A side counts as having changed a path only if it differs from every base there.
func replacedFiles(gitToCommit, baseToCommit map[string]git.Difference, baseToSides []map[string]git.Difference) map[string]replacedFile {
	found := map[string]replacedFile{}
	paths := maps.Clone(baseToSides[0])
	maps.Copy(paths, baseToSides[1])
	for path, difference := range paths {
		f := replacedFile{base: difference.From}
		entryIn := func(differences map[string]git.Difference) git.Stage {
			if d, differs := differences[path]; differs {
				return d.To
			}
			return f.base
		}
		f.committed = entryIn(baseToCommit)
		for s := range f.sides {
			f.sides[s], f.changed[s] = entryIn(baseToSides[s]), true
			for i := s; i < len(baseToSides); i += 2 {
				_, differs := baseToSides[i][path]
				f.changed[s] = f.changed[s] && differs
			}
		}
		_, differs := gitToCommit[path]
		side := f.changedSide()
		changed, other := f.sides[side], f.sides[1-side]
		switch {
		case f.changed[0] && f.changed[1] && changed != other:
			if !changed.Mode.IsFile() || other.Mode.IsFile() || changed.ID == f.base.ID {
				continue
			}
		case !differs || !f.changed[side] || !f.base.Mode.IsFile() || changed.Mode.IsFile():
			continue
		}
		for s, entry := range f.sides {
			f.folder[s] = entry.Mode == 0 && hasFolder(baseToSides[s], path)
		}
		found[path] = f
	}
	return found
}

// hasFolder reports whether a file below path was changed or added, so that path is a folder afterwards.
func hasFolder(differences map[string]git.Difference, path string) bool {
	for p, d := range differences {
		if d.To.Mode != 0 && strings.HasPrefix(p, path+"/") {
			return true
		}
	}
	return false
}

// changedSide returns the side, 0 for ours and 1 for theirs, whose change of f must be in the commit: the only side
// that changed it or, if both did, one that still has a file there.
func (f replacedFile) changedSide() int {
	if f.changed[1] && (!f.changed[0] || f.sides[1].Mode.IsFile()) {
		return 1
	}
	return 0
}

// describeEntry returns a phrase for what a side has at a path in place of a regular file, such as "has a symbolic
// link". s is its entry there; the zero Stage means none, so that it "deleted the file". isFolder means that the path
// is a folder in that side.
func describeEntry(s git.Stage, isFolder bool) string {
	switch {
	case isFolder:
		return "has a folder"
	case s.Mode == 0:
		return "deleted the file"
	case s.Mode&0o170000 == 0o120000:
		return "has a symbolic link"
	}
	return "has a submodule"
}

// checkReplaced checks the selected paths of m.replaced, and returns a result for each with something to report. The
// rule of a finding is "undone" if the commit does not follow the side that removed or replaced the file, "lost" if it
// lacks the change of the other side, or one of merge.Check. A renamed file is checked at its new path. It must be
// called before other files of m are checked. The error is that of git.
func (w *walk) checkReplaced(m *mergeJob) (results []CheckResult, err error) {
	var renames [2]func() (map[string]string, error)
	for s, commit := range [2]git.ID{m.Ours, m.Theirs} {
		renames[s] = sync.OnceValues(func() (map[string]string, error) { return w.git.Renames(m.Bases[0], commit) })
	}
	for _, path := range slices.Sorted(maps.Keys(m.replaced)) {
		if !m.attributes.isSelected(path) {
			continue
		}
		result, err := w.checkReplacedFile(m, path, renames)
		if err != nil {
			return nil, err
		}
		if result != nil {
			results = append(results, *result)
		}
	}
	return results, nil
}

// checkReplacedFile checks path, one of m.replaced. renames returns, for ours and theirs, the files that the side
// renamed, from the old to the new path. The result is nil if there is nothing to report:
//
//   - the file was renamed, and is checked elsewhere or is as git merged it
//   - a side deleted it, the other side did not change it, and the commit lacks it
//   - it had a modify/delete conflict, and remained deleted
//   - it had a modify/delete conflict, and the committed file, or the one that a later commit restored, has no finding
func (w *walk) checkReplacedFile(m *mergeJob, path string, renames [2]func() (map[string]string, error)) (*CheckResult, error) {
	f := m.replaced[path]
	side := f.changedSide()
	removing := 1 - side // the side that removed or replaced the file, if side has it
	changed, other := f.sides[side], f.sides[removing]
	names := [2]string{"ours", "theirs"}
	result := &CheckResult{Merge: m.ID, Path: path}
	report := func(rule, detail string) (*CheckResult, error) {
		result.Findings = []merge.Finding{{Rule: rule, Detail: detail}}
		return result, nil
	}
	switch {
	case changed.Mode.IsFile(): // it is compared below
	// Only one side, or both in the same way, replaced or deleted the file, and the commit has something else.
	case changed.Mode != 0:
		return report("undone", names[side]+" "+describeEntry(changed, false)+" here, and the merge does not")
	case f.committed.Mode == 0:
		return nil, nil
	default:
		return report("undone", names[side]+" deleted the file, and it is in the merge")
	}
	isGone := other.Mode == 0 && !f.folder[removing]
	if isGone {
		newPaths, err := renames[removing]()
		if err != nil {
			return nil, err
		}
		result.Path = cmp.Or(newPaths[path], path)
	}
	isRenamed := result.Path != path
	_, differs := m.committedDiff[result.Path]
	isUnmerged := slices.ContainsFunc(m.unmerged, func(u git.Unmerged) bool { return u.Path == result.Path })
	if isRenamed && (isUnmerged || !differs && driver.IsYAMLPath(result.Path)) {
		return nil, nil // it is checked with the unmerged files, or is as git merged it
	}
	blobs, err := w.objects.Blobs(fileID(f.base), fileID(changed), fileID(f.committed))
	if err != nil {
		return nil, err
	}
	versions := [4][]byte{blobs[0], blobs[1], blobs[1], blobs[2]}
	isDeletion := slices.ContainsFunc(m.PathConflicts, func(n PathConflict) bool { return n.Path == path && n.File != nil })
	switch {
	case isRenamed:
		commit := [2]git.ID{m.Ours, m.Theirs}[removing]
		named, err := w.objects.BlobsByName(commit.String()+":"+result.Path, m.ID.String()+":"+result.Path)
		if err != nil {
			return nil, err
		}
		versions[1+removing] = named[0]
		if named[1] != nil {
			versions[3] = named[1]
		}
	case isDeletion && f.committed.Mode == 0:
		if versions[3], err = w.restoredContent(path); err != nil || versions[3] == nil {
			return nil, err // it remained deleted, which everybody can see
		}
	case isGone && !isDeletion:
		result.NotChecked = names[side] + " changed the file, and " + names[removing] + " deleted or renamed it"
		return result, nil
	}
	switch {
	case versions[3] == nil && isRenamed:
		return report("lost", "the file is missing, although neither parent deleted the file")
	case versions[3] == nil:
		return report("lost", "the change of "+names[side]+" is not in the merge; "+names[removing]+" "+describeEntry(other, f.folder[removing])+" here")
	case !isRenamed: // a person decided: only what is as in the base lacks the change
		versions[1+removing] = versions[3]
	}
	if result.Findings, err = w.newCase(m, result.Path, versions).File.Findings(versions[3]); err != nil {
		result.NotChecked = err.Error()
	}
	if isDeletion && result.NotChecked == "" && len(result.Findings) == 0 {
		return nil, nil
	}
	return result, nil
}

// fileID returns the object id of s, or "" if it is not a regular file.
func fileID(s git.Stage) git.ID {
	if !s.Mode.IsFile() {
		return ""
	}
	return s.ID
}

// restoredContent returns the content of the file at path, which a merge deleted, if a later commit restored it. It
// looks into the newest commits of the check (w.tips), and the first one that has the file counts. It returns nil if
// none has it. The error is that of reading an object.
func (w *walk) restoredContent(path string) ([]byte, error) {
	for _, tip := range w.tips {
		blobs, err := w.objects.BlobsByName(tip.String() + ":" + path)
		if err != nil || blobs[0] != nil {
			return blobs[0], err
		}
	}
	return nil, nil
}
