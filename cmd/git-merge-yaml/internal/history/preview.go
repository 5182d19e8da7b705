package history

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/session"
)

// A State is what becomes of a merge that is to come.
type State string

// The states.
const (
	Merged   State = "merged"   // it is in the base already
	Clean    State = "clean"    // with git and the driver alike
	ByDriver State = "driver"   // clean with the driver alone
	Mended   State = "mended"   // git's clean merge is wrong, and the driver's another one
	Conflict State = "conflict" // with both
	Failed   State = "failed"   // no common ancestor, say
)

// A Branch is what is merged into the base.
type Branch struct {
	Name   string  `json:"name"`
	Commit git.ID  `json:"commit"`
	State  State   `json:"state"`
	Why    string  `json:"why,omitempty"` // it failed
	Names  []Name  `json:"-"`             // that are in conflict
	Cases  []*Case `json:"-"`
}

// Preview merges refs into a base, each of them a revision. Without refs it is all branches of the
// remotes or, where there are none, of the repository.
func Preview(ctx context.Context, o Options, into string, refs []string) ([]*Branch, error) {
	g := o.Session.Git
	base, err := commitOf(g, into)
	if err != nil {
		return nil, err
	}
	branches, err := branches(g, base, refs)
	if err != nil {
		return nil, err
	}
	o.Picks, o.Every = []git.Merge{}, true
	w, err := open(ctx, o)
	if err != nil {
		return nil, err
	}
	defer w.close()
	w.Session = o.Session.WithRulesOf(base.String())
	w.Session.Options = session.Options{Config: o.Session.Config, Own: "theirs"}
	if err := w.Session.FirstRulesError(); err != nil {
		return nil, err
	}
	w.attributes = w.Session.Attributes
	of := map[*Merge]*Branch{}
	for _, b := range branches {
		if b.State != Merged {
			m := &Merge{Commit: git.Commit{ID: b.Commit, Parents: []git.ID{base, b.Commit}}, Ours: base, Theirs: b.Commit, Open: true, isToCome: true}
			of[m] = b
			w.merges = append(w.merges, m)
		}
	}
	seen, files := 0, 0
	return branches, w.inOrder(w.cases, func(m *Merge) error {
		b := of[m]
		b.Cases, b.Names = m.cases, m.Names
		b.State, b.Why = b.judge(m)
		seen, files = seen+1, files+len(m.cases)
		w.progress(seen, files)
		return nil
	})
}

// judge says what becomes of a branch that m merges.
func (b *Branch) judge(m *Merge) (State, string) {
	switch {
	case m.Err != nil:
		return Failed, m.Err.Error()
	case m.CutOff:
		return Failed, notHere
	case len(m.Bases) == 0:
		return Failed, "refusing to merge unrelated histories"
	case len(b.Names) > 0:
		return Conflict, ""
	}
	state := Clean
	for _, c := range b.Cases {
		switch {
		case !c.Driver.Clean():
			return Conflict, ""
		case !c.Git.Clean():
			state = ByDriver
		case state == Clean && !bytes.Equal(c.Content.Git, c.Content.Driver):
			state = Mended
		}
	}
	return state, ""
}

// branches are what is to be merged; those that are in the base already are Merged.
func branches(g git.Git, base git.ID, refs []string) (all []*Branch, err error) {
	for _, of := range []string{"refs/remotes/", "refs/heads/"} {
		if len(refs)+len(all) > 0 {
			break
		}
		out, err := g.Run("for-each-ref", "--format=%(refname)%00%(objectname)%00%(symref)", of)
		if err != nil {
			return nil, err
		}
		for line := range strings.Lines(string(out)) {
			f := strings.Split(strings.TrimSuffix(line, "\n"), "\x00")
			if len(f) != 3 || f[2] != "" { // HEAD of a remote is another one's name
				continue
			}
			id, err := git.ParseID(f[1])
			if err != nil {
				return nil, err
			}
			if id != base {
				all = append(all, &Branch{Name: strings.TrimPrefix(f[0], of), Commit: id})
			}
		}
	}
	for _, name := range refs {
		id, err := commitOf(g, name)
		if err != nil {
			return nil, err
		}
		all = append(all, &Branch{Name: name, Commit: id})
	}
	if len(all) == 0 {
		return nil, errors.New("there is nothing to merge: there are no branches")
	}
	missing := map[git.ID]bool{}
	args := []string{"^" + base.String()}
	for _, b := range all {
		args = append(args, b.Commit.String())
	}
	err = g.Commits(nil, args, func(c git.Commit) bool { missing[c.ID] = true; return true })
	for _, b := range all {
		if !missing[b.Commit] {
			b.State = Merged
		}
	}
	return all, err
}

func commitOf(g git.Git, name string) (git.ID, error) {
	line, err := g.Line("rev-parse", "--verify", "--end-of-options", name+"^{commit}")
	if err != nil {
		return "", fmt.Errorf("there is no commit %s here (git branch --all lists the branches)", name)
	}
	return git.ParseID(line)
}
