package gitattrs

import (
	"bytes"
	"slices"
	"testing"
)

const theBlock = opening + "\n*.yaml merge=yaml\n*.yml merge=yaml\n" + closing + "\n"

var defaults = []string{"*.yaml", "*.yml"}

func TestAdd(t *testing.T) {
	for _, c := range []struct{ file, want string }{
		{"", theBlock},
		{"*.sh text\n", theBlock + "*.sh text\n"},
		{"*.sh text", theBlock + "*.sh text"},
		{"\xef\xbb\xbf*.sh text\n", "\xef\xbb\xbf" + theBlock + "*.sh text\n"},
		{"*.sh text\r\n", opening + "\r\n*.yaml merge=yaml\r\n*.yml merge=yaml\r\n" + closing + "\r\n*.sh text\r\n"},
		{"a x\n" + theBlock + "b x\n", "a x\n" + theBlock + "b x\n"},
		{"a x\n" + opening + " older\n*.yaml merge=yaml\n" + closing + "\nb x\n", "a x\n" + theBlock + "b x\n"},
		{theBlock + "a x\n" + theBlock, theBlock + "a x\n"},
		{"a x\n" + opening + "\n*.yaml merge=yaml\n", "a x\n" + theBlock},
	} {
		got := Add([]byte(c.file), "yaml", defaults)
		if string(got) != c.want {
			t.Errorf("%q: %q, want %q", c.file, got, c.want)
		}
		if again := Add(got, "yaml", defaults); !bytes.Equal(again, got) {
			t.Errorf("%q: twice: %q", c.file, again)
		}
	}
}

func TestAddOfSeveralDrivers(t *testing.T) {
	const two = opening + "\na merge=yaml\nb merge=yaml\nb merge=yaml-kustomize\n" + closing + "\n"
	one := Add([]byte{}, "yaml-kustomize", []string{"b"})
	got := Add(one, "yaml", []string{"a", "b"})
	if string(got) != two {
		t.Errorf("got %q, want %q", got, two)
	}
	if got := Add(got, "yaml-kustomize", []string{"b"}); string(got) != two {
		t.Errorf("again: %q", got)
	}
	if p := Patterns(got, "yaml-kustomize"); !slices.Equal(p, []string{"b"}) {
		t.Errorf("patterns %q", p)
	}
	if got := Add(got, "yaml", nil); string(got) != string(one) {
		t.Errorf("without patterns %q, want %q", got, one)
	}
	if back := Remove(got); len(back) > 0 {
		t.Errorf("left %q", back)
	}
}

func TestRemove(t *testing.T) {
	for _, c := range []struct{ file, want string }{
		{"", ""},
		{"a x", "a x"},
		{theBlock, ""},
		{"a x\n" + theBlock + "b x", "a x\nb x"},
		{"a x\n" + opening + newFile + "\n" + closing, "a x\n"},
		{opening + "\n*.yaml merge=yaml\n# mine merge=yaml\n*.lock -diff\n" + closing + "\n", "# mine merge=yaml\n*.lock -diff\n"},
		{opening + "\n*.yaml merge=yaml\n*.lock -diff\nc.yml merge=yaml\n", "*.lock -diff\nc.yml merge=yaml\n"},
		{opening + "\n*.yaml merge=yaml text\n" + closing + "\n", "*.yaml merge=yaml text\n"},
	} {
		if got := Remove([]byte(c.file)); string(got) != c.want || got == nil {
			t.Errorf("%q: %q, want %q", c.file, got, c.want)
		}
	}
}

func TestNewFile(t *testing.T) {
	file := Add(nil, "yaml", defaults)
	if rest := Remove(file); rest != nil {
		t.Errorf("a file made by Add stays: %q", rest)
	}
	if rest := Remove(Add(file, "yaml", []string{"a"})); rest != nil {
		t.Errorf("a file made by Add and changed by it stays: %q", rest)
	}
	if rest := Remove(append(file, "b x\n"...)); string(rest) != "b x\n" {
		t.Errorf("edited file: %q", rest)
	}
}

// FuzzBlock checks that a block can always be taken out again without a
// trace, and gives back its patterns.
func FuzzBlock(f *testing.F) {
	for _, file := range []string{"", "a x", "a x\r\n", "\xef\xbb\xbfa x\n", "# <<< git-merge-yaml <<<\n", "\n\n"} {
		for _, p := range []string{"*.yaml", "a b", "#a", `"a"`, `\"`, "a\tb\nc", " a", "é", `a\ b`} {
			f.Add([]byte(file), p)
		}
	}
	f.Fuzz(func(t *testing.T, file []byte, pattern string) {
		if bytes.Contains(file, []byte(opening)) || CheckPattern(pattern) != nil {
			t.Skip()
		}
		file = slices.Concat([]byte{}, file)
		got := Add(file, "yaml", []string{pattern, "*.yml"})
		if back := Remove(got); !bytes.Equal(back, file) {
			t.Errorf("%q with %q: back to %q", file, pattern, back)
		}
		if p := Patterns(got, "yaml"); !slices.Equal(p, []string{pattern, "*.yml"}) {
			t.Errorf("%q with %q: patterns %q", file, pattern, p)
		}
	})
}
