package proof

// What a merge costs is counted in steps, never in seconds, so that it ends
// with the same bytes on every machine. Most stages are bounded by themselves: the
// alignment compares maxAlike pairs in a gap, the verifier has a budget for
// what it tries, shrink tries maxShrinks entries and tighten
// maxTries conflicts. Only where refused conflicts
// grow, and where --union decides one conflict after the other, the file is
// proven again and again: the bytes that were proven are the steps.

// freeSteps is, in bytes proven, some seconds of work; stepsPerByte is how often
// a file of any size is proven.
const (
	freeSteps    = 64 << 20
	stepsPerByte = 16
)

// Exhausted reports whether no more is to be proven.
func (v *Prover) Exhausted() bool {
	most := v.MaxSteps
	if most == 0 {
		most = freeSteps
		for _, b := range v.In.Raw {
			most += stepsPerByte * len(b)
		}
	}
	return v.Once || v.Steps > most
}
