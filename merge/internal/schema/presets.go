package schema

import "sync"

//go:generate go test -run ^TestPresetTable$ -update

// presets returns the rules for well-known files and kinds. They are written
// in presets.yaml, in the format of the team's file; presetTable is what its
// reader makes of that, as Go, because reading it would take half the time
// of a small merge.
//
// What a preset says of a list holds for every file that the format's own
// tool accepts, or is checked in every merge (a doubled key makes a list
// ordered). Lists whose items have names that do not identify them are said to be
// ordered, so that nothing is inferred.
var presets = sync.OnceValue(presetTable)
