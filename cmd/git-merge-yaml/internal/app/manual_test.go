package app

import (
	"bytes"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"text/template"
	"unicode/utf8"

	"github.com/urfave/cli/v2"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/setup"
)

//go:generate go test -run ^TestManPage$ -update

var update = flag.Bool("update", false, "write docs/git-merge-yaml.1")

// manPageFile is the manual page that users install.
var manPageFile = filepath.Join("..", "..", "..", "..", "docs", "git-merge-yaml.1")

// TestManPage checks that the manual page is what manual.1.tmpl, the help texts and the options of all commands make.
// With -update, it writes the page.
func TestManPage(t *testing.T) {
	page := writeManPage(t)
	if *update {
		if err := os.WriteFile(manPageFile, page, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile(manPageFile); err != nil || !bytes.Equal(got, page) {
		t.Error("docs/git-merge-yaml.1 is out of date; write it with: go generate ./cmd/git-merge-yaml/internal/app")
	}
}

// TestManPageRenders checks that groff formats the manual page without warnings in 80 columns.
func TestManPageRenders(t *testing.T) {
	groff, err := exec.LookPath("groff")
	if err != nil {
		t.Skip("groff is not installed")
	}
	var out, warnings bytes.Buffer
	cmd := exec.Command(groff, "-ww", "-man", "-Tutf8", "-Kutf8", "-P-cbou", "-rLL=80n", manPageFile)
	cmd.Stdout, cmd.Stderr = &out, &warnings
	if err := cmd.Run(); err != nil || warnings.Len() > 0 {
		t.Errorf("%v %s", err, &warnings)
	}
	var sections []string
	for line := range strings.Lines(out.String()) {
		line = strings.TrimSuffix(line, "\n")
		if utf8.RuneCountInString(line) > 80 {
			t.Errorf("longer than 80 columns: %s", line)
		}
		if line != "" && line[0] != ' ' && line == strings.ToUpper(line) && !strings.Contains(line, "(1)") {
			sections = append(sections, line)
		}
	}
	want := []string{"NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "COMMANDS", "FILES", "ENVIRONMENT", "CONFIGURATION", "EXIT STATUS", "SEE ALSO"}
	if !slices.Equal(sections, want) {
		t.Errorf("the sections are %q, want %q", sections, want)
	}
}

// writeManPage returns the manual page, in the language of man(7).
func writeManPage(t *testing.T) []byte {
	functions := template.FuncMap{
		"roff": roff, "synopsis": roffSynopsis, "options": roffOptions, "paragraphs": roffParagraphs, "examples": roffExamples,
		"docs": func() string { return docsURL }, "issues": func() string { return issuesURL },
	}
	tmpl, err := template.New("manual.1.tmpl").Funcs(functions).ParseFiles("manual.1.tmpl")
	if err != nil {
		t.Fatal(err)
	}
	a := New()
	program := a.newProgram()
	program.Commands = a.commands()
	var page bytes.Buffer
	if err := tmpl.Execute(&page, program); err != nil {
		t.Fatal(err)
	}
	return page.Bytes()
}

// roff returns text with the characters escaped that have a meaning in man(7). Line breaks stay.
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`, "~", `\(ti`, "^", `\(ha`, "`", `\(ga`, "'", `\(aq`).Replace(text)
	return regexp.MustCompile(`(?m)^\.`).ReplaceAllString(text, `\&.`)
}

// wrapWords returns text with line breaks, so that lines have at most 70 characters unless a word is longer. Roff fills
// lines itself; the breaks are for those who read the source.
func wrapWords(text string) string {
	var b strings.Builder
	length := 0
	for word := range strings.FieldsSeq(text) {
		switch {
		case length > 0 && length+len(word) >= 70:
			b.WriteByte('\n')
			length = 0
		case length > 0:
			b.WriteByte(' ')
			length++
		}
		b.WriteString(word)
		length += len(word)
	}
	return b.String()
}

// roffSynopsis returns the lines of usage, with "git merge-yaml" and the name of the command in bold.
func roffSynopsis(usage string) string {
	var b strings.Builder
	b.WriteString(".nf\n")
	words := regexp.MustCompile(`^git-merge-yaml((?: [a-z][a-z0-9]*)*)(.*)$`)
	for line := range strings.SplitSeq(usage, "\n") {
		m := words.FindStringSubmatch(line)
		fmt.Fprintf(&b, "\\fBgit merge\\-yaml%s\\fP%s\n", roff(m[1]), roff(m[2]))
	}
	b.WriteString(".fi\n")
	return b.String()
}

// roffOptions returns the names of each option and what the help says about it.
func roffOptions(flags []cli.Flag) string {
	var b strings.Builder
	for _, f := range flags {
		names, usage, _ := strings.Cut(f.String(), "\n")
		if long, short, ok := strings.Cut(names, ", -"); ok { // as in git's manual: -o, --output FILE
			name, _, _ := strings.Cut(short, " ")
			names = "-" + name + ", " + long
		}
		names = regexp.MustCompile(`--?[a-zA-Z0-9-]+`).ReplaceAllStringFunc(names, func(name string) string { return `\fB` + roff(name) + `\fP` })
		names = regexp.MustCompile(` [A-Z]+`).ReplaceAllStringFunc(names, func(value string) string { return ` \fI` + value[1:] + `\fP` })
		fmt.Fprintf(&b, ".TP\n%s\n%s\n", names, roff(wrapWords(usage)))
	}
	return b.String()
}

// roffParagraphs returns the help text of a command without its examples. A blank line separates paragraphs.
func roffParagraphs(command string) string {
	var b strings.Builder
	for p := range strings.SplitSeq(readDescription(command), "\n\n") {
		if !strings.Contains(p, "\n  $ ") {
			text := regexp.MustCompile(`(?m)(^|[ (])(--?[a-z][a-z0-9-]*)\b`).ReplaceAllString(wrapWords(p), "$1\x01$2\x02")
			b.WriteString(".PP\n" + strings.NewReplacer("\x01", `\fB`, "\x02", `\fP`).Replace(roff(text)) + "\n")
		}
	}
	return strings.TrimPrefix(b.String(), ".PP\n")
}

// roffExamples returns the examples of the help text of a command.
func roffExamples(command string) string {
	var b strings.Builder
	for p := range strings.SplitSeq(readDescription(command), "\n\n") {
		if purpose, lines, ok := strings.Cut(p, "\n"); ok {
			lines = regexp.MustCompile(`(?m)^  `).ReplaceAllString(lines, "")
			fmt.Fprintf(&b, ".PP\n%s\n.PP\n.RS 2\n.nf\n%s\n.fi\n.RE\n", roff(wrapWords(purpose)), roff(lines))
		}
	}
	return strings.TrimPrefix(b.String(), ".PP\n")
}

// TestManPageListsSettings checks that ENVIRONMENT in the manual page lists the environment variables that the program
// reads, that CONFIGURATION lists the keys of git's configuration that it reads, and that they list nothing else.
func TestManPageListsSettings(t *testing.T) {
	page := string(writeManPage(t))
	variables, keys := findSettings(t)
	for section, want := range map[string][]string{"ENVIRONMENT": variables, "CONFIGURATION": keys} {
		_, rest, _ := strings.Cut(page, "\n.SH "+section+"\n")
		text, _, _ := strings.Cut(rest, "\n.SH ")
		var got []string
		for _, m := range regexp.MustCompile(`(?m)^\.TP\n\.BR? (.+)$`).FindAllStringSubmatch(text, -1) {
			got = append(got, strings.Split(strings.ReplaceAll(m[1], `\-`, "-"), ` ", " `)...)
		}
		for _, name := range want {
			if !slices.Contains(got, name) {
				t.Errorf("manual.1.tmpl: %s lacks %s, which the program reads", section, name)
			}
		}
		for _, name := range got {
			if !slices.Contains(want, name) {
				t.Errorf("manual.1.tmpl: %s lists %s, which the program does not read", section, name)
			}
		}
	}
}

// TestSettingsAreDocumentedTwice checks that docs/settings.md and the manual page mention the same variables and keys
// of the program. Variables and keys of git are not checked.
func TestSettingsAreDocumentedTwice(t *testing.T) {
	document, err := os.ReadFile(filepath.Join(filepath.Dir(manPageFile), "settings.md"))
	if err != nil {
		t.Fatal(err)
	}
	pages := map[string]string{"docs/settings.md": string(document), "the manual page": string(writeManPage(t))}
	own := regexp.MustCompile(`merge\.yaml\.[a-zA-Z]+|GIT_MERGE_YAML[A-Z_]*`)
	for _, page := range pages {
		for _, name := range own.FindAllString(page, -1) {
			for other, text := range pages {
				last := name[strings.LastIndex(name, ".")+1:]
				if !strings.Contains(text, name) && !strings.Contains(text, "`."+last+"`") { // `merge.yaml.driver`, `.name`
					t.Errorf("%s lacks %s", other, name)
				}
			}
		}
	}
}

var (
	variableRead = regexp.MustCompile(`\b(?:Getenv|LookupEnv|runUserProgram)\(([^,()]+)`)
	keyRead      = regexp.MustCompile(`\b(?:ConfigValue|ConfigPath)\(([^()]+)\)|"--get", ([^,()]+)`)
	driverKey    = regexp.MustCompile(`\.Key\("(\w+)"\)(, "", "")?`)
	prefixRead   = regexp.MustCompile(`CutPrefix\(variable, "(\w+)"\)`)
)

// findSettings returns the names of the environment variables and the keys of git's configuration that the source code
// of the program reads. A name in the code is a literal, a constant, or the variable of a loop over literals; the test
// fails if it is anything else.
func findSettings(t *testing.T) (variables, keys []string) {
	code := map[string]string{} // by file
	for _, dir := range []string{filepath.Join("..", ".."), filepath.Join("..", "..", "..", "..", "gitattrs"), filepath.Join("..", "..", "..", "..", "merge")} {
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err == nil && d.IsDir() && d.Name() == "scripttest" {
				return fs.SkipDir // only tests use it
			}
			if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			text, err := os.ReadFile(path)
			code[path] = regexp.MustCompile(`(?m)^\s*//.*`).ReplaceAllString(string(text), "")
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for file, text := range code {
		for _, m := range variableRead.FindAllStringSubmatch(text, -1) {
			if m[1] != "variable string" { // the declaration of runUserProgram
				variables = append(variables, namesOf(t, code, file, m[1])...)
			}
		}
		for _, m := range prefixRead.FindAllStringSubmatch(text, -1) {
			variables = append(variables, m[1]+"*")
		}
		if strings.Contains(text, "os.UserHomeDir(") {
			variables = append(variables, "HOME")
		}
		if strings.Contains(text, "os.TempDir(") {
			variables = append(variables, "TMPDIR")
		}
		for _, m := range keyRead.FindAllStringSubmatch(text, -1) {
			switch name := m[1] + m[2]; name {
			case "key", "key string": // in ConfigValue and its like, whose callers are found
			case `"no.such"`: // is not set, to see whether git can read its configuration
			default:
				keys = append(keys, namesOf(t, code, file, name)...)
			}
		}
		for _, m := range driverKey.FindAllStringSubmatch(text, -1) {
			if m[2] == "" { // otherwise the setting is only removed: an older version wrote it
				keys = append(keys, "merge.yaml."+m[1])
			}
		}
	}
	for _, tool := range setup.MergeToolNames() {
		keys = append(keys, "mergetool.yaml-"+tool+".cmd")
	}
	return variables, keys
}

// namesOf returns the values that the expression name can have in a file of code: that of a literal, of a constant, or
// all of the loop whose variable it is. It fails the test if there are none.
func namesOf(t *testing.T, code map[string]string, file, name string) (values []string) {
	if literal, ok := strings.CutPrefix(name, `"`); ok {
		return []string{strings.TrimSuffix(literal, `"`)}
	}
	loop := regexp.MustCompile(`for [^{\n]*\b` + regexp.QuoteMeta(name) + `\b[^{\n]* range (\[\]string|map\[string\]string)\{(.*)\} \{`)
	if m := loop.FindStringSubmatch(code[file]); m != nil {
		literal := regexp.MustCompile(`"(\w+)"`)
		if m[1] != "[]string" {
			literal = regexp.MustCompile(`"(\w+)":`)
		}
		for _, v := range literal.FindAllStringSubmatch(m[2], -1) {
			values = append(values, v[1])
		}
		return values
	}
	constant := regexp.MustCompile(`\b` + name[strings.LastIndexByte(name, '.')+1:] + `\s*= "([^"]+)"`)
	for _, text := range code {
		if m := constant.FindStringSubmatch(text); m != nil {
			return []string{m[1]}
		}
	}
	t.Errorf("%s: %s is read, and is no constant", file, name)
	return nil
}
