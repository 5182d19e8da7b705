package browser

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/network"
	cdpruntime "github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/history"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/session"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/show"
)

const hostile = `<img src=x onerror="document.title='owned'"></script><script>document.title='owned'</script>`

// chromium is what the browser is called, by system.
var chromium = []string{"chromium", "chromium-browser", "google-chrome", "chrome"}

// open opens a page in a browser of its own. When the test ends, it must have
// asked for no other page, and complained of nothing.
func open(t *testing.T, page string) context.Context {
	t.Helper()
	return openAt(t, page, ".row")
}

// openAt is open, which waits until an element is visible.
func openAt(t *testing.T, page, element string) context.Context {
	t.Helper()
	return openURL(t, "file://"+filepath.ToSlash(page), element)
}

// openURL is openAt of a page that may be served.
func openURL(t *testing.T, url, element string) context.Context {
	t.Helper()
	path := ""
	for _, name := range chromium {
		if p, err := exec.LookPath(name); err == nil && path == "" {
			path = p
		}
	}
	if path == "" {
		t.Skip("there is no Chromium: apt-get install chromium")
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.Flag("disable-background-networking", true), chromedp.WindowSize(1400, 1000))
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewExecAllocator(ctx, options...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	listen(t, ctx, url)
	if err := chromedp.Run(ctx, network.Enable(), chromedp.Navigate(url), chromedp.WaitVisible(element, chromedp.ByQuery)); err != nil {
		t.Fatal(err)
	}
	return ctx
}

// listen fails the test for what the page at url must not do.
func listen(t *testing.T, ctx context.Context, url string) {
	var lock sync.Mutex
	var faults []string
	fault := func(s string) {
		lock.Lock()
		defer lock.Unlock()
		faults = append(faults, s)
	}
	chromedp.ListenTarget(ctx, func(event any) {
		switch e := event.(type) {
		case *cdpruntime.EventConsoleAPICalled:
			fault("console: " + string(e.Type))
		case *cdpruntime.EventExceptionThrown:
			fault("exception: " + e.ExceptionDetails.Error())
		case *network.EventRequestWillBeSent:
			own := strings.HasPrefix(e.Request.URL, "file://") || strings.HasPrefix(url, "http") && strings.HasPrefix(e.Request.URL, url)
			if !own && !strings.HasPrefix(e.Request.URL, "data:") && e.Request.URL != "about:blank" {
				fault("request: " + e.Request.URL)
			}
		}
	})
	t.Cleanup(func() {
		lock.Lock()
		defer lock.Unlock()
		for _, f := range faults {
			t.Error(f)
		}
	})
}

// page writes the page of n files, the first of which has hostile values.
func page(t *testing.T, n int) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "page.html")
	h := &show.Page{Repository: hostile, Web: "https://example.com/a/b", Write: func(page []byte) error { return os.WriteFile(path, page, 0o666) }}
	id := git.ID(make([]byte, 20))
	for i := range n {
		c := &history.Case{
			Number: i + 1, Merge: id, Parents: [2]git.ID{id, id}, Path: fmt.Sprintf("deploy/team%d/web.yaml", i%100),
			Git: history.Outcome{Conflicts: 1, Lines: 4}, Driver: history.Outcome{Committed: history.EqualBytes},
			Content: history.Content{Committed: []byte("a: 2\nb: 2\n"), Driver: []byte("a: 2\nb: 2\n")},
		}
		ours := []byte("a: 2\nb: 1\n")
		if i == 0 {
			c.Path, ours = hostile, []byte("a: '"+hostile+"'\nb: \x1b[31m1\n")
		}
		if i%10 == 3 {
			c.Driver = history.Outcome{Conflicts: 1, Lines: 2}
		}
		c.File = (&session.Session{}).NewFile(c.Path, []byte("a: 1\nb: 1\n"), ours, []byte("a: 1\nb: 2\n"))
		h.AddCase(c, "")
	}
	s := history.Summary{Files: n, Worse: 1}
	s.Git.Conflicts, s.Driver.Clean.Bytes = n, n
	if err := h.WriteReplay(s); err != nil {
		t.Fatal(err)
	}
	return path
}

func evaluate[T any](t *testing.T, ctx context.Context, script string) (v T) {
	t.Helper()
	if err := chromedp.Run(ctx, chromedp.Evaluate(script, &v)); err != nil {
		t.Fatal(err)
	}
	return v
}

func run(t *testing.T, ctx context.Context, actions ...chromedp.Action) {
	t.Helper()
	if err := chromedp.Run(ctx, actions...); err != nil {
		t.Fatal(err)
	}
}

