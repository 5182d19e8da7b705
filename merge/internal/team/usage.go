package team

import (
	"fmt"
	"maps"
	"slices"
	"strconv"

	"gopkg.in/yaml.v3"

	"github.com/git-merge-yaml/git-merge-yaml/gitattrs/wildmatch"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
)

// A mention is a file pattern, a kind or a path in an entry of the team's file.
type mention struct {
	node     *yaml.Node
	location string // the place in the file, with which messages begin
	entry    *entry
	field    string // the field of the entry that it is in: files, kinds or, for a path, a field with rules such as lists
	glob     wildmatch.Glob
	kind     schema.KindSelector
	pattern  schema.Pattern
	policy   Policy // for a path in fields
	// found is "a mapping", "a list" or "a single value" if the path of a policy has such a value, and the policy does
	// not decide conflicts in it; otherwise "".
	found string
}

// A Usage finds the file patterns, kinds and paths in the team's rules that match nothing. Call SeeFile for each file
// of the repository and SeePlace for each place in it, and then Remarks.
type Usage struct {
	rules  *Rules
	unseen []mention
	kinds  map[string]bool // the kinds of all places so far
}

// NewUsage returns a Usage for the team's rules, before the first file.
func (r *Rules) NewUsage() *Usage { return &Usage{r, slices.Clone(r.mentions), map[string]bool{}} }

// SeeFile records that the file at path exists, so that Remarks no longer reports the file patterns that match path.
// needsPlaces reports whether the file can contain kinds or paths of the team's rules that were not seen yet; the
// caller then passes the places in the file to SeePlace.
func (u *Usage) SeeFile(path string) (needsPlaces bool) {
	u.unseen = slices.DeleteFunc(u.unseen, func(m mention) bool { return m.field == "files" && m.glob.Match(path) })
	return slices.ContainsFunc(u.unseen, func(m mention) bool {
		return m.field != "files" && m.entry.SelectsFile(path)
	})
}

// SeePlace records that the list or field at p exists, with the value n. Remarks then no longer reports the kinds and
// paths of the team's rules that match p. A path with a policy that does not decide conflicts in n is still reported,
// for that reason.
func (u *Usage) SeePlace(p schema.Place, n *syntax.Node) {
	u.kinds[p.Kind] = true
	var unseen []mention
	for _, m := range u.unseen {
		seen := false
		switch {
		case m.field == "files":
		case m.field == "kinds":
			seen = m.kind.Matches(p.APIVersion, p.Kind) && m.entry.SelectsFile(p.File)
		case m.entry.Selects(p) && m.pattern.Matches(p.Path):
			m.found = u.undecided(m.policy, p, n)
			seen = m.found == ""
		}
		if !seen {
			unseen = append(unseen, m)
		}
	}
	u.unseen = unseen
}

// undecided returns why policy does not decide conflicts in n, the value at p, as the kind of n: "a mapping", "a list"
// or "a single value". It returns "" if policy decides them, or is NoPolicy.
//
//	policy            decides
//	ours, own, ...    single values, and what is merged as one value (isOneValue)
//	union             lists
//	highest, ...      single values
func (u *Usage) undecided(policy Policy, p schema.Place, n *syntax.Node) string {
	isWholeTaken := policy.takesSide() && u.isOneValue(p, n)
	switch {
	case policy == NoPolicy || isWholeTaken:
		return ""
	case n.Kind == syntax.Mapping:
		return "a mapping"
	case n.Kind == syntax.Sequence && policy != Union:
		return "a list"
	case n.Kind != syntax.Sequence && policy == Union:
		return "a single value"
	}
	return ""
}

// isOneValue reports whether a conflict in n, the value at p, is about all of n. That is so for
//
//   - a scalar or an alias
//   - an Atomic list
//   - a mapping in braces, such as {a: 1}
//   - a mapping with several fields that belong together, such as host and port in a team's units
func (u *Usage) isOneValue(p schema.Place, n *syntax.Node) bool {
	switch {
	case n.Kind == syntax.Sequence:
		l, _ := u.rules.DeclaredList(p)
		return l.Kind == schema.Atomic
	case n.Kind != syntax.Mapping || n.Style == syntax.Flow:
		return true
	}
	for isInGroup := range u.rules.joinedFields(p) {
		count := 0
		for _, e := range n.Entries {
			if isInGroup(e.Key.Value) {
				count++
			}
		}
		if count > 1 {
			return true
		}
	}
	return false
}

