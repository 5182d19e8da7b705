package terminal

import "fmt"

// Count says a number of things, as in 1 conflict and 2 conflicts.
func Count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}
