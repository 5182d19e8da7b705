package resolve

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/driver"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/history"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/session"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// An unmergedFile is a file on its way through resolve.
type unmergedFile struct {
	git.Unmerged
	*resolver
	attributes map[string]string
	named      bool // by the user, alone

	writing
	work   []byte      // the file in the work tree, nil if there is none
	info   fs.FileInfo // of work
	text   []byte      // work as its blob would have it, but perhaps for line ends
	stages session.File
	result merge.Result
	rule   merge.Generated // that leaves it to be made again
	skip   string          // why it stays as it is

	// What resolve -i knows beside.
	asked   *merge.Resolution
	known   []merge.Question // to asked
	byHand  bool             // it was edited since, and is taken as it is
	sides   [2]string        // ours and theirs, for people
	changes []merge.Change   // of both
}

func (f *unmergedFile) clean() bool { return f.skip == "" && f.result.Clean() }

// merger returns the merge that git would have the driver do, with conflicts
// in a style, "" for what git is configured to, and the labels and the size of
// the markers that are in the file already.
func (f *unmergedFile) merger(style string) *driver.Merger {
	size, err := strconv.Atoi(f.attributes["conflict-marker-size"])
	if err != nil || size < 1 || size > driver.MaxMarkerSize {
		size = merge.DefaultMarkerSize // as git gives a driver in %L
	}
	labels, size := readMarkers(f.text, size)
	return driver.New(f.stages, driver.Options{Labels: labels, MarkerSize: size, Style: style})
}

// readMarkers returns the labels ours, base, theirs of the first conflict in a
// file, the roles' names where it has none, and the size of its markers: as
// given, or more where git merged renamed files or conflicts within conflicts.
func readMarkers(file []byte, size int) (labels [3]string, length int) {
	const maxNesting = 8 // how much longer than asked git's markers may be
	for length = size; length <= size+maxNesting; length++ {
		if all := merge.ParseConflicts(file, length); len(all) > 0 {
			k := all[0].Markers
			return [3]string{cmp.Or(k.Ours, "ours"), cmp.Or(k.Base, "base"), cmp.Or(k.Theirs, "theirs")}, length
		}
	}
	return [3]string{"ours", "base", "theirs"}, size
}

// mergeable is nil if the stages of f are some to be merged, else the reason.
func (f *unmergedFile) mergeable() error {
	m := f.attributes["merge"]
	_, ours := driver.RulesOf(m)
	switch why := history.OfNames(f.Unmerged); {
	case why != "":
		return errors.New(why)
	case f.attributes["filter"] == "lfs":
		return errors.New("kept by git LFS")
	case !f.named && m != "unspecified" && !ours:
		return errors.New("its merge attribute is " + m + " (name it alone to have it merged)")
	}
	return nil
}

// merge merges the stages, and prepares to write the file; the error says why it stays as it is.
func (f *unmergedFile) merge() error {
	for _, do := range []func() error{f.mergeable, f.read, f.readStages} {
		if err := do(); err != nil {
			return err
		}
	}
	if driver.BeyondLines(f.stages.Base, f.stages.Ours, f.stages.Theirs) {
		return errors.New("binary")
	}
	m := f.merger("")
	m.Resolve = f.Resolve
	var err error
	if f.result, err = m.Run(false); err != nil {
		return err
	}
	m = f.merger("")
	isLeft := session.NeedsRegeneration(f.result)
	switch {
	case isLeft:
		f.rule, _ = m.GeneratedRule()
		if len(merge.ParseConflicts(f.text, 0)) == 0 {
			return nil
		}
	case f.Ask && !f.result.Clean() && !slices.ContainsFunc(f.result.Conflicts, isEncrypted):
		asked, err := merge.NewResolution(f.stages.Base, f.stages.Ours, f.stages.Theirs, m.LibraryOptions())
		if err != nil {
			return err
		}
		// Of what is merged by lines since the team's rules have a mistake nothing is asked.
		if result := asked.Result(); !f.byLines() || len(asked.Questions()) > 0 && result.Reason == f.result.Reason {
			f.asked, f.result = asked, result
		}
	}
	edited := false
	if !f.Force {
		edited, err = f.edited()
	}
	switch {
	case err != nil:
		return err
	case !edited:
		return f.prepare()
	case isLeft:
		return nil
	}
	return f.resume()
}

// isEncrypted reports whether only SOPS can decide c, so that no question about its file could settle the file.
func isEncrypted(c merge.Conflict) bool { return c.Kind == merge.ConflictEncrypted }

