package parallel

import (
	"fmt"
)

// Guard makes a panic of a goroutine an error.
func Guard(err *error) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("internal error: %v", p)
	}
}
