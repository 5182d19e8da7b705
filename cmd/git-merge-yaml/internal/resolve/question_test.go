package resolve

import (
	"slices"
	"strings"
	"testing"
)

func TestElided(t *testing.T) {
	lines := func(n int, name string) string { return strings.Repeat(name+"|", n) }
	for _, c := range []struct {
		base, ours, theirs string
		most               int
		want               [3]string
	}{
		// What differs is behind what all have.
		{lines(9, "x"), lines(9, "x") + "o|", lines(9, "x") + "t|", 5, [3]string{
			"... 8 lines before|x|", "... 8 lines before|x|o|", "... 8 lines before|x|t|"}},
		// It is before it.
		{"b|" + lines(9, "x"), "o|" + lines(9, "x"), "t|" + lines(9, "x"), 5, [3]string{
			"b|x|x|x|... and 6 more lines, v shows all|", "o|x|x|x|... and 6 more lines, v shows all|", "t|x|x|x|... and 6 more lines, v shows all|"}},
		// Ours and theirs go on alike for longer than there is room.
		{"b|", lines(9, "x") + "o|", lines(9, "x") + "t|", 5, [3]string{
			"b|", "... 8 lines before|x|o|", "... 8 lines before|x|t|"}},
		{"(nothing)|", lines(9, "x") + "o|", lines(9, "x") + "t|", 5, [3]string{
			"(nothing)|", "... 8 lines before|x|o|", "... 8 lines before|x|t|"}},
		// One side added what the other has not, and more than fits.
		{"x|y|", "x|" + lines(9, "o") + "y|", "x|t|y|", 5, [3]string{
			"x|y|", "x|o|o|o|... and 7 more lines, v shows all|", "x|t|y|"}},
	} {
		var in [3][]string
		for i, s := range []string{c.base, c.ours, c.theirs} {
			in[i] = strings.Split(strings.TrimSuffix(s, "|"), "|")
		}
		got := elided(in, c.most)
		for i := range got {
			if want := strings.Split(strings.TrimSuffix(c.want[i], "|"), "|"); !slices.Equal(got[i], want) {
				t.Errorf("%q, %q, %q: %q\nwant %q", c.base, c.ours, c.theirs, got[i], want)
			}
		}
	}
}

// TestReadAnswers holds that nothing is taken for an answer, or for a second one about a question, that may be another.
func TestReadAnswers(t *testing.T) {
	for given, want := range map[string]string{
		`{}`:                               "",
		`{"a": "ours", "b": {"text": ""}}`: "",
		`{"a": "ours", "a": "theirs"}`:     `"a" is answered twice`,
		`{"a": "ours", "\u0061": "ours"}`:  `"a" is answered twice`,
		`{"a": {"text": "x", "text": ""}}`: `neither a word`,
		`{"a": {"text": "x", "Text": ""}}`: `neither a word`,
		`{"a": {"Text": "x"}}`:             `neither a word`,
		`{"a": {"text": null}}`:            `neither a word`,
		`{"a": {"text": 1}}`:               `neither a word`,
		`{"a": {}}`:                        `neither a word`,
		`{"a": ""}`:                        `neither a word`,
		`{"a": "text"}`:                    `neither a word`,
		`{"a": null}`:                      `neither a word`,
		`{"a": ["ours"]}`:                  `neither a word`,
		`["a"]`:                            `it is no object`,
		`{"a": "ours"} {}`:                 `more than one value`,
		`{"a": "ours"`:                     `EOF`,
		``:                                 `EOF`,
	} {
		_, err := ReadAnswers(strings.NewReader(given))
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", given, err, want)
		}
	}
}

// TestDistinct holds that two questions with one ID are refused.
func TestDistinct(t *testing.T) {
	if err := distinct([]asked{{id: "a"}, {id: "b"}}); err != nil {
		t.Error(err)
	}
	if err := distinct([]asked{{id: "a"}, {id: "b"}, {id: "a"}}); err == nil {
		t.Error("two questions have one ID")
	}
}
