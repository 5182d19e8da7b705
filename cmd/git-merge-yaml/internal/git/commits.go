package git

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/disk"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/terminal"
)

// A Commit is a commit of a history, as [Git.WalkCommits] reads it.
type Commit struct {
	ID            ID
	Tree          ID
	Parents       []ID
	Time          time.Time // of the commit, in UTC; not the author's
	Subject       string
	authorKey     string // the author's name, email and time; kept when a commit is picked or rebased
	reflogMessage string // the reflog's message about it, with --walk-reflogs
}

// errStop ends WalkCommits early.
var errStop = errors.New("enough")

// WalkCommits calls visit with each commit that `git log` lists for the revisions, in git's order, until visit returns
// false, which is no error. options are options of git log, such as --all. Without revisions, git starts at HEAD unless
// the options name commits. Replacements (refs/replace) are ignored, so that the history is as it was written.
func (g Git) WalkCommits(options, revisions []string, visit func(Commit) bool) error {
	const format = "--format=%ct %H %T %P%x00%s%x00%an%x01%ae%x01%at%x00%gs"
	args := slices.Concat([]string{"log", "--no-show-signature", "--no-color", format}, options, []string{"--end-of-options"}, revisions, []string{"--"})
	err := g.withoutReplaceRefs().runStreaming(nil, args, func(r *bufio.Reader) error {
		for {
			line, err := r.ReadString('\n')
			if err != nil {
				return err
			}
			fields := strings.Split(strings.TrimRight(line, "\r\n"), "\x00")
			timestamp, hashes, _ := strings.Cut(fields[0], " ")
			seconds, timeErr := strconv.ParseInt(timestamp, 10, 64)
			ids, err := parseIDs(hashes)
			if err != nil || timeErr != nil || len(ids) < 2 || len(fields) != 4 {
				return errUnexpectedOutput
			}
			if !visit(Commit{ids[0], ids[1], ids[2:], time.Unix(seconds, 0).UTC(), fields[1], fields[2], fields[3]}) {
				return errStop
			}
		}
	})
	if err == errStop || err == io.EOF {
		return nil
	}
	return err
}

// RangeEnds returns the ends of a range of commits, as git log takes it. excluded is the first commit that revisions
// exclude along with its ancestors, or "" if they exclude none. tips are the commits that they include, in their order:
//
//	revisions      excluded               tips
//	main..topic    main                   topic
//	main...topic   their merge base       main, topic
//	HEAD^!         the first parent       HEAD
//	topic          ""                     topic
//	none           ""                     none
//
// The error is that of git.
func (g Git) RangeEnds(revisions []string) (excluded ID, tips []ID, err error) {
	out, err := g.Run(append([]string{"rev-parse", "--revs-only", "--end-of-options"}, revisions...)...)
	if err != nil {
		return "", nil, err
	}
	for line := range strings.Lines(string(out)) {
		hex, isExcluded := strings.CutPrefix(strings.TrimSpace(line), "^")
		id, err := ParseID(hex)
		switch {
		case err != nil:
			return "", nil, err
		case !isExcluded:
			tips = append(tips, id)
		case excluded == "":
			excluded = id
		}
	}
	return excluded, tips, nil
}

// Trailers returns, for each commit of ids, the values of the trailers with this key in its message: ["Ann", "Bob"] for
// the key Reviewed-by and
//
//	Reviewed-by: Ann
//	Reviewed-by: Bob
//
// A value that continues on the next line is one value without line breaks. A commit without such trailers has none.
// Without ids, the result is nil. It fails if git fails, or prints something unexpected.
func (g Git) Trailers(key string, ids []ID) (values [][]string, err error) {
	if len(ids) == 0 {
		return nil, nil
	}
	var in bytes.Buffer
	for _, id := range ids {
		in.WriteString(id.String() + "\n")
	}
	format := "--format=%(trailers:key=" + key + ",valueonly,unfold)"
	out, err := g.withoutReplaceRefs().RunInput(in.Bytes(), "log", "--no-walk=unsorted", "--no-show-signature", "--no-color", "--stdin", "-z", format)
	if err != nil {
		return nil, err
	}
	for message := range strings.SplitSeq(strings.TrimSuffix(string(out), "\x00"), "\x00") {
		values = append(values, slices.DeleteFunc(strings.Split(message, "\n"), func(v string) bool { return v == "" }))
	}
	if len(values) != len(ids) {
		return nil, errUnexpectedOutput
	}
	return values, nil
}

