package merge_test

import (
	"fmt"

	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

var four = []byte("kind: Deployment\nspec:\n  replicas: 4\n  image: web:1.1\n")

// A bot that updates image tags commits to a repository that users edit, too. It merges its commit with theirs in
// memory. If both changed the same field, it takes the users' value.
func ExampleNewResolution() {
	x, err := merge.NewResolution(base, ours, four, merge.Options{Path: "k8s/web.yaml"})
	if err != nil {
		fmt.Println(err)
		return
	}
	for i, q := range x.Questions() {
		fmt.Printf("%s: %v\n", q.Field, x.Offers(i))
		if err := x.Decide(i, merge.Answer{Take: merge.TakeOurs}); err != nil {
			fmt.Println(err) // Decide refuses an answer that would lose another change
			return
		}
	}
	res := x.Result()
	fmt.Println(res.Clean())
	fmt.Print(string(res.Bytes))
	// Output:
	// spec.replicas: [ours theirs base highest lowest]
	// true
	// kind: Deployment
	// spec:
	//   replicas: 3 # the sale starts on Friday
	//   image: web:1.1
}

// A user resolved a conflict by editing the file. Resume reads the answer from the edited file.
func ExampleResolution_Resume() {
	x, err := merge.NewResolution(base, ours, four, merge.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(x.Result().Clean())
	edited := []byte("kind: Deployment\nspec:\n  replicas: 7\n  image: web:1.1\n")
	if err := x.Resume(edited); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(x.Result().Clean(), x.Questions()[0].Answer.Text)
	// Output:
	// false
	// true   replicas: 7
}

// Custom resource definitions declare the associative keys of lists. The function passed to SetCRDReader is called when a
// custom resource is first encountered, not before.
func ExampleRules_SetCRDReader() {
	rules := new(merge.Rules)
	err := rules.SetCRDReader(func() ([]merge.File, error) {
		return []merge.File{{Path: "crds/pool.yaml", Data: []byte(`apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
spec:
  group: example.com
  names: {kind: Pool}
  versions:
  - name: v1
    schema:
      openAPIV3Schema:
        properties:
          members:
            type: array
            x-kubernetes-list-type: map
            x-kubernetes-list-map-keys: [host]
            items: {type: object}
`)}}, nil
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	pool := []byte("apiVersion: example.com/v1\nkind: Pool\nmembers:\n- host: a\n  weight: 1\n")
	lists, err := merge.Lists(pool, merge.FileOptions{Rules: rules})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, l := range lists {
		fmt.Println(l.Path, l.Kind, l.Keys)
	}
	// Output:
	// members map [host]
}
