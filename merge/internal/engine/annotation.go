package engine

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/read"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// annotationKey is the name of the annotation in which kubectl apply stores the configuration that it applied last.
const annotationKey = "kubectl.kubernetes.io/last-applied-configuration"

// readAnnotations returns the configurations that kubectl apply applied last, from annotations in live. The result is a
// YAML stream with a document for each document of live that has them:
//
//	in live      in the result
//	a resource   {"kind":"Pod","metadata":{"name":"a"}}
//	a List       {kind: List, items: [{"kind":"Pod","metadata":{"name":"a"}}]}
//
// The error is a *three.InputError if an annotation cannot be parsed.
func readAnnotations(live *syntax.Stream) ([]byte, error) {
	out := []byte{}
	for _, d := range live.Docs {
		var lasts []string
		for _, n := range schema.Resources(d.Root) {
			last := lastAppliedOf(n)
			if last == nil {
				continue
			}
			if _, err := read.YAML.Open([]byte(last.Value)); err != nil {
				return nil, &three.InputError{Side: three.Dest, Off: last.Content.Start, Text: "the annotation " + annotationKey + " is not valid JSON"}
			}
			lasts = append(lasts, strings.TrimSpace(last.Value))
		}
		switch {
		case len(lasts) > 0 && schema.IsList(d.Root):
			out = fmt.Appendf(out, "---\n{kind: %s, items: [\n%s\n]}\n", d.Root.ScalarAt("kind"), strings.Join(lasts, ",\n"))
		case len(lasts) > 0:
			out = fmt.Appendf(out, "---\n%s\n", lasts[0])
		}
	}
	return out, nil
}

// lastAppliedOf returns what kubectl applied last to the resource n: the scalar node of the annotation
// kubectl.kubernetes.io/last-applied-configuration. It returns nil if n is not a mapping, or if the annotation is
// missing, empty or not a scalar. n must not be nil.
func lastAppliedOf(n *syntax.Node) *syntax.Node {
	for _, f := range [...]string{"metadata", "annotations", annotationKey} {
		if n.Kind != syntax.Mapping || n.Field(f) == nil {
			return nil
		}
		n = n.Field(f).Value
	}
	if n.Kind != syntax.Scalar || n.Value == "" {
		return nil
	}
	return n
}

// writeAnnotations returns a YAML stream with the annotation that kubectl apply would write into each resource of
// config: the resource as JSON. Each resource has only its kind, its name and this annotation:
//
//	kind: "ConfigMap"
//	metadata:
//	  name: "web"
//	  annotations:
//	    kubectl.kubernetes.io/last-applied-configuration: |
//	      {"apiVersion":"v1","kind":"ConfigMap",…}
//
// live has the resources of the cluster. If only live names the namespace of a resource, the namespace is written, too.
// The error is a *three.InputError if config has an alias or a merge key, because JSON has none.
func writeAnnotations(config, live *syntax.Stream) ([]byte, error) {
	w := annotationWriter{namespaces: schema.NamespacesOf(schema.AllResources(live))}
	for _, d := range config.Docs {
		if err := w.writeDocument(d.Root); err != nil {
			return nil, err
		}
	}
	return w.out, nil
}

// An annotationWriter writes resources that have nothing but their kind, their name, the annotation with the applied
// configuration and, if only the live resource names it, their namespace.
type annotationWriter struct {
	// namespaces has the namespaces of the live resources, for resources that do not name theirs.
	namespaces schema.Namespaces
	out        []byte
}

// writeDocument appends a document with annotations to w.out, after a line "---". root is the root of a document of the
// configuration: a resource, or a List, which becomes a List with an item for each of its resources. The error is a
// *three.InputError if root has an alias or a merge key.
func (w *annotationWriter) writeDocument(root *syntax.Node) error {
	w.out = append(w.out, "---\n"...)
	if !schema.IsList(root) {
		return w.writeResource(root, "", "")
	}
	w.out = fmt.Appendf(w.out, "kind: %q\nitems:\n", root.ScalarAt("kind"))
	for _, n := range schema.Resources(root) {
		if err := w.writeResource(n, "- ", "  "); err != nil {
			return err
		}
	}
	return nil
}

// writeResource appends the resource n to w.out, with only its kind, its name and the annotation, as writeAnnotations
// describes it. dash is the text before its first line, such as "- " in a list, and indent the text before the others.
// If n has an alias or a merge key, the error is a *three.InputError, and w.out does not change.
func (w *annotationWriter) writeResource(n *syntax.Node, dash, indent string) error {
	if n.Kind != syntax.Mapping { // left out
		return nil
	}
	if schema.Identity(n) == "" {
		// a resource without an identity keeps its place
		w.out = fmt.Appendf(w.out, "%s{}\n", dash)
		return nil
	}
	applied, err := w.appliedJSON(n)
	if err != nil {
		return err
	}
	line := func(format string, args ...any) { w.out = fmt.Appendf(w.out, indent+format+"\n", args...) }
	w.out = fmt.Appendf(w.out, "%skind: %q\n", dash, n.ScalarAt("kind"))
	line("metadata:")
	line("  name: %q", n.ScalarAt("metadata", "name"))
	// n names no namespace, but the live resource does
	if ns := w.namespaces.KnownNamespace(n); ns != schema.Namespace(n) {
		line("  namespace: %q", ns)
	}
	line("  annotations:")
	line("    %s: |", annotationKey)
	line("      %s", applied)
	return nil
}

// appliedJSON returns resource n, a mapping, as kubectl writes it into the annotation: compact JSON with sorted keys
// and without the annotation itself. Metadata get the namespace in which kubectl applies n. For an alias or a merge
// key, the error is a *three.InputError.
func (w *annotationWriter) appliedJSON(n *syntax.Node) ([]byte, error) {
	v, err := n.JSON()
	if bad, ok := errors.AsType[*syntax.JSONError](err); ok {
		return nil, &three.InputError{Side: three.Updated, Off: bad.Off, Text: bad.Msg}
	}
	resource := v.(map[string]any)
	if meta, ok := resource["metadata"].(map[string]any); ok {
		if ns := w.appliedNamespace(n); ns != "" {
			meta["namespace"] = ns
		}
		a, ok := meta["annotations"].(map[string]any)
		if !ok {
			a = map[string]any{}
		}
		delete(a, annotationKey)
		meta["annotations"] = a // kubectl writes annotations even if they are empty
	}
	return json.Marshal(resource)
}

// appliedNamespace returns the namespace in which kubectl applies the resource n. It is the first of these that exists:
//
//   - the namespace that n names
//   - that of the live resource with the same kind and name
//   - "default", if the type of n is known to be namespaced
//   - ""
func (w *annotationWriter) appliedNamespace(n *syntax.Node) string {
	if ns := w.namespaces.KnownNamespace(n); ns != "" || !schema.IsNamespaced(n.ScalarAt("apiVersion"), n.ScalarAt("kind")) {
		return ns
	}
	return schema.DefaultNamespace
}
