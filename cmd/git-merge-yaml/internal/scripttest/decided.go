package scripttest

import (
	"fmt"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// createDecidedHistory implements "decidedhistory DIR [NAME]". It creates a repository with twelve merges in which the
// same conflicts were resolved in the same way. In each, main and a branch change the version and the image of a
// chart. The resolution has the next version, except in one merge, and the image of main, except in the last merge.
// The committer is NAME (default: Ada).
func createDecidedHistory(ts *testscript.TestScript, _ bool, args []string) {
	h := decisionHistory{author: "Ada"}
	if len(args) > 1 {
		h.author = args[1]
	}
	h.commit("main", "Start", "1.0.0", "nginx")
	for i := range 12 {
		topic, patch := fmt.Sprintf("topic-%d", i), 3*i
		base := h.mark
		h.from = base
		h.commit(topic, "Work", fmt.Sprintf("1.0.%d", patch+1), "mine-"+string(rune('a'+i)))
		work := h.mark
		h.from = base
		h.commit("main", "Other work", fmt.Sprintf("1.0.%d", patch+2), "release-"+string(rune('a'+i)))
		next, image := fmt.Sprintf("1.0.%d", patch+3), "release-"+string(rune('a'+i))
		if i == 11 {
			image = "mine-" + string(rune('a'+i))
		}
		if i == 4 {
			next = "1.0.9-rc"
		}
		h.merge, h.from = h.mark, work
		h.commit(topic, "Merge branch 'main' into "+topic, next, image)
		h.from = h.mark
		h.commit("main", "Release", fmt.Sprintf("1.0.%d", patch+3), image)
	}
	importHistory(ts, ts.MkAbs(args[0]), h.out.String())
	ts.Check(ts.Exec("git", "-C", ts.MkAbs(args[0]), "checkout", "-q", "-f", "main"))
}

// A decisionHistory builds a history in the format of git fast-import.
type decisionHistory struct {
	out               strings.Builder
	author            string // the committer
	mark, from, merge int    // marks of the last commit, and of the parents of the next; 0 if there is none
}

// commit adds a commit with the parents h.from and h.merge to branch, and resets h.merge. version and image are values
// in its two files.
func (h *decisionHistory) commit(branch, message, version, image string) {
	h.mark++
	fmt.Fprintf(&h.out, "commit refs/heads/%s\nmark :%d\ncommitter %s <ada@example.com> %d +0000\ndata %d\n%s\n", branch, h.mark, h.author, 1700000000+h.mark*86400, len(message), message)
	if h.from > 0 {
		fmt.Fprintf(&h.out, "from :%d\n", h.from)
	}
	if h.merge > 0 {
		fmt.Fprintf(&h.out, "merge :%d\n", h.merge)
	}
	h.merge = 0
	for _, f := range [][2]string{
		{"charts/shop/Chart.yaml", "apiVersion: v2\nname: shop\nversion: " + version + "\n"},
		{"k8s/web.yaml", "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\nspec:\n  template:\n    spec:\n      containers:\n        - name: web\n          image: " + image + "\n"},
	} {
		fmt.Fprintf(&h.out, "M 100644 inline %s\ndata %d\n%s\n", f[0], len(f[1]), f[1])
	}
}