// shot saves a screenshot where PAGE_SHOTS names a folder for them.
func shot(t *testing.T, ctx context.Context, name string) {
	dir := os.Getenv("PAGE_SHOTS")
	if dir == "" {
		return
	}
	var png []byte
	run(t, ctx, chromedp.CaptureScreenshot(&png))
	if err := os.WriteFile(filepath.Join(dir, name+".png"), png, 0o666); err != nil {
		t.Fatal(err)
	}
}

func TestHostileValuesStayText(t *testing.T) {
	ctx := open(t, page(t, 5))
	run(t, ctx, chromedp.Click(".row", chromedp.ByQuery), chromedp.WaitVisible(".diff", chromedp.ByQuery))
	if got := evaluate[string](t, ctx, `document.title`); !strings.HasPrefix(got, hostile+": replay of ") {
		t.Errorf("title %q", got)
	}
	if got := evaluate[string](t, ctx, `document.querySelector(".row .path").textContent`); got != hostile {
		t.Errorf("path %q", got)
	}
	if got := evaluate[string](t, ctx, `document.querySelector(".diff pre").textContent`); !strings.Contains(got, hostile) || !strings.Contains(got, `\u001b[31m1`) {
		t.Errorf("diff %q", got)
	}
	if n := evaluate[int](t, ctx, `document.querySelectorAll("img").length + document.querySelectorAll("script").length`); n != 3 {
		t.Errorf("%d images and scripts", n)
	}
	shot(t, ctx, "hostile")
}

// TestKeyboard filters and expands without a mouse.
func TestKeyboard(t *testing.T) {
	ctx := open(t, page(t, 40))
	run(t, ctx, chromedp.Focus("#text", chromedp.ByQuery), chromedp.SendKeys("#text", "team7/", chromedp.ByQuery))
	if got := evaluate[string](t, ctx, `document.getElementById("count").textContent`); got != "1 file of 40" {
		t.Errorf("count %q", got)
	}
	run(t, ctx, chromedp.KeyEvent(kb.Tab), chromedp.KeyEvent(kb.Tab), chromedp.KeyEvent(kb.Enter), chromedp.WaitVisible(".diff", chromedp.ByQuery))
	if got := evaluate[string](t, ctx, `document.activeElement.getAttribute("aria-expanded")`); got != "true" {
		t.Errorf("expanded %q", got)
	}
	marked := evaluate[[]string](t, ctx, `[...document.querySelectorAll(".diff")].map(d => d.querySelector("summary").textContent + ": " + [...d.querySelectorAll(".add, .del")].map(l => l.textContent).join(" | ") + ": " + [...d.querySelectorAll("mark")].map(m => m.textContent).join(" | "))`)
	want := []string{"base → ours +1 −1: -a: 1 | +a: 2: 1 | 2", "base → theirs +1 −1: -b: 1 | +b: 2: 1 | 2", "git → driver +2 −0: +a: 2 | +b: 2: ", "driver → committed no differences: : "}
	if fmt.Sprint(marked) != fmt.Sprint(want) {
		t.Errorf("marked %q, want %q", marked, want)
	}
	columns := evaluate[[]string](t, ctx, `[...document.querySelectorAll(".beside pre")].map(p => [...p.children].map(l => l.textContent).join(" | "))`)
	if want := []string{"@@ -0,0 +1,2 @@ |  | ", "@@ -0,0 +1,2 @@ | +a: 2 | +b: 2"}; fmt.Sprint(columns) != fmt.Sprint(want) {
		t.Errorf("beside %q, want %q", columns, want)
	}
	if got := evaluate[string](t, ctx, `document.querySelector(".case a").href`); !strings.HasPrefix(got, "https://example.com/a/b/commit/") {
		t.Errorf("link %q", got)
	}
	shot(t, ctx, "expanded")
	run(t, ctx, chromedp.KeyEvent(kb.Enter))
	if n := evaluate[int](t, ctx, `document.querySelectorAll(".diff").length`); n != 0 {
		t.Errorf("%d files shown after closing", n)
	}
	run(t, ctx, chromedp.Evaluate(`text.value = ""; choice.value = "left"; choice.dispatchEvent(new Event("change"))`, nil))
	if got := evaluate[string](t, ctx, `document.getElementById("count").textContent`); got != "4 files of 40" {
		t.Errorf("count %q", got)
	}
}

