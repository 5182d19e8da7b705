package gitattrs

import (
	"strings"
	"testing"
)

func TestRunsGitMergeYAML(t *testing.T) {
	for _, c := range []struct {
		line string
		want bool
	}{
		{Driver{Name: "yaml", Program: "git-merge-yaml"}.driverLine(), true},
		{Driver{Name: "yaml", Program: "/opt/my tools/git-merge-yaml"}.driverLine(), true},
		{Driver{Name: "yaml", Program: "C:/tools/git-merge-yaml.exe"}.driverLine(), true},
		{"git-merge-yaml %O %A %B", true},
		{`"C:\bin\git-merge-yaml.exe" %O %A %B`, true},
		{"git merge-yaml -q %O %A %B", true},
		{"mergiraf merge --git %O %A %B -s %S -x %X -y %Y -p %P -l %L", false},
		{"merge-yaml %O %A %B", false},
		{"my-git-merge-yaml-wrapper %O %A %B", false},
		{"", false},
	} {
		if RunsGitMergeYAML(c.line) != c.want {
			t.Errorf("RunsGitMergeYAML(%q) = %t", c.line, !c.want)
		}
	}
}

func TestSettings(t *testing.T) {
	s := Driver{Name: "yaml", Program: "git-merge-yaml", FallbackFile: QuoteForShell("/x/merge-yaml-fallback")}.Settings()
	if s[0].Key != "merge.yaml.driver" || s[1].Key != "merge.yaml.name" {
		t.Errorf("settings %q: want the driver line before all others", s)
	}
	for _, want := range []string{"%O %A %B", "--path=%P", "--marker-size=%L", "f=/x/merge-yaml-fallback;"} {
		if !strings.Contains(s[0].Value, want) {
			t.Errorf("driver line %q lacks %q", s[0].Value, want)
		}
	}
}

func TestQuoteForShell(t *testing.T) {
	for _, c := range [][2]string{
		{"git-merge-yaml", "git-merge-yaml"},
		{"/opt/bin/git-merge-yaml", "/opt/bin/git-merge-yaml"},
		{"/my tools/it's", `'/my tools/it'\''s'`},
		{"/100%/x", "/100%%/x"},
		{"/$(x)`y`", "'/$(x)`y`'"},
		{"", "''"},
	} {
		if got := QuoteForShell(c[0]); got != c[1] {
			t.Errorf("QuoteForShell(%q) = %s, want %s", c[0], got, c[1])
		}
	}
}
