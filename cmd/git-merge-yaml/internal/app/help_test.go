package app

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// pages are those of the program and of all commands.
func pages() []page {
	a := New()
	c := a.program()
	all := []page{a.programPage(c)}
	for _, command := range a.commands() {
		all = append(all, commandPage(c.HelpName, command))
	}
	return all
}

func TestHelpFits(t *testing.T) {
	for _, p := range pages() {
		for line := range strings.Lines(helpText(p)) {
			if utf8.RuneCountInString(strings.TrimSuffix(line, "\n")) > helpWidth {
				t.Errorf("%s: %q is too long", p.name, line)
			}
			if strings.ContainsAny(line, "\t`") || strings.Contains(line, "{{") {
				t.Errorf("%s: %q is not shown as it stands", p.name, line)
			}
		}
	}
}

func TestHelpIsComplete(t *testing.T) {
	for _, p := range pages() {
		if len(p.examples) < 2 {
			t.Errorf("%s has %d examples, want 2", p.name, len(p.examples))
		}
		for _, o := range p.options {
			if o.usage == "" {
				t.Errorf("%s %s is not explained", p.name, o.names)
			}
		}
		if last := p.description[len(p.description)-1]; !strings.HasPrefix(last, "Exits with 0") || !strings.Contains(last, "129") {
			t.Errorf("%s ends with %q, want its exit codes", p.name, last)
		}
	}
}

func TestWrap(t *testing.T) {
	long := strings.Repeat("x", helpWidth)
	for _, c := range []struct {
		text   string
		indent int
		want   string
	}{
		{"a b", 2, "  a b\n"},
		{"a " + long, 0, "a\n" + long + "\n"},
		{long[2:] + " a", 0, long[2:] + " a\n"},
		{long[1:] + " a", 0, long[1:] + "\na\n"},
	} {
		if got := wrap(c.text, c.indent); got != c.want {
			t.Errorf("%q, %d: %q", c.text, c.indent, got)
		}
	}
}
