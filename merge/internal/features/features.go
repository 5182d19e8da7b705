// Package features reads testdata/features for the tests: what YAML allows and
// what it does not, a small file for each of its corners.
package features

import (
	"encoding/hex"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"

	"golang.org/x/tools/txtar"
)

// A Feature is a file that shows one thing.
type Feature struct {
	Topic, Name string
	// Data is the file. Its section in the txtar file writes other bytes than
	// visible characters, blanks and line feeds as ⟨0d 0a⟩, and ∎ at the end
	// where the last line has no break.
	Data []byte
	// Left is why the file cannot be merged as YAML: a part of the reason that
	// its section's name states behind =>. Empty if it can be.
	Left string
}

// Read returns the features of the *.txtar files of a folder.
func Read(dir string) ([]Feature, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.txtar"))
	if err != nil {
		return nil, err
	}
	var all []Feature
	for _, file := range files {
		ar, err := txtar.ParseFile(file)
		if err != nil {
			return nil, err
		}
		for _, f := range ar.Files {
			feature, err := read(f)
			if err != nil {
				return nil, fmt.Errorf("%s: %s: %w", file, f.Name, err)
			}
			feature.Topic = strings.TrimSuffix(filepath.Base(file), ".txtar")
			all = append(all, feature)
		}
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("no features in %s", dir)
	}
	return all, nil
}

func read(f txtar.File) (Feature, error) {
	name, left, stated := strings.Cut(f.Name, " => ")
	if stated && left == "" {
		return Feature{}, errors.New("no reason behind =>")
	}
	data, err := unescaped(strings.Replace(string(f.Data), "∎\n", "", 1))
	return Feature{Name: name, Data: []byte(data), Left: left}, err
}

var escape = regexp.MustCompile(`⟨([0-9a-f ]+)⟩`)

// unescaped returns s with the bytes that its escapes stand for.
func unescaped(s string) (string, error) {
	var failed error
	out := escape.ReplaceAllStringFunc(s, func(e string) string {
		digits := strings.ReplaceAll(strings.Trim(e, "⟨⟩"), " ", "")
		b, err := hex.DecodeString(digits)
		failed = errors.Join(failed, err)
		return string(b)
	})
	return out, failed
}
