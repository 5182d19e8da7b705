package main

import (
	_ "embed"
	"strings"

	"github.com/rogpeppe/go-internal/txtar"
)

// shopArchive has three versions of a repository with ten files, in the folders base, ours and theirs.
//
//go:embed shop.txtar
var shopArchive []byte

// createShopRepository creates a repository with a first commit and one more on each of the branches main,
// which is checked out, and release.
func createShopRepository(s *session) error {
	if _, err := s.run("git init -q -b main", "", 0); err != nil {
		return err
	}
	for _, c := range []struct{ branch, author, message, version string }{
		{"main", "Ada", "Open the shop", "base"},
		{"release", "Ben", "Release 1.5", "theirs"},
		{"main", "Ada", "Prepare the sale", "ours"},
	} {
		if c.version != "base" {
			if _, err := s.run("git checkout -q main && git checkout -q -B "+c.branch, "", 0); err != nil {
				return err
			}
		}
		files := map[string]string{}
		for _, f := range txtar.Parse(shopArchive).Files {
			if name, ok := strings.CutPrefix(f.Name, c.version+"/"); ok {
				files[name] = string(f.Data)
			}
		}
		if err := s.commit(c.author, c.message, files); err != nil {
			return err
		}
	}
	s.setAuthor("Ada")
	return nil
}
