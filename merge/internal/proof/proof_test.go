package proof

import (
	"strings"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/ident"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/mergetest"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/page"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/pair"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/plan"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/read"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/team"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/verify"
)

// A merged has a prover for three versions, and the page of their merge by field.
type merged struct {
	*Prover
	pages *page.Renderer
	page  *page.Page // of the plan
}

// mergeOf merges three versions by field.
func mergeOf(t *testing.T, base, ours, theirs string) *merged {
	t.Helper()
	in := parseVersions([3][]byte{[]byte(base), []byte(ours), []byte(theirs)})
	if in == nil {
		t.Fatal("a version is not valid")
	}
	return mergeWithTable(in, nil)
}

// parseVersions returns the parsed versions, or nil if one of them is not YAML, has a duplicate key or is encrypted.
func parseVersions(raw [3][]byte) *read.Inputs {
	in := read.New(raw, [3]string{"base", "ours", "theirs"})
	in.UnifyFormat(false)
	if err := in.Parse(); err != nil {
		return nil
	}
	for _, st := range in.Streams {
		if st.DuplicateKey() != nil || st.IsEncrypted() {
			return nil
		}
	}
	return in
}

// mergeWithTable merges parsed versions by field. If alter is not nil, it changes the matched elements of each collection
// before the merge uses them.
func mergeWithTable(in *read.Inputs, alter func(ident.Children)) *merged {
	rules := new(team.Rules)
	m := &merged{Prover: &Prover{Inputs: in, Rules: rules}, pages: &page.Renderer{Streams: in.Streams, LineBreak: []byte("\n")}}
	for s, st := range in.Streams {
		m.pages.Files[s] = st.File
	}
	matcher := pair.NewMatcher(rules, "")
	matcher.AfterMatch = alter
	made := plan.New(in.Streams, matcher).Merge(nil)
	m.PairedNodes, m.MovedNodes, m.page = plan.UnkeyedMatches(made.Documents), made.Moved, m.pages.Page(made.Documents)
	return m
}

const (
	base   = "a: 1\nb: 1\nc: 1\n"
	ours   = "a: 2\nb: 1\nc: 1\n"
	theirs = "a: 1\nb: 1\nc: 2\n"
)

func TestVerify(t *testing.T) {
	m := mergeOf(t, base, ours, theirs)
	for _, c := range []struct{ name, result, rule string }{
		{"both edits", "a: 2\nb: 1\nc: 2\n", ""},
		{"an edit of ours reverted", "a: 1\nb: 1\nc: 2\n", "wrong value"},
		{"an edit of theirs reverted", ours, "wrong value"},
		{"a field lost", "a: 2\nc: 2\n", "lost"},
		{"a field that no version has", "a: 2\nb: 1\nc: 2\nd: 1\n", "unexpected"},
		{"not YAML", "a: [\n", "unparsable"},
	} {
		t.Run(c.name, func(t *testing.T) {
			rule := ""
			if r := m.Verify([]byte(c.result)); r != nil {
				rule = r.Rule.String()
			}
			if rule != c.rule {
				t.Errorf("%q, want %q", rule, c.rule)
			}
		})
	}
}

