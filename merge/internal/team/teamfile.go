package team

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"gopkg.in/yaml.v3"

	"github.com/git-merge-yaml/git-merge-yaml/gitattrs/wildmatch"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/access"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
)

// Parse parses a team's file, whose format is described in docs/rules.md. name is the name of the file for messages,
// and version is the version of this program, which the file may require. Rules with a mistake decide nothing, and the
// error joins an *Error for each mistake. If data is not valid YAML, there are no rules. The result is nil, with an
// error, if the file requires a newer version or has too many items.
func Parse(name string, data []byte, version string) (*Rules, error) {
	r := new(Rules)
	rd := &reader{file: name}
	root, err := rd.parseDocument(data)
	if err != nil || root == nil {
		return r, err
	}
	if err := rd.checkRequiredVersion(r, root, version); err != nil {
		return nil, err
	}
	rd.readRules(r, root)
	if rd.itemCount > maxItems {
		r = nil
	}
	return r, errors.Join(rd.errs...)
}

// readRules adds the rules in root, the root of a team's file, to r: first the team's own, which take precedence, and
// then those of the presets in extends. Each mistake is recorded in rd. A rule with a mistake decides nothing, and an
// entry is left out if something else in it is wrong, such as its files. The field requires is not checked.
func (rd *reader) readRules(r *Rules, root *yaml.Node) {
	var presetEntries []*entry
	rd.readMapping(root, "the file", []fieldReader{
		{"requires", func(*yaml.Node) {}},
		{"crds", func(n *yaml.Node) { r.crdGlobs, r.crdPatterns = rd.readGlobs(n, "crds") }},
		{"extends", func(n *yaml.Node) { presetEntries = rd.readExtends(r, n) }},
		{"rules", func(n *yaml.Node) { r.team = rd.readEntries(n) }},
		{"generated", func(n *yaml.Node) { r.generated = rd.readGenerated(n) }},
		{"check", func(n *yaml.Node) { r.acceptsTrailers = rd.readCheck(n) }},
	})
	for _, e := range r.team {
		r.mentions = append(r.mentions, e.mentions...)
	}
	r.team = append(r.team, presetEntries...)
}

// readCheck reads n, the value of the field check in the team's file, and reports whether it is {accept: trailers}. It
// records an error in rd for any other setting.
func (rd *reader) readCheck(n *yaml.Node) (acceptsTrailers bool) {
	rd.readMapping(n, "check", []fieldReader{{"accept", func(v *yaml.Node) {
		acceptsTrailers = v.Kind == yaml.ScalarNode && v.Value == "trailers"
		if !acceptsTrailers {
			rd.fail(v, "accept is "+describeNode(v), "expected trailers")
		}
	}}})
	return acceptsTrailers
}

var (
	// requirementRegexp matches the value of requires, as in ">=0.1".
	requirementRegexp = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^>=\s*([0-9]+(?:\.[0-9]+){0,2})\s*$`) })
	// unreleasedRegexp matches a version that is not a release: one without numbers, 0.0.0, and what Go gives to a
	// build from a commit, which ends in the time and hash of the commit, or in +dirty for changed files.
	unreleasedRegexp = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^[^0-9]|^0\.0\.0$|[-.][0-9]{14}-[0-9a-f]{12}\b|\+dirty$`)
	})
)

// checkRequiredVersion returns an error if the field requires in root, the root of a team's file, demands a newer
// version of this program than version, so that the file cannot be used. A pre-release counts as its release. A
// development build counts as new enough, with a remark in r.remarks; so does "", without a remark. A wrong value of
// the field is only recorded in rd.
func (rd *reader) checkRequiredVersion(r *Rules, root *yaml.Node, version string) error {
	n := nodeAt(root, "requires")
	if n == nil {
		return nil
	}
	required := requirementRegexp().FindStringSubmatch(n.Value)
	if n.Kind != yaml.ScalarNode || required == nil {
		rd.fail(n, "requires is "+describeNode(n), `expected a minimum version such as ">=0.1"`)
		return nil
	}
	version = strings.TrimPrefix(version, "v")
	problem := "requires git-merge-yaml " + n.Value + ", but this is version " + version
	switch {
	case version == "":
	case unreleasedRegexp().MatchString(version):
		r.remarks = append(r.remarks, rd.newError(n, problem, "assuming that an unreleased version is new enough").Error())
	case slices.CompareFunc(releaseNumbers(version), releaseNumbers(required[1]), compareDigits) < 0:
		return rd.newError(n, problem, "install a newer version")
	}
	return nil
}

