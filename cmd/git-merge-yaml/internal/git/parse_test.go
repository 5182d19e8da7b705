package git

import (
	"reflect"
	"strings"
	"testing"
)

func TestParseUnmerged(t *testing.T) {
	a, b, c := strings.Repeat("a", 40), strings.Repeat("b", 40), strings.Repeat("c", 40)
	stage := func(hex string) Stage {
		id, err := ParseID(hex)
		if err != nil {
			t.Fatal(err)
		}
		return Stage{0o100644, id}
	}
	for _, c := range []struct {
		out  string
		want []Unmerged
		ok   bool
	}{
		{"", nil, true},
		{"100644 " + a + " 1\tx\x00100644 " + b + " 2\tx\x00100644 " + c + " 3\tx\x00", []Unmerged{{"x", stage(a), stage(b), stage(c)}}, true},
		{"100644 " + b + " 2\tx\ty\nz\x00100644 " + c + " 3\tz\x00", []Unmerged{{Path: "x\ty\nz", Ours: stage(b)}, {Path: "z", Theirs: stage(c)}}, true},
		{"100644 " + b + "\tx\x00", nil, false},
		{"100644 " + b + " 2 x\x00", nil, false},
		{"100644 b 2\tx\x00", nil, false},
		{"file " + b + " 2\tx\x00", nil, false},
	} {
		got, err := parseUnmerged([]byte(c.out))
		if !reflect.DeepEqual(got, c.want) || (err == nil) != c.ok {
			t.Errorf("%q: %+v, %v", c.out, got, err)
		}
	}
}

func TestParseAttributes(t *testing.T) {
	for _, c := range []struct {
		out  string
		want []map[string]string
		ok   bool
	}{
		{"a\x00merge\x00yaml\x00a\x00text\x00\x00b\x00merge\x00unset\x00b\x00text\x00set\x00",
			[]map[string]string{{"merge": "yaml", "text": ""}, {"merge": "unset", "text": "set"}}, true},
		{"a\x00merge\x00yaml\x00", nil, false},
		{"", nil, false},
	} {
		got, err := parseAttributes([]byte(c.out), 2, 2)
		if !reflect.DeepEqual(got, c.want) || (err == nil) != c.ok {
			t.Errorf("%q: %v, %v", c.out, got, err)
		}
	}
}

func TestMode(t *testing.T) {
	const plain, exec = 0o100644, ModeExecutable
	for _, c := range []struct{ base, ours, theirs, want Mode }{
		{plain, plain, exec, exec}, {plain, exec, plain, exec}, {exec, plain, exec, plain}, {0, exec, plain, exec}, {plain, plain, plain, plain},
	} {
		if got := (Unmerged{Base: Stage{Mode: c.base}, Ours: Stage{Mode: c.ours}, Theirs: Stage{Mode: c.theirs}}).Mode(); got != c.want {
			t.Errorf("%+v: %o", c, got)
		}
	}
}
