package kube_test

import (
	"fmt"

	"github.com/git-merge-yaml/git-merge-yaml/merge/kube"
)

var base = []byte("kind: Deployment\nspec:\n  replicas: 2\n  image: web:1.0\n")

// With the rules of kustomize there are no conflicts: updated wins. Resolved lists the changes that lost.
func ExampleMerge3() {
	dest := []byte("kind: Deployment\nspec:\n  replicas: 3 # the sale starts on Friday\n  image: web:1.0\n")
	updated := []byte("kind: Deployment\nspec:\n  replicas: 4\n  image: web:1.0\n")
	res, err := kube.Merge3(base, dest, updated, kube.Merge3Options{})
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

func ExampleMerge2() {
	res, err := kube.Merge2([]byte("spec:\n  replicas: 9\n"), base, kube.Options{})
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

// A field that was applied last time and is no longer in the configuration is removed. A field that only the cluster
// has is kept.
func ExampleApply() {
	res, err := kube.Apply(
		[]byte("data: {color: red, size: s}\n"),
		[]byte("data: {color: blue}\n"),
		[]byte("data:\n  color: red\n  size: s\n  zone: a # the cluster's\n"),
		kube.Options{},
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