// releaseNumbers returns the three numbers of a version without its suffix: 1, 2 and 0 for 1.2-rc.1+x.
func releaseNumbers(version string) []string {
	release := version[:strings.IndexAny(version+"-", "-+")]
	return append(strings.Split(release, "."), "0", "0")[:3]
}

// readGlobs reads n, a list of file patterns as in .gitattributes, and returns the valid ones, parsed and as text. Each
// mistake is recorded in rd. The patterns of an entry are also added to its mentions. title names the field in
// messages.
func (rd *reader) readGlobs(n *yaml.Node, title string) (globs []wildmatch.Glob, texts []string) {
	for _, c := range rd.stringNodes(n, title) {
		g, err := wildmatch.Parse(c.Value)
		if err != nil {
			rd.fail(c, fmt.Sprintf("invalid pattern %q: %v", c.Value, err), "")
			continue
		}
		globs, texts = append(globs, g), append(texts, c.Value)
		rd.addMention(c, mention{glob: g})
	}
	return globs, texts
}

// readEntries reads the entries in n, the list rules of a team's file or a preset, and leaves out those that readEntry
// rejects. Each mistake is recorded in rd. If n is not a list, that is a mistake, and the result is nil.
func (rd *reader) readEntries(n *yaml.Node) (all []*entry) {
	if n.Kind != yaml.SequenceNode {
		rd.fail(n, "rules is "+describeNode(n), "expected a list of entries")
		return nil
	}
	for _, c := range n.Content {
		if e, ok := rd.readEntry(resolveAlias(c)); ok {
			all = append(all, e)
		}
	}
	return all
}

// readEntry reads n, an entry of the list rules, and records each mistake in rd. A rule with a mistake decides nothing:
// it is left out, or has no policy if its policy is invalid. ok is false if the entry must not be used: a mistake is
// outside of its rules, such as in files, so that it could apply to other files than intended, or it has no rules.
func (rd *reader) readEntry(n *yaml.Node) (e *entry, ok bool) {
	e = &entry{name: textAt(n, "name")}
	rd.entry = e
	defer func() { rd.entry = nil }()
	fields := []fieldReader{
		{"name", func(v *yaml.Node) { rd.readText(v, "name") }},
		{"files", func(v *yaml.Node) { e.Files, e.filePatterns = rd.readGlobs(v, "files") }},
		{"kinds", func(v *yaml.Node) { e.Kinds = rd.readKinds(v) }},
		{"lists", func(v *yaml.Node) { e.Lists = rd.readLists(v) }},
		{"oneOf", func(v *yaml.Node) { e.OneOf = rd.readOneOf(v) }},
		{"units", func(v *yaml.Node) { e.Units = rd.readUnits(v) }},
		{"access", func(v *yaml.Node) { e.Access = rd.readAccess(v) }},
		{"images", func(v *yaml.Node) { e.Images = rd.readImages(v) }},
		{"fields", func(v *yaml.Node) { e.fields = rd.readFields(v) }},
		{"restarts", func(v *yaml.Node) { e.restarts = rd.readRestarts(v) }},
		{"deleted", func(v *yaml.Node) { e.deleted = rd.readDeleted(v) }},
	}
	errorsBefore, mistakesInRules := len(rd.errs), 0
	for i, f := range fields {
		isRule := !slices.Contains([]string{"name", "files", "kinds"}, f.name)
		fields[i].read = func(v *yaml.Node) {
			before := len(rd.errs)
			rd.field = f.name
			f.read(v)
			if isRule {
				mistakesInRules += len(rd.errs) - before
			}
		}
	}
	rd.readMapping(n, "an entry", fields)
	switch mistakes := len(rd.errs) - errorsBefore; {
	case mistakes > 0:
		return e, mistakes == mistakesInRules
	case e.deleted.Take != "" && (len(e.Files) == 0 || len(e.Kinds) > 0):
		rd.fail(n, "deleted applies to whole files", "expected files and no kinds")
		return e, false
	case e.deleted.Take == "" && !e.HasRules() && len(e.fields)+len(e.restarts) == 0:
		rd.fail(n, "the entry has no rules", "expected lists, oneOf, units, access, images, fields, restarts or deleted")
		return e, false
	}
	return e, true
}

