package scripttest

import (
	"fmt"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// createDecidedHistory implements "decidedhistory DIR [NAME]". It creates a repository with twelve merges. In each, main
// and a branch set the version and the image of a chart; the merge takes the version after both and main's image.
// Exceptions: the fifth merge has another version, the last one the branch's image. The committer is NAME (default:
// Ada).
func createDecidedHistory(ts *testscript.TestScript, _ bool, args []string) {
	h := decisionHistory{author: "Ada"}
	if len(args) > 1 {
		h.author = args[1]
	}
	base := h.commit("main", "Start", "1.0.0", "nginx")
	for i := range 12 {
		topic, letter := fmt.Sprintf("topic-%d", i), string(rune('a'+i))
		version := func(patch int) string { return fmt.Sprintf("1.0.%d", 3*i+patch) }
		mine, release := "mine-"+letter, "release-"+letter
		work := h.commit(topic, "Work", version(1), mine, base)
		otherWork := h.commit("main", "Other work", version(2), release, base)
		mergedVersion, mergedImage := version(3), release
		if i == 4 {
			mergedVersion = "1.0.9-rc"
		}
		if i == 11 {
			mergedImage = mine
		}
		merge := h.commit(topic, "Merge branch 'main' into "+topic, mergedVersion, mergedImage, work, otherWork)
		base = h.commit("main", "Release", version(3), mergedImage, merge) // main continues from the merge
	}
	importHistory(ts, ts.MkAbs(args[0]), h.out.String())
	ts.Check(ts.Exec("git", "-C", ts.MkAbs(args[0]), "checkout", "-q", "-f", "main"))
}

// A decisionHistory builds a history in the format of git fast-import.
type decisionHistory struct {
	out    strings.Builder
	author string // the committer
	mark   int    // of the last commit
}

// commit adds a commit to branch and returns its mark. version and image are values in its two files. parents are the
// marks of its parents: none, one, or two for a merge.
func (h *decisionHistory) commit(branch, message, version, image string, parents ...int) (mark int) {
	h.mark++
	fmt.Fprintf(&h.out, "commit refs/heads/%s\nmark :%d\ncommitter %s <ada@example.com> %d +0000\ndata %d\n%s\n", branch, h.mark, h.author, 1700000000+h.mark*86400, len(message), message)
	for i, parent := range parents {
		fmt.Fprintf(&h.out, "%s :%d\n", [...]string{"from", "merge"}[i], parent)
	}
	for _, f := range [][2]string{
		{"charts/shop/Chart.yaml", "apiVersion: v2\nname: shop\nversion: " + version + "\n"},
		{"k8s/web.yaml", "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\nspec:\n  template:\n    spec:\n      containers:\n        - name: web\n          image: " + image + "\n"},
	} {
		fmt.Fprintf(&h.out, "M 100644 inline %s\ndata %d\n%s\n", f[0], len(f[1]), f[1])
	}
	return h.mark
}
