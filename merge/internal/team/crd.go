package team

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"maps"
	"slices"
	"sync"

	"gopkg.in/yaml.v3"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
)

// crdTypes holds the OpenAPI schemas of custom resources by group, version and kind. An entry with an empty version
// holds the schemas of all versions.
type crdTypes map[schema.Type][]*yaml.Node

// AddCRD adds the custom resource definitions in data, a file with one or more documents, except for versions of a kind
// that r already has. name is the name of the file for messages. If the file has mistakes, nothing is added, and the
// error joins them. AddCRD must not be called while r is used in another goroutine.
func (r *Rules) AddCRD(name string, data []byte) error {
	rd := &reader{file: name}
	found := crdTypes{}
	for d := yaml.NewDecoder(bytes.NewReader(data)); ; {
		var doc yaml.Node
		if err := d.Decode(&doc); err == io.EOF {
			break
		} else if err != nil {
			return rd.syntaxError(nil, err)
		}
		found.addDefinition(rd, doc.Content[0])
	}
	if len(rd.errs) > 0 {
		return errors.Join(rd.errs...)
	}
	r.crds = r.crds.addMissing(found)
	return nil
}

// A File is a file that rules need, with its path relative to the top of the work tree.
type File struct {
	Path string
	Data []byte
}

// SetCRDSource sets the function that returns the files with custom resource definitions. It is called at most once,
// when a resource occurs whose kind is not built-in. Mistakes in files about other kinds are not found. SetCRDSource
// must not be called while r is used in another goroutine.
func (r *Rules) SetCRDSource(files func() ([]File, error)) { r.crdSource = sync.OnceValues(files) }

// CRDError returns the first error that occurred since SetCRDSource, or nil: an error of its function, or a mistake in
// a file that it returned. A file is only read when a merge needs its kind, so a later call may return an error that an
// earlier one did not.
func (r *Rules) CRDError() error {
	if err := r.crdError.Load(); err != nil {
		return *err
	}
	return nil
}

// parseCRDsFor returns the custom resource definitions for a kind: those in the files of r.crdSource, which must not be
// nil, and, for versions that the files lack, those that were added to r before. If r.crdSource fails, it returns the
// latter. A file with a mistake is ignored. The first error is stored in r.crdError.
func (r *Rules) parseCRDsFor(kind schema.Type) crdTypes {
	files, err := r.crdSource()
	if err != nil {
		r.crdError.CompareAndSwap(nil, &err)
		return r.crds
	}
	parsed := &Rules{}
	for _, f := range files {
		// most files are about other kinds
		if !bytes.Contains(f.Data, []byte(kind.Group)) || !bytes.Contains(f.Data, []byte(kind.Kind)) {
			continue
		}
		if err := parsed.AddCRD(f.Path, f.Data); err != nil {
			r.crdError.CompareAndSwap(nil, &err)
		}
	}
	return parsed.crds.addMissing(r.crds)
}

// addMissing adds the schemas of other to t, except those for a version of a kind that t already has, and returns t, or
// other itself if t is nil. The entries for unknown versions get all schemas of other.
func (t crdTypes) addMissing(other crdTypes) crdTypes {
	if t == nil {
		return other
	}
	for k, schemas := range other {
		// a list of an unknown version is only known if all versions agree
		if k.Version == "" || t[k] == nil {
			t[k] = append(t[k], schemas...)
		}
	}
	return t
}

// addDefinition adds the OpenAPI schemas of doc, a custom resource definition, to t, one for each version of its kind
// that t does not have yet. A document of another kind is ignored. Mistakes in the list types of a schema are recorded
// in rd.
func (t crdTypes) addDefinition(rd *reader, doc *yaml.Node) {
	if textAt(doc, "kind") != "CustomResourceDefinition" {
		return
	}
	spec := nodeAt(doc, "spec")
	group, kind := textAt(spec, "group"), textAt(nodeAt(spec, "names"), "kind")
	shared := nodeAt(spec, "validation", "openAPIV3Schema") // for all versions, in definitions before apiextensions/v1
	versions := nodeAt(spec, "versions")
	if versions == nil && textAt(spec, "version") != "" {
		t.addVersion(rd, schema.Type{Group: group, Version: textAt(spec, "version"), Kind: kind}, shared)
		return
	}
	if versions == nil {
		return
	}
	for _, v := range versions.Content {
		openAPI := cmp.Or(nodeAt(resolveAlias(v), "schema", "openAPIV3Schema"), shared)
		t.addVersion(rd, schema.Type{Group: group, Version: textAt(resolveAlias(v), "name"), Kind: kind}, openAPI)
	}
}

