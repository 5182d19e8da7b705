package resolve

import (
	"slices"
	"strings"
	"testing"
)

func TestShortenVersions(t *testing.T) {
	lines := func(n int, name string) string { return strings.Repeat(name+"|", n) }
	for _, c := range []struct {
		base, ours, theirs string
		maxLines           int
		want               [3]string
	}{
		// the difference is after lines that all versions have
		{lines(9, "x"), lines(9, "x") + "o|", lines(9, "x") + "t|", 5, [3]string{
			"... 8 more lines|x|", "... 8 more lines|x|o|", "... 8 more lines|x|t|"}},
		// the difference is in the first line
		{"b|" + lines(9, "x"), "o|" + lines(9, "x"), "t|" + lines(9, "x"), 5, [3]string{
			"b|x|x|x|... 6 more lines (v shows all)|", "o|x|x|x|... 6 more lines (v shows all)|", "t|x|x|x|... 6 more lines (v shows all)|"}},
		// ours and theirs have more equal lines than fit
		{"b|", lines(9, "x") + "o|", lines(9, "x") + "t|", 5, [3]string{
			"b|", "... 8 more lines|x|o|", "... 8 more lines|x|t|"}},
		{"(nothing)|", lines(9, "x") + "o|", lines(9, "x") + "t|", 5, [3]string{
			"(nothing)|", "... 8 more lines|x|o|", "... 8 more lines|x|t|"}},
		// no version has a text
		{"(nothing)|", "(nothing)|", "(nothing)|", 5, [3]string{"(nothing)|", "(nothing)|", "(nothing)|"}},
		// one side added more lines than fit
		{"x|y|", "x|" + lines(9, "o") + "y|", "x|t|y|", 5, [3]string{
			"x|y|", "x|o|o|o|... 7 more lines (v shows all)|", "x|t|y|"}},
	} {
		var in [3][]string
		for i, s := range []string{c.base, c.ours, c.theirs} {
			in[i] = strings.Split(strings.TrimSuffix(s, "|"), "|")
		}
		got := shortenVersions(in, c.maxLines)
		for i := range got {
			if want := strings.Split(strings.TrimSuffix(c.want[i], "|"), "|"); !slices.Equal(got[i], want) {
				t.Errorf("%q, %q, %q: %q\nwant %q", c.base, c.ours, c.theirs, got[i], want)
			}
		}
	}
}

// TestReadAnswers checks that ReadAnswers returns an error for anything that is not an answer, and for a second answer
// with the same id.
func TestReadAnswers(t *testing.T) {
	for given, want := range map[string]string{
		`{}`:                               "",
		`{"a": "ours", "b": {"text": ""}}`: "",
		`{"a": "ours", "a": "theirs"}`:     `"a" has two answers`,
		`{"a": "ours", "\u0061": "ours"}`:  `"a" has two answers`,
		`{"a": {"text": "x", "text": ""}}`: `is not an answer`,
		`{"a": {"text": "x", "Text": ""}}`: `is not an answer`,
		`{"a": {"Text": "x"}}`:             `is not an answer`,
		`{"a": {"text": null}}`:            `is not an answer`,
		`{"a": {"text": 1}}`:               `is not an answer`,
		`{"a": {}}`:                        `is not an answer`,
		`{"a": ""}`:                        `is not an answer`,
		`{"a": "text"}`:                    `is not an answer`,
		`{"a": null}`:                      `is not an answer`,
		`{"a": ["ours"]}`:                  `is not an answer`,
		`["a"]`:                            `expected a JSON object`,
		`{"a": "ours"} {}`:                 `data after the object`,
		`{"a": "ours"`:                     `the JSON object ends too early`,
		``:                                 `the JSON object ends too early`,
	} {
		_, err := ReadAnswers(strings.NewReader(given))
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", given, err, want)
		}
	}
}

// TestCheckDistinctIDs checks that two decisions with the same id are an error.
func TestCheckDistinctIDs(t *testing.T) {
	if err := checkDistinctIDs([]decisionWithID{{id: "a"}, {id: "b"}}); err != nil {
		t.Error(err)
	}
	if err := checkDistinctIDs([]decisionWithID{{id: "a"}, {id: "b"}, {id: "a"}}); err == nil {
		t.Error("two questions have one ID")
	}
}
