package history

import (
	"cmp"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/driver"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/session"
	"github.com/git-merge-yaml/git-merge-yaml/gitattrs"
	"github.com/git-merge-yaml/git-merge-yaml/merge/program"
)

// A mergeJob is one merge of two commits that is merged again. openWalk or Preview creates it, prepareMerges adds the
// results of git merge-tree, and then mergeFiles or checkMerge adds the results for its files.
type mergeJob struct {
	git.Commit             // the merge commit; the commit of ours if Uncommitted
	Ours, Theirs  git.ID   // the commits to merge; for a pick, two temporary commits
	Bases         []git.ID // best common ancestors, newest first; for a pick, the parent of the picked commit
	Octopus       bool     // more than two parents: git calls no driver, and the merge is not done again
	CutOff        bool     // the common ancestor is missing in a shallow clone, so that the merge is not done again
	Uncommitted   bool     // the merge is not committed yet
	IsPick        bool     // a cherry-pick, a rebased commit or a revert
	isPreview     bool     // a merge that was not started yet
	PathConflicts []PathConflict
	Err           error // the merge failed

	pickBase         []git.ID                  // the parent of the picked commit, nil if not a pick
	mergedTree       git.ID                    // from git merge-tree, with ours of the files in unmerged; "" without a result
	unmerged         []git.Unmerged            // selected files that both sides changed differently
	identicalChanges []string                  // paths of files that both sides changed identically, and that the policy next may be about
	attributes       pathAttributes            // of all merges of the batch
	committedDiff    map[string]git.Difference // from mergedTree to the committed tree, by path; nil if Uncommitted
	replaced         map[string]replacedFile   // set in a check: files that cannot be compared as four files
	acceptTrailers   []string                  // set in a check: the values of the trailers with AcceptTrailer
	cases            []*Case                   // result of mergeFiles
	checkResults     []CheckResult             // result of checkMerge
	done             chan struct{}             // closed when the job is done
}

// A PathConflict is a conflict that is not about the content of a file, but about its existence, its name or its mode.
type PathConflict struct {
	// Path is from the top of the repository. Kind is the name that git prints: modify/delete, rename/rename and so on.
	// Only mergeStages has other values.
	Path, Kind string
	// File has the versions of a modify/delete conflict between regular files; the version of the deleting side is nil.
	// It is nil for all other conflicts.
	File           *session.File
	DeletedInMerge bool // the merge commit does not contain the file

	stages git.Unmerged // the zero value if git printed no stages for Path
}

// Values of PathConflict.Kind that matter here. The others are only printed.
const (
	ModifyDelete    = "modify/delete"                // one side deleted the file and the other side changed it
	renameCollision = "rename involved in collision" // one side renamed a file to a path that the other side uses
)

// pathAttributes has the git attribute "merge" of each path that the options select (Options.Paths, AllFiles). Other
// paths are missing.
type pathAttributes map[string]mergeAttribute

// A mergeAttribute is the git attribute "merge" of a path.
type mergeAttribute struct {
	value       string // "" if attributes are not read
	isOwnDriver bool   // it names a driver of this program; in a check, the attribute in the work tree does
}

// isSelected reports whether the options select the file at path, so that it is merged or checked.
func (a pathAttributes) isSelected(path string) bool { _, ok := a[path]; return ok }

// prepareMerges runs git for a batch of merges, with one process for all of them in each step, and sets the fields of
// each mergeJob that mergeFiles and checkMerge need. A merge of more than two branches gets only its trailers. The
// error is about the whole batch; if git cannot do one of the merges, its Err is set instead.
func (w *walk) prepareMerges(merges []*mergeJob) error {
	if w.isCheck {
		if err := w.readAcceptTrailers(merges); err != nil {
			return err
		}
	}
	merges = slices.DeleteFunc(slices.Clone(merges), func(m *mergeJob) bool { return m.Octopus })
	bases, err := w.git.MergeBases(sidePairs(merges))
	if err != nil {
		return err
	}
	var singleBase, multipleBases []*mergeJob // the former includes merges without a common ancestor
	for i, m := range merges {
		m.Bases = bases[i]
		if m.CutOff, err = w.isCutOff(m); err != nil {
			return err
		}
		switch {
		case m.CutOff:
		case len(m.Bases) > 1:
			multipleBases = append(multipleBases, m)
		default:
			singleBase = append(singleBase, m)
		}
	}
	results, err := w.mergeTrees(singleBase, multipleBases)
	if err != nil {
		return err
	}
	var committed []*mergeJob
	var pairs [][2]git.ID
	for _, m := range merges {
		if m.pickBase != nil {
			m.Bases = m.pickBase
		}
		if m.mergedTree != "" && !m.Uncommitted {
			committed, pairs = append(committed, m), append(pairs, [2]git.ID{m.mergedTree, m.Tree})
		}
	}
	diffs, err := w.git.DiffTrees(pairs)
	for i, diff := range diffs {
		committed[i].committedDiff = diff
	}
	if err := cmp.Or(err, w.findIdenticalChanges(merges)); err != nil {
		return err
	}
	if w.isCheck {
		if err := w.findReplacedFiles(merges); err != nil {
			return err
		}
	}
	attributes, err := w.readPathAttributes(merges, results)
	for _, m := range merges {
		m.attributes = attributes
	}
	for _, r := range results {
		r.recordConflicts()
	}
	return err
}

