package read

import (
	"bytes"
	"errors"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/template"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// A Language is the language in which a file is parsed.
type Language uint8

const (
	// YAML includes JSON that YAML parsers can read.
	YAML Language = iota
	// JSON is JSON with something that YAML lacks: // comments, or escapes of surrogate halves.
	JSON
	// Template is YAML with actions of a template engine: {{ .Values.x }}.
	Template
)

// A File is a parsed file.
type File struct {
	*syntax.Stream
	// Template has the blocks and actions of a template. It is nil in other languages.
	Template *template.Template
}

// Open parses the versions of a file in one language, which it returns: JSON if YAML cannot express a version,
// otherwise YAML or Template. Templates are invalid YAML with actions, or YAML with actions in comments around entries.
// The error is about the first version that cannot be parsed, and the files are the ones before it. If three templates
// can be parsed but not merged, all files are returned with an error.
func Open(versions ...[]byte) (Language, []File, error) { return openVersions(versions, false, nil) }

// openVersions parses versions in one language, and returns the language and a file for each version. It tries JSON,
// YAML and templates, or only YAML if onlyYAML is set. knownTrees are trees parsed before: a YAML version with the same
// bytes gets a copy.
//
// If a version cannot be parsed, the error is about the first one, and the files are those before it. Three templates
// that can be parsed but not merged are all returned, with an error.
func openVersions(versions [][]byte, onlyYAML bool, knownTrees []*syntax.Stream) (Language, []File, error) {
	if !onlyYAML && needsJSON(versions) {
		files, err := JSON.openAll(versions, nil)
		return JSON, files, err
	}
	files, err := YAML.openAll(versions, knownTrees)
	switch {
	case onlyYAML:
	case err != nil && slices.ContainsFunc(versions, template.MayHaveActions): // invalid because of its actions
		templates, err := openTemplates(versions)
		return Template, templates, err
	case err == nil && slices.ContainsFunc(versions, template.HasBlocksInComments):
		// valid YAML remains YAML, unless it is a valid template with blocks in comments around entries
		templates, err := openTemplates(versions)
		hasGuards := func(f File) bool { return f.Template.HasGuards() }
		if err == nil && slices.ContainsFunc(templates, hasGuards) {
			return Template, templates, nil
		}
	}
	return YAML, files, err
}

// openTemplates parses versions as templates. If one is not a template, the error is about the first such version, and
// the files are those before it. Three templates that cannot be merged (CheckSameTextBlocks) are all returned, with an
// error.
func openTemplates(versions [][]byte) ([]File, error) {
	files, err := Template.openAll(versions, nil)
	if err == nil && len(files) == 3 {
		err = template.CheckSameTextBlocks([3]*template.Template{files[0].Template, files[1].Template, files[2].Template})
	}
	return files, err
}

// needsJSON reports whether the versions have to be read as JSON, because a YAML parser would reject or misread one of
// them. For that, a version must have a // comment, a /* */ comment, or an escape of half of a surrogate pair (\ud800),
// and all versions must be JSON, possibly with comments. Blank versions do not count.
func needsJSON(versions [][]byte) (needed bool) {
	for _, b := range versions {
		masked, _, ok := text.MaskJSON(b)
		if !ok && len(bytes.TrimSpace(b)) > 0 {
			return false
		}
		needed = needed || ok && !bytes.Equal(masked, b)
	}
	return needed
}

// openAll parses the versions in the language l, in order. It stops at the first version that cannot be parsed or, in a
// template, whose blocks do not nest. It then returns the error and the files before this version. knownTrees are trees
// parsed before: a YAML version with the same bytes gets a copy, which the caller may modify.
func (l Language) openAll(versions [][]byte, knownTrees []*syntax.Stream) (files []File, err error) {
	for _, b := range versions {
		f, err := l.Open(b, knownTrees...)
		if err == nil && l == Template {
			err = f.Template.NestingError()
		}
		if err != nil {
			return files, err
		}
		files = append(files, f)
	}
	return files, nil
}

// Open parses the file b in the language l. A blank file is valid in each language. File.Template is set only for a
// template, whose blocks need not nest (see NestingError). knownTrees are trees parsed before: a YAML file with the
// same bytes gets a copy of its tree.
func (l Language) Open(b []byte, knownTrees ...*syntax.Stream) (f File, err error) {
	if l == Template {
		if f.Template, err = template.Parse(text.New(b)); err == nil {
			f.Stream = f.Template.Stream
		}
		return f, err
	}
	if l == JSON && len(bytes.TrimSpace(b)) > 0 {
		masked, _, ok := text.MaskJSON(b)
		if !ok {
			return f, errors.New("invalid JSON")
		}
		f.Stream, err = syntax.ParseAs(text.New(b), masked, nil)
		return f, err
	}
	for _, st := range knownTrees {
		if st.Masked == nil && bytes.Equal(st.File.Bytes(), b) {
			return File{Stream: st.Copy()}, nil
		}
	}
	f.Stream, err = syntax.Parse(text.New(b))
	return f, err
}
