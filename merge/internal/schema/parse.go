package schema

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"gopkg.in/yaml.v3"

	"github.com/git-merge-yaml/git-merge-yaml/gitattrs/wildmatch"
)

// Parse reads the team's file (docs/rules.md describes it). Name is the
// file's name for errors and sources. Version is the version of this tool,
// for `requires`; one that is no release meets everything, which Remarks says, and so
// does "", in silence.
//
// Its error joins an *Error for every mistake; there are no rules then.
func Parse(name string, data []byte, version string) (*Rules, error) {
	r := new(Rules)
	rd := &reader{file: name}
	if err := rd.readRules(r, data, version); err != nil {
		return nil, err
	}
	return r, nil
}

// readRules adds to r what data says.
func (rd *reader) readRules(r *Rules, data []byte, version string) error {
	root, err := rd.parseDocument(data)
	if err != nil || root == nil {
		return err
	}
	if err := rd.checkRequiredVersion(r, root, version); err != nil {
		return err
	}
	var more []*rulesEntry // what the team's own entries leave open
	rd.readMapping(root, "the file", []fieldReader{
		{"requires", func(*yaml.Node) {}},
		{"crds", func(n *yaml.Node) { r.crdGlobs, r.crdPatterns = rd.readGlobs(n, "crds") }},
		{"extends", func(n *yaml.Node) { more = rd.readExtends(r, n) }},
		{"rules", func(n *yaml.Node) {
			rd.mentions = nil
			r.team = rd.readEntries(n)
			r.mentions = rd.mentions
		}},
		{"generated", func(n *yaml.Node) { r.generated = rd.readGenerated(n) }},
	})
	r.team = append(r.team, more...)
	return errors.Join(rd.errs...)
}

