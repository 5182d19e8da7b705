// Git-merge-yaml merges YAML manifests field by field, as a merge driver of git.
package main

import (
	"os"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/app"
)

func main() { os.Exit(app.Main()) }
