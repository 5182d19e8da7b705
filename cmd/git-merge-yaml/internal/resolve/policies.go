package resolve

import (
	"fmt"
	"path/filepath"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/team"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// remember keeps a policy for the end of the session, in the place of an
// earlier one for the field.
func (s *session) remember(p team.Policy) {
	kept := slices.DeleteFunc(slices.Clone(s.policies), func(o team.Policy) bool {
		return o.Field == p.Field && o.Resource == p.Resource && o.File == p.File && o.Pattern == p.Pattern
	})
	if slices.Contains(team.PolicyTakes, p.Take) {
		kept = append(kept, p)
	}
	s.policies = kept
}

// policy is the rule that takes t wherever the field of v is in conflict: in resources of
// its kind, else in its file.
func (v *view) policy(t merge.Take) team.Policy {
	p := team.Policy{Take: v.question.file.lasting(t), Field: v.Field, Resource: v.Resource, File: v.question.file.Path}
	if t == merge.TakeBoth && v.Items != "" {
		return p.OfItems(v.Items)
	}
	return p
}

// lasting is what t means in another merge: ours and theirs change places in a
// rebase, but one's own side does not. Where nobody knows which that is, t stays.
func (f *unmergedFile) lasting(t merge.Take) merge.Take {
	own := f.merger("").File().OwnSide()
	switch {
	case own == merge.OwnUnknown || t != merge.TakeOurs && t != merge.TakeTheirs:
		return t
	case (own == merge.OwnOurs) == (t == merge.TakeOurs):
		return merge.TakeOwn
	}
	return merge.TakeUpstream
}

// inWords names what a policy takes.
func inWords(t merge.Take) string {
	switch t {
	case merge.TakeOwn:
		return "one's own side"
	case merge.TakeUpstream:
		return "upstream's side"
	case merge.TakeBoth:
		return "both sides' items"
	case merge.TakeOurs, merge.TakeTheirs:
		return string(t) + " (whichever that is: they change places in a rebase)"
	}
	return string(t)
}

// offerPolicies offers to write what was decided for all conflicts of a field
// into the team's file.
func (s *session) offerPolicies() error {
	if len(s.policies) == 0 {
		return nil
	}
	file, err := team.PolicyFile(s.tree)
	if err != nil {
		return err
	}
	for _, p := range s.policies {
		where := p.Resource
		switch {
		case where != "":
		case p.Pattern != "":
			where = "every " + p.Pattern
		default:
			where = p.File
		}
		s.asker.Out.Line()
		yes, err := s.asker.Yes(fmt.Sprintf("From now on take %s at %s of %s without a question: write that into %s",
			inWords(p.Take), p.Field, where, filepath.Base(file)))
		if err != nil {
			return err
		}
		if !yes {
			continue
		}
		if err := team.AddPolicy(file, p); err != nil {
			return fmt.Errorf("the policy is not written: %w", err)
		}
		s.say(filepath.Base(file) + ": written; commit it for others to have it")
	}
	return nil
}
