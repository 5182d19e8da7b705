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
	RenameCollision = "rename involved in collision" // one side renamed a file to a path that the other side uses
)

// pathAttributes has the git attribute "merge" of each path that the options select (Options.Paths, AllFiles). Other
// paths are missing.
type pathAttributes map[string]mergeAttribute

// A mergeAttribute is the git attribute "merge" of a path.
type mergeAttribute struct {
	value  string // "" if attributes are not read
	isOurs bool   // it names a driver of this program; in a check, the attribute in the work tree does
}

// isSelected reports whether the options select the file at path, so that it is merged or checked.
func (a pathAttributes) isSelected(path string) bool { _, ok := a[path]; return ok }

// prepareMerges runs git for a batch of merges, with one process for all merges of the batch in each step. For each
// merge, it sets these fields:
//
//	Bases              the common ancestors; for a pick (a cherry-picked, rebased or reverted commit), its parent
//	CutOff             whether the common ancestor is missing in a shallow clone
//	mergedTree         the tree that git merge-tree creates
//	unmerged           the selected paths with content that git did not merge
//	PathConflicts      the selected paths with other conflicts
//	identicalChanges   the files that both sides changed in the same way, and that may need a decision
//	attributes         the merge attributes of the selected paths, the same map in all merges
//	committedDiff      the differences between mergedTree and the committed tree; nil if not committed
//	acceptTrailers     in a check, the trailers that accept findings
//	replaced           in a check, the files that cannot be compared as four files
//
// A merge of more than two branches is skipped. If CutOff is set, only Bases, CutOff and attributes are set.
//
// An error is about the whole batch. If git cannot merge one of the merges, its Err is set instead.
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

// isCutOff reports whether the common ancestor of m is unknown because the clone is shallow: a commit that only one
// side contains has no parents in this clone. It reports false if the clone is not shallow, and for a pick (a
// cherry-picked, rebased or reverted commit), for which the base is the parent of that commit. The error is that of
// git.
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

// mergeTrees runs git merge-tree for all jobs. It returns the result for each job (merged tree, unmerged paths,
// messages) and sets mergedTree of the job. First come the results of singleBase (jobs with at most one common
// ancestor), then those of multipleBases. If git fails for a job, mergeTrees sets Err instead and returns no result for
// that job. If git fails as a whole, it returns an error and no results.
//
// The scratch repository does not have the attributes of the user's repository. The files therefore have no merge
// attribute, and merge.default selects one driver for every file that both sides changed:
//
//	singleBase      merge.default=binary: leaves the file in conflict
//	multipleBases   a driver that always fails: leaves the file in conflict, but the common ancestors are merged
//	                into one with the driver of this program (merge.NAME.recursive)
//
// The content of these files is merged afterwards, by mergeFiles.
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

// recordConflicts adds the conflicts of r, a result of git merge-tree, to the job of r. Paths that the options do not
// select are ignored. It appends
//
//   - to PathConflicts each conflict that is not about content, such as modify/delete or rename/rename. It has the path
//     and the kind that git prints, and the stages if the path is unmerged
//   - to unmerged each path with a regular file in both sides that git did not merge
//
// There is one exception: one side renamed a file to a path that the other side uses for another file. The path is not
// added to unmerged then, because the two versions there are different files.
func (r gitResult) recordConflicts() {
	m := r.mergeJob
	collided := map[string]bool{}
	for _, message := range r.Messages {
		kind, isConflict := strings.CutPrefix(message.Kind, "CONFLICT (")
		if kind = strings.TrimSuffix(kind, ")"); !isConflict || kind == "contents" || kind == "binary" {
			continue
		}
		for _, p := range message.Paths {
			collided[p] = collided[p] || kind == RenameCollision
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

// findIdenticalChanges sets m.identicalChanges of each merge: the paths of the files that both sides changed
// identically, and that may nevertheless need a decision. The policy "next" of a rules file gives each of two releases
// its own version number. If both sides changed version 1.0 to 1.1, git merges that without a driver:
//
//	base               ours               theirs
//	version: 1.0       version: 1.1       version: 1.1
//
// A path is included if
//
//   - the file is a regular file in the base and in both sides,
//   - the rules have the policy next for a version number in the file, and
//   - one side changed another file of the folder, or of a folder below, in a way that the other side did not.
//
// Without such a change the two sides contain the same release. The paths are in no order. Only the first common
// ancestor is compared; merges without one, or with CutOff, are left out. If there are no rules, or if they cannot be
// used, nothing is set and the error is nil. The error is that of git.
func (w *walk) findIdenticalChanges(merges []*mergeJob) error {
	rules, err := w.Session.Rules()
	if err != nil || rules == nil {
		return nil
	}
	merges = slices.DeleteFunc(slices.Clone(merges), func(m *mergeJob) bool { return len(m.Bases) == 0 || m.CutOff })
	var commits []git.ID
	for _, m := range merges {
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
			if hasOtherChangeIn(folder, ours, theirs) || hasOtherChangeIn(folder, theirs, ours) {
				m.identicalChanges = append(m.identicalChanges, path)
			}
		}
	}
	return nil
}

// hasOtherChangeIn reports whether one side has a change in a folder, or in a folder below, that the other side does
// not have or has in another way. side and other are the changes of the two sides by path; nil means no changes. The
// folder ends with a slash, as in "web/"; "" is the top of the repository.
func hasOtherChangeIn(folder string, side, other map[string]git.Difference) bool {
	for path, d := range side {
		if strings.HasPrefix(path, folder) && d != other[path] {
			return true
		}
	}
	return false
}

// selectPaths returns those of paths that the options select, which may be none. paths are from the top of the
// repository.
//
//	Options.Paths set       the paths that match one of these pathspecs and are YAML files, or have the same
//	                        extension as a pathspec
//	Options.AllFiles set    all paths: the same slice
//	neither                 the YAML files; the slice is filtered in place
//
// If both are set, Options.Paths decides. The error is that of git.
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

// readPathAttributes returns the merge attribute of each path in this batch that the options select (Options.Paths,
// AllFiles; YAML files by default). A path that is not selected is missing in the result. The paths of a batch are
//
//   - the unmerged paths, and those of conflicts, in results
//   - the files that both sides of a merge changed identically (m.identicalChanges), and those of m.replaced
//   - the files in which the committed tree of a merge differs from the tree of git merge-tree
//
// If the walk does not read attributes, the value of each selected path is the zero mergeAttribute. The map is never
// nil. The error is that of git.
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
			if _, a.isOurs = driver.RuleSetForAttribute(v["merge"]); a.value == "" {
				a.value = v["merge"]
			}
			all[selected[i]] = a
		}
	}
	return all, err
}