// sidePairs returns the commits of ours and theirs of each merge, in the order of merges; nil if there are none.
func sidePairs(merges []*mergeJob) (pairs [][2]git.ID) {
	for _, m := range merges {
		pairs = append(pairs, [2]git.ID{m.Ours, m.Theirs})
	}
	return pairs
}

// isCutOff reports whether m cannot be merged again because its common ancestor may be missing in a shallow clone: a
// commit that only one side contains lacks its parents. That counts even if git finds another common ancestor. It
// reports false for a pick, whose base is known. The error is that of git.
func (w *walk) isCutOff(m *mergeJob) (cut bool, err error) {
	if len(w.shallow) == 0 || m.IsPick {
		return false, nil
	}
	err = w.git.WalkCommits(nil, []string{m.Ours.String() + "..." + m.Theirs.String()}, func(c git.Commit) bool {
		cut = w.shallow[c.ID]
		return !cut
	})
	return cut, err
}

// A gitResult is the result of git merge-tree for a merge: the merged tree, the unmerged paths, and the messages about
// conflicts.
type gitResult struct {
	*mergeJob
	git.MergedTree
}

// mergeTrees runs git merge-tree for all jobs, sets mergedTree of each, and returns the results. Git leaves every file
// that both sides changed in conflict, so that mergeFiles merges it. The jobs in multipleBases have several common
// ancestors, which are merged with the driver of this program first; those in singleBase have at most one. If git fails
// for one job, its Err is set, and there is no result for it. The error is about all jobs.
func (w *walk) mergeTrees(singleBase, multipleBases []*mergeJob) (results []gitResult, err error) {
	baseDriver := gitattrs.Driver{Name: "drives", Rules: w.Session.RuleSet, Into: w.Session.Into, Own: w.Session.Options.Own}
	if len(multipleBases) > 0 {
		baseDriver.Program, _ = driver.ProgramPath()
		if baseDriver.Config = w.Session.Config; baseDriver.Config != "" {
			if baseDriver.Config, err = filepath.Abs(baseDriver.Config); err != nil {
				return nil, err
			}
		}
	}
	// The scratch repository has no attributes, so that merge.default selects the driver of all files. Several
	// common ancestors are merged into one with the driver of this program (merge.NAME.recursive), the two sides
	// with a driver that always fails.
	for _, run := range []struct {
		merges  []*mergeJob
		options []string
	}{
		{singleBase, []string{"-c", "merge.default=binary"}},
		{multipleBases, []string{
			"-c", "merge.default=fails", "-c", "merge.fails.driver=exit 1", "-c", "merge.fails.recursive=drives", "-c", baseDriver.Key("driver") + "=" + baseDriver.QuietLine(),
		}},
	} {
		err := w.git.MergeTrees(run.options, sidePairs(run.merges), func(i int, t git.MergedTree) {
			m := run.merges[i]
			if t.Failure != "" {
				m.Err = cmp.Or(m.Err, error(&git.Error{Args: []string{"merge-tree"}, Stderr: t.Failure}))
				return
			}
			m.mergedTree = t.Tree
			results = append(results, gitResult{m, t})
		})
		if err != nil {
			return nil, err
		}
	}
	return results, nil
}

// recordConflicts copies the conflicts of r, a result of git merge-tree, to the job that r belongs to. Only selected
// paths are copied, so the attributes of the job must be set.
//
//   - PathConflicts gets conflicts about existence, name or mode.
//   - unmerged gets the paths at which both sides have a file, so that its content can be merged; not after a rename
//     collision.
//
// A path can be in both.
func (r gitResult) recordConflicts() {
	m := r.mergeJob
	collided := map[string]bool{}
	for _, message := range r.Messages {
		kind, isConflict := strings.CutPrefix(message.Kind, "CONFLICT (")
		if kind = strings.TrimSuffix(kind, ")"); !isConflict || kind == "contents" || kind == "binary" {
			continue
		}
		for _, p := range message.Paths {
			collided[p] = collided[p] || kind == renameCollision
		}
		if path := message.Paths[0]; m.attributes.isSelected(path) {
			n := PathConflict{Path: path, Kind: kind}
			if k := slices.IndexFunc(r.Unmerged, func(u git.Unmerged) bool { return u.Path == path }); k >= 0 {
				n.stages = r.Unmerged[k]
			}
			m.PathConflicts = append(m.PathConflicts, n)
		}
	}
	for _, u := range r.Unmerged {
		if u.Ours.Mode.IsFile() && u.Theirs.Mode.IsFile() && !collided[u.Path] && m.attributes.isSelected(u.Path) {
			m.unmerged = append(m.unmerged, u)
		}
	}
}