// Renames returns the files that were renamed from one commit to another, by their old paths. Git's own search for
// renames finds them; a file that was also changed too much counts as deleted. It returns nil and an error if a commit
// does not exist.
func (g Git) Renames(from, to ID) (map[string]string, error) {
	out, err := g.withoutReplaceRefs().Run("diff-tree", "-r", "-z", "-M", "--no-ext-diff", "--diff-filter=R", "--name-status", from.String(), to.String())
	if err != nil {
		return nil, err
	}
	renames := map[string]string{}
	for r := range slices.Chunk(splitNUL(out), 3) { // R100, old path, new path
		if len(r) != 3 {
			return nil, errUnexpectedOutput
		}
		renames[r[1]] = r[2]
	}
	return renames, nil
}

// MergeBases returns, for each pair of commits, their best common ancestors in git's order, or nil for unrelated
// histories. It returns nil and an error if a commit does not exist. All pairs are arguments of one git process, so
// their number is limited by the length of a command line.
func (g Git) MergeBases(pairs [][2]ID) (bases [][]ID, err error) {
	args := []string{"rev-parse"}
	for _, p := range pairs {
		args = append(args, p[0].String()+"..."+p[1].String())
	}
	out, err := g.withoutReplaceRefs().Run(args...)
	if err != nil {
		return nil, err
	}
	endpoints := 0
	for hex := range strings.FieldsSeq(string(out)) { // for each pair: the two commits, then its bases as ^ID
		base, isBase := strings.CutPrefix(hex, "^")
		id, err := ParseID(base)
		switch {
		case err != nil:
			return nil, err
		case isBase:
			bases[len(bases)-1] = append(bases[len(bases)-1], id)
		default:
			if endpoints++; endpoints%2 == 1 {
				bases = append(bases, nil)
			}
		}
	}
	if len(bases) != len(pairs) {
		return nil, errUnexpectedOutput
	}
	return bases, nil
}

// FirstParentHistory returns the commits that refs name, their first parents, the first parents of these, and so on.
// It returns nil if a ref does not exist.
func (g Git) FirstParentHistory(refs ...string) []ID {
	ids, _ := g.runIDs(nil, append([]string{"rev-list", "--first-parent", "--end-of-options"}, refs...)...)
	return ids
}

// TreesOf returns the trees of commits, in the order of commits. It runs one git process. An id can also be that of a
// tag or of a tree itself. It returns an error if an object is missing. Without commits, the result is nil.
func (g Git) TreesOf(commits []ID) ([]ID, error) {
	var in strings.Builder
	for _, id := range commits {
		in.WriteString(id.String() + "^{tree}\n")
	}
	ids, err := g.runIDs([]byte(in.String()), "cat-file", "--batch-check=%(objectname)")
	if err == nil && len(ids) != len(commits) {
		err = errUnexpectedOutput
	}
	return ids, err
}

// runIDs runs git with args and stdin and returns the ids that it prints, separated by spaces or line breaks, or nil if
// it prints none. It returns nil and an error if git fails or prints anything else. Replacements (refs/replace) are
// ignored.
func (g Git) runIDs(stdin []byte, args ...string) ([]ID, error) {
	out, err := g.withoutReplaceRefs().RunInput(stdin, args...)
	if err != nil {
		return nil, err
	}
	return parseIDs(string(out))
}

// ParseRevisions returns the ids that `git rev-parse` prints for names such as HEAD^, main:web.yaml and HEAD...topic, in
// the order in which it prints them. At the first name that does not exist, the result ends.
//
//	HEAD...topic    topic, HEAD, and their best common ancestors
func (g Git) ParseRevisions(names ...string) []ID {
	out, _ := g.Run(append([]string{"rev-parse"}, names...)...)
	var ids []ID
	for line := range strings.FieldsSeq(string(out)) {
		id, err := ParseID(strings.TrimPrefix(line, "^"))
		if err != nil {
			break // git prints the name that does not exist
		}
		ids = append(ids, id)
	}
	return ids
}

// ErrShallow is returned if the clone is shallow and lacks the parents of a commit.
var ErrShallow = errors.New(`the clone is shallow; run "git fetch --unshallow"`)

// ShallowCommits returns the commits whose parents the repository lacks because it is a shallow clone. The map is
// empty, not nil, if it is not a shallow clone. The error is that of git, or of reading git's list of these commits.
func (g Git) ShallowCommits() (map[ID]bool, error) {
	path, err := g.Line("rev-parse", "--path-format=absolute", "--git-path", "shallow")
	if err != nil {
		return nil, err
	}
	data, err := disk.ReadIfExists(path)
	if err != nil {
		return nil, err
	}
	shallow := map[ID]bool{}
	ids, err := parseIDs(string(data))
	for _, id := range ids {
		shallow[id] = true
	}
	return shallow, err
}

