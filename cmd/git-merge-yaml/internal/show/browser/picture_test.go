package browser

import (
	"context"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/history"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/session"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/show"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

var picture = flag.String("picture", "", "write a picture of the page to `FILE`")

// TestPicture opens the page of the tour's history, which docs/replay.png shows.
func TestPicture(t *testing.T) {
	s := &session.Session{Git: git.Git{Dir: shop(t)}, Library: merge.Merge}
	file := filepath.Join(t.TempDir(), "page.html")
	write := func(page []byte) error { return os.WriteFile(file, page, 0o600) }
	h := &show.Page{Repository: "shop", Range: "main", Date: time.Unix(1767225600, 0), Write: write}
	sum, err := history.Replay(context.Background(), history.Options{Session: s}, func(c *history.Case) error { h.AddCase(c, ""); return nil })
	if err == nil {
		err = h.WriteReplay(sum)
	}
	if err != nil || sum.Files != 10 {
		t.Fatalf("%d files, %v", sum.Files, err)
	}
	ctx := open(t, file)
	run(t, ctx, chromedp.Click("li:nth-child(3) .row", chromedp.ByQuery), chromedp.WaitVisible(".diff", chromedp.ByQuery))
	if got := evaluate[string](t, ctx, `[...document.querySelectorAll(".diff summary")].map(s => s.textContent).join(" | ")`); !strings.Contains(got, " | git → driver +0 −") {
		t.Errorf("diffs %q", got)
	}
	if *picture == "" {
		return
	}
	var png []byte
	run(t, ctx, chromedp.EmulateViewport(1100, 1530), chromedp.CaptureScreenshot(&png))
	if err := os.WriteFile(*picture, png, 0o666); err != nil {
		t.Fatal(err)
	}
}

// shop is a repository with the merge of the tour: what is in conflict, people took
// from theirs.
func shop(t *testing.T) string {
	ar, err := txtar.ParseFile(filepath.Join("..", "..", "..", "..", "..", "scripts", "tour", "shop.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	do := func(args ...string) {
		cmd := exec.Command("git", append([]string{"-c", "user.name=A", "-c", "user.email=a@example.com"}, args...)...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GIT_AUTHOR_DATE=1767225600 +0000", "GIT_COMMITTER_DATE=1767225600 +0000", "GIT_CONFIG_NOSYSTEM=1", "HOME="+dir)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	versions := map[string]map[string][]byte{}
	for _, f := range ar.Files {
		version, path, _ := strings.Cut(f.Name, "/")
		if versions[version] == nil {
			versions[version] = map[string][]byte{}
		}
		versions[version][path] = f.Data
	}
	put := func(files map[string][]byte) {
		for path, data := range files {
			name := filepath.Join(dir, path)
			if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(name, data, 0o666); err != nil {
				t.Fatal(err)
			}
		}
		do("add", "-A")
	}
	do("init", "-q", "-b", "main")
	for _, v := range []struct{ version, branch string }{{"base", "main"}, {"theirs", "topic"}, {"ours", "main"}} {
		if v.version == "theirs" {
			do("checkout", "-q", "-b", "topic")
		} else if v.version == "ours" {
			do("checkout", "-q", "main")
		}
		put(versions[v.version])
		do("commit", "-q", "-m", v.version)
	}
	merged := map[string][]byte{}
	for path, theirs := range versions["theirs"] {
		res, err := merge.Merge(versions["base"][path], versions["ours"][path], theirs, merge.Options{Path: path})
		if err != nil {
			t.Fatal(err)
		}
		if merged[path] = res.Bytes; !res.Clean() {
			merged[path] = theirs
		}
	}
	do("merge", "-q", "--no-commit", "-s", "ours", "topic")
	put(merged)
	do("commit", "-q", "-m", "Merge branch 'topic'")
	return dir
}
