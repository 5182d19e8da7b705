package resolve

import (
	"strings"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// TestAgain: which questions are one, as base, ours and theirs.
func TestAgain(t *testing.T) {
	for _, c := range []struct {
		one, other string
		take       merge.Take
		want       bool
	}{
		{"a: 1,a: 2,a: 3", "a: 1,a: 2,a: 3", merge.TakeOurs, true},
		{"a: 1,a: 2,a: 3", "  a: 1,  a: 2,  a: 3", merge.TakeOurs, true},
		{"a: 1,a: 2,a: 3", "  a: 1,  a: 2,  a: 3", merge.TakeText, false},
		{"a: 1,a: 2,a: 3", "b: 1,b: 2,b: 3", merge.TakeOurs, false},
		{"a: 1,a: 2,a: 3", "a: 1,a: 3,a: 2", merge.TakeOurs, false},
		{"version: 1.0.0,version: 1.1.0,version: 1.0.1", "  helm.sh/chart: web-1.0.0,  helm.sh/chart: web-1.1.0,  helm.sh/chart: web-1.0.1", merge.TakeTheirs, true},
		{"image: a:1.0,image: a:1.1,image: a:1.2", "- image: b:1.0 # b,- image: b:1.1 # b,- image: b:1.2 # b", merge.TakeOurs, true},
		{"image: a:1.0,image: a:1.1,image: a:1.2", "image: b:1.0,image: b:1.1,image: c:1.2", merge.TakeOurs, false},
		{"image: a:1.0,image: a:1.1,image: a:1.2", "image: b:1.0,image: b:1.1,image: b:1.3", merge.TakeOurs, false},
		{"image: a:main,image: a:v1,image: a:v2", "image: b:main,image: b:v1,image: b:v2", merge.TakeOurs, true},
		{"image: a:main,image: a:v1,image: a:v2", "image: b:main,image: b:v1,image: b:v2", merge.TakeText, false},
		{"from: 1.0 to 2.0,from: 1.1 to 2.0,from: 1.2 to 2.0", "at: 1.0,at: 1.1,at: 1.2", merge.TakeOurs, false},
	} {
		if got := again(question3(c.one), question3(c.other), c.take); got != c.want {
			t.Errorf("%q, %q, %s: %v", c.one, c.other, c.take, got)
		}
	}
	list := question3("a: 1,a: 2,a: 3")
	list.Kind = merge.ConflictAddAdd
	if again(question3("a: 1,a: 2,a: 3"), list, merge.TakeOurs) {
		t.Error("one of another kind")
	}
}

// question3 is a question about one line of three versions.
func question3(lines string) (q merge.Question) {
	v := strings.Split(lines, ",")
	q.Kind = merge.ConflictValue
	q.Base.Text, q.Ours.Text, q.Theirs.Text = v[0]+"\n", v[1]+"\n", v[2]+"\n"
	return q
}