// A Merge is a three-way merge of two commits: a merge commit, the merge that git ran to create a reverted, picked,
// rebased or squashed commit, or a merge that stopped with conflicts and is not committed.
type Merge struct {
	// Commit is the commit that the merge created, or "" if there is none. Ours and Theirs are the commits that were
	// merged.
	Commit, Ours, Theirs ID
	// Base is the base of a merge that git ran to create a single commit, such as the parent of a picked commit. It
	// is "" for a merge of two branches; then the bases are the best common ancestors of Ours and Theirs.
	Base ID
}

// ErrNotMerge is returned for a commit that does not have two parents and was not created by a merge.
var ErrNotMerge = errors.New("is not a merge of two branches")

// ErrOctopus is returned for a merge of more than two branches. Git runs no driver for it.
var ErrOctopus = errors.New("merge of more than two branches, which git makes without a driver; merge the branches one after the other")

// MergesOf returns the three-way merge behind the commit rev: a merge commit itself, or the merge that git ran to
// create a reverted, picked, rebased or squashed commit. "" means HEAD; if a rebase or cherry-pick created HEAD, the
// result has the merges of all commits of that command, newest first.
//
//	commit                        Ours                    Theirs           Base
//	merge commit                  first parent            second parent    ""
//	revert of commit C            parent of the revert    parent of C      C
//	pick or rebase of commit C    parent of the commit    C                parent of C
//	commit of a squashed merge    parent of the commit    last commit      ""
//
// A pick is only recognized if findPicks finds it in the reflog. For any other commit, the error wraps ErrOctopus,
// ErrNotMerge or, if the clone lacks the parents, ErrShallow. It is another error if rev is not a commit.
func (g Git) MergesOf(rev string) ([]Merge, error) {
	commit := cmp.Or(rev, "HEAD")
	ids, err := g.runIDs(nil, "rev-list", "--parents", "--max-count=1", "--end-of-options", commit, "--")
	if err != nil {
		return nil, err
	}
	if len(ids) == 3 {
		return []Merge{{Commit: ids[0], Ours: ids[1], Theirs: ids[2]}}, nil
	}
	if len(ids) == 0 {
		return nil, fmt.Errorf("%s is not a commit", commit)
	}
	message, err := g.withoutReplaceRefs().Run("log", "-1", "--no-show-signature", "--format=%B", ids[0].String())
	// A revert of a merge commit returns to the parent that its message names.
	if found := revertMessage().FindStringSubmatch(string(message)); err == nil && found != nil && len(ids) == 2 && g.isRevertOf(ids[0], found[1], string(message)) {
		// git revert merges the parent of the reverted commit into HEAD, with the reverted commit as the base.
		m, err := g.MergeOf(ids[0].String()+"^", cmp.Or(found[2], found[1]+"^"), found[1])
		if m.Commit = ids[0]; err == nil {
			return []Merge{m}, nil
		}
	}
	if m, ok := g.SquashedMerge(ids[0].String()+"^", string(message)); ok {
		m.Commit = ids[0]
		return []Merge{m}, nil
	}
	picks, count, err := g.findPicks()
	if i := slices.IndexFunc(picks, func(p Merge) bool { return p.Commit == ids[0] }); err == nil && i >= 0 {
		if rev != "" || i > 0 {
			count = 1
		}
		return picks[i : i+max(count, 1)], nil
	}
	if shallow, err := g.ShallowCommits(); err == nil && len(ids) == 1 && shallow[ids[0]] {
		return nil, fmt.Errorf("the parents of %s are missing, because %w", commit, ErrShallow)
	}
	if len(ids) > 3 {
		return nil, fmt.Errorf("%s is a %w", commit, ErrOctopus)
	}
	return nil, fmt.Errorf("%s %w: it has %s", commit, ErrNotMerge, terminal.CountNoun(len(ids)-1, "parent"))
}

// isRevertOf reports whether commit really reverts the commit reverted (a name or id). Its message has the sentence
// "This reverts commit ...", which it may only quote. It is a revert if one of these is true:
//
//   - the first line of the message contains the word revert, or begins with reapply
//   - commit changes only paths that reverted changed
//
// If git cannot compare the commits, the second counts as false.
func (g Git) isRevertOf(commit ID, reverted, message string) bool {
	subject, _, _ := strings.Cut(message, "\n")
	if subject = strings.ToLower(subject); strings.Contains(subject, "revert") || strings.HasPrefix(subject, "reapply") {
		return true
	}
	changed, err := g.Paths("diff-tree", "-r", "-z", "--name-only", "--no-renames", commit.String()+"^", commit.String())
	if err != nil {
		return false
	}
	before, err := g.Paths("diff-tree", "-r", "-z", "--name-only", "--no-renames", reverted+"^", reverted)
	return err == nil && !slices.ContainsFunc(changed, func(path string) bool { return !slices.Contains(before, path) })
}

