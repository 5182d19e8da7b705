package text

import "testing"

func TestReplaceSpans(t *testing.T) {
	for _, c := range []struct {
		replacements []Replacement
		want         string
		ok           bool
	}{
		{nil, "abcd", true},
		{[]Replacement{{Span{13, 14}, "D"}, {Span{10, 11}, ""}}, "bcD", true},
		{[]Replacement{{Span{11, 13}, "x"}, {Span{12, 14}, "y"}}, "abcd", false},
		// two insertions at the same place keep their order
		{[]Replacement{{Span{14, 14}, "1"}, {Span{14, 14}, "2"}}, "abcd12", true},
	} {
		got, ok := ReplaceSpans([]byte("abcd"), 10, c.replacements)
		if string(got) != c.want || ok != c.ok {
			t.Errorf("%v: %q, %v", c.replacements, got, ok)
		}
	}
}
