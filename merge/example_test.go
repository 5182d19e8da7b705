package merge_test

import (
	"fmt"

	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// Ours changes the number of replicas and adds a comment; theirs changes the image.
var (
	base = []byte(`kind: Deployment
spec:
  replicas: 2
  image: web:1.0
`)
	ours = []byte(`kind: Deployment
spec:
  replicas: 3 # the sale starts on Friday
  image: web:1.0
`)
	theirs = []byte(`kind: Deployment
spec:
  replicas: 2
  image: web:1.1
`)
)

func ExampleMerge() {
	res, err := merge.Merge(base, ours, theirs, merge.Options{Path: "k8s/web.yaml"})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(res.Method, res.Clean())
	fmt.Print(string(res.Bytes))
	// Output:
	// field true
	// kind: Deployment
	// spec:
	//   replicas: 3 # the sale starts on Friday
	//   image: web:1.1
}

// A conflict is not an error. The result has conflict markers, and Conflicts lists the conflicts: the path, the place in
// the result and in each version, and why there is one.
func ExampleMerge_conflict() {
	four := []byte("kind: Deployment\nspec:\n  replicas: 4\n  image: web:1.1\n")
	res, err := merge.Merge(base, ours, four, merge.Options{
		Markers: merge.Markers{Style: merge.StyleDiff3, Ours: "HEAD", Base: "base", Theirs: "topic"},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(string(res.Bytes))
	for _, c := range res.Conflicts {
		fmt.Printf("line %d: %s: %s\n", c.Line, c.Path, c.Why())
		fmt.Printf("%q of ours is %q\n", c.Elements[len(c.Elements)-1].Field, ours[c.Ours.Span.Start:c.Ours.Span.End])
	}
	// Output:
	// kind: Deployment
	// spec:
	// <<<<<<< HEAD
	//   replicas: 3 # the sale starts on Friday
	// ||||||| base
	//   replicas: 2
	// =======
	//   replicas: 4
	// >>>>>>> topic
	//   image: web:1.1
	// line 3: spec.replicas: both modified
	// "replicas" of ours is "  replicas: 3 # the sale starts on Friday\n"
}

// The labels can be found out after the merge, and only if there is a conflict.
func ExampleResult_WithMarkers() {
	res, err := merge.Merge([]byte("a: 1\n"), []byte("a: 2\n"), []byte("a: 3\n"), merge.Options{})
	if err == nil && !res.Clean() {
		res, err = res.WithMarkers(merge.Markers{Ours: "main", Theirs: "fix typo"})
	}
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(string(res.Bytes))
	// Output:
	// <<<<<<< main
	// a: 2
	// =======
	// a: 3
	// >>>>>>> fix typo
}

// A file that is not valid YAML is merged by line. Cause and Reason tell why.
func ExampleMerge_delegated() {
	res, err := merge.Merge([]byte("a: {{ x\nb\n"), []byte("a: {{ y\nb\n"), []byte("a: {{ x\nb\nc\n"), merge.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(res.Method, res.Cause)
	fmt.Print(string(res.Bytes))
	// Output:
	// delegated syntax
	// a: {{ y
	// b
	// c
}

func ExampleChanges() {
	changes, err := merge.Changes(base, theirs, merge.FileOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, c := range changes {
		fmt.Println(c.Kind, c.Path)
	}
	// Output:
	// modified spec.image
}

// The user resolved a conflict by taking ours for the whole file. Check finds that this
// lost the new image of theirs.
func ExampleCheck() {
	found, err := merge.Check(base, ours, theirs, ours, merge.CheckOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, f := range found {
		fmt.Println(f.Path, f.Rule)
	}
	// Output:
	// spec.image wrong value
}

func ExampleLists() {
	lists, err := merge.Lists([]byte(`apiVersion: v1
kind: Service
metadata:
  name: web
spec:
  ports:
    - port: 80
`), merge.FileOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, l := range lists {
		fmt.Println(l.Path, l.Kind, l.Keys, l.Source)
	}
	// Output:
	// spec.ports map [port protocol] Kubernetes v1 Service
}

// A rules file adds what the library cannot know. These rules say that stage identifies
// the items of the list stages, and that the highest number of replicas wins.
func ExampleParseRules() {
	rules, err := merge.ParseRules(".git-merge-yaml.yaml", []byte(`rules:
  - files: pipelines/*.yaml
    lists:
      stages: {keys: [stage]}
    fields:
      replicas: highest
`), "")
	if err != nil {
		fmt.Println(err)
		return
	}
	res, err := merge.Merge(
		[]byte("replicas: 2\nstages:\n- stage: test\n"),
		[]byte("replicas: 3\nstages:\n- stage: lint\n- stage: test\n"),
		[]byte("replicas: 5\nstages:\n- stage: scan\n- stage: test\n"),
		merge.Options{Path: "pipelines/web.yaml", Rules: rules},
	)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(string(res.Bytes))
	// Output:
	// replicas: 5
	// stages:
	// - stage: lint
	// - stage: scan
	// - stage: test
}
