package schema

import (
	_ "embed"
	"sync"
)

// presetsText holds the rules for well-known files and kinds, in the format of
// the team's file. What it says of a list was true of every file of the format
// that a validator or the format's own tool accepts, or is checked in every
// merge (a doubled key makes a list ordered); lists whose items are named but
// not by name identified are said to be ordered, so that nothing is inferred.
//
//go:embed presets.yaml
var presetsText []byte

// presets reads presetsText when the first list asks that no other source knows.
var presets = sync.OnceValue(func() []*entry {
	r, _ := readPresets() // a mistake is found by the tests
	return r.team
})

func readPresets() (*Rules, error) {
	r := new(Rules)
	rd := &reader{preset: true}
	return r, rd.read(r, presetsText, "")
}
