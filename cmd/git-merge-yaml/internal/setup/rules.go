package setup

import (
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/regenerate"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/repo"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/session"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/situation"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/sops"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/team"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// checkOwn says which side is one's own where git does not tell.
func (d *doctor) checkOwn(s *session.Session) {
	own := s.OwnSetting()
	switch _, known := situation.Sides[own]; {
	case known:
		d.ok("own", "%s is %s: one's own side where nothing else tells it", session.OwnKey, own)
	case own != "":
		d.warning("own", "git config "+session.OwnKey+" theirs", "%s is %s: want ours or theirs; it counts for nothing", session.OwnKey, own)
	case d.bare:
		d.hint("own", "git config "+session.OwnKey+" theirs, where requests are merged into a branch",
			"where nobody can tell which side is one's own, the policies own, upstream and next decide nothing")
	}
}

// checkRules reads the team's rules as a merge does.
func (d *doctor) checkRules() {
	s := session.New(session.Options{})
	d.checkOwn(s)
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
		for _, remark := range rules.Remarks() {
			d.ok("rules", "%s", remark)
		}
	}
	if err == nil {
		d.checkGenerated(s)
	}
}

// checkGenerated tells which commands make files again, and whether they are trusted.
func (d *doctor) checkGenerated(s *session.Session) {
	rules, err := regenerate.Rules(s)
	if err != nil {
		d.failure("generated", "git merge-yaml regenerate --distrust", "it cannot be told what is trusted: %v", err)
	}
	for _, g := range rules {
		switch {
		case g.By == "":
			d.warning("generated", "write the command that makes them behind by:", "%s: nothing says what makes %s", g.Source, strings.Join(g.Files, ", "))
		case g.Trusted:
			d.ok("generated", "`%s` (%s) is trusted in this clone", g.By, g.Source)
		default:
			d.ok("generated", "`%s` (%s) is not trusted in this clone: %s regenerate asks", g.By, g.Source, d.self)
		}
		d.checkGiven(s, g.Generated)
	}
}

// checkGiven tells of files of a rule that are not given to the driver, which then cannot
// leave them to be made again.
func (d *doctor) checkGiven(s *session.Session, g merge.Generated) {
	files, err := s.Files()
	files = slices.DeleteFunc(slices.Compact(files), func(p string) bool { return !g.Makes(p) })
	if err != nil || len(files) == 0 {
		return
	}
	values, err := d.git.Attributes(files, "merge")
	for i := range values {
		if err == nil && d.driverOf(values[i]["merge"]) == nil {
			d.warning("generated", d.self+" install --local --generated",
				"%s: %s is not given to the driver: git merges it by lines, with markers", g.Source, files[i])
			return
		}
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
	if d.tree != nil {
		d.checkKey()
	}
}

// checkKey has sops decrypt, in memory, the first file of the index that it encrypted.
func (d *doctor) checkKey() {
	out, err := d.git.Run("grep", "--cached", "--full-name", "-lze", "^sops:", "--", ":/*.yaml", ":/*.yml")
	if err != nil { // there is none
		return
	}
	for name := range strings.SplitSeq(strings.TrimSuffix(string(out), "\x00"), "\x00") {
		file, err := d.git.Run("cat-file", "blob", ":"+name)
		if err != nil || sops.Gate([]byte(file)) != nil {
			continue
		}
		if _, err := sops.Open([]byte(file)); err != nil {
			d.warning("sops", "try sops decrypt on it; merges of it stay in conflict until that works", "%s: %v", name, err)
		} else {
			d.ok("sops", "%s: it can be decrypted, with the key at hand", name)
		}
		return
	}
}
