package differential

import (
	"strings"
	"testing"

	"sigs.k8s.io/kustomize/kyaml/kio/filters"
	kyaml "sigs.k8s.io/kustomize/kyaml/yaml"
	"sigs.k8s.io/kustomize/kyaml/yaml/merge2"

	"github.com/git-merge-yaml/git-merge-yaml/merge"
	"github.com/git-merge-yaml/git-merge-yaml/merge/kube"
)

// TestMerge3 compares Merge by the rules of kustomize with kustomize's three-way merge.
func TestMerge3(t *testing.T) {
	c := newClassifier(merge3Classes)
	for n := range 896 {
		p := newMaker(2, uint64(n)).packages(n, streamMishaps)
		res, err := kube.Merge3([]byte(text(t, p[0])), []byte(text(t, p[1])), []byte(text(t, p[2])), kube.Merge3Options{})
		if err != nil || res.Method != merge.MethodField {
			t.Errorf("%d: %v %s\n%s---\n%s---\n%s", n, err, res.Reason, text(t, p[0]), text(t, p[1]), text(t, p[2]))
			continue
		}
		want, err := merge3(t, p)
		d := &difference{got: byName(resources(t, string(res.Bytes))), want: byName(want), versions: versions{byName(p[0]), byName(p[1]), byName(p[2])}}
		if err != nil {
			d.want = err
		}
		c.compare(t, n, d)
	}
	c.report(t)
}

// merge3 returns the result of kustomize's three-way merge of original, dest and updated.
func merge3(t *testing.T, p packages) (out []any, err error) {
	const annotation = "config.kubernetes.io/merge-source"
	var nodes []*kyaml.RNode
	for i, source := range []string{"original", "dest", "updated"} {
		for _, r := range p[i] {
			n := kyaml.MustParse(text(t, []any{r}))
			n.Pipe(kyaml.SetAnnotation(annotation, source))
			nodes = append(nodes, n)
		}
	}
	if nodes, err = (filters.Merge3{}).Filter(nodes); err != nil {
		return nil, err
	}
	for _, n := range nodes {
		n.Pipe(kyaml.ClearAnnotation(annotation))
		n.Pipe(kyaml.Lookup("metadata"), kyaml.FieldClearer{Name: "annotations", IfEmpty: true})
		out = append(out, resources(t, n.MustString())...)
	}
	return out, nil
}

// TestMerge2 compares Merge2 with kustomize's two-way merge.
func TestMerge2(t *testing.T) {
	c := newClassifier(merge2Classes)
	for n := range 784 {
		p := newMaker(3, uint64(n)).packages(n, patchMishaps)
		dest, src := text(t, p[1]), text(t, p[2])
		res, err := kube.Merge2([]byte(src), []byte(dest), kube.Options{})
		if err != nil {
			t.Errorf("%d: %v\n%s---\n%s", n, err, src, dest)
			continue
		}
		d := &difference{got: resources(t, string(res.Bytes))[0], versions: versions{absent{}, p[1][0], p[2][0]}}
		if want, err := merge2.MergeStrings(src, dest, false, kyaml.MergeOptions{}); err != nil {
			d.want = err
		} else {
			d.want = resources(t, want)[0]
		}
		c.compare(t, n, d)
	}
	c.report(t)
}

// byName returns resources by their kind and name.
func byName(resources []any) object {
	out := object{}
	for _, r := range resources {
		out[strings.Join([]string{r.(object)["kind"].(string), r.(object)["metadata"].(object)["name"].(string)}, " ")] = r
	}
	return out
}
