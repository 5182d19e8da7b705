package merge

import (
	"strings"
	"testing"
)

// TestMendedIsAsked holds that the conflicts of a line merge that was mended are asked about, and that what is answered
// is read.
func TestMendedIsAsked(t *testing.T) {
	const fields = "  # The name is that of the branch.\n  # It is also that of the image.\n  name: main\n  image: main\n  user: ci\n  cpu: 1\n  memory: 2\n  disk: 3\n  time: 4\n  swap: 5\n"
	base := "build:\n" + fields
	ours := strings.NewReplacer("  name", "- name", "disk: 3", "disk: 33").Replace(base)
	theirs := "build:\n  stage: test\n" + strings.NewReplacer("user: ci", "user: bot", "swap: 5", "swap: 55").Replace(fields)
	x, err := NewResolution([]byte(base), []byte(ours), []byte(theirs), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if r := x.Result(); r.Method != Delegated || r.Refused == "" || len(x.Questions()) != 1 {
		t.Fatalf("%v, %q, %d questions", r.Method, r.Refused, len(x.Questions()))
	}
	if err := x.Decide(0, Answer{Take: TakeText, Text: "  stage: test\n- name: main\n"}); err == nil {
		t.Error("what is no YAML was accepted")
	}
	if err := x.Decide(0, Answer{Take: TakeTheirs}); err != nil || string(x.Result().Bytes) != strings.Replace(theirs, "disk: 3", "disk: 33", 1) {
		t.Errorf("%v\n%s", err, x.Result().Bytes)
	}
}
