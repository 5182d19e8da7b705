package engine

import (
	"errors"
	"testing"
)

// TestRuleError checks that Merge2 returns a RuleError with the file, line and column if a
// version has several documents and one of them has no name to align it by. File is the
// name given in Options or else a default name.
func TestRuleError(t *testing.T) {
	_, err := Merge2([]byte("kind: A\n---\n# b\nkind: B\n"), nil, Options{})
	e, ok := errors.AsType[*RuleError](err)
	if !ok || e.File != "SRC" || e.Line != 1 || e.Column != 1 || e.Rules != "rules of merge2" {
		t.Errorf("got %v", err)
	}
	_, err = Merge2(nil, []byte("kind: A\n---\n# b\n  {kind: B}\n"), Options{Names: [3]string{"", "d.yaml", "s.yaml"}})
	if e, ok := errors.AsType[*RuleError](err); !ok || e.File != "d.yaml" {
		t.Errorf("got %v", err)
	}
}
