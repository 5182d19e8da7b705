package proof

// This file limits the work of a merge. The work is counted in steps, not in seconds, so that a merge has the same
// result on every machine. One step is one byte that is verified. Most stages have limits of their own: the
// alignment compares at most maxComparisons pairs in a gap (see package pair). But a file may be verified many times
// while conflicts grow because of violations, and while --union decides one conflict after the other. Other work of
// this kind is converted to steps by CountReplanning.

// The default for Prover.MaxSteps is freeSteps, about one second of work, plus stepsPerByte for each byte of the
// versions. A limit twelve times as high did not change the result of any of 2,069 recorded merges.
const (
	freeSteps    = 1 << 20
	stepsPerByte = 2
)

// IsExhausted reports whether the merge has to stop because it has verified too much: v.Steps, the number of bytes
// verified so far, is greater than v.MaxSteps. If v.MaxSteps is 0, the limit is freeSteps (1 MiB), plus stepsPerByte
// (2) for each byte of the three versions.
func (v *Prover) IsExhausted() bool {
	limit := v.MaxSteps
	if limit == 0 {
		limit = freeSteps
		for _, b := range v.Inputs.Raw {
			limit += stepsPerByte * len(b)
		}
	}
	return v.Steps > int64(limit)
}

// violationsPerPass is the number of violations for which the search of their places costs as much as verifying
// the file once.
const violationsPerPass = 64

// CountReplanning adds to v.Steps the cost, in verified bytes, of computing the plan of the merge again because of the
// given number of violations. It is the size of the versions, plus the same size for each violationsPerPass (64)
// violations, in proportion: 150 % of the size for 32 violations.
func (v *Prover) CountReplanning(violations int) {
	for _, b := range v.Inputs.Raw {
		v.Steps += int64(len(b) + violations*len(b)/violationsPerPass)
	}
}
