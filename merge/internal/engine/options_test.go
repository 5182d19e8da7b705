package engine

import "testing"

// TestNegativeLimit checks that a negative limit is an error.
func TestNegativeLimit(t *testing.T) {
	for _, limits := range []Limits{{MaxBytes: -1}, {MaxSteps: -1}} {
		if _, err := Merge([]byte("a: 1\n"), []byte("a: 1\n"), []byte("a: 2\n"), Options{Limits: limits}); err == nil {
			t.Errorf("Merge took %+v", limits)
		}
	}
}