var (
	// requirementRegexp is ">=0.1".
	requirementRegexp = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^>=\s*([0-9]+(?:\.[0-9]+){0,2})\s*$`) })
	// unreleasedRegexp is how Go's stamp on a build between two releases ends: with the time and
	// name of its commit, or with what says that files were changed.
	unreleasedRegexp = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`[-.][0-9]{14}-[0-9a-f]{12}\b|\+dirty$`)
	})
)

// checkRequiredVersion returns an error if the file asks for a newer tool. It comes
// before all else: what a newer tool knows is no mistake. A build that is no
// release is as new as whoever built it says, which is remarked.
func (rd *reader) checkRequiredVersion(r *Rules, root *yaml.Node, version string) error {
	n := nodeAt(root, "requires")
	if n == nil {
		return nil
	}
	least := requirementRegexp().FindStringSubmatch(n.Value)
	if n.Kind != yaml.ScalarNode || least == nil {
		return rd.newError(n, "requires is "+describeNode(n), `the oldest version that will do is expected, as in ">=0.1"`)
	}
	version = strings.TrimPrefix(version, "v")
	asked := "git-merge-yaml " + n.Value + " is required, this is " + version
	numbers := func(version string) []string { return append(strings.Split(version, "."), "0", "0")[:3] }
	is, _, _ := strings.Cut(version, "+")
	is, _, _ = strings.Cut(is, "-") // what follows the numbers does not count
	switch {
	case version == "":
	case strings.IndexByte("0123456789", version[0]) < 0 || version == "0.0.0" || unreleasedRegexp().MatchString(version):
		r.remarks = append(r.remarks, rd.newError(n, asked, "no release, and taken for new enough").Error())
	case slices.CompareFunc(numbers(is), numbers(least[1]), compareDigits) < 0:
		return rd.newError(n, asked, "install a newer one")
	}
	return nil
}

// parseStrings reads texts, each of which parse makes something of; of its errors, allowed is what is expected.
func parseStrings[T any](rd *reader, n *yaml.Node, what, allowed string, parse func(*yaml.Node) (T, error)) (all []T) {
	for _, c := range rd.stringNodes(n, what) {
		if v, err := parse(c); err != nil {
			rd.fail(c, strconv.Quote(c.Value)+err.Error(), allowed)
		} else {
			all = append(all, v)
		}
	}
	return all
}

// readGlobs reads patterns of files. It returns them as they are written, too.
func (rd *reader) readGlobs(n *yaml.Node, what string) (globs []wildmatch.Glob, texts []string) {
	globs = parseStrings(rd, n, what, "a pattern as in .gitattributes is expected", func(c *yaml.Node) (wildmatch.Glob, error) {
		g, err := wildmatch.Parse(c.Value)
		if err != nil {
			return g, fmt.Errorf(": %w", err)
		}
		texts = append(texts, c.Value)
		rd.mentions = append(rd.mentions, mention{entry: rd.entry, node: c, location: rd.newError(c, "", "").location(), glob: &g})
		return g, nil
	})
	return globs, texts
}

// readEntries reads the list of rules.
func (rd *reader) readEntries(n *yaml.Node) (all []*rulesEntry) {
	if n.Kind != yaml.SequenceNode {
		rd.fail(n, "rules is "+describeNode(n), "a list of entries is expected")
		return nil
	}
	for _, c := range n.Content {
		all = append(all, rd.readEntry(resolveAlias(c)))
	}
	return all
}

func (rd *reader) readEntry(n *yaml.Node) *rulesEntry {
	e := new(rulesEntry)
	rd.entry, rd.entryName = e, textAt(n, "name")
	before := len(rd.errs)
	rd.readMapping(n, "an entry", []fieldReader{
		{"name", func(v *yaml.Node) { rd.readText(v, "name") }},
		{"files", func(v *yaml.Node) { e.files, _ = rd.readGlobs(v, "files") }},
		{"kinds", func(v *yaml.Node) { e.kinds = rd.readKinds(v) }},
		{"lists", func(v *yaml.Node) { e.lists = rd.readLists(v) }},
		{"oneOf", func(v *yaml.Node) { e.oneOf = rd.readOneOf(v) }},
		{"multiplied", func(v *yaml.Node) { e.multiplied = rd.readMultiplied(v) }},
		{"images", func(v *yaml.Node) { e.images = rd.readImages(v) }},
		{"fields", func(v *yaml.Node) { e.fields = rd.readFields(v) }},
		{"deleted", func(v *yaml.Node) { e.deleted = rd.readDeleted(v) }},
	})
	switch {
	case len(rd.errs) > before:
	case e.deleted.Take != "" && (len(e.files) == 0 || len(e.kinds) > 0):
		rd.fail(n, "deleted is for files by their names", "files is expected, and no kinds")
	case e.deleted.Take == "" && len(e.lists)+len(e.oneOf)+len(e.multiplied)+len(e.images)+len(e.fields) == 0:
		rd.fail(n, "the entry says nothing", "lists, oneOf, multiplied, images, fields or deleted is expected")
	}
	return e
}

// sourceOf says where an answer stands: file and line, and what it is of: its entry's name.
func (rd *reader) sourceOf(n *yaml.Node, of string) string {
	s := rd.file
	if n.Line != 0 {
		s += ":" + strconv.Itoa(n.Line)
	}
	if of != "" {
		s += ", " + of
	}
	return s
}

func (rd *reader) readText(n *yaml.Node, what string) string {
	if n.Kind != yaml.ScalarNode || n.Tag == "!!null" {
		rd.fail(n, what+" is "+describeNode(n), "a text is expected")
	}
	return n.Value
}

func (rd *reader) readKinds(n *yaml.Node) []kindSelector {
	const allowed = "Kind, group/Kind or core/Kind is expected, without a version"
	return parseStrings(rd, n, "kinds", allowed, func(c *yaml.Node) (kindSelector, error) { return parseKind(c.Value) })
}

// readRulesByPath reads a mapping of paths, each with something that read makes of its value.
func readRulesByPath[T any](rd *reader, n *yaml.Node, what string, read func(key, value *yaml.Node) T) (all []rule[T]) {
	rd.eachField(n, what, func(key, value *yaml.Node) {
		at, ok := rd.readPath(key)
		if is := read(key, value); ok {
			all = append(all, rule[T]{at, is})
		}
	})
	return all
}

// readLists reads `lists`, paths with what the list there is.
func (rd *reader) readLists(n *yaml.Node) []rule[List] {
	return readRulesByPath(rd, n, "lists", func(key, value *yaml.Node) List {
		l := rd.readList(value)
		l.Source = rd.sourceOf(key, rd.entryName)
		return l
	})
}

// readImages reads paths of fields that are references of images.
func (rd *reader) readImages(n *yaml.Node) (all []rule[bool]) {
	for _, c := range rd.stringNodes(n, "images") {
		if at, ok := rd.readPath(c); ok {
			all = append(all, rule[bool]{at, true})
		}
	}
	return all
}

func (rd *reader) readPath(n *yaml.Node) (pattern, bool) {
	p, err := parsePattern(n.Value)
	if err != nil {
		rd.fail(n, fmt.Sprintf("path %s: %v", strconv.Quote(n.Value), err),
			`names joined by dots are expected, * for one field or any item, ** for any number`)
	} else {
		rd.mentions = append(rd.mentions, mention{entry: rd.entry, node: n, location: rd.newError(n, "", "").location(), pattern: p})
	}
	return p, err == nil
}

const listKinds = "ordered, set, atomic, {keys: [..]} or {separators: [..]} is expected"

// readList reads what a list is.
func (rd *reader) readList(n *yaml.Node) List {
	kinds := map[string]Kind{"ordered": Ordered, "set": Set, "atomic": Atomic}
	kind, ok := kinds[n.Value]
	switch {
	case n.Kind == yaml.MappingNode:
		return rd.readMapList(n)
	case n.Kind == yaml.ScalarNode && ok:
		return List{Kind: kind}
	case n.Kind == yaml.ScalarNode && n.Value == "map":
		rd.fail(n, "a map list needs the fields that identify its items", "{keys: [name]} is expected")
	default:
		rd.fail(n, "the list is "+describeNode(n), listKinds)
	}
	return List{}
}

// readMapList reads {keys, defaults} or {separators, after}.
func (rd *reader) readMapList(n *yaml.Node) List {
	l := List{Kind: Map}
	var defaults *yaml.Node
	before := len(rd.errs)
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
	case len(rd.errs) > before:
	case (len(l.Keys) == 0) == (len(l.Separators) == 0):
		rd.fail(n, "a list of items that pair has either keys or separators", listKinds)
	case l.After != "" && len(l.Keys) > 0:
		rd.fail(n, "after is for texts", "{separators: [..], after: ..} is expected")
	}
	return l
}

// readKeys reads the fields that identify an item: `name`, `metadata.name`, or
// `alias|name` for the first of them that is there.
func (rd *reader) readKeys(n *yaml.Node) (all []string) {
	for _, c := range rd.uniqueStringNodes(n, "keys", "every key once") {
		bad := func(alt string) bool {
			return slices.Contains(strings.Split(alt, "."), "") || strings.ContainsAny(alt, "*[]\"' ")
		}
		if slices.ContainsFunc(strings.Split(c.Value, "|"), bad) {
			rd.fail(c, strconv.Quote(c.Value)+" is not a key", "name, metadata.name or alias|name is expected")
		}
		all = append(all, c.Value)
	}
	return all
}

func (rd *reader) readSeparators(n *yaml.Node) (all []string) {
	for _, c := range rd.stringNodes(n, "separators") {
		if c.Value == "" {
			rd.fail(c, "an empty separator", `a text such as "=" is expected`)
		}
		all = append(all, c.Value)
	}
	return all
}

// readDefaults reads the values of keys that items may leave out.
func (rd *reader) readDefaults(n *yaml.Node, keys []string) map[string]string {
	all, isKey := map[string]string{}, map[string]bool{}
	for _, k := range keys {
		isKey[k] = true
	}
	rd.eachField(n, "defaults", func(key, value *yaml.Node) {
		if !isKey[key.Value] {
			const most = 10 // of many keys, so that a message is short
			rd.fail(key, strconv.Quote(key.Value)+" is none of the keys", "allowed: "+strings.Join(keys[:min(most, len(keys))], ", "))
		}
		all[key.Value] = rd.readText(value, "a default")
	})
	return all
}

// readOneOf reads `oneOf`, paths of mappings with the fields that exclude each
// other there.
func (rd *reader) readOneOf(n *yaml.Node) []rule[OneOf] {
	return readRulesByPath(rd, n, "oneOf", func(_, value *yaml.Node) (u OneOf) {
		for _, c := range rd.uniqueStringNodes(value, "oneOf", "every field once") {
			u = append(u, Member{Field: c.Value})
		}
		if len(u) < 2 {
			rd.fail(value, "one field excludes nothing", "two fields or more are expected")
		}
		return u
	})
}

// readMultiplied reads `multiplied`, paths of mappings with the fields that are multiplied there; none says that
// nothing is.
func (rd *reader) readMultiplied(n *yaml.Node) []rule[Multiplied] {
	const allowed = "field, field=*, -field, from..to, or several of them as in Action|-NotAction is expected"
	return readRulesByPath(rd, n, "multiplied", func(_, value *yaml.Node) Multiplied {
		if value.Kind == yaml.SequenceNode && len(value.Content) == 0 {
			return nil
		}
		before, known := len(rd.errs), map[string]bool{}
		m := parseStrings(rd, value, "multiplied", allowed, func(c *yaml.Node) (Factor, error) {
			f, err := decodeFactor(c.Value)
			for _, x := range f.fields {
				if known[x.name] {
					rd.fail(c, strconv.Quote(x.name)+" is there twice", "every field once")
				}
				known[x.name] = true
			}
			return f, err
		})
		if len(m) == 1 && len(rd.errs) == before {
			rd.fail(value, "one field multiplies nothing", "two fields or more are expected, or [] to multiply none here")
		}
		return m
	})
}

// readFields reads `fields`, paths with how a conflict there is decided.
func (rd *reader) readFields(n *yaml.Node) []rule[Decision] {
	return readRulesByPath(rd, n, "fields", func(key, value *yaml.Node) Decision {
		if p := Policy(value.Value); value.Kind == yaml.ScalarNode && slices.Contains(Policies, p) {
			return Decision{Policy: p, Source: rd.sourceOf(key, rd.entryName)}
		}
		rd.fail(value, "the policy is "+describeNode(value), "own, upstream, ours, theirs, highest, lowest, next or union is expected")
		return Decision{}
	})
}

// readDeleted reads what is done with files that one side deleted.
func (rd *reader) readDeleted(n *yaml.Node) Deleted {
	switch p := Policy(n.Value); {
	case n.Kind == yaml.ScalarNode && (p == Own || p == Upstream || p == Ask):
		return Deleted{p, rd.sourceOf(n, rd.entryName)}
	}
	rd.fail(n, "deleted is "+describeNode(n), "own, upstream or ask is expected")
	return Deleted{}
}

// readGenerated reads the list of files that programs make.
func (rd *reader) readGenerated(n *yaml.Node) (all []*Generated) {
	if n.Kind != yaml.SequenceNode {
		rd.fail(n, "generated is "+describeNode(n), "a list of {files, from, by} is expected")
		return nil
	}
	for _, c := range n.Content {
		c = resolveAlias(c)
		g := &Generated{Source: rd.sourceOf(c, "")}
		rd.readMapping(c, "an entry of generated", []fieldReader{
			{"files", func(v *yaml.Node) { g.files, g.Files = rd.readGlobs(v, "files") }},
			{"from", func(v *yaml.Node) { g.from, g.From = rd.readGlobs(v, "from") }},
			{"by", func(v *yaml.Node) { // may be left empty
				if v.Tag != "!!null" {
					g.By = rd.readText(v, "by")
				}
			}},
		})
		if len(g.files) == 0 && c.Kind == yaml.MappingNode {
			rd.fail(c, "the entry names no files", "files: [PATTERN] is expected, and from and by")
		}
		all = append(all, g)
	}
	return all
}
