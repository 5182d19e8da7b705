package gitattrs

import (
	"bytes"
	"slices"
	"testing"
)

const yamlBlock = openingLine + "\n*.yaml merge=yaml\n*.yml merge=yaml\n" + closingLine + "\n"

var yamlPatterns = []string{"*.yaml", "*.yml"}

func TestSetPatterns(t *testing.T) {
	for _, c := range []struct{ file, want string }{
		{"", yamlBlock},
		{"*.sh text\n", yamlBlock + "*.sh text\n"},
		{"*.sh text", yamlBlock + "*.sh text"},
		{"\xef\xbb\xbf*.sh text\n", "\xef\xbb\xbf" + yamlBlock + "*.sh text\n"},
		{"*.sh text\r\n", openingLine + "\r\n*.yaml merge=yaml\r\n*.yml merge=yaml\r\n" + closingLine + "\r\n*.sh text\r\n"},
		{"a x\n" + yamlBlock + "b x\n", "a x\n" + yamlBlock + "b x\n"},
		{"a x\n" + openingLine + " older\n*.yaml merge=yaml\n" + closingLine + "\nb x\n", "a x\n" + yamlBlock + "b x\n"},
		{yamlBlock + "a x\n" + yamlBlock, yamlBlock + "a x\n"},
		{"a x\n" + openingLine + "\n*.yaml merge=yaml\n", "a x\n" + yamlBlock},
		// two attributes files that were joined
		{"a x\n\xef\xbb\xbf" + openingLine + "\n*.yaml merge=yaml\n" + closingLine + "\nb x\n", "a x\n\xef\xbb\xbf" + yamlBlock + "b x\n"},
	} {
		got := SetPatterns([]byte(c.file), "yaml", yamlPatterns)
		if string(got) != c.want {
			t.Errorf("%q: %q, want %q", c.file, got, c.want)
		}
		if again := SetPatterns(got, "yaml", yamlPatterns); !bytes.Equal(again, got) {
			t.Errorf("%q: twice: %q", c.file, again)
		}
	}
}

func TestSetPatternsIgnoresEmptyPatterns(t *testing.T) {
	got := string(SetPatterns([]byte{}, "yaml", []string{"", "*.yaml"}))
	if want := openingLine + "\n*.yaml merge=yaml\n" + closingLine + "\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestSetPatternsOfSeveralDrivers(t *testing.T) {
	const two = openingLine + "\na merge=yaml\nb merge=yaml\nb merge=yaml-kustomize\n" + closingLine + "\n"
	one := SetPatterns([]byte{}, "yaml-kustomize", []string{"b"})
	got := SetPatterns(one, "yaml", []string{"a", "b"})
	if string(got) != two {
		t.Errorf("got %q, want %q", got, two)
	}
	if got := SetPatterns(got, "yaml-kustomize", []string{"b"}); string(got) != two {
		t.Errorf("again: %q", got)
	}
	if p := Patterns(got, "yaml-kustomize"); !slices.Equal(p, []string{"b"}) {
		t.Errorf("patterns %q", p)
	}
	if got := SetPatterns(got, "yaml", nil); string(got) != string(one) {
		t.Errorf("without patterns %q, want %q", got, one)
	}
	if back := RemoveBlock(got); len(back) > 0 {
		t.Errorf("left %q", back)
	}
}

func TestRemoveBlock(t *testing.T) {
	for _, c := range []struct{ file, want string }{
		{"", ""},
		{"a x", "a x"},
		{yamlBlock, ""},
		{"a x\n" + yamlBlock + "b x", "a x\nb x"},
		{"a x\n" + openingLine + newFileSuffix + "\n" + closingLine, "a x\n"},
		{openingLine + "\n*.yaml merge=yaml\n# mine merge=yaml\n*.lock -diff\n" + closingLine + "\n", "# mine merge=yaml\n*.lock -diff\n"},
		{openingLine + "\n*.yaml merge=yaml\n*.lock -diff\nc.yml merge=yaml\n", "*.lock -diff\nc.yml merge=yaml\n"},
		// a line that only mentions the closing line does not keep the block open
		{openingLine + "\n*.yaml merge=yaml\n# no " + closingLine + "\nc.yml merge=yaml\n", "# no " + closingLine + "\nc.yml merge=yaml\n"},
		{openingLine + "\n*.yaml merge=yaml text\n" + closingLine + "\n", "*.yaml merge=yaml text\n"},
	} {
		if got := RemoveBlock([]byte(c.file)); string(got) != c.want || got == nil {
			t.Errorf("%q: %q, want %q", c.file, got, c.want)
		}
	}
}

func TestRemoveBlockFromNewFile(t *testing.T) {
	file := SetPatterns(nil, "yaml", yamlPatterns)
	if rest := RemoveBlock(file); rest != nil {
		t.Errorf("a file made by SetPatterns stays: %q", rest)
	}
	if rest := RemoveBlock(SetPatterns(file, "yaml", []string{"a"})); rest != nil {
		t.Errorf("a file made by SetPatterns and changed by it stays: %q", rest)
	}
	if rest := RemoveBlock(append(file, "b x\n"...)); string(rest) != "b x\n" {
		t.Errorf("edited file: %q", rest)
	}
}

// FuzzBlock checks that RemoveBlock undoes SetPatterns byte for byte, and that Patterns returns the patterns that
// SetPatterns wrote.
func FuzzBlock(f *testing.F) {
	for _, file := range []string{"", "a x", "a x\r\n", "\xef\xbb\xbfa x\n", "# <<< git-merge-yaml <<<\n", "\n\n"} {
		for _, p := range []string{"*.yaml", "a b", "#a", `"a"`, `\"`, "a\tb\nc", " a", "é", `a\ b`} {
			f.Add([]byte(file), p)
		}
	}
	f.Fuzz(func(t *testing.T, file []byte, pattern string) {
		if bytes.Contains(file, []byte(openingLine)) || CheckPattern(pattern) != nil {
			t.Skip()
		}
		file = slices.Concat([]byte{}, file)
		got := SetPatterns(file, "yaml", []string{pattern, "*.yml"})
		if back := RemoveBlock(got); !bytes.Equal(back, file) {
			t.Errorf("%q with %q: back to %q", file, pattern, back)
		}
		if p := Patterns(got, "yaml"); !slices.Equal(p, []string{pattern, "*.yml"}) {
			t.Errorf("%q with %q: patterns %q", file, pattern, p)
		}
	})
}