func TestTenThousandRows(t *testing.T) {
	ctx := open(t, page(t, 10_000))
	start := time.Now()
	run(t, ctx, chromedp.SendKeys("#text", "team42", chromedp.ByQuery))
	if got := evaluate[string](t, ctx, `document.getElementById("count").textContent`); got != "100 files of 10000" {
		t.Errorf("count %q", got)
	}
	if d := time.Since(start); d > 5*time.Second {
		t.Errorf("filtering took %s", d)
	}
	if n := evaluate[int](t, ctx, `document.querySelectorAll(".row").length`); n != 100 {
		t.Errorf("%d rows", n)
	}
	shot(t, ctx, "many")
}

// TestNothing holds that the page of no files says so, and has no empty list.
func TestNothing(t *testing.T) {
	ctx := openAt(t, page(t, 0), "h1")
	if n := evaluate[int](t, ctx, `[...document.querySelectorAll("form, #list, #count, .bar")].filter(e => e.offsetHeight > 0).length`); n != 0 {
		t.Errorf("%d parts of a list are shown", n)
	}
	if got := evaluate[string](t, ctx, `document.body.innerText`); !strings.Contains(got, "No YAML file changed on both sides of a merge, so git") {
		t.Errorf("%q", got)
	}
	shot(t, ctx, "nothing")
}

// TestNarrow holds that a phone shows the page without scrolling sideways.
func TestNarrow(t *testing.T) {
	ctx := open(t, page(t, 5))
	run(t, ctx, chromedp.EmulateViewport(390, 844), chromedp.Click(".row", chromedp.ByQuery), chromedp.WaitVisible(".diff", chromedp.ByQuery))
	if over := evaluate[int](t, ctx, `document.documentElement.scrollWidth - document.documentElement.clientWidth`); over > 0 {
		t.Errorf("%d pixels wider than the window", over)
	}
	if height := evaluate[int](t, ctx, `document.getElementById("filter").getBoundingClientRect().top - document.querySelector(".cards").getBoundingClientRect().top | 0`); height > 400 {
		t.Errorf("the numbers take %d pixels", height)
	}
	shot(t, ctx, "narrow")
}

// TestLegend checks that the page explains the dots of the files on it, and offers no outcome that no file has.
func TestLegend(t *testing.T) {
	ctx := open(t, page(t, 40))
	if got, want := evaluate[string](t, ctx, `document.getElementById("legend").innerText.replaceAll("\n", ", ")`), "36 resolved by git-merge-yaml, 4 in conflict with both"; got != want {
		t.Errorf("legend %q, want %q", got, want)
	}
	if got, want := evaluate[string](t, ctx, `[...choice.options].map(o => o.value).join()`), ",conflict,resolved,left"; got != want {
		t.Errorf("outcomes %q, want %q", got, want)
	}
	if got := evaluate[string](t, ctx, `document.querySelector(".row .dot").getAttribute("aria-label")`); got != "resolved by git-merge-yaml" {
		t.Errorf("dot %q", got)
	}
}

// TestNarrowPreview checks the page of a preview on a phone: it does not scroll sideways, and the branch, the file and
// the results of a file are below each other, next to the dot.
func TestNarrowPreview(t *testing.T) {
	path := filepath.Join(t.TempDir(), "page.html")
	h := &show.Page{Repository: "shop", Range: "main", Write: func(page []byte) error { return os.WriteFile(path, page, 0o666) }}
	c := &history.Case{Uncommitted: true, Path: strings.Repeat("long", 30) + ".yaml", Git: history.Outcome{Conflicts: 1, Lines: 2}}
	c.File = (&session.Session{}).NewFile(c.Path, []byte("a: 1\n"), []byte("a: 2\n"), []byte("a: 1\n"))
	conflict := history.PathConflict{Path: c.Path, Kind: "modify/delete"}
	if err := h.WritePreview([]*history.Branch{{Name: strings.Repeat("branch", 30), State: history.StateConflict, Cases: []*history.Case{c}, PathConflicts: []history.PathConflict{conflict}}}); err != nil {
		t.Fatal(err)
	}
	ctx := open(t, path)
	run(t, ctx, chromedp.EmulateViewport(390, 844), chromedp.Click(".row", chromedp.ByQuery), chromedp.WaitVisible(".diff", chromedp.ByQuery))
	if over := evaluate[int](t, ctx, `document.documentElement.scrollWidth - document.documentElement.clientWidth`); over > 0 {
		t.Errorf("%d pixels wider than the window", over)
	}
	if got := evaluate[string](t, ctx, `(() => {
		const [dot, ...texts] = [...document.querySelector(".row").children].map(e => e.getBoundingClientRect());
		return texts.every(r => r.left === texts[0].left && r.left - dot.right < 32) ? "" : JSON.stringify([dot, ...texts]);
	})()`); got != "" {
		t.Errorf("positions %s", got)
	}
	shot(t, ctx, "narrow-preview")
}
