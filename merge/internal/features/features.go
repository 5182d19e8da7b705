// Package features reads the files of testdata/features for tests. Each of them shows one thing that YAML allows
// or does not allow. The package does not parse or merge the files.
//
// The files are sections of txtar archives. Read returns a Feature for each section. For example, flow.txtar has
//
//	-- JSON with tabs --
//	{
//	⟨09⟩"a": 1
//	}
//	-- empty key => did not find expected node content --
//	a: {: 1}
//
// The topic of both features is flow. The first one has the data "{\n\t\"a\": 1\n}\n" and no LineMergeReason. The
// second one has the LineMergeReason "did not find expected node content".
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
	// Topic is the name of the txtar file without its extension, and Name is that of the section without the reason.
	Topic, Name string
	// Data is the content of the file. A section writes bytes that are not visible characters, blanks or line feeds
	// as hexadecimal escapes, such as ⟨0d 0a⟩. A section ends with ∎ if the last line of the file has no line feed.
	Data []byte
	// LineMergeReason is a part of the reason why the file cannot be merged by field, so that the line merge is used.
	// The name of the section has it after " => ". It is "" if the file can be merged by field.
	LineMergeReason string
}

// Read returns the features in all *.txtar files of directory dir, in the order of the files. It returns an
// error if there are none, if a file cannot be read, or if a section has an invalid escape or an empty reason.
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
			feature, err := parseFeature(f)
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

// parseFeature returns the feature of a section, without its topic. It fails if the name of the section ends with " => "
// and no reason, or if an escape is invalid.
func parseFeature(f txtar.File) (Feature, error) {
	name, reason, hasReason := strings.Cut(f.Name, " => ")
	if hasReason && reason == "" {
		return Feature{}, errors.New("expected a reason after =>")
	}
	// ∎ marks a last line without a line feed, because every line of a txtar archive ends with one
	data, err := unescape(strings.Replace(string(f.Data), "∎\n", "", 1))
	return Feature{Name: name, Data: []byte(data), LineMergeReason: reason}, err
}

// escape matches an escape, such as ⟨0d 0a⟩.
var escape = regexp.MustCompile(`⟨([0-9a-f ]+)⟩`)

// unescape returns s with each escape, such as ⟨0d 0a⟩ for a carriage return and a line feed, replaced by its bytes. It
// returns an error if an escape has an odd number of hexadecimal digits.
func unescape(s string) (string, error) {
	var errs error
	out := escape.ReplaceAllStringFunc(s, func(e string) string {
		digits := strings.ReplaceAll(strings.Trim(e, "⟨⟩"), " ", "")
		b, err := hex.DecodeString(digits)
		errs = errors.Join(errs, err)
		return string(b)
	})
	return out, errs
}
