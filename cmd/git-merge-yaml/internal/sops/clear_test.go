package sops

import (
	"strings"
	"testing"
)

func TestStepsTo(t *testing.T) {
	for _, c := range []struct{ have, want, steps string }{
		{"a: 1\n", "a: 1\n", ""},
		{"a: x\nb: y\n", "a: z\nc: 2\n", `-["b"] ["a"]="z" ["c"]=2`},
		{"a: {b: x}\n", "a: {b: x, c: {d: [1, true, null]}}\n", `["a"]["c"]["d"][0]=1 ["a"]["c"]["d"][1]=true ["a"]["c"]["d"][2]=null`},
		{"a: [x, y, z]\n", "a: [x, w]\n", `["a"][1]="w" -["a"][2]`},
		{"a: x\n", "a: {b: y}\n", `-["a"] ["a"]["b"]="y"`},
		{"a: x\n", "a: \"1\"\n", `["a"]="1"`},
		{"a: x\n", "a: 2020-01-01\n", `["a"]="2020-01-01"`},
		{"a: x\n", "# new\na: x\n", "no"},
		{"a: x\n", "a: x\n\"b[0]\": x\n", "no"},
		{"a: x\n", "a: []\n", "no"},
		{"a: x\n", "a: &n y\nb: *n\n", "no"},
		{"a: x\n", "{", "no"},
	} {
		steps, err := stepsTo([]byte(c.have), []byte(c.want))
		if err != nil {
			if c.steps != "no" {
				t.Errorf("%q to %q: %v", c.have, c.want, err)
			}
			continue
		}
		var all []string
		for _, s := range steps {
			if s.unset {
				all = append(all, "-"+s.index)
			} else {
				all = append(all, s.index+"="+s.value)
			}
		}
		if got := strings.Join(all, " "); got != c.steps {
			t.Errorf("%q to %q: %s, want %s", c.have, c.want, got, c.steps)
		}
	}
}

func TestSame(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"a: 1\nb: 2\n", "b: 2\na: 1\n", true},
		{"a: 1\n", "a: \"1\"\n", false},
		{"a: [1, 2]\n", "a: [2, 1]\n", false},
		{"# x\na: 1\nb: 2\n", "a: 1\n# x\nb: 2\n", true},
		{"# x\na: 1\n", "a: 1\n", false},
	} {
		if got := same([]byte(c.a), []byte(c.b)); got != c.want {
			t.Errorf("%q, %q: %v", c.a, c.b, got)
		}
	}
}

// TestCouldRead holds that only who repeats all that is encrypted, and enough of it, may change the data key.
func TestCouldRead(t *testing.T) {
	const enc = "ENC[AES256_GCM,data:x,type:str]"
	sealed := "a: " + enc + "\nopen: 1\nlist:\n    - " + enc + "\n"
	base := "a: a long secret value\nopen: 1\nlist:\n    - b\n"
	for other, want := range map[string]bool{
		base: true,
		"a: a long secret value\nopen: 2\nlist:\n    - b\n    - c\nnew: 1\n": true,
		"a: a long secret value\nopen: 1\nlist:\n    - c\n":                  false,
		"a: a long secret value\nopen: 1\n":                                  false,
		"a: guess\nopen: 1\nlist:\n    - b\n":                                false,
		"a: {b: c}\n":                                                        false,
	} {
		f := files{data: [3][]byte{[]byte(sealed)}, clear: [3][]byte{[]byte(base), nil, []byte(other)}}
		if got := f.couldRead(2); got != want {
			t.Errorf("%q: %v", other, got)
		}
	}
	short := files{data: [3][]byte{[]byte("a: " + enc + "\n")}, clear: [3][]byte{[]byte("a: \"5432\"\n"), []byte("a: \"5432\"\n")}}
	if short.couldRead(1) {
		t.Error("four characters can be guessed")
	}
}
