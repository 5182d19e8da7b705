package history

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/driver"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// A replacedFile is a path at which a side of a merge changed a regular file, and which git did not merge by content:
// one side deleted it or has something else there, such as a symbolic link.
type replacedFile struct {
	base, ours, theirs, committed git.Stage // zero for no entry, and for a folder
	oursChanged, theirsChanged    bool      // since every common ancestor
	oursFolder, theirsFolder      bool      // there is a folder
}

// findReplacedFiles sets m.replaced of each committed merge to the paths, selected or not, at which a side removed a
// regular file (it deleted or renamed the file, or has a folder or a symbolic link there), and something may have got
// lost. Check compares a file in four versions, so it needs checkReplaced for them. The error is that of git.
//
//	one side               the other side                      the merge commit
//	removed the file       changed it                          any
//	removed the file       did the same, or did nothing        differs from git's merge at this path
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
	var pairs [][2]git.ID
	for _, m := range merges {
		n := len(m.Bases)
		pairs = append(pairs, [2]git.ID{trees[0], m.Tree})
		for _, base := range trees[:n] {
			pairs = append(pairs, [2]git.ID{base, trees[n]}, [2]git.ID{base, trees[n+1]})
		}
		trees = trees[n+2:]
	}
	diffs, err := w.git.DiffTrees(pairs)
	if err != nil {
		return err
	}
	for _, m := range merges {
		n := 1 + 2*len(m.Bases)
		m.replaced = replacedFiles(m.committedDiff, diffs[0], diffs[1:n])
		diffs = diffs[n:]
	}
	return nil
}

// replacedFiles returns the files that findReplacedFiles describes, by path. gitToCommit has the differences between
// git's merge and the commit, baseToCommit those between the first base and the commit, and baseToSides, for each base,
// those between it and ours and those between it and theirs. A side changed a path only if it differs from every base.
func replacedFiles(gitToCommit, baseToCommit map[string]git.Difference, baseToSides []map[string]git.Difference) map[string]replacedFile {
	ours, theirs := baseToSides[0], baseToSides[1]
	hasFolder := func(side map[string]git.Difference, path string) bool {
		for p, d := range side {
			if d.To.Mode != 0 && strings.HasPrefix(p, path+"/") {
				return true
			}
		}
		return false
	}
	found := map[string]replacedFile{}
	consider := func(path string) {
		o, isOurs := ours[path]
		t, isTheirs := theirs[path]
		f := replacedFile{base: cmp.Or(o.From, t.From), oursChanged: isOurs, theirsChanged: isTheirs}
		f.ours, f.theirs, f.committed = f.base, f.base, f.base
		if isOurs {
			f.ours = o.To
		}
		if isTheirs {
			f.theirs = t.To
		}
		if d, differs := baseToCommit[path]; differs {
			f.committed = d.To
		}
		for i := 2; i < len(baseToSides); i += 2 {
			_, isOurs = baseToSides[i][path]
			_, isTheirs = baseToSides[i+1][path]
			f.oursChanged, f.theirsChanged = f.oursChanged && isOurs, f.theirsChanged && isTheirs
		}
		_, differs := gitToCommit[path]
		changed, other, _ := f.sides()
		switch {
		case f.oursChanged && f.theirsChanged && f.ours != f.theirs:
			if !changed.Mode.IsFile() || other.Mode.IsFile() || changed.ID == f.base.ID {
				return
			}
		case !differs || !f.base.Mode.IsFile() || changed.Mode.IsFile() || !f.oursChanged && !f.theirsChanged:
			return
		}
		f.oursFolder = f.ours.Mode == 0 && hasFolder(ours, path)
		f.theirsFolder = f.theirs.Mode == 0 && hasFolder(theirs, path)
		found[path] = f
	}
	for path := range ours {
		consider(path)
	}
	for path := range theirs {
		if _, done := ours[path]; !done {
			consider(path)
		}
	}
	return found
}

// sides returns the entry of the side whose change of f counts, and that of the other side. The change that counts is
// that of a file, if both sides changed f. isOurs reports whether it is the change of ours.
func (f replacedFile) sides() (changed, other git.Stage, isOurs bool) {
	if f.theirsChanged && (!f.oursChanged || f.theirs.Mode.IsFile()) {
		return f.theirs, f.ours, false
	}
	return f.ours, f.theirs, true
}

// describeEntry returns what a side has at a path instead of a regular file, as in "has a symbolic link". For no entry,
// it is "deleted the file".
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

