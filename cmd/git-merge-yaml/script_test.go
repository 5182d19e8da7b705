package main

import (
	"os"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/app"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/scripttest"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

func TestMain(m *testing.M) {
	scripttest.Main(m, map[string]func(){
		"git-merge-yaml-panics": func() { os.Exit(newPanickingApp().Run(os.Args[1:])) },
	})
}

// newPanickingApp returns the program with a merge function that panics.
func newPanickingApp() *app.App {
	a := app.New()
	a.Merge = func(_, _, _ []byte, _ merge.Options) (merge.Result, error) { panic("seeded") }
	return a
}

// TestScript runs the scripts of testdata/script that have no other subject.
func TestScript(t *testing.T) { scripttest.Run(t, "") }
