package proof

// What a merge costs is counted in steps, never in seconds, so that it ends
// with the same bytes on every machine. Most stages are bounded by themselves: the
// alignment compares maxComparisons pairs in a gap. Only where refused conflicts
// grow, and where --union decides one conflict after the other, the file is
// proven again and again: the bytes that were proven are the steps, and what stands for as much.

// freeSteps is, in bytes proven, a second of work; stepsPerByte is how often, for each byte of
// the versions, a file of any size is proven. Twelve times as much made no other result of
// 2,069 recorded merges.
const (
	freeSteps    = 1 << 20
	stepsPerByte = 2
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
	return v.Steps > int64(most)
}

// refusalsPerByte is how many refusals it takes so that to look for what each is about costs what it costs
// to prove the file once.
const refusalsPerByte = 64

// Spend counts a plan that is made anew, and the search for what so many refusals are about.
func (v *Prover) Spend(refusals int) {
	for _, b := range v.In.Raw {
		v.Steps += int64(len(b) + refusals*len(b)/refusalsPerByte)
	}
}
