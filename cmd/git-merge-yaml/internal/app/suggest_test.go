package app

import "testing"

func TestSuggest(t *testing.T) {
	a := New()
	for word, want := range map[string]string{
		"isntall": "install", "uninstal": "uninstall", "resovle": "resolve", "xplain": "explain",
		"docter": "doctor", "hlep": "help", "status": "", "web.yaml": "", "": "",
	} {
		if want != "" {
			want = "; did you mean " + want + "?"
		}
		if got := a.suggestCommand(word); got != want {
			t.Errorf("%q: %q, want %q", word, got, want)
		}
	}
	for word, want := range map[string]string{"limt": "max", "max-cuont": "max", "color": ""} {
		if want != "" {
			want = "; did you mean --" + want + "?"
		}
		if got := suggestOption(historyFlags(), word); got != want {
			t.Errorf("%q: %q, want %q", word, got, want)
		}
	}
	for word, want := range map[string]string{
		"marker-sise": "--marker-size", "stdot": "--stdout", "their": "--theirs", "hepl": "--help", "frobnicate": "",
	} {
		if want != "" {
			want = "; did you mean " + want + "?"
		}
		if got := suggestOption(mergeFlags(), word); got != want {
			t.Errorf("%q: %q, want %q", word, got, want)
		}
	}
}
