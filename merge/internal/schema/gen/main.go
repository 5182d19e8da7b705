// Command gen writes the table of the lists, unions and images of Kubernetes'
// built-in types, kubernetes.txt, and the rows that its tests expect: the lists
// from the schema of server-side apply inside k8s.io/client-go, the others from
// the documentation of the types in k8s.io/api.
//
// It is a module of its own so that no Kubernetes dependency reaches the tool.
package main

import (
	"log"
	"os"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("gen: ")
	types, err := load()
	if err != nil {
		log.Fatal(err)
	}
	oneOf, err := unions()
	if err != nil {
		log.Fatal(err)
	}
	images, err := images()
	if err != nil {
		log.Fatal(err)
	}
	resources := roots(types)
	for file, data := range map[string][]byte{
		"kubernetes.txt":          table(types, oneOf, images, resources),
		"testdata/unions.tsv":     partRows(types, oneOf, resources),
		"testdata/images.tsv":     partRows(types, images, resources),
		"testdata/kubernetes.tsv": rows(types, resources),
	} {
		if err := os.WriteFile("../"+file, data, 0o644); err != nil {
			log.Fatal(err)
		}
	}
}
