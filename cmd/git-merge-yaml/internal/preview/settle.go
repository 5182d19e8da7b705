package preview

import (
	"strings"
	"sync"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/session"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// A settler finds rules that would settle the conflicts of a file.
type settler struct {
	session.File
	fields map[string]string // of conflicts, as rules write their paths
}

// charts are the rules for charts.
var charts = sync.OnceValues(func() (*merge.Rules, error) { return merge.ParseRules("", []byte("extends: helm\n"), "") })

// rule is one that would settle c, "" if there is none.
func (s *settler) rule(c merge.Conflict) string {
	if c.Kind != merge.ConflictValue {
		return ""
	}
	if rules, err := charts(); err == nil && rules.Bumps(s.Path) && !s.Merging().Rules.Bumps(s.Path) && s.decides(rules, c.Path) {
		return "extends: helm"
	}
	field := s.field(c.Path)
	if field == "" {
		return ""
	}
	rules, err := merge.ParseRules("", []byte("rules: [{fields: {'"+strings.ReplaceAll(field, "'", "''")+"': highest}}]\n"), "")
	if err == nil && s.decides(rules, c.Path) {
		return field + ": highest"
	}
	return field + ": own or upstream"
}

// decides reports whether rules decide the conflict at a path.
func (s *settler) decides(rules *merge.Rules, path string) bool {
	o := s.Merging()
	o.Rules = rules
	res, err := merge.Merge(s.Base, s.Ours, s.Theirs, o)
	if err != nil {
		return false
	}
	for _, d := range res.Resolved {
		if d.Path == path {
			return true
		}
	}
	return false
}

// field is the path of a conflict as rules write it, "" if no policy can decide it.
func (s *settler) field(path string) string {
	if s.fields == nil {
		s.fields = map[string]string{}
		if x, err := merge.NewResolution(s.Base, s.Ours, s.Theirs, s.Merging()); err == nil {
			for _, q := range x.Questions() {
				s.fields[q.Path] = q.Field
			}
		}
	}
	return s.fields[path]
}
