package driver_test

import (
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/scripttest"
)

func TestMain(m *testing.M) { scripttest.Main(m, nil) }

// TestScript runs the scripts of testdata/script of the subject driver.
func TestScript(t *testing.T) { scripttest.Run(t, "driver") }
