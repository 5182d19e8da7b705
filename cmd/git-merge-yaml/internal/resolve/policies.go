package resolve

import (
	"fmt"
	"path/filepath"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/team"
)

// remember keeps a policy for the end of the session, in the place of an
// earlier one for the field.
func (s *session) remember(p team.Policy) {
	kept := slices.DeleteFunc(slices.Clone(s.policies), func(o team.Policy) bool {
		return o.Field == p.Field && o.Resource == p.Resource && o.File == p.File
	})
	if slices.Contains(team.PolicyTakes, p.Take) {
		kept = append(kept, p)
	}
	s.policies = kept
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
		if where == "" {
			where = p.File
		}
		s.asker.Out.Line()
		yes, err := s.asker.Yes(fmt.Sprintf("From now on take %s at %s of %s without a question: write that into %s", p.Take, p.Field, where, filepath.Base(file)))
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
