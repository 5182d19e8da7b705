package replay

import "testing"

func TestInWords(t *testing.T) {
	for detail, want := range map[string]string{
		`expected !!bool "true", which theirs has, found !!bool "false"`: "expected true, which theirs has, found false",
		`found !!null "" and !!int "1"`:                                  "found null and 1",
		`expected "!!int", found "a \"b\""`:                              `expected "!!int", found "a \"b\""`,
		`found !mine "1"`:                                                `found !mine "1"`,
		`no input has the key`:                                           `no input has the key`,
	} {
		if got := inWords(detail); got != want {
			t.Errorf("%s: %s", detail, got)
		}
	}
}
