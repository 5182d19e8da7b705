package read

import (
	"bytes"
	"errors"
	"fmt"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/template"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// Parse reads the three versions.
func (in *Inputs) Parse() error {
	if err := in.ParseDeep(); err != nil {
		return err
	}
	return in.ParseRest()
}

// ParseDeep reads the versions up to the first that may be nested too deep, if
// there is one: where it is, nothing else has to be parsed, and every level
// costs the parser much.
func (in *Inputs) ParseDeep() error {
	if reason := in.tooMuch(); reason != "" {
		return errors.New(reason)
	}
	in.JSON = !in.NoTemplate && in.maskedJSON()
	for s, b := range in.Data {
		if mayBeDeep(b) {
			return in.parseSides(three.Side(s))
		}
	}
	return nil
}

// ParseRest reads the versions that ParseDeep left. Where one of them is no YAML
// as it stands, all are read as templates.
func (in *Inputs) ParseRest() error {
	err := in.parseSides(three.Updated)
	if err == nil || in.Template || in.NoTemplate || !slices.ContainsFunc(in.Raw[:], template.Holds) {
		return err
	}
	in.Template, in.Proof = true, [3]*syntax.Stream{}
	in.endLine()
	if err := in.parseSides(three.Updated); err != nil {
		return err
	}
	if in.JSON {
		return nil
	}
	return template.CutAlike(in.Readings)
}

// Tree reads b as the versions are read.
func (in *Inputs) Tree(b []byte) (*syntax.Stream, error) {
	st, _, err := in.tree(b)
	return st, err
}

// parseSides reads the versions up to last that are not read yet.
func (in *Inputs) parseSides(last three.Side) error {
	for s := range in.Raw[:last+1] {
		if in.Proof[s] != nil {
			continue
		}
		if err := in.parseSide(three.Side(s)); err != nil {
			return in.unreadable(three.Side(s), err)
		}
	}
	return nil
}

// unreadable says where a version is no YAML: as people point at a place in a
// file, where the caller has named it.
func (in *Inputs) unreadable(s three.Side, err error) error {
	if in.Names[s] == "" {
		return fmt.Errorf("%s: %w", three.Names[s], err)
	}
	return Unreadable(in.Names[s], err)
}

// Unreadable is what is no YAML in a file of a name, with its place.
func Unreadable(name string, err error) error {
	if at, ok := errors.AsType[*syntax.Error](err); ok && at.Line > 0 {
		return fmt.Errorf("%s:%d:%d: %s", name, at.Line, max(at.Column, 1), at.Msg)
	}
	return fmt.Errorf("%s: %w", name, err)
}

func (in *Inputs) parseSide(s three.Side) (err error) {
	if err := in.parseData(s); err != nil {
		return err
	}
	if err := checkDepth(in.Streams[s]); err != nil {
		return err
	}
	if err := CheckLineEnds(in.Streams[s]); err != nil {
		return err
	}
	in.Proof[s], in.RawReadings[s] = in.Streams[s], in.Readings[s]
	if len(in.Data[s]) != len(in.Raw[s]) || !bytes.Equal(in.Data[s], in.Raw[s]) {
		in.Proof[s], in.RawReadings[s], err = in.tree(in.Raw[s])
	}
	return err
}

// parseData reads the unified text of a version.
func (in *Inputs) parseData(s three.Side) (err error) {
	in.Streams[s], in.Readings[s], err = in.tree(in.Data[s])
	return err
}

// maskedJSON reports whether the versions that have anything are JSON, one of them with comments, or
// with what else YAML cannot read.
func (in *Inputs) maskedJSON() bool {
	differs := false
	for _, b := range in.Data {
		if len(bytes.TrimSpace(b)) == 0 {
			continue
		}
		masked, _, ok := text.JSON(b)
		if !ok {
			return false
		}
		differs = differs || !bytes.Equal(masked, b)
	}
	return differs
}

// tree reads b as the versions are read: also as a template, if they are.
func (in *Inputs) tree(b []byte) (*syntax.Stream, *template.Reading, error) {
	if in.JSON && len(bytes.TrimSpace(b)) > 0 {
		masked, _, ok := text.JSON(b)
		if !ok {
			return nil, nil, errors.New("it is not JSON")
		}
		st, err := syntax.ParseAs(text.New(b), masked)
		return st, nil, err
	}
	if !in.Template {
		st, err := syntax.Parse(text.New(b))
		return st, nil, err
	}
	r, err := template.Read(text.New(b))
	if err != nil {
		return nil, nil, err
	}
	return r.Stream, r, nil
}