// addVersion adds the OpenAPI schema of a version of a kind to t, and to the entry of the kind for unknown versions. It
// does nothing if t already has the version, or if openAPI is nil or the version or kind has no name. Mistakes in the
// list types of the schema are recorded in rd.
func (t crdTypes) addVersion(rd *reader, version schema.Type, openAPI *yaml.Node) {
	if openAPI == nil || version.Kind == "" || version.Version == "" || t[version] != nil {
		return
	}
	rd.checkListTypes(openAPI, map[*yaml.Node]bool{})
	t[version] = []*yaml.Node{openAPI}
	// the schemas of all versions are used for unknown ones
	version.Version = ""
	t[version] = append(t[version], openAPI)
}

// checkListTypes records an error in rd for each unknown x-kubernetes-list-type in the schema n and in the schemas of
// its fields and items, at any depth, and for each list of type map without keys. Schemas in seen are ignored, because
// aliases may repeat them, and others are added to it.
func (rd *reader) checkListTypes(n *yaml.Node, seen map[*yaml.Node]bool) {
	if seen[n] { // repeated by an alias
		return
	}
	seen[n] = true
	switch kind := nodeAt(n, "x-kubernetes-list-type"); {
	case kind == nil:
	case !slices.Contains([]string{"atomic", "set", "map"}, kind.Value):
		rd.fail(kind, "x-kubernetes-list-type is "+describeNode(kind), "expected atomic, set or map")
	case kind.Value == "map" && len(crdKeys(n)) == 0:
		rd.fail(kind, "x-kubernetes-list-type map needs x-kubernetes-list-map-keys", "")
	}
	if p := nodeAt(n, "properties"); p != nil && p.Kind == yaml.MappingNode {
		for i := 1; i < len(p.Content); i += 2 {
			rd.checkListTypes(resolveAlias(p.Content[i]), seen)
		}
	}
	for _, name := range []string{"items", "additionalProperties"} {
		if c := nodeAt(n, name); c != nil && c.Kind == yaml.MappingNode {
			rd.checkListTypes(c, seen)
		}
	}
}

// crdKeys returns the value of x-kubernetes-list-map-keys in the schema n: the names of the fields that identify an
// item. It returns nil if n does not have such a list.
func crdKeys(n *yaml.Node) []string {
	var keys []string
	if k := nodeAt(n, "x-kubernetes-list-map-keys"); k != nil && k.Kind == yaml.SequenceNode {
		for _, c := range k.Content {
			keys = append(keys, resolveAlias(c).Value)
		}
	}
	return keys
}

// listAt returns the description of the list at p in the custom resource definitions of t, or of the other versions of
// its kind if t does not have the API version of the resource. ok is false if there is none, or if these versions
// differ in it. t may be nil.
func (t crdTypes) listAt(p schema.Place) (answer schema.List, ok bool) {
	version := schema.TypeOf(p.APIVersion, p.Kind)
	if t[version] == nil {
		version.Version = ""
	}
	for _, n := range t[version] {
		l, known := listFromSchema(schemaAt(n, p.Path))
		isAnswer := l.Kind == answer.Kind && slices.Equal(l.Keys, answer.Keys) && maps.Equal(l.Defaults, answer.Defaults)
		switch {
		case !known:
		case ok && !isAnswer:
			return schema.List{}, false
		default:
			answer, ok = l, true
		}
	}
	answer.Source = "CRD " + p.APIVersion + " " + p.Kind
	return answer, ok
}

// listFromSchema returns the description of a list whose OpenAPI schema, in a custom resource definition, is n: its
// kind, its associative keys and their default values. ok is false if n is nil or its x-kubernetes-list-type is missing
// or unknown.
//
//	x-kubernetes-list-type: map
//	x-kubernetes-list-map-keys: [name]
func listFromSchema(n *yaml.Node) (l schema.List, ok bool) {
	switch textAt(n, "x-kubernetes-list-type") {
	case "atomic":
		return schema.List{Kind: schema.Atomic}, true
	case "set":
		return schema.List{Kind: schema.Set}, true
	case "map":
		l := schema.List{Kind: schema.Map, Keys: crdKeys(n)}
		for _, k := range l.Keys {
			if d := nodeAt(n, "items", "properties", k, "default"); d != nil && d.Kind == yaml.ScalarNode {
				if l.Defaults == nil {
					l.Defaults = map[string]string{}
				}
				l.Defaults[k] = d.Value
			}
		}
		return l, true
	}
	return schema.List{}, false
}

// schemaAt returns the schema of the field at path in the schema n, or nil if there is none. In path, "*" is an item of
// a list or any key of a mapping. If n does not name a field, it is that of its additionalProperties. An empty path
// gives n itself.
func schemaAt(n *yaml.Node, path []string) *yaml.Node {
	for _, name := range path {
		next := nodeAt(n, "properties", name)
		if next == nil && name == "*" {
			next = nodeAt(n, "items")
		}
		n = cmp.Or(next, nodeAt(n, "additionalProperties"))
	}
	return n
}
