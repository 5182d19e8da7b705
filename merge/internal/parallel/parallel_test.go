package parallel

import "testing"

func TestDo(t *testing.T) {
	f, g := make(chan bool), make(chan bool)
	// each waits for the other: one after the other they would never end
	Do(func() { f <- true; <-g }, func() { <-f; g <- true })
}

func TestDoPanics(t *testing.T) {
	for name, do := range map[string]func(){
		"the first":  func() { Do(func() { panic("x") }, func() {}) },
		"the second": func() { Do(func() {}, func() { panic("x") }) },
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if p := recover(); p != "x" {
					t.Errorf("recovered %v", p)
				}
			}()
			do()
			t.Error("no panic")
		})
	}
}

func TestDoIf(t *testing.T) {
	calls := ""
	DoIf(false, func() { calls += "f" }, func() { calls += "g" })
	if calls != "fg" {
		t.Errorf("called %q, not f and then g", calls)
	}
	f, g := make(chan bool), make(chan bool)
	DoIf(true, func() { f <- true; <-g }, func() { <-f; g <- true })
}
