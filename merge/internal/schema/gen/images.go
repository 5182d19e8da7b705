package main

import (
	"regexp"
	"slices"
)

// imageDoc is how the API documents a field that is the reference of an image.
var imageDoc = regexp.MustCompile(`^(?:Required: )?(?:Container image name|Image or artifact reference)`)

// images returns the fields of each type that are references of images, by what
// the API says in its documentation.
func images() (map[string][]string, error) {
	all := map[string][]string{}
	err := eachStruct(func(name string, s structure, known map[string]structure) {
		if fields := s.images(known); len(fields) > 0 {
			all[name] = fields
		}
	})
	return all, err
}

// images are the fields of s, those of what is embedded too.
func (s structure) images(known map[string]structure) (fields []string) {
	for _, m := range s.fields {
		if m.inline != "" {
			fields = append(fields, known[m.inline].images(known)...)
		}
		if imageDoc.MatchString(m.doc) {
			fields = append(fields, m.name)
		}
	}
	slices.Sort(fields)
	return fields
}
