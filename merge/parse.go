package merge

import (
	"bytes"
	"errors"
	"fmt"
	"sync"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// parse reads the three versions.
func (in *inputs) parse() error {
	if err := in.parseDeep(); err != nil {
		return err
	}
	return in.parseRest()
}

// parseDeep reads the versions up to the first that may be nested too deep, if
// there is one: where it is, nothing else has to be parsed, and every level
// costs the parser much.
func (in *inputs) parseDeep() error {
	for s, b := range in.data {
		if mayBeDeep(b) {
			return in.parseSides(side(s))
		}
	}
	return nil
}

// parseRest reads the versions that parseDeep left.
func (in *inputs) parseRest() error { return in.parseSides(updated) }

// parseSides reads the versions up to last that are not read yet, side by side.
func (in *inputs) parseSides(last side) error {
	var wg sync.WaitGroup
	var errs [3]error
	for s := range in.raw[:last+1] {
		if in.proof[s] == nil {
			wg.Go(func() { errs[s] = in.parseSide(side(s)) })
		}
	}
	wg.Wait()
	for s, err := range errs {
		if err != nil {
			return in.unreadable(side(s), err)
		}
	}
	return nil
}

// unreadable says where a version is no YAML: as people point at a place in a
// file, where the caller has named it.
func (in *inputs) unreadable(s side, err error) error {
	if in.names[s] == "" {
		return fmt.Errorf("%s: %w", userNames[s], err)
	}
	return parseError(in.names[s], err)
}

// parseError is what is no YAML in a file of a name, with its place.
func parseError(name string, err error) error {
	if at, ok := errors.AsType[*syntax.Error](err); ok && at.Line > 0 {
		return fmt.Errorf("%s:%d:%d: %s", name, at.Line, max(at.Column, 1), at.Msg)
	}
	return fmt.Errorf("%s: %w", name, err)
}

func (in *inputs) parseSide(s side) (err error) {
	defer guard(&err)
	in.at("parse")
	if in.streams[s], err = syntax.Parse(text.New(in.data[s])); err != nil {
		return err
	}
	if err := checkDepth(in.streams[s]); err != nil {
		return err
	}
	if err := checkLineEnds(in.streams[s]); err != nil {
		return err
	}
	in.proof[s] = in.streams[s]
	if len(in.data[s]) != len(in.raw[s]) || !bytes.Equal(in.data[s], in.raw[s]) {
		in.proof[s], err = syntax.Parse(text.New(in.raw[s]))
	}
	return err
}

// at tells a test that a stage begins.
func (in *inputs) at(stage string) {
	if in.enter != nil {
		in.enter(stage)
	}
}