// sourceOf returns the place of a rule at n for messages: the file, the line if n has one, and the name of the entry
// that is being read, if it has one. For example: "rules.yaml:12, images".
func (rd *reader) sourceOf(n *yaml.Node) string {
	s := rd.file
	if n.Line != 0 {
		s += ":" + strconv.Itoa(n.Line)
	}
	if rd.entry != nil && rd.entry.name != "" {
		s += ", " + rd.entry.name
	}
	return s
}

// readText returns the value of the scalar n. If n is null, a mapping or a list, it records an error in rd and returns
// the text of the null (such as ~), or "". title names the field in messages.
func (rd *reader) readText(n *yaml.Node, title string) string {
	if n.Kind != yaml.ScalarNode || n.Tag == "!!null" {
		rd.fail(n, title+" is "+describeNode(n), "expected a string")
	}
	return n.Value
}

// readKinds reads a list of kinds: Deployment for any API group, apps/Deployment for one group, core/Pod for the group
// "". Kinds with a mistake are left out, and each mistake is recorded in rd. It adds the other kinds to the mentions of
// the entry.
func (rd *reader) readKinds(n *yaml.Node) (all []schema.KindSelector) {
	for _, c := range rd.stringNodes(n, "kinds") {
		k, err := schema.ParseKind(c.Value)
		if err != nil {
			rd.fail(c, err.Error(), "expected Kind, group/Kind or core/Kind, without a version")
			continue
		}
		all = append(all, k)
		rd.addMention(c, mention{kind: k})
	}
	return all
}

// readRulesByPath reads n, a mapping from paths to rules, and returns the rules in their order. read returns the value
// of the rule for a path; it is also called if the path is invalid. A rule is left out if its path has a mistake, or if
// read records an error in rd. title names the mapping in messages.
func readRulesByPath[T any](rd *reader, n *yaml.Node, title string, read func(key, value *yaml.Node) T) (all []schema.Rule[T]) {
	rd.eachField(n, title, func(key, value *yaml.Node) {
		before := len(rd.errs)
		path, _ := rd.readPath(key)
		if v := read(key, value); len(rd.errs) == before {
			all = append(all, schema.Rule[T]{Pattern: path, Value: v})
		}
	})
	return all
}

// readLists reads n, the value of the field lists in the team's rules: a mapping from the paths of lists to their
// kinds. It records an error in rd for each mistake, and leaves out the rule with it.
//
//	lists:
//	  spec.args: ordered
//	  "steps[*].env": {keys: [name]}
func (rd *reader) readLists(n *yaml.Node) []schema.Rule[schema.List] {
	return readRulesByPath(rd, n, "lists", func(key, value *yaml.Node) schema.List {
		l := rd.readList(value)
		l.Source = rd.sourceOf(key)
		return l
	})
}

// readImages reads n, the value of the field images in the team's rules: the path of a field that holds an image
// reference, or a list of such paths. It records an error in rd for each mistake, and leaves out the path with it.
func (rd *reader) readImages(n *yaml.Node) (all []schema.Rule[bool]) {
	for _, c := range rd.stringNodes(n, "images") {
		if at, ok := rd.readPath(c); ok {
			all = append(all, schema.Rule[bool]{Pattern: at, Value: true})
		}
	}
	return all
}

// addMention adds m to the mentions of the entry that is being read, so that Usage can report it if it matches nothing.
// m has a file pattern, kind or path that is written at n; addMention sets its node, location, entry and field. Outside
// of entries, it does nothing.
func (rd *reader) addMention(n *yaml.Node, m mention) {
	if rd.entry != nil {
		m.entry, m.node, m.location, m.field = rd.entry, n, rd.newError(n, "", "").location(), rd.field
		rd.entry.mentions = append(rd.entry.mentions, m)
	}
}

