// Package parallel runs two functions side by side.
package parallel

import "sync"

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
