package gitattrs

import "testing"

func TestProgram(t *testing.T) {
	for _, c := range []struct{ line, want string }{
		{Driver{Name: "yaml", Program: "git-merge-yaml"}.line(), "git-merge-yaml"},
		{Driver{Name: "yaml", Program: "/my 100% tools/it's"}.line(), `'/my 100% tools/it'\''s'`},
		{"git-merge-yaml %O %A %B", "git-merge-yaml"},
		{`"C:\bin\git-merge-yaml.exe" %O %A %B`, `"C:\bin\git-merge-yaml.exe"`},
		{"git merge-yaml -q %O %A %B", "git merge-yaml"},
		{"git -c a=b merge-yaml %O %A %B", "git"},
		{Driver{Name: "yaml", Program: "/a%O%A/x"}.line(), `/a%O%A/x`},
		{Driver{Name: "yaml", Program: "/a %O/x"}.line(), `'/a %O/x'`},
		{"X=1 Y='a b' git-merge-yaml %O %A %B", "git-merge-yaml"},
		{`echo "a; b" && /x\ y/git-merge-yaml %O %A %B || exit 1`, `/x\ y/git-merge-yaml`},
		{"true", ""},
		{"", ""},
	} {
		if got := Program(c.line); got != c.want {
			t.Errorf("Program(%q) = %q, want %q", c.line, got, c.want)
		}
	}
}
