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

// crdTypes holds the OpenAPI schemas of custom resources by group, version and kind.
type crdTypes map[schema.Type]*yaml.Node

// AddCRD adds the custom resource definitions in data, a file with one or more documents, to r. A version of a kind
// that r already has is not replaced. name is the file for messages. If data has mistakes, nothing is added, and the
// error joins an *Error for each; what follows a place that is not YAML is not read. It is not safe for concurrent use.
func (r *Rules) AddCRD(name string, data []byte) error {
	rd := &reader{file: name}
	found := crdTypes{}
	d := yaml.NewDecoder(bytes.NewReader(data))
	var err error
	for err == nil {
		var doc yaml.Node
		if err = d.Decode(&doc); err == nil {
			found.addDefinition(rd, doc.Content[0])
		}
	}
	if err != io.EOF {
		rd.errs = append(rd.errs, rd.syntaxError(data, err, ""))
	}
	if len(rd.errs) > 0 {
		return errors.Join(rd.errs...)
	}
	maps.Copy(found, r.crds) // a version that r has keeps its schema
	r.crds = found
	r.selections.Clear()
	return nil
}

// A File is a file that rules need, with its path relative to the top of the work tree.
type File struct {
	Path string
	Data []byte
}

// SetCRDSource sets the function that returns the files with custom resource definitions. r calls files at most once,
// when a merge needs a list of a kind that is not built-in. Only files that mention such a kind are parsed, so mistakes
// in the others are not found (see CRDError). SetCRDSource must not be called while another goroutine uses r.
func (r *Rules) SetCRDSource(files func() ([]File, error)) {
	r.crdSource = sync.OnceValues(files)
	r.selections.Clear()
}

// CRDError returns the first error with the files of SetCRDSource, or nil: an error of its function, or a mistake in
// one of the files. A file is only parsed when a merge needs a kind in it, so a later call may return an error where an
// earlier call returned nil.
func (r *Rules) CRDError() error {
	if err := r.crdError.Load(); err != nil {
		return *err
	}
	return nil
}

// parseCRDsFor returns the custom resource definitions that may describe resources of the kind at p: those of r.crds,
// and those in the files of r.crdSource that mention the kind and its group, which take precedence. It returns only
// r.crds if there is no r.crdSource, if that fails, or if p is not in a resource. A file with a mistake is ignored; the
// first error is stored in r.crdError. Each call parses the files again.
func (r *Rules) parseCRDsFor(p schema.Place) crdTypes {
	if r.crdSource == nil || p.APIVersion == "" || p.Kind == "" {
		return r.crds
	}
	files, err := r.crdSource()
	if err != nil {
		r.crdError.CompareAndSwap(nil, &err)
		return r.crds
	}
	parsed := &Rules{}
	kind := schema.TypeOf(p.APIVersion, p.Kind)
	for _, f := range files {
		// most files are about other kinds
		if !bytes.Contains(f.Data, []byte(kind.Group)) || !bytes.Contains(f.Data, []byte(kind.Kind)) {
			continue
		}
		if err := parsed.AddCRD(f.Path, f.Data); err != nil {
			r.crdError.CompareAndSwap(nil, &err)
		}
	}
	all := crdTypes{}
	maps.Copy(all, r.crds)
	maps.Copy(all, parsed.crds)
	return all
}

// addDefinition adds the OpenAPI schemas of doc, a custom resource definition, to t: one for each version of the kind
// that t does not have yet. It ignores a document of another kind, and a version without a name or a schema. Mistakes
// in the list types of a schema are recorded in rd.
func (t crdTypes) addDefinition(rd *reader, doc *yaml.Node) {
	if textAt(doc, "kind") != "CustomResourceDefinition" {
		return
	}
	spec := nodeAt(doc, "spec")
	group, kind := textAt(spec, "group"), textAt(nodeAt(spec, "names"), "kind")
	shared := nodeAt(spec, "validation", "openAPIV3Schema") // for all versions, in definitions before apiextensions/v1
	versions := nodeAt(spec, "versions")
	if versions == nil {
		t.addVersion(rd, schema.Type{Group: group, Version: textAt(spec, "version"), Kind: kind}, shared)
		return
	}
	for _, v := range versions.Content {
		openAPI := cmp.Or(nodeAt(resolveAlias(v), "schema", "openAPIV3Schema"), shared)
		t.addVersion(rd, schema.Type{Group: group, Version: textAt(resolveAlias(v), "name"), Kind: kind}, openAPI)
	}
}

// addVersion adds openAPI, the OpenAPI schema of a version of a kind, to t, unless t already has this version. A schema
// that is nil, and a version without a name or a kind, are ignored. Mistakes in the list types of the schema are
// recorded in rd.
func (t crdTypes) addVersion(rd *reader, version schema.Type, openAPI *yaml.Node) {
	if openAPI == nil || version.Kind == "" || version.Version == "" || t[version] != nil {
		return
	}
	rd.checkListTypes(openAPI, map[*yaml.Node]bool{})
	t[version] = openAPI
}

// checkListTypes checks the list types in the schema n of a custom resource definition, and in the schemas of its
// fields and items at any depth. It records an error in rd for each unknown x-kubernetes-list-type, and for each list
// of type map without keys. seen has the schemas that were checked already, because aliases may repeat a schema.
func (rd *reader) checkListTypes(n *yaml.Node, seen map[*yaml.Node]bool) {
	if seen[n] {
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

// crdKeys returns the associative keys in the schema n of a list: the value of x-kubernetes-list-map-keys. It returns
// nil if n has no such field, or if its value is not a list or is empty.
func crdKeys(n *yaml.Node) (keys []string) {
	if k := nodeAt(n, "x-kubernetes-list-map-keys"); k != nil && k.Kind == yaml.SequenceNode {
		for _, c := range k.Content {
			keys = append(keys, resolveAlias(c).Value)
		}
	}
	return keys
}

// listAt returns the description of the list at p in the custom resource definitions of t. The schema of the API
// version at p decides or, if t does not have it, those of the other versions of the kind. ok is false if none
// describes the list, or if they describe it differently. t may be nil.
func (t crdTypes) listAt(p schema.Place) (answer schema.List, ok bool) {
	exact := schema.TypeOf(p.APIVersion, p.Kind)
	for version, openAPI := range t {
		isUsed := version == exact || t[exact] == nil && version.Group == exact.Group && version.Kind == exact.Kind
		if !isUsed {
			continue
		}
		l, isKnown := listFromSchema(schemaAt(openAPI, p.Path))
		if !isKnown {
			continue
		}
		isDifferent := l.Kind != answer.Kind || !slices.Equal(l.Keys, answer.Keys) || !maps.Equal(l.Defaults, answer.Defaults)
		if ok && isDifferent {
			return schema.List{}, false
		}
		answer, ok = l, true
	}
	answer.Source = "CRD " + p.APIVersion + " " + p.Kind
	return answer, ok
}

// listFromSchema returns the description of a list from its OpenAPI schema n in a custom resource definition: the kind,
// the associative keys and their default values. ok is false if n is nil, or if its x-kubernetes-list-type is not
// atomic, set or map. The result is a Map list with the key name for:
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

// schemaAt returns the schema of the field at path in the schema n, or nil if n does not describe the field. In path,
// "*" is an item of a list. A name that is not among the properties of a schema is looked up in its
// additionalProperties, which describe all other fields. An empty path gives n itself. The path ports, * gives {type:
// integer} in:
//
//	properties: {ports: {items: {type: integer}}}
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
