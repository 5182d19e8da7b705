package schema

import (
	"bytes"
	"errors"
	"io"
	"maps"
	"slices"
	"sync"

	"gopkg.in/yaml.v3"
)

// crdTypes are the schemas of custom resources, by group, version and kind;
// under an empty version, those of all versions.
type crdTypes map[resource][]*yaml.Node

// AddCRD adds the custom resource definitions in a file; other documents in
// it do not count. The first definition of a version of a kind stands. Name is
// for errors; the error joins an *Error for every mistake, and nothing is
// added then. It must not run beside any other use of r.
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

// A File is a file that the rules ask for, with its path from the top of the
// work tree.
type File struct {
	Path string
	Data []byte
}

// SetCRDSource lets r read custom resource definitions once it meets a resource
// that is no built-in type. The files are asked for once. Of those, the ones
// that name the resource's group and kind are parsed; what is wrong with the
// rest is not noticed. It must not run beside any other use of r.
func (r *Rules) SetCRDSource(files func() ([]File, error)) { r.crdSource = sync.OnceValues(files) }

// CRDError returns what was wrong with the definitions that were read so far.
func (r *Rules) CRDError() error {
	if err := r.crdError.Load(); err != nil {
		return *err
	}
	return nil
}

// parseCRDsFor reads the definitions of a kind.
func (r *Rules) parseCRDsFor(of resource) crdTypes {
	files, err := r.crdSource()
	if err != nil {
		r.crdError.CompareAndSwap(nil, &err)
		return r.crds
	}
	one := &Rules{}
	for _, f := range files {
		if !bytes.Contains(f.Data, []byte(of.group)) || !bytes.Contains(f.Data, []byte(of.kind)) {
			continue
		}
		if err := one.AddCRD(f.Path, f.Data); err != nil {
			r.crdError.CompareAndSwap(nil, &err)
		}
	}
	return one.crds.addMissing(r.crds)
}

// addMissing returns t with those of other whose version it does not have yet.
func (t crdTypes) addMissing(other crdTypes) crdTypes {
	if t == nil {
		return other
	}
	for k, schemas := range other {
		if k.version == "" || t[k] == nil {
			t[k] = append(t[k], schemas...)
		}
	}
	return t
}

// addDefinition adds the versions of a definition.
func (t crdTypes) addDefinition(rd *reader, doc *yaml.Node) {
	if textAt(doc, "kind") != "CustomResourceDefinition" {
		return
	}
	spec := nodeAt(doc, "spec")
	group, kind := textAt(spec, "group"), textAt(nodeAt(spec, "names"), "kind")
	shared := nodeAt(spec, "validation", "openAPIV3Schema") // of all versions, before apiextensions/v1
	versions := nodeAt(spec, "versions")
	if versions == nil && textAt(spec, "version") != "" {
		t.addVersion(rd, resource{group, textAt(spec, "version"), kind}, shared)
		return
	}
	if versions == nil {
		return
	}
	for _, v := range versions.Content {
		schema := nodeAt(resolveAlias(v), "schema", "openAPIV3Schema")
		if schema == nil {
			schema = shared
		}
		t.addVersion(rd, resource{group, textAt(resolveAlias(v), "name"), kind}, schema)
	}
}

func (t crdTypes) addVersion(rd *reader, r resource, schema *yaml.Node) {
	if schema == nil || r.kind == "" || r.version == "" || t[r] != nil {
		return
	}
	rd.checkListTypes(schema, map[*yaml.Node]bool{})
	t[r] = []*yaml.Node{schema}
	r.version = ""
	t[r] = append(t[r], schema)
}

// checkListTypes refuses what the fields about lists cannot hold.
func (rd *reader) checkListTypes(n *yaml.Node, seen map[*yaml.Node]bool) {
	if seen[n] { // by an alias
		return
	}
	seen[n] = true
	switch kind := nodeAt(n, "x-kubernetes-list-type"); {
	case kind == nil:
	case !slices.Contains([]string{"atomic", "set", "map"}, kind.Value):
		rd.fail(kind, "x-kubernetes-list-type is "+describeNode(kind), "atomic, set or map is expected")
	case kind.Value == "map" && len(crdKeys(n)) == 0:
		rd.fail(kind, "a list of type map without keys", "x-kubernetes-list-map-keys is expected beside it")
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

func crdKeys(n *yaml.Node) []string {
	var keys []string
	if k := nodeAt(n, "x-kubernetes-list-map-keys"); k != nil && k.Kind == yaml.SequenceNode {
		for _, c := range k.Content {
			keys = append(keys, resolveAlias(c).Value)
		}
	}
	return keys
}

// listAt returns what a CRD says of the list at p. A version that no CRD has
// is answered if all versions of the kind that say something agree.
func (t crdTypes) listAt(p Place) (answer List, ok bool) {
	of := resourceOf(p.APIVersion, p.Kind)
	if t[of] == nil {
		of.version = ""
	}
	for _, n := range t[of] {
		l, known := listFromSchema(schemaAt(n, p.Path))
		switch {
		case !known:
		case ok && (l.Kind != answer.Kind || !slices.Equal(l.Keys, answer.Keys) || !maps.Equal(l.Defaults, answer.Defaults)):
			return List{}, false
		default:
			answer, ok = l, true
		}
	}
	answer.Source = "CRD " + p.APIVersion + " " + p.Kind
	return answer, ok
}

// listFromSchema reads a list's schema.
func listFromSchema(n *yaml.Node) (List, bool) {
	switch textAt(n, "x-kubernetes-list-type") {
	case "atomic":
		return List{Kind: Atomic}, true
	case "set":
		return List{Kind: Set}, true
	case "map":
		l := List{Kind: Map, Keys: crdKeys(n)}
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
	return List{}, false
}

// schemaAt returns the schema of the field at path below the schema n.
func schemaAt(n *yaml.Node, path []string) *yaml.Node {
	for _, name := range path {
		next := nodeAt(n, "properties", name)
		if next == nil && name == "*" {
			next = nodeAt(n, "items")
		}
		if next == nil {
			next = nodeAt(n, "additionalProperties")
		}
		n = next
	}
	return n
}

// nodeAt returns the value at a path of field names, nil if there is none.
func nodeAt(n *yaml.Node, path ...string) *yaml.Node {
	for _, name := range path {
		if n == nil || n.Kind != yaml.MappingNode {
			return nil
		}
		in := n
		n = nil
		for i := 0; i+1 < len(in.Content) && n == nil; i += 2 {
			if in.Content[i].Value == name {
				n = resolveAlias(in.Content[i+1])
			}
		}
	}
	return n
}

// textAt returns the scalar in the field name of n, "" if there is none.
func textAt(n *yaml.Node, name string) string {
	if v := nodeAt(n, name); v != nil && v.Kind == yaml.ScalarNode {
		return v.Value
	}
	return ""
}
