package merge

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/read"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/resource"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/tree"
)

// lastAppliedKey is the annotation in which kubectl keeps what it applied.
const lastAppliedKey = "kubectl.kubernetes.io/last-applied-configuration"

// annotateRules write annotations into a config: a resource takes those of the
// resource at its place in the other file.
var annotateRules = three.RuleSet{Name: applyRules.Name, UpdatedWins: true, Always: true, Comments: three.Dest, Strategic: true, ByPlace: true}

// ApplyAnnotated is Apply, and writes what config says into the annotation in
// which kubectl keeps what it applied, as kubectl writes it: compact JSON with
// sorted keys and a line break.
func ApplyAnnotated(lastApplied, config, live []byte, opts Options) (Result, error) {
	opts.name("last-applied", "LIVE", "CONFIG")
	// First as it is, so that errors name its own lines.
	if res, err := Apply(lastApplied, config, live, opts); err != nil {
		return res, err
	}
	config, err := annotate(config, live, opts)
	if err != nil {
		return Result{}, err
	}
	return Apply(lastApplied, config, live, opts)
}

// annotated returns what kubectl applied last to the resources of live, as a
// stream; empty if no resource has the annotation.
func annotated(live []byte, name string) ([]byte, error) {
	st, err := parseNamed(live, name)
	if err != nil {
		return nil, err
	}
	out := []byte{}
	for _, d := range st.Docs {
		var lasts []string
		for _, n := range resource.Of(d.Root) {
			last := lastAppliedOf(n)
			if last == nil {
				continue
			}
			if _, err := syntax.Parse(text.New([]byte(last.Value))); err != nil {
				return nil, errorAt(name, st.File, last.Content.Start, applyRules.Name, "the annotation "+lastAppliedKey+" is no JSON")
			}
			lasts = append(lasts, strings.TrimSpace(last.Value))
		}
		switch {
		case len(lasts) > 0 && resource.IsList(d.Root):
			out = fmt.Appendf(out, "---\n{kind: %s, items: [\n%s\n]}\n", tree.ScalarAt(d.Root, "kind"), strings.Join(lasts, ",\n"))
		case len(lasts) > 0:
			out = fmt.Appendf(out, "---\n%s\n", lasts[0])
		}
	}
	return out, nil
}

// lastAppliedOf is the annotation of a resource, nil if it has none.
func lastAppliedOf(n *syntax.Node) *syntax.Node {
	for _, f := range [...]string{"metadata", "annotations", lastAppliedKey} {
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

// annotate returns config with itself in the annotation. A resource that says
// no namespace is in that of live.
func annotate(config, live []byte, opts Options) ([]byte, error) {
	st, err := parseNamed(config, opts.Names[three.Updated])
	if err != nil {
		return nil, err
	}
	in, err := parseNamed(live, opts.Names[three.Dest])
	if err != nil {
		return nil, err
	}
	w := noter{in: resource.NamespacesOf(resource.In(in)), file: st.File, name: opts.Names[three.Updated]}
	for _, d := range st.Docs {
		if err := w.document(d.Root); err != nil {
			return nil, err
		}
	}
	res, err := overriding([3][]byte{nil, config, w.out}, opts, annotateRules)
	return res.Bytes, err
}

// parseNamed parses a file that errors call by its name.
func parseNamed(b []byte, name string) (*syntax.Stream, error) {
	st, err := syntax.Parse(text.New(b))
	if err != nil {
		return nil, read.Unreadable(name, err)
	}
	return st, nil
}

// A noter writes resources that have nothing but their annotation.
type noter struct {
	in   resource.Namespaces
	file *text.File // the config
	name string
	out  []byte
}

func (w *noter) document(root *syntax.Node) error {
	w.out = append(w.out, "---\n"...)
	if !resource.IsList(root) {
		return w.resource(root, "", "")
	}
	w.out = fmt.Appendf(w.out, "kind: %q\nitems:\n", tree.ScalarAt(root, "kind"))
	for _, n := range resource.Of(root) {
		if err := w.resource(n, "- ", "  "); err != nil {
			return err
		}
	}
	return nil
}

// resource writes that of n, the first line behind dash, the others indented.
func (w *noter) resource(n *syntax.Node, dash, indent string) error {
	if n.Kind != syntax.Mapping {
		return nil
	}
	said, err := w.says(n)
	if err != nil {
		return err
	}
	line := func(format string, args ...any) { w.out = fmt.Appendf(w.out, indent+format+"\n", args...) }
	w.out = fmt.Appendf(w.out, "%skind: %q\n", dash, tree.ScalarAt(n, "kind"))
	line("metadata:")
	line("  name: %q", tree.ScalarAt(n, "metadata", "name"))
	if ns := w.in.Filled(n); ns != resource.Namespace(n) {
		line("  namespace: %q", ns)
	}
	line("  annotations:")
	line("    %s: |", lastAppliedKey)
	line("      %s", said)
	return nil
}

// says is what kubectl keeps of n: compact JSON, without the annotation itself.
func (w *noter) says(n *syntax.Node) ([]byte, error) {
	v, err := plainJSON(n)
	if bad, ok := errors.AsType[*notPlain](err); ok {
		return nil, errorAt(w.name, w.file, bad.off, applyRules.Name, bad.msg)
	}
	resource := v.(map[string]any)
	if meta, ok := resource["metadata"].(map[string]any); ok {
		if ns := w.in.Filled(n); ns != "" {
			meta["namespace"] = ns
		}
		a, ok := meta["annotations"].(map[string]any)
		if !ok {
			a = map[string]any{}
		}
		delete(a, lastAppliedKey)
		meta["annotations"] = a // kubectl writes it also if it is empty
	}
	return json.Marshal(resource)
}
