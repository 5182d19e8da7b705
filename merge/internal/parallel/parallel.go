// Package parallel runs two functions side by side.
package parallel

import "sync"

// Pays reports whether to work on files of that many bytes side by side takes less
// time than one after the other: to start a thread takes as long as to merge a few
// kilobytes.
func Pays(bytes int) bool { return bytes >= 64<<10 }

// DoIf is Do where that pays; else it calls f, then g.
func DoIf(pays bool, f, g func()) {
	if pays {
		Do(f, g)
		return
	}
	f()
	g()
}

// Do calls f and g side by side and returns when both have ended. A panic of
// either is one of the caller, who can recover from it.
func Do(f, g func()) {
	var failed any
	var wg sync.WaitGroup
	wg.Go(func() {
		defer func() { failed = recover() }()
		g()
	})
	func() {
		defer wg.Wait() // also where f panics: g may not outlive the call
		f()
	}()
	if failed != nil {
		panic(failed)
	}
}