// Remarks returns messages about the team's rules after the caller has seen all files. remarks are about file patterns,
// kinds and paths that match nothing, and about policies without any effect. partial is about policies that take a
// side, such as ours, but do not decide conflicts inside of the mappings and lists at their paths. If no file pattern
// of an entry matched, its kinds and paths are not reported; if no kind matched, its paths are not. For example:
//
//	rules.yaml:12:5: no file of the repository matches "prod/**"
func (u *Usage) Remarks() (remarks, partial []string) {
	unseenFiles, unseenKinds := map[*entry]int{}, map[*entry]int{}
	for _, m := range u.unseen {
		switch m.field {
		case "files":
			unseenFiles[m.entry]++
		case "kinds":
			unseenKinds[m.entry]++
		}
	}
	for _, m := range u.unseen {
		name, e := strconv.Quote(m.node.Value), m.entry
		noFileMatched := len(e.Files) > 0 && unseenFiles[e] == len(e.Files)
		noKindMatched := len(e.Kinds) > 0 && unseenKinds[e] == len(e.Kinds)
		policy := fmt.Sprintf("%sthe policy %s for %s ", m.location, m.policy, name)
		switch {
		// a path that was found, but with a policy that does not decide
		case m.found != "" && m.policy.takesSide():
			partial = append(partial, policy+"decides "+inDecisions[m.found])
		case m.found != "":
			remarks = append(remarks, policy+"has no effect, because it is "+m.found)
		// a pattern, kind or path that was not found
		case m.field == "files":
			remarks = append(remarks, m.location+"no file of the repository matches "+name)
		case noFileMatched: // the patterns are reported
		case m.field == "kinds":
			remarks = append(remarks, m.location+"no matching file has a resource of kind "+name+u.suggestKind(m.kind.Kind))
		case !noKindMatched:
			remarks = append(remarks, m.location+"no field in the matching files has the path "+name)
		}
	}
	return remarks, partial
}

// inDecisions has what a policy that takes a side does not decide in a mapping or a list, and what to write instead.
var inDecisions = map[string]string{
	"a mapping": "no conflict in its fields, because it is a mapping; write a path that ends in .** for them",
	"a list":    "no conflict in its items, because it is a list; use the policy union, or make the list atomic",
}

// suggestKind returns a hint at the kind that was probably meant by kind, a name without a group, as in `; did you mean
// "Deployment"?`. It considers the built-in kinds and the kinds of the places seen so far. It returns "" if kind is one
// of these kinds, or if none is similar.
func (u *Usage) suggestKind(kind string) string {
	known := schema.KubernetesKinds()
	if slices.Contains(known, kind) || u.kinds[kind] {
		return ""
	}
	known = slices.AppendSeq(known, maps.Keys(u.kinds))
	slices.Sort(known)
	if meant := ClosestWord(kind, known); meant != "" {
		return fmt.Sprintf("; did you mean %q?", meant)
	}
	return ""
}

// Shadowed returns a message for each rule in the team's file that can never apply, because an earlier rule applies to
// everything that it is for. Only rules in lists, fields, access and units are considered. For the second rule here,
// the message is `rules.yaml:4:12: the rule for "image.tag" never applies; the rule for "**.tag" at line 2 takes
// precedence`:
//
//	rules:
//	- fields: {"**.tag": highest}
//	- files: [prod/**]
//	  fields: {image.tag: ours}
func (r *Rules) Shadowed() (all []string) {
	paths := slices.DeleteFunc(slices.Clone(r.mentions), func(m mention) bool {
		return !slices.Contains([]string{"lists", "fields", "access", "units"}, m.field)
	})
	for i, later := range paths {
		for _, earlier := range paths[:i] {
			if earlier.field == later.field && earlier.pattern.Covers(later.pattern) && selectsAllOf(earlier.entry, later.entry) {
				all = append(all, fmt.Sprintf("%sthe rule for %q never applies; the rule for %q at line %d takes precedence",
					later.location, later.node.Value, earlier.node.Value, earlier.node.Line))
				break
			}
		}
	}
	return all
}

// selectsAllOf reports whether entry a certainly selects every document that entry b selects, so that a rule of b for
// the same paths never applies. Patterns are compared as texts only: for *.yaml in a and a.yaml in b, it returns false.
// Both of these must be true:
//
//   - a has no file patterns, or b has some, and a has each of them
//   - a has no kinds, or b has some, and for each of them a has one that includes it, as Deployment includes
//     apps/Deployment
func selectsAllOf(a, b *entry) bool {
	if a == b {
		return true
	}
	lacksFile := func(p string) bool { return !slices.Contains(a.filePatterns, p) }
	coversFiles := len(a.Files) == 0 || len(b.Files) > 0 && !slices.ContainsFunc(b.filePatterns, lacksFile)
	lacksKind := func(k schema.KindSelector) bool {
		return !slices.ContainsFunc(a.Kinds, func(x schema.KindSelector) bool { return x.Includes(k) })
	}
	coversKinds := len(a.Kinds) == 0 || len(b.Kinds) > 0 && !slices.ContainsFunc(b.Kinds, lacksKind)
	return coversFiles && coversKinds
}
