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

// versionsOfMarkers returns the versions of a file with conflict markers of size characters: each has its own lines in
// place of each conflict, and all lines outside of the conflicts. If a conflict has no base, as in the style merge,
// base is nil and the error is errNoBase; ours and theirs are valid nevertheless.
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

// withoutHoisted returns the base of a file with markers in the style zdiff3, which writes common lines of both sides
// outside of the conflict. The base leaves out lines directly above or below a conflict if the conflict's base has a
// line with the same key; versionsOfMarkers would return both.
//
//	<<<<<<< ours                    base of versionsOfMarkers    result
//	image: web:2                    image: web:1                 image: web:1
//	||||||| base                    replicas: 1                  replicas: 1
//	image: web:1                    replicas: 3
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

// lineKey returns the part of a line of YAML before the first colon, with its indentation, or "" if there is none.
func lineKey(line []byte) string {
	key, _, ok := strings.Cut(string(line), ":")
	if !ok || strings.TrimSpace(key) == "" {
		return ""
	}
	return key
}

// keepConflicts returns merged with the conflicts that file has too written as in file, with their labels and style.
// Only conflicts that the merge changed differ from those of file then.
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

// useMarkers merges the versions in the conflict markers of the file in the work tree, so that edits outside of the
// conflicts are kept. It replaces ours and theirs in f.stages, and sets f.result, f.editedByUser and, if conflicts may
// be answered, f.resolution. The error is the reason why it cannot be done.
func (f *unmergedFile) useMarkers() error {
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

// mergeMarkers merges f, which is unmerged in the index, by the conflict markers in the file (Options.Markers), and
// prepares the result for writing. It returns nil and prepares nothing if the result would have as many lines in
// conflict as the file, or more. The error is another reason why the file is left unchanged.
func (f *unmergedFile) mergeMarkers() error {
	if err := f.useMarkers(); err != nil {
		return err
	}
	size := f.newMerger("").MarkerSize
	if !f.result.Clean() && driver.LinesInConflict(f.result.Bytes, size) >= driver.LinesInConflict(f.cleaned, size) {
		f.resolution = nil
		return nil
	}
	if f.resolution == nil {
		f.result.Bytes = keepConflicts(f.result.Bytes, f.cleaned, size)
	}
	return f.prepareWrite()
}

// markedFiles returns those of paths that are files with conflict markers, and the others. A path that the index lists
// as unmerged is one of the others. tree is nil outside of a work tree.
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

// resolveMarked merges a file that is not unmerged in the index, or in no repository, by the conflict markers in it, and
// replaces the file if that decides a conflict. name is its path, relative to the current directory or absolute. It
// prints how the file ended, and sets r.unresolved unless no conflicts are left.
func (r *resolver) resolveMarked(name string) {
	m, res, err := r.mergeMarked(name)
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

// mergeMarked merges a file as resolveMarked does, and replaces it. The bytes of the result are those of the file, with
// all of its conflicts, if the merge leaves as many lines in conflict.
func (r *resolver) mergeMarked(name string) (m markedMerger, res merge.Result, err error) {
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
	before := driver.LinesInConflict(m.Marked, size)
	isBetter := func() bool {
		res, err = m.MergeByField()
		return err == nil && (res.Clean() || driver.LinesInConflict(res.Bytes, size) < before)
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
