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

// Open parses the versions of a file, all of them in the same language, which it returns:
//
//   - JSON, if each version that is not blank is JSON, and one of them has something that YAML lacks;
//   - Template, if one version has an action and one is not YAML, or if one version has entries between comments with
//     actions (# {{ if .x }}) and all versions can be parsed as templates;
//   - otherwise YAML.
//
// Three versions are not parsed as templates because of comments if template.CheckSameTextBlocks finds a block that
// cannot be merged. The error is that of the first version that cannot be parsed; the files are then those before it.
// If all versions can be parsed, the error is that of template.CheckSameTextBlocks or nil.
func Open(versions ...[]byte) (Language, []File, error) { return openVersions(versions, false, nil) }

// openVersions does what Open does. If onlyYAML is set, the language is always YAML. Trees in knownTrees are copied
// instead of parsing the same bytes again.
func openVersions(versions [][]byte, onlyYAML bool, knownTrees []*syntax.Stream) (Language, []File, error) {
	if !onlyYAML && needJSON(versions) {
		files, err := JSON.openAll(versions, nil)
		return JSON, files, err
	}
	files, err := YAML.openAll(versions, knownTrees)
	suggestsTemplate := template.MayHaveActions
	if err == nil {
		suggestsTemplate = template.HasBlocksInComments
	}
	if onlyYAML || !slices.ContainsFunc(versions, suggestsTemplate) {
		return YAML, files, err
	}
	templates, errTemplate := Template.openAll(versions, nil)
	if errTemplate == nil && len(templates) == 3 {
		errTemplate = template.CheckSameTextBlocks([3]*template.Template{templates[0].Template, templates[1].Template, templates[2].Template})
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
		masked, _, ok := text.MaskJSON(b)
		if !ok && len(bytes.TrimSpace(b)) > 0 {
			return false
		}
		need = need || ok && !bytes.Equal(masked, b)
	}
	return need
}

// openAll parses the versions in the language l, up to the first that cannot be parsed. Templates whose blocks do not
// nest count as such.
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

// Open parses b in the language l. The blocks of a template need not nest; see template.Template.NestingError. If one of
// knownTrees is the tree of b as YAML, it is copied instead of parsing b.
func (l Language) Open(b []byte, knownTrees ...*syntax.Stream) (f File, err error) {
	isKnown := func(st *syntax.Stream) bool { return st.Masked == nil && bytes.Equal(st.File.Bytes(), b) }
	switch i := slices.IndexFunc(knownTrees, isKnown); {
	case l == Template:
		if f.Template, err = template.Parse(text.New(b)); err == nil {
			f.Stream = f.Template.Stream
		}
	case l == JSON && len(bytes.TrimSpace(b)) > 0:
		masked, _, ok := text.MaskJSON(b)
		if err = errors.New("it is not JSON"); ok {
			f.Stream, err = syntax.ParseAs(text.New(b), masked, nil)
		}
	case i >= 0:
		f.Stream = knownTrees[i].Copy()
	default:
		f.Stream, err = syntax.Parse(text.New(b))
	}
	return f, err
}
