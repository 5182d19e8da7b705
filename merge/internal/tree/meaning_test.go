package tree

import "testing"

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
		at, av := ScalarData(root(t, c.a+"\n"))
		bt, bv := ScalarData(root(t, c.b+"\n"))
		if (at == bt && av == bv) != c.same {
			t.Errorf("%s and %s: %s %q, %s %q", c.a, c.b, at, av, bt, bv)
		}
	}
}
