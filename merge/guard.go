package merge

import "fmt"

// guard makes a panic of a goroutine an error.
func guard(err *error) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("internal error: %v", p)
	}
}
