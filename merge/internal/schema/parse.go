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
	rd := &reader{name: name}
	if err := rd.read(r, data, version); err != nil {
		return nil, err
	}
	return r, nil
}

// read adds to r what data says.
func (rd *reader) read(r *Rules, data []byte, version string) error {
	root, err := rd.document(data)
	if err != nil || root == nil {
		return err
	}
	if err := rd.requires(r, root, version); err != nil {
		return err
	}
	var more []*entry // what the team's own entries leave open
	rd.mapping(root, "the file", []member{
		{"requires", func(*yaml.Node) {}},
		{"crds", func(n *yaml.Node) { r.crdFiles, r.crdPatterns = rd.globs(n, "crds") }},
		{"extends", func(n *yaml.Node) { more = rd.extends(r, n) }},
		{"rules", func(n *yaml.Node) {
			rd.mentions = nil
			r.team = rd.entries(n)
			r.written = rd.mentions
		}},
		{"generated", func(n *yaml.Node) { r.generated = rd.generated(n) }},
	})
	r.team = append(r.team, more...)
	return errors.Join(rd.errs...)
}

var (
	// requirement is ">=0.1".
	requirement = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^>=\s*([0-9]+(?:\.[0-9]+){0,2})\s*$`) })
	// between is how Go's stamp on a build between two releases ends: with the time and
	// name of its commit, or with what says that files were changed.
	between = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`[-.][0-9]{14}-[0-9a-f]{12}\b|\+dirty$`)
	})
)

// requires returns an error if the file asks for a newer tool. It comes
// before all else: what a newer tool knows is no mistake. A build that is no
// release is as new as whoever built it says, which is remarked.
func (rd *reader) requires(r *Rules, root *yaml.Node, version string) error {
	n := at(root, "requires")
	if n == nil {
		return nil
	}
	least := requirement().FindStringSubmatch(n.Value)
	if n.Kind != yaml.ScalarNode || least == nil {
		return rd.failure(n, "requires is "+kindOf(n), `the oldest version that will do is expected, as in ">=0.1"`)
	}
	version = strings.TrimPrefix(version, "v")
	asked := "git-merge-yaml " + n.Value + " is required, this is " + version
	numbers := func(version string) []string { return append(strings.Split(version, "."), "0", "0")[:3] }
	is, _, _ := strings.Cut(version, "+")
	is, _, _ = strings.Cut(is, "-") // what follows the numbers does not count
	switch {
	case version == "":
	case strings.IndexByte("0123456789", version[0]) < 0 || version == "0.0.0" || between().MatchString(version):
		r.remarks = append(r.remarks, rd.failure(n, asked, "no release, and taken for new enough").Error())
	case slices.CompareFunc(numbers(is), numbers(least[1]), compareDigits) < 0:
		return rd.failure(n, asked, "install a newer one")
	}
	return nil
}

// words reads texts, each of which parse makes something of; of its errors, allowed is what is expected.
func words[T any](rd *reader, n *yaml.Node, what, allowed string, parse func(*yaml.Node) (T, error)) (all []T) {
	for _, c := range rd.texts(n, what) {
		if v, err := parse(c); err != nil {
			rd.fail(c, strconv.Quote(c.Value)+err.Error(), allowed)
		} else {
			all = append(all, v)
		}
	}
	return all
}

// globs reads patterns of files. It returns them as they are written, too.
func (rd *reader) globs(n *yaml.Node, what string) (globs []wildmatch.Glob, texts []string) {
	globs = words(rd, n, what, "a pattern as in .gitattributes is expected", func(c *yaml.Node) (wildmatch.Glob, error) {
		g, err := wildmatch.Parse(c.Value)
		if err != nil {
			return g, fmt.Errorf(": %w", err)
		}
		texts = append(texts, c.Value)
		rd.mentions = append(rd.mentions, mention{in: rd.in, node: c, source: rd.failure(c, "", "").place(), file: &g})
		return g, nil
	})
	return globs, texts
}

// entries reads the list of rules.
func (rd *reader) entries(n *yaml.Node) (all []*entry) {
	if n.Kind != yaml.SequenceNode {
		rd.fail(n, "rules is "+kindOf(n), "a list of entries is expected")
		return nil
	}
	for _, c := range n.Content {
		all = append(all, rd.entry(resolve(c)))
	}
	return all
}

func (rd *reader) entry(n *yaml.Node) *entry {
	e := new(entry)
	rd.in, rd.entryName = e, text(n, "name")
	before := len(rd.errs)
	rd.mapping(n, "an entry", []member{
		{"name", func(v *yaml.Node) { rd.text(v, "name") }},
		{"files", func(v *yaml.Node) { e.files, _ = rd.globs(v, "files") }},
		{"kinds", func(v *yaml.Node) { e.kinds = rd.kinds(v) }},
		{"lists", func(v *yaml.Node) { e.lists = rd.lists(v) }},
		{"oneOf", func(v *yaml.Node) { e.oneOf = rd.unions(v) }},
		{"multiplied", func(v *yaml.Node) { e.multiplied = rd.multiplied(v) }},
		{"images", func(v *yaml.Node) { e.images = rd.images(v) }},
		{"fields", func(v *yaml.Node) { e.fields = rd.policies(v) }},
		{"deleted", func(v *yaml.Node) { e.deleted = rd.deleted(v) }},
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

// source says where an answer stands: file and line, and what it is of: its entry's name.
func (rd *reader) source(n *yaml.Node, of string) string {
	s := rd.name
	if n.Line != 0 {
		s += ":" + strconv.Itoa(n.Line)
	}
	if of != "" {
		s += ", " + of
	}
	return s
}

func (rd *reader) text(n *yaml.Node, what string) string {
	if n.Kind != yaml.ScalarNode || n.Tag == "!!null" {
		rd.fail(n, what+" is "+kindOf(n), "a text is expected")
	}
	return n.Value
}

func (rd *reader) kinds(n *yaml.Node) []kindSelector {
	const allowed = "Kind, group/Kind or core/Kind is expected, without a version"
	return words(rd, n, "kinds", allowed, func(c *yaml.Node) (kindSelector, error) { return parseKind(c.Value) })
}

// byPath reads a mapping of paths, each with something that read makes of its value.
func byPath[T any](rd *reader, n *yaml.Node, what string, read func(key, value *yaml.Node) T) (all []rule[T]) {
	rd.each(n, what, func(key, value *yaml.Node) {
		at, ok := rd.path(key)
		if is := read(key, value); ok {
			all = append(all, rule[T]{at, is})
		}
	})
	return all
}

// lists reads `lists`, paths with what the list there is.
func (rd *reader) lists(n *yaml.Node) []rule[List] {
	return byPath(rd, n, "lists", func(key, value *yaml.Node) List {
		l := rd.list(value)
		l.Source = rd.source(key, rd.entryName)
		return l
	})
}

// images reads paths of fields that are references of images.
func (rd *reader) images(n *yaml.Node) (all []rule[bool]) {
	for _, c := range rd.texts(n, "images") {
		if at, ok := rd.path(c); ok {
			all = append(all, rule[bool]{at, true})
		}
	}
	return all
}

func (rd *reader) path(n *yaml.Node) (pattern, bool) {
	p, err := parsePattern(n.Value)
	if err != nil {
		rd.fail(n, fmt.Sprintf("path %s: %v", strconv.Quote(n.Value), err),
			`names joined by dots are expected, * for one field or any item, ** for any number`)
	} else {
		rd.mentions = append(rd.mentions, mention{in: rd.in, node: n, source: rd.failure(n, "", "").place(), at: p})
	}
	return p, err == nil
}

const listKinds = "ordered, set, atomic, {keys: [..]} or {separators: [..]} is expected"

// list reads what a list is.
func (rd *reader) list(n *yaml.Node) List {
	kinds := map[string]Kind{"ordered": Ordered, "set": Set, "atomic": Atomic}
	kind, ok := kinds[n.Value]
	switch {
	case n.Kind == yaml.MappingNode:
		return rd.keyed(n)
	case n.Kind == yaml.ScalarNode && ok:
		return List{Kind: kind}
	case n.Kind == yaml.ScalarNode && n.Value == "map":
		rd.fail(n, "a map list needs the fields that identify its items", "{keys: [name]} is expected")
	default:
		rd.fail(n, "the list is "+kindOf(n), listKinds)
	}
	return List{}
}

// keyed reads {keys, defaults} or {separators, after}.
func (rd *reader) keyed(n *yaml.Node) List {
	l := List{Kind: Map}
	var defaults *yaml.Node
	before := len(rd.errs)
	rd.mapping(n, "a list", []member{
		{"keys", func(v *yaml.Node) { l.Keys = rd.keys(v) }},
		{"defaults", func(v *yaml.Node) { defaults = v }},
		{"separators", func(v *yaml.Node) { l.Separators = rd.separators(v) }},
		{"after", func(v *yaml.Node) { l.After = rd.text(v, "after") }},
	})
	if defaults != nil {
		l.Defaults = rd.defaults(defaults, l.Keys)
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

// keys reads the fields that identify an item: `name`, `metadata.name`, or
// `alias|name` for the first of them that is there.
func (rd *reader) keys(n *yaml.Node) (all []string) {
	for _, c := range rd.once(n, "keys", "every key once") {
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

func (rd *reader) separators(n *yaml.Node) (all []string) {
	for _, c := range rd.texts(n, "separators") {
		if c.Value == "" {
			rd.fail(c, "an empty separator", `a text such as "=" is expected`)
		}
		all = append(all, c.Value)
	}
	return all
}

// defaults reads the values of keys that items may leave out.
func (rd *reader) defaults(n *yaml.Node, keys []string) map[string]string {
	all, isKey := map[string]string{}, map[string]bool{}
	for _, k := range keys {
		isKey[k] = true
	}
	rd.each(n, "defaults", func(key, value *yaml.Node) {
		if !isKey[key.Value] {
			const most = 10 // of many keys, so that a message is short
			rd.fail(key, strconv.Quote(key.Value)+" is none of the keys", "allowed: "+strings.Join(keys[:min(most, len(keys))], ", "))
		}
		all[key.Value] = rd.text(value, "a default")
	})
	return all
}

// unions reads `oneOf`, paths of mappings with the fields that exclude each
// other there.
func (rd *reader) unions(n *yaml.Node) []rule[OneOf] {
	return byPath(rd, n, "oneOf", func(_, value *yaml.Node) (u OneOf) {
		for _, c := range rd.once(value, "oneOf", "every field once") {
			u = append(u, Member{Field: c.Value})
		}
		if len(u) < 2 {
			rd.fail(value, "one field excludes nothing", "two fields or more are expected")
		}
		return u
	})
}

// multiplied reads `multiplied`, paths of mappings with the fields that are multiplied there; none says that
// nothing is.
func (rd *reader) multiplied(n *yaml.Node) []rule[Multiplied] {
	const allowed = "field, field=*, -field, from..to, or several of them as in Action|-NotAction is expected"
	return byPath(rd, n, "multiplied", func(_, value *yaml.Node) Multiplied {
		if value.Kind == yaml.SequenceNode && len(value.Content) == 0 {
			return nil
		}
		before, known := len(rd.errs), map[string]bool{}
		m := words(rd, value, "multiplied", allowed, func(c *yaml.Node) (Factor, error) {
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

// policies reads `fields`, paths with how a conflict there is decided.
func (rd *reader) policies(n *yaml.Node) []rule[Decision] {
	return byPath(rd, n, "fields", func(key, value *yaml.Node) Decision {
		if p := Policy(value.Value); value.Kind == yaml.ScalarNode && slices.Contains(Policies, p) {
			return Decision{Policy: p, Source: rd.source(key, rd.entryName)}
		}
		rd.fail(value, "the policy is "+kindOf(value), "own, upstream, ours, theirs, highest, lowest, next or union is expected")
		return Decision{}
	})
}

// deleted reads what is done with files that one side deleted.
func (rd *reader) deleted(n *yaml.Node) Deleted {
	switch p := Policy(n.Value); {
	case n.Kind == yaml.ScalarNode && (p == Own || p == Upstream || p == Ask):
		return Deleted{p, rd.source(n, rd.entryName)}
	}
	rd.fail(n, "deleted is "+kindOf(n), "own, upstream or ask is expected")
	return Deleted{}
}

// generated reads the list of files that programs make.
func (rd *reader) generated(n *yaml.Node) (all []*Generated) {
	if n.Kind != yaml.SequenceNode {
		rd.fail(n, "generated is "+kindOf(n), "a list of {files, from, by} is expected")
		return nil
	}
	for _, c := range n.Content {
		c = resolve(c)
		g := &Generated{Source: rd.source(c, "")}
		rd.mapping(c, "an entry of generated", []member{
			{"files", func(v *yaml.Node) { g.files, g.Files = rd.globs(v, "files") }},
			{"from", func(v *yaml.Node) { g.from, g.From = rd.globs(v, "from") }},
			{"by", func(v *yaml.Node) { // may be left empty
				if v.Tag != "!!null" {
					g.By = rd.text(v, "by")
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
