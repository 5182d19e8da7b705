package main

import (
	"strings"
	"testing"
)

// TestPrintLog checks what is printed of a failed test, of a passed one and of skipped ones.
func TestPrintLog(t *testing.T) {
	const events = `{"Action":"start","Package":"m/a"}
{"Action":"output","Package":"m/a","Test":"TestA","Output":"=== RUN   TestA\n"}
{"Action":"output","Package":"m/a","Test":"TestA","Output":"    a_test.go:9: too deep\n"}
{"Action":"output","Package":"m/a","Test":"TestA","Output":"--- FAIL: TestA (0.00s)\n"}
{"Action":"fail","Package":"m/a","Test":"TestA"}
{"Action":"output","Package":"m/a","Test":"TestB","Output":"    a_test.go:12: for the log\n"}
{"Action":"pass","Package":"m/a","Test":"TestB"}
{"Action":"output","Package":"m/a","Test":"TestC/x","Output":"> [!tty] skip 'there is no terminal'\n"}
{"Action":"output","Package":"m/a","Test":"TestC/x","Output":"--- SKIP: TestC/x (0.00s)\n"}
{"Action":"skip","Package":"m/a","Test":"TestC/x"}
{"Action":"skip","Package":"m/a","Test":"TestD"}
{"Action":"output","Package":"m/a","Output":"FAIL\tm/a\t0.1s\n"}
{"Action":"fail","Package":"m/a"}
no JSON
`
	const want = "=== RUN   TestA\n    a_test.go:9: too deep\n--- FAIL: TestA (0.00s)\nFAIL\tm/a\t0.1s\nno JSON\n" +
		"2 tests skipped: a TestC/x (there is no terminal); a TestD (no reason)\n"
	var b strings.Builder
	if err := printLog(&b, strings.NewReader(events)); err != nil || b.String() != want {
		t.Errorf("%v\n%s\nwant\n%s", err, &b, want)
	}
}