// readPath parses the path of a field in the team's rules, such as spec.ports[*].name. It also adds the path to the
// mentions of the entry. If the path is invalid, it records an error in rd; p is then nil and ok is false.
func (rd *reader) readPath(n *yaml.Node) (p schema.Pattern, ok bool) {
	p, err := schema.ParsePattern(n.Value)
	if err != nil {
		rd.fail(n, fmt.Sprintf("invalid path %s: %v", strconv.Quote(n.Value), err), "")
	} else {
		rd.addMention(n, mention{pattern: p})
	}
	return p, err == nil
}

// listKinds is the hint for an invalid description of a list.
const listKinds = "expected ordered, set, atomic, {keys: [..]} or {separators: [..]}"

// readList reads the description of a list: ordered, set, atomic, {keys: [name]} or {separators: ["="]}. It records an
// error in rd for anything else. The result then has no meaning.
func (rd *reader) readList(n *yaml.Node) schema.List {
	kinds := map[string]schema.Kind{"ordered": schema.Ordered, "set": schema.Set, "atomic": schema.Atomic}
	kind, ok := kinds[n.Value]
	switch {
	case n.Kind == yaml.MappingNode:
		return rd.readMapList(n)
	case n.Kind == yaml.ScalarNode && ok:
		return schema.List{Kind: kind, OrderMatters: kind == schema.Ordered}
	case n.Kind == yaml.ScalarNode && n.Value == "map":
		rd.fail(n, "a map list needs the keys of an item", "expected {keys: [name]}")
	case isString(n):
		rd.failUnknown(n, "kind of list", []string{"ordered", "set", "atomic"}, listKinds)
	default:
		rd.fail(n, "the list is "+describeNode(n), listKinds)
	}
	return schema.List{}
}

// readMapList reads the description of a list whose items have identities. It has either keys, the fields that identify
// an item, or separators: an item is then a string, with the text before the first separator as its identity, or the
// text between after and the separator. Each mistake is recorded in rd; the result then has no meaning.
//
//	{keys: [port, protocol], defaults: {protocol: TCP}}
//	{separators: ["="], after: "::"}      bioconda::star=2.6 has the identity star
func (rd *reader) readMapList(n *yaml.Node) schema.List {
	l := schema.List{Kind: schema.Map}
	var defaults *yaml.Node
	errorsBefore := len(rd.errs)
	rd.readMapping(n, "a list", []fieldReader{
		{"keys", func(v *yaml.Node) { l.Keys = rd.readKeys(v) }},
		{"defaults", func(v *yaml.Node) { defaults = v }},
		{"separators", func(v *yaml.Node) { l.Separators = rd.readSeparators(v) }},
		{"after", func(v *yaml.Node) { l.After = rd.readText(v, "after") }},
	})
	if defaults != nil {
		l.Defaults = rd.readDefaults(defaults, l.Keys)
	}
	switch {
	case len(rd.errs) > errorsBefore:
	case (len(l.Keys) == 0) == (len(l.Separators) == 0):
		rd.fail(n, "the list needs either keys or separators", listKinds)
	case l.After != "" && len(l.Keys) > 0:
		rd.fail(n, "after cannot be used with keys", "expected {separators: [..], after: ..}")
	}
	return l
}

// readKeys reads the associative keys of a list, which together identify an item. n is a string or a list of strings.
// Each is the name of a field, a path such as metadata.name, or alternatives such as alias|name. It records an error in
// rd for each mistake. A repeated key is left out; an invalid key remains in the result.
func (rd *reader) readKeys(n *yaml.Node) (all []string) {
	for _, c := range rd.uniqueStringNodes(n, "keys") {
		bad := func(alt string) bool {
			return slices.Contains(strings.Split(alt, "."), "") || strings.ContainsAny(alt, "*[]\"' ")
		}
		if slices.ContainsFunc(strings.Split(c.Value, "|"), bad) {
			rd.fail(c, "invalid key "+strconv.Quote(c.Value), "expected a field, as in name, metadata.name or alias|name")
		}
		all = append(all, c.Value)
	}
	return all
}

