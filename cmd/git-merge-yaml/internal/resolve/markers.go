package resolve

import (
	"bytes"
	"errors"
	"os"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/disk"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/driver"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/terminal"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
	"github.com/git-merge-yaml/git-merge-yaml/merge/linemerge"
)

// The errors of versionsOfMarkers.
var (
	errNoMarkers    = errors.New("no conflict markers")
	errStrayMarkers = errors.New("a conflict marker is left without the others of its conflict")
	errNoBase       = errors.New(`not unmerged in git's index, and the conflict markers have no base; write them again in the style diff3 (git's setting merge.conflictStyle, or "patch --merge=diff3"), or edit the file by hand`)
)

// versionsOfMarkers returns the versions of a file with conflict markers of size characters. Each has its own lines in
// place of each conflict, and all lines outside of conflicts.
//
//	errNoBase          a conflict lacks the base, as in the style merge; base is nil
//	errNoMarkers       no conflict; all versions are nil
//	errStrayMarkers    a marker outside of a complete conflict; all versions are nil
func versionsOfMarkers(file []byte, size int) (base, ours, theirs []byte, err error) {
	all, end := linemerge.ParseConflicts(file, size), 0
	if len(all) == 0 {
		return nil, nil, nil, errNoMarkers
	}
	for _, c := range all {
		if c.Markers.Style == linemerge.StyleMerge {
			err = errNoBase
		}
		outside := file[end:c.Start]
		base = append(append(base, outside...), c.Base...)
		ours = append(append(ours, outside...), c.Ours...)
		theirs = append(append(theirs, outside...), c.Theirs...)
		end = c.End
	}
	base, ours, theirs = append(base, file[end:]...), append(ours, file[end:]...), append(theirs, file[end:]...)
	for line := range bytes.Lines(append(append(base[:len(base):len(base)], ours...), theirs...)) {
		if char, _ := driver.ParseMarker(line, size); char != 0 {
			return nil, nil, nil, errStrayMarkers
		}
	}
	if err != nil {
		base = nil
	}
	return base, ours, theirs, err
}

// withoutHoisted returns the base of a file with markers in the style zdiff3, which moves common lines of both sides
// out of a conflict: without each line directly above or below a conflict whose key (see lineKey) is also in the base
// of the conflict, here the last one.
//
//	<<<<<<< ours             result
//	image: web:2             image: web:1
//	||||||| base             replicas: 1
//	image: web:1
//	replicas: 1
//	=======
//	image: web:3
//	>>>>>>> theirs
//	replicas: 3
func withoutHoisted(file []byte, size int) (base []byte) {
	end := 0
	var previous map[string]bool // the keys in the base of the conflict above
	appendOutside := func(text []byte, next map[string]bool) {
		lines := bytes.SplitAfter(text, []byte("\n"))
		from, to := 0, len(lines)
		for from < to && previous[lineKey(lines[from])] {
			from++
		}
		for to > from && len(lines[to-1]) == 0 {
			to--
		}
		for to > from && next[lineKey(lines[to-1])] {
			to--
		}
		base = append(base, bytes.Join(lines[from:to], nil)...)
	}
	for _, c := range linemerge.ParseConflicts(file, size) {
		keys := map[string]bool{}
		for line := range bytes.Lines(c.Base) {
			if key := lineKey(line); key != "" {
				keys[key] = true
			}
		}
		appendOutside(file[end:c.Start], keys)
		base = append(base, c.Base...)
		previous, end = keys, c.End
	}
	appendOutside(file[end:], nil)
	return base
}

// lineKey returns the part of a line of YAML before its first colon, with the indentation and the dash of an item, as
// in "- name". It returns "" for a line without a colon, or with nothing but blanks before it.
func lineKey(line []byte) string {
	key, _, ok := strings.Cut(string(line), ":")
	if !ok || strings.TrimSpace(key) == "" {
		return ""
	}
	return key
}

// keepConflicts returns merged with as few changes of conflicts as possible: a conflict that file also has, with the
// same lines of ours and theirs, is written exactly as in file, with its labels, its style and its base. size is the
// size of the markers in both.
func keepConflicts(merged, file []byte, size int) (out []byte) {
	old, end := linemerge.ParseConflicts(file, size), 0
	for _, c := range linemerge.ParseConflicts(merged, size) {
		out = append(out, merged[end:c.Start]...)
		text := merged[c.Start:c.End]
		for i, o := range old {
			if bytes.Equal(o.Ours, c.Ours) && bytes.Equal(o.Theirs, c.Theirs) {
				text, old = file[o.Start:o.End], old[i+1:]
				break
			}
		}
		out, end = append(out, text...), c.End
	}
	return append(out, merged[end:]...)
}

// mergeVersionsOfMarkers merges an edited file again without losing the edits: ours and theirs are read from the
// conflict markers in the work tree and the lines around them, and the base from the index. It changes f.stages,
// f.result, f.resolution and f.editedByUser. f.resolution is nil unless conflicts are left that may be answered. It
// fails if the markers are incomplete or missing, or if the merge fails; f.stages has then changed in the second case.
func (f *unmergedFile) mergeVersionsOfMarkers() error {
	size := f.newMerger("").MarkerSize
	_, ours, theirs, err := versionsOfMarkers(f.cleaned, size)
	if err != nil && !errors.Is(err, errNoBase) {
		return err
	}
	// the base is that of the index
	f.stages.Ours, f.stages.Theirs = ours, theirs
	m := f.newMerger("")
	m.Resolve = f.Resolve
	if f.result, err = m.Run(false); err != nil {
		return err
	}
	if f.resolution = nil; f.AcceptAnswers || f.Resolve != "" {
		m.Resolve = ""
		if err := f.openResolution(m); err != nil {
			return err
		}
	}
	f.editedByUser, f.cachedQuestions, f.cachedChanges = true, nil, nil
	return nil
}

