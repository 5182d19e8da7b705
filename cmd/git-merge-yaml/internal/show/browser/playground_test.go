package browser

import (
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// playground builds the page in which a merge can be tried, and serves it.
func playground(t *testing.T) *httptest.Server {
	t.Helper()
	dir := t.TempDir()
	build := exec.Command("go", "run", "./scripts/playground", dir)
	build.Dir = filepath.Join("..", "..", "..", "..", "..")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	size := int64(0)
	files, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		info, err := f.Info()
		if err != nil {
			t.Fatal(err)
		}
		size += info.Size()
	}
	if size > 4<<20 {
		t.Errorf("the page has %d bytes, more than 4 MB", size)
	}
	server := httptest.NewServer(http.FileServer(http.Dir(dir)))
	t.Cleanup(server.Close)
	return server
}

// merged waits until the page shows a result that holds text.
func merged(t *testing.T, ctx context.Context, text string) {
	t.Helper()
	for range 200 {
		if strings.Contains(evaluate[string](t, ctx, `document.getElementById("merged").innerText + document.getElementById("status").textContent`), text) {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Fatalf("%q is not there: %q, %q", text, evaluate[string](t, ctx, `document.getElementById("status").textContent`), evaluate[string](t, ctx, `document.getElementById("merged").innerText`))
}

func TestPlayground(t *testing.T) {
	server := playground(t)
	ctx := openURL(t, server.URL+"/", "#merged")
	merged(t, ctx, "value: redis")
	if got := evaluate[string](t, ctx, `document.getElementById("status").textContent + "; " + document.getElementById("git-status").textContent`); got != "Clean, merged by field; 1 conflict" {
		t.Errorf("status %q", got)
	}
	shot(t, ctx, "playground")

	// Each example shows something else.
	for example, want := range map[string]string{
		"One real conflict": "1 conflict", "A rule decides": "Clean", "A Helm template": "RollingUpdate", "Git's clean merge is wrong": "conflict",
	} {
		run(t, ctx, chromedp.Evaluate(`example.value = `+strings.ReplaceAll(`"NAME"`, "NAME", example)+`; example.dispatchEvent(new Event("change"))`, nil))
		merged(t, ctx, want)
	}

	// What is typed is merged, marked, and in the link.
	run(t, ctx, chromedp.Evaluate(`for (const f of ["path", "rules", "base", "ours", "theirs"]) document.getElementById(f).value = ""`, nil),
		chromedp.SendKeys("#base", "a: 1"+kb.Enter, chromedp.ByQuery), chromedp.SendKeys("#ours", "a: 2"+kb.Enter, chromedp.ByQuery), chromedp.SendKeys("#theirs", "a: <b>3</b>"+kb.Enter, chromedp.ByQuery))
	merged(t, ctx, "a: <b>3</b>")
	if got := evaluate[string](t, ctx, `[...document.querySelectorAll("#merged span")].map(s => s.className + ":" + s.textContent).join("|")`); got != "marker:<<<<<<< ours|ours:a: 2|marker:=======|theirs:a: <b>3</b>|marker:>>>>>>> theirs" {
		t.Errorf("shown %q", got)
	}
	link := evaluate[string](t, ctx, `location.href`)
	run(t, ctx, chromedp.Navigate("about:blank"), chromedp.Navigate(link))
	merged(t, ctx, "a: <b>3</b>")
	if got := evaluate[string](t, ctx, `document.getElementById("notes").innerText`); !strings.Contains(got, "line 1: a (both modified") {
		t.Errorf("notes %q", got)
	}

	// An error says where.
	run(t, ctx, chromedp.SendKeys("#rules", "rules: 1", chromedp.ByQuery))
	merged(t, ctx, ".git-merge-yaml.yaml:1:8: ")

	// On a telephone, in the dark, without a network.
	run(t, ctx, chromedp.EmulateViewport(390, 844), emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: "dark"}}))
	if wider := evaluate[int](t, ctx, `document.documentElement.scrollWidth - innerWidth`); wider > 0 {
		t.Errorf("%d pixels wider than the window", wider)
	}
	shot(t, ctx, "playground-390-dark")
	for range 100 { // the worker of the page keeps its files
		if evaluate[bool](t, ctx, `!!navigator.serviceWorker.controller`) {
			break
		}
		time.Sleep(50 * time.Millisecond)
	}
	server.Close()
	run(t, ctx, chromedp.Navigate("about:blank"), chromedp.Navigate(link))
	merged(t, ctx, "a: <b>3</b>")
}
