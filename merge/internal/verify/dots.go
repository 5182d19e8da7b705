package verify

import (
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/template"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// checkDots returns a violation if the dot (the value that . means inside of with or range) of an action in the result,
// such as {{ .port }}, differs from the dot of every equal action in the inputs. An action that no input has, or that
// is in a conflict in one, is accepted.
//
//	ours             theirs             result
//	{{ if .app }}    {{ with .app }}    {{ if .app }}
//	name: web        port: {{ .port }}  port: {{ .port }}
//	{{ end }}        {{ end }}          {{ end }}
func (c *checker) checkDots() *Violation {
	merged := c.streams[result].File.Bytes() // need not be a template: a text can have actions
	hasSameActions := func(s *syntax.Stream) bool { return template.HasSameActions(s.File.Bytes(), merged) }
	if slices.ContainsFunc(c.streams[:result], hasSameActions) {
		return nil // no dot can differ; this is faster than parsing the templates
	}
	inInputs, inConflict := map[string][]template.DotUse{}, map[string]bool{}
	for v := range c.streams[:result] {
		for _, u := range c.Trees.dotUses(version(v)) { // none if it is not a valid Go template
			inInputs[u.Pipeline] = append(inInputs[u.Pipeline], u)
			if slices.ContainsFunc(c.Conflicts, func(o Conflict) bool { return o.At[v].Contains(text.Span{Start: u.Start, End: u.Start + 1}) }) {
				inConflict[u.Pipeline] = true
			}
		}
	}
	for _, u := range template.DotUses(merged) {
		known := inInputs[u.Pipeline]
		if len(known) > 0 && !inConflict[u.Pipeline] && !slices.ContainsFunc(known, u.HasSameDot) {
			return c.nodesAt(result, u.Start).newViolation(RuleAction, "the dot of {{ %s }} has another meaning than in each version", u.Pipeline)
		}
	}
	return nil
}
