package linemerge_test

import (
	"fmt"

	"github.com/git-merge-yaml/git-merge-yaml/merge/linemerge"
)

// Git merges a text by line; so does Merge. Changes of neighboring lines are a conflict.
func ExampleMerge() {
	base, ours, theirs := []byte("a\nb\nc\nd\n"), []byte("a\nB\nc\nd\n"), []byte("a\nb\nc\nD\n")
	res, err := linemerge.Merge(base, ours, theirs, linemerge.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(res.Conflicts, " conflicts\n", string(res.Bytes))
	// Output:
	// 0 conflicts
	// a
	// B
	// c
	// D
}

// Resolve decides conflicts, as git merge-file --ours and its kind do.
func ExampleMerge_resolve() {
	res, err := linemerge.Merge([]byte("a\n"), []byte("b\n"), []byte("c\n"), linemerge.Options{
		Algorithm: linemerge.AlgorithmMergeFile,
		Resolve:   linemerge.ResolveUnion,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(string(res.Bytes))
	// Output:
	// b
	// c
}

// ParseConflicts also reads conflict markers that git or another program wrote.
func ExampleParseConflicts() {
	file := []byte("a: 1\n<<<<<<< HEAD\nb: 2\n=======\nb: 3\nc: 3\n>>>>>>> topic\n")
	for _, c := range linemerge.ParseConflicts(file, linemerge.DefaultMarkerSize) {
		fmt.Printf("line %d, %s against %s, %d lines\n%q\n%q\n", c.Line, c.Markers.Ours, c.Markers.Theirs, c.Lines(), c.Ours, c.Theirs)
	}
	// Output:
	// line 2, HEAD against topic, 3 lines
	// "b: 2\n"
	// "b: 3\nc: 3\n"
}