// findIdenticalChanges sets m.identicalChanges of each merge: the paths, selected or not, of files that both sides
// changed identically, so that git merges them without a driver. If a side changed another file in the folder too, the
// policy "next" requires two version numbers. Nothing is set if the rules cannot be used; that is no error.
//
//	base               ours               theirs
//	version: 1.0       version: 1.1       version: 1.1
func (w *walk) findIdenticalChanges(merges []*mergeJob) error {
	rules, err := w.Session.Rules()
	if err != nil || rules == nil {
		return nil
	}
	merges = slices.DeleteFunc(slices.Clone(merges), func(m *mergeJob) bool { return len(m.Bases) == 0 || m.CutOff })
	var commits []git.ID
	for _, m := range merges {
		// of several common ancestors, only the first is compared
		commits = append(commits, m.Bases[0], m.Ours, m.Theirs)
	}
	trees, err := w.git.TreesOf(commits)
	var pairs [][2]git.ID
	for t := range slices.Chunk(trees, 3) {
		pairs = append(pairs, [2]git.ID{t[0], t[1]}, [2]git.ID{t[0], t[2]})
	}
	diffs, err2 := w.git.DiffTrees(pairs)
	if err := cmp.Or(err, err2); err != nil {
		return err
	}
	for i, m := range merges {
		ours, theirs := diffs[2*i], diffs[2*i+1]
		for path, d := range ours {
			if d != theirs[path] || !d.From.Mode.IsFile() || !d.To.Mode.IsFile() || !program.HasNextVersion(rules, path) {
				continue
			}
			folder := path[:strings.LastIndexByte(path, '/')+1]
			// Without another difference in the folder, the two sides contain the same release.
			if hasOtherChangeIn(folder, ours, theirs) || hasOtherChangeIn(folder, theirs, ours) {
				m.identicalChanges = append(m.identicalChanges, path)
			}
		}
	}
	return nil
}

// hasOtherChangeIn reports whether side has a change in folder, at any depth, that other does not have in the same way.
// side and other are the changes of the two sides by path; nil means none. Changes that only other has do not count.
// folder ends with a slash, as in "web/"; "" is the top of the repository.
func hasOtherChangeIn(folder string, side, other map[string]git.Difference) bool {
	for path, d := range side {
		if strings.HasPrefix(path, folder) && d != other[path] {
			return true
		}
	}
	return false
}

// selectPaths returns those of paths that the user selected with Options.Paths and AllFiles. paths are from the top of
// the repository; the slice may be changed. Files that are not YAML are left out, unless a pathspec has their
// extension: *.json selects JSON files, but charts/ only YAML. With AllFiles and without Paths, all are returned. The
// error is that of git.
func (w *walk) selectPaths(paths []string) (selected []string, err error) {
	switch {
	case len(w.Paths) > 0:
		index := filepath.Join(w.tempDir, "selected")
		defer os.Remove(index)
		selected, err = git.Git{}.SelectPaths(paths, w.Paths, index)
	case w.AllFiles:
		return paths, nil
	default:
		selected = paths
	}
	return slices.DeleteFunc(selected, func(p string) bool {
		ext := path.Ext(p)
		hasSameExt := func(pathspec string) bool { return ext != "" && path.Ext(pathspec) == ext }
		return !driver.IsYAMLPath(p) && !slices.ContainsFunc(w.Paths, hasSameExt)
	}), err
}

// readPathAttributes returns the merge attribute of each selected path that may be merged or checked in this batch.
// Other paths are missing in the result, so that it also tells which paths are selected. If the walk reads no
// attributes, each value is the zero mergeAttribute. The error is that of git.
func (w *walk) readPathAttributes(merges []*mergeJob, results []gitResult) (pathAttributes, error) {
	var paths []string
	for _, r := range results {
		for _, u := range r.Unmerged {
			paths = append(paths, u.Path)
		}
		for _, message := range r.Messages {
			paths = append(paths, message.Paths...)
		}
	}
	for _, m := range merges {
		paths = append(slices.AppendSeq(paths, maps.Keys(m.replaced)), m.identicalChanges...)
		for path := range m.committedDiff {
			paths = append(paths, path)
		}
	}
	slices.Sort(paths)
	selected, err := w.selectPaths(slices.Compact(paths))
	all := pathAttributes{}
	for _, path := range selected {
		all[path] = mergeAttribute{}
	}
	for _, read := range []attributeReader{w.readAttributes, w.readWorkTreeAttributes} {
		if err != nil || read == nil {
			continue
		}
		var values []map[string]string
		values, err = read(selected, "merge")
		for i, v := range values {
			a := all[selected[i]]
			if _, a.isOwnDriver = driver.RuleSetForAttribute(v["merge"]); a.value == "" {
				a.value = v["merge"]
			}
			all[selected[i]] = a
		}
	}
	return all, err
}