var errGone = errors.New("deleted in the work tree (--force brings it back, merged)")

// read reads the file in the work tree, or says why it cannot be replaced.
func (f *unmergedFile) read() (err error) {
	f.info, f.work, err = f.readFile(f.Path)
	if errors.Is(err, fs.ErrNotExist) {
		if f.Force {
			return nil
		}
		return errGone
	}
	filtered := f.attributes["filter"] != "unspecified" || f.attributes["working-tree-encoding"] != "unspecified"
	if f.text = f.work; err == nil && filtered {
		f.text, err = f.tree.Clean(f.Path, f.work)
	}
	return err
}

// readStages reads the three versions; that of a base that is missing, where
// both sides added the file, is empty.
func (f *unmergedFile) readStages() error {
	v, err := f.objects.Blobs(f.Base.ID, f.Ours.ID, f.Theirs.ID)
	if err == nil {
		f.stages = f.resolver.in.NewFile(f.Path, v[0], v[1], v[2])
		f.stages.RuleSet, _ = driver.RulesOf(f.attributes["merge"])
	}
	return err
}

// edited reports whether the file in the work tree is a person's decision. It is none if it has the conflicts that git
// or this driver writes for the stages: in any style, with any labels, by the team's rules or as it did before these were
// changed. Nor is it if it is the clean result of this merge, which a run before may have written and not staged, or if it
// is ours and git merges the file as binary, which writes no markers. A file without the markers is edited, also if it
// is ours (git checkout --ours) or what another merge gives. What cannot be told from an edit counts as one.
func (f *unmergedFile) edited() (bool, error) {
	blob, err := f.tree.Clean(f.Path, f.work)
	if err != nil {
		return true, err
	}
	size := f.merger("").MarkerSize
	isLeft := func(content []byte) bool {
		return merge.EqualButLabels(f.text, content, size) || merge.EqualButLabels(blob, content, size)
	}
	switch asBinary := f.attributes["merge"] == "unset" || f.attributes["merge"] == "binary"; {
	case asBinary && isLeft(f.stages.Ours), f.result.Clean() && isLeft(f.result.Bytes):
		return false, nil
	}
	for _, in := range []*session.Session{f.resolver.in, f.resolver.head} {
		for _, style := range []string{"merge", "diff3", "zdiff3"} {
			m := f.merger(style)
			m.Session = in
			lines, n, err := merge.MergeLines(f.stages.Base, f.stages.Ours, f.stages.Theirs, m.Markers())
			fileLines, fileN, err2 := merge.MergeFileLines(f.stages.Base, f.stages.Ours, f.stages.Theirs, m.Markers())
			result, err3 := m.ByField()
			if err == nil && n > 0 && isLeft(lines) || err2 == nil && fileN > 0 && isLeft(fileLines) || err3 == nil && !result.Clean() && isLeft(result.Bytes) {
				return false, nil
			}
		}
	}
	return true, nil
}

// byLines reports whether f is not merged as YAML, so that nothing is verified.
func (f *unmergedFile) byLines() bool { return f.result.Method == merge.Delegated }

// questions returns the conflicts of f, decided or not.
func (f *unmergedFile) questions() []merge.Question {
	if f.skip == "" && f.asked != nil && f.known == nil {
		f.known = f.asked.Questions()
	}
	return f.known
}

// resume takes over what was edited since git merged f, or says why it cannot.
func (f *unmergedFile) resume() error {
	const since, again = "edited since git merged it", " (--force merges it again, and loses the edit)"
	if f.asked == nil && bytes.Equal(f.text, f.stages.Ours) {
		return errors.New("it is ours, without conflict markers, so it counts as decided: git add it (--force merges it again)")
	}
	if f.asked == nil {
		return errors.New(since + again)
	}
	err := f.asked.Resume(f.text)
	_, broken := errors.AsType[*merge.AnswerError](err)
	switch {
	case err == nil:
		f.byHand, f.result = true, f.asked.Result()
		return nil
	case broken:
		return fmt.Errorf("%s, and not YAML now: %w%s", since, err, again)
	case errors.Is(err, merge.ErrHalfResolved):
		return fmt.Errorf("%s: %w: finish that one by hand, down to its markers, and run this again%s", since, err, again)
	}
	return errors.New(since + ", also outside of its conflicts: go on by hand, and git add it" + again)
}
