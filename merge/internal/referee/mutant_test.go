package referee

import (
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/mutant"
)

// TestMutants spoils the right results in every way: what comes out is refused,
// or differs only in what the contract leaves open.
func TestMutants(t *testing.T) {
	tried, survived := 0, map[string]int{}
	for _, m := range right {
		c := Claim{Original: parse(t, m.o), Dest: parse(t, m.d), Updated: parse(t, m.u)}
		mutant.Each([]byte(m.r), mutant.All, func(x mutant.Mutant) {
			tried++
			c.Result = x.Stream
			if Check(c) != nil {
				return
			}
			class := mutant.Class([]byte(m.r), x)
			survived[class]++
			if class == "" {
				t.Errorf("accepted: %s: %s, line %d\n%s", m.name, x.Way, x.Line, x.Stream.File.Bytes())
			}
		})
	}
	t.Logf("%d mutants, accepted: %v", tried, survived)
}