// readSeparators reads the separators of a list of strings: an item is identified by its text before the first
// separator, as KEY=value by KEY with the separator "=". n is a string or a list of strings. It records an error in rd
// for each mistake, such as an empty separator; the caller must not use the result then.
func (rd *reader) readSeparators(n *yaml.Node) (all []string) {
	for _, c := range rd.stringNodes(n, "separators") {
		if c.Value == "" {
			rd.fail(c, "empty separator", `expected a string such as "="`)
		}
		all = append(all, c.Value)
	}
	return all
}

// readDefaults reads n, a mapping from associative keys to their default values, such as {protocol: TCP}. It records an
// error in rd for a field that is not in keys, for a value that is null or not a scalar, and for the mistakes that
// eachField finds. Fields with a mistake in their value, or that are not in keys, remain in the result.
func (rd *reader) readDefaults(n *yaml.Node, keys []string) map[string]string {
	all, isKey := map[string]string{}, map[string]bool{}
	for _, k := range keys {
		isKey[k] = true
	}
	rd.eachField(n, "defaults", func(key, value *yaml.Node) {
		if !isKey[key.Value] {
			const maxKeys = 10 // keeps the message short
			hint := "expected one of " + strings.Join(keys[:min(maxKeys, len(keys))], ", ")
			if len(keys) == 0 {
				hint = "expected keys: [" + key.Value + "]"
			}
			rd.fail(key, strconv.Quote(key.Value)+" is not one of the keys", hint)
		}
		all[key.Value] = rd.readText(value, "a default")
	})
	return all
}

// readOneOf reads n, the value of the field oneOf in the team's rules: a mapping from the paths of mappings to the
// names of two or more fields that exclude each other there. It records an error in rd for each mistake, and leaves out
// the rule with it.
//
//	oneOf:
//	  "volumes[*]": [emptyDir, hostPath]
func (rd *reader) readOneOf(n *yaml.Node) []schema.Rule[schema.Unit] {
	return readRulesByPath(rd, n, "oneOf", func(_, value *yaml.Node) schema.Unit {
		errorsBefore := len(rd.errs)
		fields := valuesOf(rd.uniqueStringNodes(value, "oneOf"))
		if len(fields) < 2 && len(rd.errs) == errorsBefore {
			rd.fail(value, "oneOf needs at least two fields", "")
		}
		return schema.Exclusive(fields...)
	})
}

// readAccess reads n, the value of the field access in the team's rules: a mapping from paths to access fields, in the
// forms that access.ParseField parses. An empty list means that there are none, whatever presets state. It records an
// error in rd for each mistake, and leaves out the rule with it.
//
//	access:
//	  "rules[*]": [verbs, resources, resourceNames=*]
//	  spec: []
func (rd *reader) readAccess(n *yaml.Node) []schema.Rule[access.Fields] {
	const allowed = "expected field, field=*, -field, from..to, or several joined by |, as in Action|-NotAction"
	return readRulesByPath(rd, n, "access", func(_, value *yaml.Node) access.Fields {
		if value.Kind == yaml.SequenceNode && len(value.Content) == 0 {
			return nil
		}
		errorsBefore, seen := len(rd.errs), map[string]bool{}
		var fields access.Fields
		for _, c := range rd.stringNodes(value, "access") {
			f, err := access.ParseField(c.Value)
			for _, name := range f.Names() {
				if seen[name] {
					rd.fail(c, strconv.Quote(name)+" is repeated in access", "")
				}
				seen[name] = true
			}
			if err != nil {
				rd.fail(c, err.Error(), allowed)
			}
			fields = append(fields, f)
		}
		if len(fields) == 1 && len(rd.errs) == errorsBefore {
			rd.fail(value, "access needs at least two fields", "use [] for no fields at this path")
		}
		return fields
	})
}

// readFields reads n, the value of the field fields in the team's rules: a mapping from paths to the policies that
// decide conflicts there. It records an error in rd for each mistake. A rule with an invalid path is left out. A rule
// with an invalid policy remains, with NoPolicy, so that no later rule decides the field.
//
//	fields:
//	  image.tag: highest
func (rd *reader) readFields(n *yaml.Node) (all []schema.Rule[Decision]) {
	rd.eachField(n, "fields", func(key, value *yaml.Node) {
		path, ok := rd.readPath(key)
		d := Decision{} // NoPolicy, so that a later rule such as "**": theirs does not decide the field
		if p := rd.readPolicy(value, "policy", policies); p != NoPolicy {
			d = Decision{Policy: p, Source: rd.sourceOf(key)}
		}
		if ok {
			all = append(all, schema.Rule[Decision]{Pattern: path, Value: d})
			rd.entry.mentions[len(rd.entry.mentions)-1].policy = d.Policy // the mention that readPath added
		}
	})
	return all
}

