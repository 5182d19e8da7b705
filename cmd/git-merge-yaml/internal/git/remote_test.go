package git

import "testing"

func TestWebAddress(t *testing.T) {
	for remote, want := range map[string]string{
		"":                                      "",
		"../other":                              "",
		"/srv/git/repo.git":                     "",
		"file:///srv/git/repo.git":              "",
		`C:\repo`:                               "",
		"git@example.com:a/b.git":               "https://example.com/a/b",
		"ssh://git@example.com:2222/a/b.git":    "https://example.com/a/b",
		"https://example.com/a/b.git/":          "https://example.com/a/b",
		"https://me:secret@example.com/a/b":     "https://example.com/a/b",
		"http://example.com:8080/a/b.git":       "http://example.com:8080/a/b",
		"https://example.com/a/b?token=x#y":     "https://example.com/a/b",
		"javascript:alert(1)//example.com/a":    "",
		"https://example.com/\"><script>/b.git": "https://example.com/%22%3E%3Cscript%3E/b",
	} {
		if got := webAddress(remote); got != want {
			t.Errorf("%s: %q, want %q", remote, got, want)
		}
	}
}
