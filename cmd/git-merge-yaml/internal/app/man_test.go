package app

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cpuguy83/go-md2man/v2/md2man"
)

//go:generate go test -run ^TestManPage$ -update

var update = flag.Bool("update", false, "write docs/git-merge-yaml.1")

// TestManPage checks that the manual is what the help says. The library's own
// (ToMan) leaves out what commands do, their examples and exit codes, and
// takes *.yaml for the beginning of an emphasis; so only its renderer is used.
func TestManPage(t *testing.T) {
	file := filepath.Join("..", "..", "..", "..", "docs", "git-merge-yaml.1")
	want := append([]byte(manHead), md2man.Render([]byte(manual(pages())))...)
	if *update {
		if err := os.WriteFile(file, want, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(bytes.ReplaceAll(got, []byte("\r\n"), []byte("\n")), want) {
		t.Errorf("docs/git-merge-yaml.1 is not what the help says; fix it with: go generate ./cmd/git-merge-yaml/internal/app")
	}
}

const (
	// manHead has the title itself, since groff wants to know of hyphens before
	// it, and of margins behind it.
	manHead = ".\\\" Written by go generate ./cmd/git-merge-yaml/internal/app\n" +
		".nr HY 0\n.TH GIT-MERGE-YAML 1 \"\" git-merge-yaml \"Git Manual\"\n.ad l\n"
	manTail = `## ENVIRONMENT

GIT_MERGE_YAML
: *off* leaves every merge to git's own merge by lines.

NO_COLOR
: If it is set and not empty, nothing is printed in colours, but for **--color** or *color.ui=always*.

## FILES

.git-merge-yaml.yaml
: The team's rules of lists and fields, at the top of the work tree.

.gitattributes, .git/info/attributes, ~/.config/git/attributes
: Say which files git merges with the driver: *\*.yaml merge=yaml*.

## SEE ALSO

**git-merge**(1), **git-rebase**(1), **gitattributes**(5)
`
)

// manual is the manual in Markdown; the first page is that of the program.
func manual(all []page) string {
	var b strings.Builder
	program := all[0]
	fmt.Fprintf(&b, "## NAME\n\n%s - %s\n\n## SYNOPSIS\n\n", program.name, program.usage)
	writeSynopsis(&b, program)
	b.WriteString("## DESCRIPTION\n\n")
	last := len(program.description) - 1
	writeParagraphs(&b, program.description[:last])
	b.WriteString("## OPTIONS\n\n")
	writeOptions(&b, program)
	b.WriteString("## EXAMPLES\n\n")
	writeExamples(&b, program)
	b.WriteString("## EXIT STATUS\n\n")
	writeParagraphs(&b, program.description[last:])
	rest := all[1:]
	for _, g := range program.groups {
		fmt.Fprintf(&b, "## %s\n\n", strings.ToUpper(g.title))
		for range g.commands {
			writeCommand(&b, rest[0])
			rest = rest[1:]
		}
	}
	return b.String() + manTail
}

func writeCommand(b *strings.Builder, p page) {
	fmt.Fprintf(b, "### %s\n\n%s.\n\n", p.name, inMarkdown(strings.ToUpper(p.usage[:1])+p.usage[1:]))
	writeSynopsis(b, p)
	writeParagraphs(b, p.description)
	writeOptions(b, p)
	writeExamples(b, p)
}

func writeSynopsis(b *strings.Builder, p page) {
	fmt.Fprintf(b, "```\n%s\n```\n\n", strings.Join(p.synopsis, "\n"))
}

func writeParagraphs(b *strings.Builder, paragraphs []string) {
	for _, text := range paragraphs {
		b.WriteString(inMarkdown(text) + "\n\n")
	}
}

func writeOptions(b *strings.Builder, p page) {
	for _, o := range p.options {
		names := "**" + strings.ReplaceAll(o.names, ", ", "**, **") + "**"
		if o.value != "" {
			names += " *" + o.value + "*"
		}
		fmt.Fprintf(b, "%s\n: %s\n\n", names, inMarkdown(o.usage))
	}
}

func writeExamples(b *strings.Builder, p page) {
	for _, e := range p.examples {
		fmt.Fprintf(b, "%s:\n\n```\n$ %s\n```\n\n", inMarkdown(e.does), e.line)
	}
}

// inMarkdown escapes what Markdown would take for more than text.
func inMarkdown(text string) string {
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "_", `\_`, "<", `\<`, "[", `\[`, "`", "\\`").Replace(text)
}
