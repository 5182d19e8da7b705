package main

import (
	_ "embed"
	"strings"

	"github.com/rogpeppe/go-internal/txtar"
)

// shop has three versions of a repository of ten files.
//
//go:embed shop.txtar
var shop []byte

// shopRepository makes the history: a commit, and one on each of two branches.
func shopRepository(s *session) error {
	if _, err := s.run("git init -q -b main", "", 0); err != nil {
		return err
	}
	for _, c := range []struct{ branch, author, message, versions string }{
		{"main", "Ada", "Open the shop", "base"},
		{"release", "Ben", "Release 1.5", "theirs"},
		{"main", "Ada", "Prepare the sale", "ours"},
	} {
		if c.versions != "base" {
			if _, err := s.run("git checkout -q main && git checkout -q -B "+c.branch, "", 0); err != nil {
				return err
			}
		}
		files := map[string]string{}
		for _, f := range txtar.Parse(shop).Files {
			if name, ok := strings.CutPrefix(f.Name, c.versions+"/"); ok {
				files[name] = string(f.Data)
			}
		}
		if err := s.commit(c.author, c.message, files); err != nil {
			return err
		}
	}
	s.as("Ada")
	return nil
}
