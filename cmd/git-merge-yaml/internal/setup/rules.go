package setup

import (
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/repo"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/session"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/sops"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/team"
)

// checkRules reads the team's rules as a merge does.
func (d *doctor) checkRules() {
	s := session.New(session.Options{})
	if own := s.OwnSetting(); own != "" && own != "ours" && own != "theirs" {
		d.warning("own", "git config "+session.OwnKey+" theirs", "%s is %s: want ours or theirs; it counts for nothing", session.OwnKey, own)
	}
	rules, err := s.Rules()
	switch {
	case err != nil:
		fix := "edit " + s.RulesFile() + ", or the setting " + team.Key + " that names it"
		if s.RulesFile() == team.ExtendsKey {
			fix = "git config --show-origin " + team.ExtendsKey + " says which file has the setting"
		}
		d.failure("rules", fix,
			"%s; until then YAML files are merged by lines", team.Mistakes(err))
	case rules != nil:
		d.ok("rules", "%s", s.RulesFile())
	}
}

// checkSOPS looks at the sops program, where a person lets merges run it.
func (d *doctor) checkSOPS() {
	if value := repo.At(d.git).Value(sops.Key); !git.IsTrue(value) {
		if value != "" && value != "false" {
			d.warning("sops", "git config "+sops.Key+" true", "%s is %q, which is not true: merges do not run sops", sops.Key, value)
		}
		return
	}
	version, err := sops.Version()
	if err != nil {
		d.failure("sops", "install sops 3.9 or newer, or git config --unset "+sops.Key, "%s is set, but %v", sops.Key, err)
		return
	}
	d.ok("sops", "version %s; merges run it for files that it encrypted (%s)", version, sops.Key)
}
