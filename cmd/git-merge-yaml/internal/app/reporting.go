package app

import (
	"fmt"
	"io"
)

// reporting runs what writes a report line by line, and returns the first
// error of that: a report that nobody can read is no success.
func (a *App) reporting(run func(out io.Writer) error) error {
	out := &reportWriter{w: a.Stdout}
	err := run(out)
	if out.err != nil {
		return fmt.Errorf("cannot print the result: %w", out.err)
	}
	return err
}

// A reportWriter keeps the first error.
type reportWriter struct {
	w   io.Writer
	err error
}

func (r *reportWriter) Write(p []byte) (int, error) {
	n, err := r.w.Write(p)
	if r.err == nil {
		r.err = err
	}
	return n, err
}
