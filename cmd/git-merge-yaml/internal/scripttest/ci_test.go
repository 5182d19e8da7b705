package scripttest_test

import (
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/scripttest"
)

func TestMain(m *testing.M) { scripttest.Main(m, nil) }

// TestScript runs the scripts of the subject ci: the jobs of the folder action, with local substitutes for the services.
func TestScript(t *testing.T) { scripttest.Run(t, "ci") }
