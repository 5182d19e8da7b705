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
	// structural true
	// kind: Deployment
	// spec:
	//   replicas: 3 # the sale starts on Friday
	//   image: web:1.1
}

// A conflict is not an error. The result has conflict markers, and Conflicts lists where
// they are.
func ExampleMerge_conflict() {
	four := []byte("kind: Deployment\nspec:\n  replicas: 4\n  image: web:1.1\n")
	res, err := merge.Merge(base, ours, four, merge.Options{
		Markers: func() merge.Markers {
			return merge.Markers{Style: merge.StyleDiff3, Ours: "HEAD", Base: "base", Theirs: "topic"}
		},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(string(res.Bytes))
	for _, c := range res.Conflicts {
		fmt.Printf("line %d: %s (%s)\n", c.Line, c.Path, c.Kind)
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
	// line 3: spec.replicas (value)
}

// ParseConflicts also reads conflict markers that git or another program wrote.
func ExampleParseConflicts() {
	file := []byte("a: 1\n<<<<<<< HEAD\nb: 2\n=======\nb: 3\nc: 3\n>>>>>>> topic\n")
	for _, c := range merge.ParseConflicts(file, merge.DefaultMarkerSize) {
		fmt.Printf("line %d, %s against %s, %d lines\n%q\n%q\n", c.Line, c.Markers.Ours, c.Markers.Theirs, c.Lines(), c.Ours, c.Theirs)
	}
	// Output:
	// line 2, HEAD against topic, 3 lines
	// "b: 2\n"
	// "b: 3\nc: 3\n"
}

// A file that is not valid YAML is merged by line. Reason explains why.
func ExampleMerge_delegated() {
	res, err := merge.Merge([]byte("a: {{ x\nb\n"), []byte("a: {{ y\nb\n"), []byte("a: {{ x\nb\nc\n"), merge.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(res.Method, res.Reason != "")
	fmt.Print(string(res.Bytes))
	// Output:
	// delegated true
	// a: {{ y
	// b
	// c
}

// With the rules of kustomize there are no conflicts: theirs wins. Resolved lists the
// decisions.
func ExampleMerge_kustomize() {
	four := []byte("kind: Deployment\nspec:\n  replicas: 4\n  image: web:1.0\n")
	res, err := merge.Merge(base, ours, four, merge.Options{RuleSet: merge.KustomizeRules})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(string(res.Bytes))
	for _, c := range res.Resolved {
		fmt.Println(c.Path, "was decided for", c.Took)
	}
	// Output:
	// kind: Deployment
	// spec:
	//   replicas: 4 # the sale starts on Friday
	//   image: web:1.0
	// spec.replicas was decided for theirs
}

func ExampleChanges() {
	changes, err := merge.Changes(base, theirs, merge.Options{})
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
	found, err := merge.Check(base, ours, theirs, ours, merge.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, f := range found {
		fmt.Println(f.Path, f.Rule)
	}
	// Output:
	// spec.image value
}

func ExampleLists() {
	lists, err := merge.Lists([]byte(`apiVersion: v1
kind: Service
metadata:
  name: web
spec:
  ports:
    - port: 80
`), merge.Options{})
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

func ExampleMerge2() {
	res, err := merge.Merge2([]byte("spec:\n  replicas: 9\n"), base, merge.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(string(res.Bytes))
	// Output:
	// kind: Deployment
	// spec:
	//   replicas: 9
	//   image: web:1.0
}

// A field that was applied last time and is no longer in the configuration is removed. A
// field that only the cluster has is kept.
func ExampleApply() {
	res, err := merge.Apply(
		[]byte("data: {color: red, size: s}\n"),
		[]byte("data: {color: blue}\n"),
		[]byte("data:\n  color: red\n  size: s\n  zone: a # the cluster's\n"),
		merge.Options{},
	)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(string(res.Bytes))
	// Output:
	// data:
	//   color: blue
	//   zone: a # the cluster's
}
