package resolve

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/disk"
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

	work   []byte      // the file in the work tree, nil if there is none
	info   fs.FileInfo // of work
	text   []byte      // work as its blob would have it, but perhaps for line ends
	stages session.File
	result merge.Result
	rule   merge.Generated // that leaves it to be made again
	to     git.Stage       // what it is staged as
	skip   string          // why it stays as it is

	// What resolve -i knows beside.
	asked   *merge.Resolution
	known   []merge.Question // to asked
	byHand  bool             // it was edited since, and is taken as it is
	staged  bool
	sides   [2]string      // ours and theirs, for people
	changes []merge.Change // of both
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

// merge merges the stages, and writes the file; the error says why it stays as it is.
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
	isLeft := session.IsLeft(f.result)
	switch {
	case isLeft:
		f.rule, _ = m.Rule()
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
		return f.write()
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
	for dir := path.Dir(f.Path); dir != "."; dir = path.Dir(dir) {
		if info, err := os.Lstat(f.tree.File(dir)); err == nil && !info.IsDir() {
			return errors.New(dir + " is not a folder in the work tree")
		}
	}
	name := f.tree.File(f.Path)
	info, err := os.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist) && f.Force:
		return nil
	case errors.Is(err, fs.ErrNotExist):
		return errGone
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return errors.New("no regular file in the work tree")
	}
	f.info = info
	f.work, err = os.ReadFile(name)
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
		f.stages = f.resolver.in.File(f.Path, v[0], v[1], v[2])
		f.stages.RuleSet, _ = driver.RulesOf(f.attributes["merge"])
	}
	return err
}

// edited reports whether the file in the work tree is something else than what
// a machine left there: ours, or what git or this driver makes of the stages,
// in any style of conflicts, whatever the labels say, by the team's rules or as it
// did before these were changed. What cannot be told from an edit counts as one.
func (f *unmergedFile) edited() (bool, error) {
	blob, err := f.tree.Clean(f.Path, f.work)
	if err != nil {
		return true, err
	}
	size := f.merger("").MarkerSize
	isLeft := func(content []byte) bool {
		return merge.EqualButLabels(f.text, content, size) || merge.EqualButLabels(blob, content, size)
	}
	if isLeft(f.stages.Ours) {
		return false, nil
	}
	for _, rules := range []func() *session.Session{
		func() *session.Session { return f.resolver.in }, f.resolver.in.WithCommittedRules,
	} {
		in := rules()
		for _, style := range []string{"merge", "diff3", "zdiff3"} {
			m := f.merger(style)
			m.Session = in
			lines, _, err := merge.MergeLines(f.stages.Base, f.stages.Ours, f.stages.Theirs, m.Markers())
			fileLines, _, err2 := merge.MergeFileLines(f.stages.Base, f.stages.Ours, f.stages.Theirs, m.Markers())
			result, err3 := m.ByField()
			if err == nil && isLeft(lines) || err2 == nil && isLeft(fileLines) || err3 == nil && isLeft(result.Bytes) {
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

// decide answers questions about f together.
func (f *unmergedFile) decide(all map[int]merge.Answer) error {
	err := f.asked.DecideAll(all)
	if err == nil {
		f.known = nil
	}
	return err
}

// resume takes over what was edited since git merged f, or says why it cannot.
func (f *unmergedFile) resume() error {
	const since, again = "edited since git merged it", " (--force merges it again, and loses the edit)"
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

// errChanged says that somebody else was at work.
var errChanged = errors.New("it changed in this very moment")

// write gives the file in the work tree the result, with the permissions that it has, executable as
// the merge of the stages says. A file that was deleted gets its folder's.
func (f *unmergedFile) write() error {
	id, content, err := f.tree.Convert(f.Path, f.result.Bytes)
	if err != nil {
		return err
	}
	f.to = git.Stage{Mode: f.Mode(), ID: id}
	name := f.tree.File(f.Path)
	var perm fs.FileMode
	if f.info != nil {
		perm = f.info.Mode().Perm()
	} else {
		dir := filepath.Dir(name)
		if err := os.MkdirAll(dir, 0o777); err != nil {
			return err
		}
		info, err := os.Stat(dir)
		if err != nil {
			return err
		}
		perm = info.Mode().Perm() & 0o666
	}
	if perm &^= 0o111; f.Mode() == git.ModeExecutable {
		perm |= perm & 0o444 >> 2
	}
	if f.info != nil && bytes.Equal(content, f.work) && perm == f.info.Mode().Perm() {
		return nil
	}
	if now, err := disk.ReadIfAny(name); err != nil || !bytes.Equal(now, f.work) {
		return errors.Join(errChanged, err)
	}
	if err := disk.WriteRenamed(name, content, perm); err != nil {
		return fmt.Errorf("cannot replace it, so it is as it was: %w", err)
	}
	f.work = content
	f.info, err = os.Lstat(name)
	return err
}

// save writes the file and, if nothing is left to decide, stages it; if there is again, it takes that back.
func (f *unmergedFile) save() error {
	f.result = f.asked.Result()
	if err := f.write(); err != nil {
		return err
	}
	switch {
	case f.staged && !f.clean():
		f.staged = false
		return f.tree.Unstage(f.Unmerged)
	case f.clean() && f.Stage && !f.staged:
		return f.stageAs(f.to)
	}
	return nil
}

func (f *unmergedFile) stageAs(s git.Stage) error {
	f.to = s
	err := f.stage(f)
	if err == nil && !f.staged {
		err = errors.New(f.skip)
	}
	return err
}

// stage stages files. One whose stages somebody else changed meanwhile is skipped.
func (r *resolver) stage(files ...*unmergedFile) error {
	if len(files) == 0 {
		return nil
	}
	staged := make([]git.Staged, len(files))
	for i, f := range files {
		staged[i] = git.Staged{From: f.Unmerged, To: f.to}
	}
	changed, err := r.tree.Stage(staged)
	for i, f := range files {
		if f.staged = err == nil && !slices.Contains(changed, staged[i]); !f.staged {
			f.skip = "merged, but not staged: its stages changed in this very moment"
		}
	}
	return err
}