// checkReplaced checks the selected paths of m.replaced and returns the results: "undone" if the commit does not follow
// a side that removed or replaced a file, and "lost" if it lacks the change of a file that the other side removed or
// replaced. A renamed file is checked at its new path. It must be called before other files of m are checked.
func (w *walk) checkReplaced(m *mergeJob) (results []CheckResult, err error) {
	var renames [2]map[string]string
	names := [2]string{"theirs", "ours"}
	for _, path := range slices.Sorted(maps.Keys(m.replaced)) {
		f := m.replaced[path]
		if !m.attributes.isSelected(path) {
			continue
		}
		result := CheckResult{Merge: m.ID, Path: path}
		changed, other, isOurs := f.sides()
		name, otherName, isFolder, otherSide := names[0], names[1], f.oursFolder, 0
		if isOurs {
			name, otherName, isFolder, otherSide = names[1], names[0], f.theirsFolder, 1
		}
		if !changed.Mode.IsFile() {
			// Only one side, or both in the same way, replaced or deleted the file, and the commit has something else.
			if f.committed.Mode == 0 && changed.Mode == 0 {
				continue
			}
			result.Findings = []merge.Finding{{Rule: "undone", Detail: name + " " + describeEntry(changed, false) + " here, and the merge does not"}}
			if changed.Mode == 0 {
				result.Findings[0].Detail = name + " deleted the file, and it is in the merge"
			}
			results = append(results, result)
			continue
		}
		// the name of the file in the side that renamed it
		target := path
		if other.Mode == 0 && !isFolder {
			if renames[otherSide] == nil {
				if renames[otherSide], err = w.git.Renames(m.Bases[0], [2]git.ID{m.Ours, m.Theirs}[otherSide]); err != nil {
					return nil, err
				}
			}
			target = cmp.Or(renames[otherSide][path], path)
			_, differs := m.committedDiff[target]
			isUnmerged := slices.ContainsFunc(m.unmerged, func(u git.Unmerged) bool { return u.Path == target })
			if target != path && (isUnmerged || !differs && driver.IsYAMLPath(target)) {
				continue // it is checked with the unmerged files, or is as git merged it
			}
		}
		isDeletion := slices.ContainsFunc(m.PathConflicts, func(n PathConflict) bool { return n.Path == path && n.File != nil })
		blobs, err := w.objects.Blobs(fileID(f.base), fileID(changed), fileID(f.committed))
		if err != nil {
			return nil, err
		}
		versions := [4][]byte{blobs[0], blobs[1], blobs[1], blobs[2]}
		switch {
		case target != path:
			named, err := w.objects.BlobsByName([2]git.ID{m.Ours, m.Theirs}[otherSide].String()+":"+target, m.ID.String()+":"+target)
			if err != nil {
				return nil, err
			}
			versions[1+otherSide], result.Path = named[0], target
			if named[1] != nil {
				versions[3] = named[1]
			}
		case isDeletion && f.committed.Mode == 0:
			if versions[3], err = w.restoredContent(path); err != nil {
				return nil, err
			}
			if versions[3] == nil { // it remained deleted, which everybody can see
				continue
			}
		case other.Mode == 0 && !isFolder && !isDeletion:
			result.NotChecked = name + " changed the file, and " + otherName + " deleted or renamed it"
		}
		switch {
		case result.NotChecked != "":
		case versions[3] == nil:
			result.Findings = []merge.Finding{{Rule: "lost", Detail: "the change of " + name + " is not in the merge; " + otherName + " " + describeEntry(other, isFolder) + " here"}}
			if target != path {
				result.Findings[0].Detail = "the file is missing, although neither parent deleted the file"
			}
		default:
			if target == path { // a person decided: only what is as in the base lacks the change
				versions[1+otherSide] = versions[3]
			}
			if result.Findings, err = w.newCase(m, result.Path, versions).File.Findings(versions[3]); err != nil {
				result.NotChecked = err.Error()
			}
		}
		if !isDeletion || result.NotChecked != "" || len(result.Findings) > 0 {
			results = append(results, result)
		}
	}
	return results, nil
}

// fileID returns the object id of s, or "" if it is not a regular file.
func fileID(s git.Stage) git.ID {
	if !s.Mode.IsFile() {
		return ""
	}
	return s.ID
}

// restoredContent returns the content of path, which a merge deleted, in the first of the newest commits of the check
// (w.tips) that has the file: a later commit restored it. It returns nil if it is deleted in all of them. The error is
// that of reading an object.
func (w *walk) restoredContent(path string) ([]byte, error) {
	for _, tip := range w.tips {
		blobs, err := w.objects.BlobsByName(tip.String() + ":" + path)
		if err != nil || blobs[0] != nil {
			return blobs[0], err
		}
	}
	return nil, nil
}
