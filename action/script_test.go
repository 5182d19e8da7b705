package action

import (
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/internal/scripttest"
)

func TestMain(m *testing.M) { scripttest.Main(m, nil) }

// TestScript runs the scripts of testdata/script of the subject team: the jobs of this folder, with local substitutes for the services.
func TestScript(t *testing.T) { scripttest.Run(t, "ci") }
