package main

import (
	"fmt"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// decidedHistory DIR [NAME] makes a repository in which people decided the same conflicts
// again and again: main and a branch both bump the version of a chart, and change
// its image. They gave the version the next number, but for one merge; and took
// the image of main, the last time their own.
// Its commits are of NAME, Ada if there is none.
func decidedHistory(ts *testscript.TestScript, _ bool, args []string) {
	h := decisions{name: "Ada"}
	if len(args) > 1 {
		h.name = args[1]
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

// decisions is a history in the making.
type decisions struct {
	out               strings.Builder
	name              string // of who commits
	mark, from, merge int
}

// commit adds a commit on top of from, that merges merge if it is not 0.
func (h *decisions) commit(branch, message, version, image string) {
	h.mark++
	fmt.Fprintf(&h.out, "commit refs/heads/%s\nmark :%d\ncommitter %s <ada@example.com> %d +0000\ndata %d\n%s\n", branch, h.mark, h.name, 1700000000+h.mark*86400, len(message), message)
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
