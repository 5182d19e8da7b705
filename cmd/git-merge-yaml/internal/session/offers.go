package session

import (
	"fmt"
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/terminal"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// An Offer is a preset that nobody adopted here, and for which there are files.
type Offer struct {
	merge.Preset
	Count int // of the files
}

// Offers are those of the index.
func (s *Session) Offers() (all []Offer) {
	rules, err := s.Rules()
	if s.tree == nil || err != nil {
		return nil
	}
	for _, p := range merge.Presets() {
		if slices.Contains(rules.Extended(), p.Name) {
			continue
		}
		ask := []string{"ls-files", "-z", "--"}
		for _, f := range p.Files {
			if !strings.Contains(f, "/") {
				f = "**/" + f
			}
			ask = append(ask, ":(glob)"+strings.TrimPrefix(f, "/"))
		}
		if out, err := s.Git.Run(ask...); err == nil && len(out) > 0 && len(p.Files) > 0 {
			all = append(all, Offer{p, strings.Count(string(out), "\x00")})
		}
	}
	return all
}

// String is the offer for people, without the command that takes it.
func (o Offer) String() string {
	return fmt.Sprintf("%s for the preset %s, which nobody adopted: %s", terminal.Count(o.Count, "file"), o.Name, o.About)
}

// Adopt is the command that takes it.
func (o Offer) Adopt() string { return "git merge-yaml rules add " + o.Name }
