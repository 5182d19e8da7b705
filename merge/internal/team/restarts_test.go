package team

import "testing"

// A rule with a mistake decides nothing, even if the rest of it could be used.
func TestRestartsWithMistakes(t *testing.T) {
	r, err := Parse("f", []byte("rules: [{restarts: {a: [b, b], c: [d, 1], e: f}}]"), "")
	const want = "f:1:28: \"b\" is repeated in restarts\nf:1:39: an item of restarts is \"1\"; expected a string"
	if err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	if all := r.RestartsAt(place(" ", "")); len(all) != 1 || all[0].Counter[0] != "e" {
		t.Errorf("%v", all)
	}
}