// MergeOf looks up the commits that three names, such as HEAD or topic, stand for, and returns a Merge of theirs into
// ours with their ids. It does not merge anything. base may be ""; Base is then "" too, which means the best common
// ancestors of ours and theirs. Commit is "". It returns an error if a name is not a commit.
func (g Git) MergeOf(ours, theirs, base string) (m Merge, err error) {
	args := []string{"rev-parse", ours + "^{commit}", theirs + "^{commit}"}
	if base != "" {
		args = append(args, base+"^{commit}")
	}
	ids, err := g.runIDs(nil, args...)
	if err != nil || len(ids) != len(args)-1 {
		return m, err
	}
	ids = append(ids, "") // no base
	return Merge{Ours: ids[0], Theirs: ids[1], Base: ids[2]}, nil
}

// revertMessage matches the line that git revert writes into a commit message. The first group is the reverted
// commit. For a merge commit, the second group is the parent to which it was reverted.
var revertMessage = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?m)^This reverts commit ([0-9a-f]{40,64})(?:, reversing\s+changes made to ([0-9a-f]{40,64}))?\.`)
})

// squashedCommits matches each commit in the list that git merge --squash writes into a commit message.
var squashedCommits = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^commit ([0-9a-f]{40,64})$`) })

// SquashedMerge returns the merge of a branch into ours that git merge --squash did. It reads the branch from message,
// the text that git wrote for the commit: a list of the commits of the branch, the last one first. ok is false if
// message has no such list, for example because the user edited it, or if a listed commit is not an ancestor of the
// last one.
func (g Git) SquashedMerge(ours, message string) (m Merge, ok bool) {
	_, list, _ := strings.Cut(message, "Squashed commit of the following:\n")
	all := squashedCommits().FindAllStringSubmatch(list, -1)
	if len(all) == 0 {
		return m, false
	}
	theirs := all[0][1]
	stdin := "^" + theirs + "\n"
	for _, commit := range all {
		stdin += commit[1] + "\n"
	}
	others, err := g.runIDs([]byte(stdin), "rev-list", "--max-count=1", "--stdin")
	if err != nil || len(others) > 0 {
		return m, false
	}
	m, err = g.MergeOf(ours, theirs, "")
	return m, err == nil
}

// pickReflogEntry matches the reflog message of a commit that git rebase, git cherry-pick or git am created.
var pickReflogEntry = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:.*rebase.* \((?:pick|continue|reword|edit)\)|rebase|cherry-pick|am): `)
})

// findPicks returns the commits that a rebase, a cherry-pick or git am created, each as the three-way merge that git
// ran. It reads them from the reflog of HEAD, newest first. The last of these commands created the first lastCommandLen
// of them. Two cherry-picks in succession count as one command, because the reflog does not separate them.
//
// Git does not record which commit was picked. findPicks takes the newest earlier commit with another parent, and with
// the same author, author time and subject. A pick for which there is none is left out.
func (g Git) findPicks() (picks []Merge, lastCommandLen int, err error) {
	candidates := map[[2]string][]Commit{}
	err = g.WalkCommits([]string{"--all", "--reflog", "--min-parents=1", "--max-parents=1"}, nil, func(c Commit) bool {
		candidates[[2]string{c.authorKey, c.Subject}] = append(candidates[[2]string{c.authorKey, c.Subject}], c)
		return true
	})
	if err != nil {
		return nil, 0, err
	}
	seen := map[ID]bool{}
	lastCommandEnded := false // by an entry of another kind; those of merge and root commits are not listed
	err = g.WalkCommits([]string{"--walk-reflogs", "--min-parents=1", "--max-parents=1"}, []string{"HEAD"}, func(c Commit) bool {
		if seen[c.ID] || !pickReflogEntry().MatchString(c.reflogMessage) {
			// An entry "rebase (finish)" belongs to the command. Two cherry-picks in succession count as one command.
			lastCommandEnded = lastCommandEnded || !seen[c.ID] && !strings.Contains(c.reflogMessage, "(finish)")
			return true
		}
		seen[c.ID] = true
		var source Commit // the newest commit that c may have been picked from
		for _, candidate := range candidates[[2]string{c.authorKey, c.Subject}] {
			if candidate.ID != c.ID && candidate.Parents[0] != c.Parents[0] && !candidate.Time.After(c.Time) && candidate.Time.After(source.Time) {
				source = candidate
			}
		}
		if source.ID != "" { // others are not counted in lastCommandLen either
			picks = append(picks, Merge{Commit: c.ID, Ours: c.Parents[0], Theirs: source.ID, Base: source.Parents[0]})
			if !lastCommandEnded {
				lastCommandLen++
			}
		}
		return true
	})
	return picks, lastCommandLen, err
}
