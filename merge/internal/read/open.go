package read

import (
	"bytes"
	"errors"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/template"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// A Language is what a file is parsed as.
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
	Template *template.Reading
}

// Open parses the versions of a file, all of them in the same language, which it returns:
//
//   - JSON, if each version that is not blank is JSON, and one of them has something that YAML lacks;
//   - Template, if one version has an action and one is not YAML, or if one version has entries between comments with
//     actions (# {{ if .x }}) and all versions can be parsed as templates;
//   - otherwise YAML.
//
// Three versions are not parsed as templates because of comments if template.CutAlike finds a block that cannot be
// merged. The error is that of the first version that cannot be parsed; the files are then those before it. If all
// versions can be parsed, the error is that of template.CutAlike or nil.
func Open(versions ...[]byte) (Language, []File, error) { return open(nil, versions) }

// open is Open. It copies the trees of known instead of parsing the same bytes again.
func open(known []*syntax.Stream, versions [][]byte) (Language, []File, error) {
	if needJSON(versions) {
		files, err := JSON.openAll(known, versions)
		return JSON, files, err
	}
	files, err := YAML.openAll(known, versions)
	suggestsTemplate := template.Holds
	if err == nil {
		suggestsTemplate = template.BlocksInComments
	}
	if !slices.ContainsFunc(versions, suggestsTemplate) {
		return YAML, files, err
	}
	templates, errTemplate := Template.openAll(known, versions)
	if errTemplate == nil && len(templates) == 3 {
		errTemplate = template.CutAlike([3]*template.Reading{templates[0].Template, templates[1].Template, templates[2].Template})
	}
	hasGuards := func(f File) bool { return f.Template.HasGuards() }
	if err == nil && (errTemplate != nil || !slices.ContainsFunc(templates, hasGuards)) {
		return YAML, files, nil
	}
	return Template, templates, errTemplate
}

// needJSON reports whether all versions that are not blank are JSON, and one of them has something that YAML lacks.
func needJSON(versions [][]byte) (need bool) {
	for _, b := range versions {
		if len(bytes.TrimSpace(b)) == 0 {
			continue
		}
		masked, _, ok := text.MaskJSON(b)
		if !ok {
			return false
		}
		need = need || !bytes.Equal(masked, b)
	}
	return need
}

// openAll parses the versions in the language l, up to the first that cannot be parsed. The blocks of templates must
// be balanced.
func (l Language) openAll(known []*syntax.Stream, versions [][]byte) (files []File, err error) {
	for _, b := range versions {
		f, err := l.open(known, b)
		if err == nil && f.Template != nil {
			err = f.Template.Unbalanced()
		}
		if err != nil {
			return files, err
		}
		files = append(files, f)
	}
	return files, nil
}

// Open parses b in the language l. The blocks of a template need not be balanced; see template.Reading.Unbalanced.
func (l Language) Open(b []byte) (File, error) { return l.open(nil, b) }

func (l Language) open(known []*syntax.Stream, b []byte) (f File, err error) {
	switch {
	case l == JSON && len(bytes.TrimSpace(b)) > 0:
		masked, _, ok := text.MaskJSON(b)
		if !ok {
			return f, errors.New("it is not JSON")
		}
		f.Stream, err = syntax.ParseAs(text.New(b), masked, nil)
		return f, err
	case l == Template:
		if f.Template, err = template.Read(text.New(b)); err == nil {
			f.Stream = f.Template.Stream
		}
		return f, err
	}
	for _, st := range known {
		if st.Masked == nil && bytes.Equal(st.File.Bytes(), b) {
			return File{Stream: st.Copy()}, nil
		}
	}
	f.Stream, err = syntax.Parse(text.New(b))
	return f, err
}
