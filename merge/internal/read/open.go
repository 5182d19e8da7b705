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
//   - JSON, if each version that is not blank is JSON, and one of them has something that YAML lacks: // comments, or
//     an escape of half of a surrogate pair (\ud800);
//   - Template, if one version has an action, as in {{ .Values.x }}, and one is not YAML; or if one version has entries
//     between comments with actions (# {{ if .x }}) and all versions can be parsed as templates;
//   - otherwise YAML.
//
// The error is that of the first version that cannot be parsed; the files are then those before it.
//
// Three templates cannot be merged if both sides changed a template block that contains complete entries in one
// version, but only a part of an entry in another one. If all three versions are YAML, they are then parsed as YAML.
// Otherwise, all files are returned together with an error about the block.
func Open(versions ...[]byte) (Language, []File, error) { return openVersions(versions, false, nil) }

// openVersions parses the versions of a file, all of them in the same language, which it returns. If onlyYAML is set,
// that is always YAML. Otherwise it is
//
//   - JSON, if each version that is not blank is JSON, and one of them has something that YAML lacks, such as //
//     comments;
//   - Template, if one version has template actions and the versions cannot all be read as YAML, or if one has entries
//     between comments with actions;
//   - otherwise YAML.
//
// knownTrees are trees of files that are parsed already, and may be nil. The tree of a version with the same bytes is
// copied from there, for YAML only. The error is that of the first version that cannot be parsed, without the name of
// the version; the files are then those before it. For Template, the error can also be that both sides changed a block
// that contains a part of an entry; all files are returned then.
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
// This is a // comment or a /* */ comment, or an escape of half of a surrogate pair (\ud800). The answer is false if
// all versions are blank.
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

// openAll parses the versions in the language l, in order, up to the first that cannot be parsed. It returns the files
// before that one and its error, which does not name the version. The files are nil if there are none. A template in
// which an else or end has no block, or a block is not closed, cannot be parsed. knownTrees are trees of files that are
// parsed already, and may be nil; the tree of a version with the same bytes is copied from there.
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

// Open parses the file b in the language l: as YAML, as JSON with comments, or as YAML with template actions. A blank
// file is valid in each language. File.Template is set for a template, and nil otherwise. After an error, the file must
// not be used.
//
// A template in which an else or end has no block, or a block is not closed, is not an error; the method NestingError
// of File.Template returns it.
//
// knownTrees are trees of YAML files that are parsed already. If one of them is that of the same bytes, it is copied
// instead of parsing b as YAML.
func (l Language) Open(b []byte, knownTrees ...*syntax.Stream) (f File, err error) {
	isKnown := func(st *syntax.Stream) bool { return st.Masked == nil && bytes.Equal(st.File.Bytes(), b) }
	switch i := slices.IndexFunc(knownTrees, isKnown); {
	case l == Template:
		if f.Template, err = template.Parse(text.New(b)); err == nil {
			f.Stream = f.Template.Stream
		}
	case l == JSON && len(bytes.TrimSpace(b)) > 0:
		masked, _, ok := text.MaskJSON(b)
		if err = errors.New("invalid JSON"); ok {
			f.Stream, err = syntax.ParseAs(text.New(b), masked, nil)
		}
	case i >= 0:
		f.Stream = knownTrees[i].Copy()
	default:
		f.Stream, err = syntax.Parse(text.New(b))
	}
	return f, err
}
