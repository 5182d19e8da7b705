package gitattrs_test

import (
	"fmt"

	"github.com/git-merge-yaml/git-merge-yaml/gitattrs"
)

func Example() {
	file := []byte("*.sh text eol=lf\n")
	with := gitattrs.SetPatterns(file, "yaml", []string{"*.yaml", "charts/**"})
	fmt.Print(string(with))
	fmt.Println("--")
	fmt.Print(string(gitattrs.RemoveBlock(with)))
	// Output:
	// # >>> git-merge-yaml >>>
	// *.yaml merge=yaml
	// charts/** merge=yaml
	// # <<< git-merge-yaml <<<
	// *.sh text eol=lf
	// --
	// *.sh text eol=lf
}