// TestFormat checks that Verify rejects a result without the byte order mark, the line ends or the final newline of the
// merged format.
func TestFormat(t *testing.T) {
	for _, c := range []struct{ name, base, ours, theirs, right, wrong string }{
		{"crlf lost", "a: 1\r\nb: 1\r\n", "a: 1\r\nb: 2\r\n", "a: 1\r\nb: 1\r\nc: 1\r\n", "a: 1\r\nb: 2\r\nc: 1\r\n", "a: 1\nb: 2\nc: 1\n"},
		{"crlf lost on one line", "a: 1\r\nb: 1\r\n", "a: 1\r\nb: 2\r\n", "a: 1\r\nb: 1\r\nc: 1\r\n", "a: 1\r\nb: 2\r\nc: 1\r\n", "a: 1\r\nb: 2\r\nc: 1\n"},
		{"crlf added by ours", "a: 1\nb: 2\n", "a: 1\r\nb: 2\r\n", "a: 1\nb: 3\n", "a: 1\r\nb: 3\r\n", "a: 1\nb: 3\n"},
		{"final newline added", "a: 1\nb: 1", "a: 1\nb: 2", "a: 3\nb: 1", "a: 3\nb: 2", "a: 3\nb: 2\n"},
		{"final newline lost", "a: 1\nb: 1\n", "a: 1\nb: 2\n", "a: 3\nb: 1\n", "a: 3\nb: 2\n", "a: 3\nb: 2"},
		{"final newline added by theirs", "a: 1\nb: 1", "a: 1\nb: 2", "a: 3\nb: 1\n", "a: 3\nb: 2\n", "a: 3\nb: 2"},
		{"final newline of a text removed, and a field after it", "a: |\n  x\n  y\n", "a: |\n  z\n  y", "a: |\n  x\n  y\nb: 1\n", "a: |\n  z\n  y\nb: 1", "a: |\n  z\n  y\nb: 1\n"},
		{"bom lost", "\ufeffa: 1\nb: 1\n", "\ufeffa: 1\nb: 2\n", "\ufeffa: 3\nb: 1\n", "\ufeffa: 3\nb: 2\n", "a: 3\nb: 2\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := mergeOf(t, c.base, c.ours, c.theirs)
			if r := m.Verify([]byte(c.right)); r != nil {
				t.Errorf("refused: %v", r)
			}
			if r := m.Verify([]byte(c.wrong)); r == nil || r.Rule != verify.RuleFormat {
				t.Errorf("%v, want a refusal of its form", r)
			}
		})
	}
}

// TestVerifyPage checks that VerifyPage verifies a page with each side chosen at its conflicts, and that PageViolations
// returns the violation of VerifyPage first.
func TestVerifyPage(t *testing.T) {
	m := mergeOf(t, base, ours, strings.Replace(theirs, "a: 1", "a: 3", 1))
	if n := len(m.page.Conflicts()); n != 1 {
		t.Fatalf("%d conflicts", n)
	}
	if r := m.VerifyPage(m.page); r != nil {
		t.Error(r)
	}
	if all := m.PageViolations(m.page); len(all) > 0 {
		t.Error(all[0])
	}
	if r, isUsable := m.PageDefect(m.page); r != nil || !isUsable {
		t.Error(r)
	}
	// with c as in base, outside of the conflict
	altered := &page.Page{}
	for _, p := range m.page.Parts {
		p.Text = []byte(strings.Replace(string(p.Text), "c: 2", "c: 1", 1))
		altered.Parts = append(altered.Parts, p)
	}
	respaced := &page.Page{}
	for _, p := range m.page.Parts {
		p.Text = []byte(strings.Replace(string(p.Text), "c: 2", "c:  2", 1))
		respaced.Parts = append(respaced.Parts, p)
	}
	if r := m.VerifyPage(respaced); r == nil || r.Rule != verify.RuleSource {
		t.Errorf("a text that is not its source: %v", r)
	}
	for i := range altered.Parts { // as if the line was copied from base
		altered.Parts[i].Sources = mergetest.GuessSources(m.Inputs.Raw, nil, altered.Parts[i].Text)
	}
	r := m.VerifyPage(altered)
	if r == nil || r.Rule != verify.RuleValue {
		t.Fatalf("%v", r)
	}
	all := m.PageViolations(altered)
	if len(all) == 0 || all[0].Error() != r.Error() {
		t.Errorf("%v, want %v first", all, r)
	}
}

// TestIsExhausted checks that the bytes that Verify verifies are counted.
func TestIsExhausted(t *testing.T) {
	m := mergeOf(t, base, ours, theirs)
	m.MaxSteps = 2 * len(base)
	for i, want := range []bool{false, false, true} {
		m.Verify([]byte(base))
		if m.IsExhausted() != want {
			t.Errorf("after %d: %v", i+1, !want)
		}
	}
}