// readPolicy returns the policy that is written at n. If it is not one of allowed, readPolicy records an error in rd,
// which lists them, and returns NoPolicy. title names the policy in messages. allowed must have at least two policies.
func (rd *reader) readPolicy(n *yaml.Node, title string, allowed []Policy) Policy {
	if p := Policy(n.Value); n.Kind == yaml.ScalarNode && slices.Contains(allowed, p) {
		return p
	}
	var names []string
	for _, p := range allowed {
		names = append(names, string(p))
	}
	last := len(names) - 1
	hint := "expected " + strings.Join(names[:last], ", ") + " or " + names[last]
	if isString(n) {
		rd.failUnknown(n, title, names, hint)
	} else {
		rd.fail(n, "the "+title+" is "+describeNode(n), hint)
	}
	return NoPolicy
}

// readDeleted reads n, the value of the field deleted in the team's rules, for files that one side deleted and the
// other side changed: own, upstream or ask. For any other value, it records an error in rd and returns the policy ask,
// so that the user decides and no later entry does.
func (rd *reader) readDeleted(n *yaml.Node) Deleted {
	p := rd.readPolicy(n, "policy for deleted files", []Policy{Own, Upstream, Ask})
	return Deleted{cmp.Or(p, Ask), rd.sourceOf(n)}
}

// readGenerated reads n, the value of the field generated in the team's file: a list of rules for files that a command
// generates from other files. from and by may be missing, and by may be null. It records an error in rd for each
// mistake, and leaves out the rule with it.
//
//	generated:
//	- {files: [docs/*.yaml], from: [src/**], by: make docs}
func (rd *reader) readGenerated(n *yaml.Node) (all []*Generated) {
	if n.Kind != yaml.SequenceNode {
		rd.fail(n, "generated is "+describeNode(n), "expected a list of {files, from, by}")
		return nil
	}
	for _, c := range n.Content {
		c = resolveAlias(c)
		g, errorsBefore := &Generated{Source: rd.sourceOf(c)}, len(rd.errs)
		rd.readMapping(c, "an entry of generated", []fieldReader{
			{"files", func(v *yaml.Node) { g.files, g.Files = rd.readGlobs(v, "files") }},
			{"from", func(v *yaml.Node) { g.from, g.From = rd.readGlobs(v, "from") }},
			{"by", func(v *yaml.Node) {
				if v.Tag != "!!null" {
					g.By = rd.readText(v, "by")
				}
			}},
		})
		if len(g.files) == 0 && c.Kind == yaml.MappingNode {
			rd.fail(c, "the entry has no files", "expected files: [PATTERN]")
		}
		if len(rd.errs) == errorsBefore {
			all = append(all, g)
		}
	}
	return all
}

// readUnits reads n, the value of the field units in the team's rules: a mapping from a path to a group of fields
// there, which are merged as one value, so that a conflict in one of them is a conflict in all. An empty list means
// that there is no group, whatever presets state. A rule with mistakes is left out, and the mistakes are recorded in
// rd; of several invalid fields, only the first is.
//
//	units:
//	  spec.backend: [host, port]
func (rd *reader) readUnits(n *yaml.Node) []schema.Rule[schema.Unit] {
	return readRulesByPath(rd, n, "units", func(key, value *yaml.Node) (u schema.Unit) {
		if value.Kind == yaml.SequenceNode && len(value.Content) == 0 {
			return u
		}
		nodes := rd.uniqueStringNodes(value, "units")
		if len(nodes) == 0 {
			return u
		}
		u, invalid, err := schema.ParseUnit(valuesOf(nodes))
		switch {
		case err != nil:
			rd.fail(nodes[invalid], err.Error(), "expected field, field=default, field/ or from..to")
		case u.Len() < 2:
			rd.fail(value, "units needs at least two fields", "use [] for no fields at this path")
		}
		u.Source = rd.sourceOf(key)
		return u
	})
}