// reduceConflicts merges f again from the versions in its conflict markers, to make its conflicts smaller
// (Options.Markers), and prepares the result for writing. If the result has no fewer lines in conflict, the file stays
// as it is, and its conflicts are not asked about (f.resolution is nil). The error is that of mergeVersionsOfMarkers or
// of git.
func (f *unmergedFile) reduceConflicts() error {
	if err := f.mergeVersionsOfMarkers(); err != nil {
		return err
	}
	size := f.newMerger("").MarkerSize
	if !hasFewerConflictLines(f.result, f.cleaned, size) {
		f.resolution = nil
		return nil
	}
	if f.resolution == nil {
		f.result.Bytes = keepConflicts(f.result.Bytes, f.cleaned, size)
	}
	return f.prepareWrite()
}

// hasFewerConflictLines reports whether res, a result of merging the versions in the markers of file, has no conflicts,
// or fewer lines in conflict than file. size is the size of the markers in both.
func hasFewerConflictLines(res merge.Result, file []byte, size int) bool {
	return res.Clean() || driver.LinesInConflict(res.Bytes, size) < driver.LinesInConflict(file, size)
}

// markedFiles splits paths, in their order, into files that have a complete conflict between markers and are not
// unmerged in the index, and all others, such as folders, pathspecs and files that cannot be read. tree is nil outside
// of a work tree; the index is then ignored, as it is if git fails.
func markedFiles(tree *git.WorkTree, paths []string) (marked, others []string) {
	for _, name := range paths {
		data, err := os.ReadFile(name)
		isMarked := err == nil
		if isMarked {
			_, size := readMarkers(data, linemerge.DefaultMarkerSize, nil)
			isMarked = len(linemerge.ParseConflicts(data, size)) > 0
		}
		if isMarked && tree != nil {
			unmerged, err := tree.Unmerged([]string{name})
			isMarked = err != nil || len(unmerged) == 0
		}
		if isMarked {
			marked = append(marked, name)
		} else {
			others = append(others, name)
		}
	}
	return marked, others
}

// resolveMarkedFile merges a file from the versions in its conflict markers, and replaces it if fewer lines are in
// conflict then. It is for files that are not unmerged in the index, or in no repository; nothing is staged. name is
// the path, relative to the current directory or absolute. It prints how the file ended, and sets r.unresolved if
// conflicts are left or the file is skipped because of an error.
func (r *resolver) resolveMarkedFile(name string) {
	m, res, err := r.mergeMarkedFile(name)
	left := terminal.CountNoun(len(res.Conflicts), "conflict")
	switch {
	case err != nil:
		r.printLine("%s: skipped: %v", name, err)
	case bytes.Equal(res.Bytes, m.Marked):
		r.printLine("%s: unchanged, %s left; edit the file by hand", name, left)
	case !res.Clean():
		r.printLine("%s: %s left; edit the file by hand", name, left)
	default:
		r.printLine("%s: resolved", name)
	}
	r.unresolved = r.unresolved || err != nil || !res.Clean()
	if err == nil {
		res.LineConflicts = 0 // stdout already contains the number of conflicts
		for _, line := range m.Messages(name, res) {
			terminal.PrintLine(r.Stderr, "%s", line)
		}
	}
}

// A markedMerger merges the versions in the conflict markers of a file, whose content is Marked.
type markedMerger struct {
	*driver.Merger
	Marked []byte
}

// mergeMarkedFile merges the file with this name from the versions in its conflict markers, and replaces it if fewer
// lines are in conflict then. Otherwise res.Bytes is its content as it is. It prints nothing; m has the merged
// versions, for messages. It returns an error if the file cannot be read or written, if its markers are incomplete or
// have no base, or if the merge fails.
func (r *resolver) mergeMarkedFile(name string) (m markedMerger, res merge.Result, err error) {
	if m.Marked, err = disk.Read(name); err != nil {
		return m, res, err
	}
	labels, size := readMarkers(m.Marked, linemerge.DefaultMarkerSize, nil)
	base, ours, theirs, err := versionsOfMarkers(m.Marked, size)
	if err != nil {
		return m, res, err
	}
	m.Merger = driver.New(r.session.NewFile(r.session.RepoPath(name), base, ours, theirs), driver.Options{
		Labels: labels, MarkerSize: size, Style: "diff3", Resolve: r.Resolve,
	})
	isBetter := func() bool {
		res, err = m.MergeByField()
		return err == nil && hasFewerConflictLines(res, m.Marked, size)
	}
	better := isBetter()
	if !better && res.Method == merge.MethodDelegated {
		m.Base = withoutHoisted(m.Marked, size)
		better = isBetter()
	}
	switch {
	case err != nil:
		return m, res, err
	case !better:
		res.Bytes = m.Marked
		return m, res, nil
	}
	res.Bytes = keepConflicts(res.Bytes, m.Marked, size)
	return m, res, disk.Replace(name, res.Bytes)
}
