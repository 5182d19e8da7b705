package meaning

import (
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

func scalar(t *testing.T, in string) *syntax.Node {
	t.Helper()
	st, err := syntax.Parse(text.New([]byte(in)))
	if err != nil {
		t.Fatalf("%q: %v", in, err)
	}
	return st.Docs[0].Root
}

func TestScalarData(t *testing.T) {
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{"1", `"1"`, false},
		{"a", `"a"`, true},
		{"a", "'a'", true},
		{"yes", `"yes"`, false},
		{"No", "'No'", false},
		{"010", `"010"`, false},
		{"1:30", `"1:30"`, false},
		{"1_000", `"1_000"`, false},
		{"~", "null", true},
		{"~", "", true},
		{"~", `""`, false},
		{"0.10", `"0.10"`, false},
		{"1.2.3", `"1.2.3"`, true},
		{"yesterday", `"yesterday"`, true},
	} {
		at, av := ScalarData(scalar(t, c.a+"\n"))
		bt, bv := ScalarData(scalar(t, c.b+"\n"))
		if (at == bt && av == bv) != c.same {
			t.Errorf("%s and %s: %s %q, %s %q", c.a, c.b, at, av, bt, bv)
		}
	}
}
