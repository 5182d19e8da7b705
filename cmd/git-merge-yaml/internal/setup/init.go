package setup

import (
	"bytes"
	"cmp"
	"embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/build"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/disk"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/driver"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/session"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/terminal"
	"github.com/git-merge-yaml/git-merge-yaml/gitattrs"
	"github.com/git-merge-yaml/git-merge-yaml/gitattrs/wildmatch"
	"github.com/git-merge-yaml/git-merge-yaml/merge/program"
)

// InitParts are the names of what Init writes: the attributes, the team's file, the hooks of pre-commit and the CI job.
var InitParts = []string{"attributes", "rules", "hook", "ci"}

// InitOptions are the options of [Init].
type InitOptions struct {
	Parts  []string // of InitParts; empty for all
	CI     string   // github or gitlab; "" for the host of the repository, as far as it is known
	DryRun bool     // write nothing
	Yes    bool     // write without a question
}

// initTemplates are the files that Init writes, or what it adds to them.
//
//go:embed init
var initTemplates embed.FS

// An initFile is a file that Init writes.
type initFile struct {
	path          string // from the top of the work tree
	before, after []byte // before is nil if the file does not exist
}

// An initializer collects what Init writes.
type initializer struct {
	InitOptions
	out   *terminal.Painter
	tree  *git.WorkTree
	files []initFile
}

// Init sets a repository up for a team: it adds to the work tree the attributes that assign YAML files to the driver, a
// file for the team's rules with comments only, hooks for pre-commit, and a CI job that checks merges. It shows the
// changes as a diff, asks on ask.Out whether to write them, and prints what to do next. What is there already stays as
// it is, with a message. Nothing is staged or committed, and git's configuration does not change.
//
// written is false if the user said no, or if there is no answer.
func Init(ask *terminal.Asker, o InitOptions) (written bool, err error) {
	n := &initializer{InitOptions: o, out: ask.Out}
	if n.tree, err = (git.Git{}).WorkTree(); err != nil {
		return false, err
	}
	parts := o.Parts
	if len(parts) == 0 {
		parts = InitParts
	}
	plans := map[string]func() error{"attributes": n.planAttributes, "rules": n.planRules, "hook": n.planHook, "ci": n.planCI}
	for _, part := range parts {
		if err := plans[part](); err != nil {
			return false, err
		}
	}
	if len(n.files) == 0 {
		n.out.Println("nothing to change")
		return true, n.out.Err
	}
	var paths []string
	for _, f := range n.files {
		state := ""
		if f.before == nil {
			state = " (new)"
		}
		n.out.Println(terminal.Bold, f.path+state)
		n.out.PrintHunks(terminal.DiffHunks(f.before, f.after))
		paths = append(paths, terminal.QuoteForShell(f.path))
	}
	switch {
	case o.DryRun:
		return true, n.out.Err
	case !o.Yes:
		yes, err := ask.AskYesNo("Write " + terminal.CountNoun(len(n.files), "file"))
		if errors.Is(err, io.EOF) || errors.Is(err, terminal.ErrQuit) {
			yes, err = false, nil
		}
		if err != nil || !yes {
			n.out.Println("nothing was written")
			return false, err
		}
	}
	for _, f := range n.files {
		file := n.tree.DiskPath(f.path)
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			return false, err
		}
		if err := disk.ReplaceOrCreate(file, f.after); err != nil {
			return false, err
		}
	}
	n.out.Println("written; next:")
	n.out.Println("  git add " + strings.Join(paths, " ") + ` && git commit -m "Merge YAML by field"`)
	n.out.Println("  git merge-yaml install --attributes none    in every clone, once")
	return true, n.out.Err
}

// read returns the content of a file of the work tree, nil if it does not exist. It is an error if it is not a regular
// file: a repository may contain a link that leads out of the work tree.
func (n *initializer) read(path string) ([]byte, error) {
	file := n.tree.DiskPath(path)
	switch info, err := os.Lstat(file); {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is not a regular file, so nothing is written to it", path)
	}
	return disk.ReadIfExists(file)
}

// skip prints why a file stays as it is.
func (n *initializer) skip(path, reason string) { n.out.Println(path + ": " + reason) }

// planAttributes plans to assign *.yaml and *.yml to the driver in .gitattributes, unless the file has a line for it.
func (n *initializer) planAttributes() error {
	const path = ".gitattributes"
	before, err := n.read(path)
	if err != nil {
		return err
	}
	for line := range strings.Lines(string(before)) {
		if _, attributes := gitattrs.ParseLine(line); slices.Contains(attributes, "merge="+driver.Name) {
			n.skip(path, "has merge="+driver.Name+" already")
			return nil
		}
	}
	n.files = append(n.files, initFile{path, before, gitattrs.SetPatterns(before, driver.Name, []string{"*.yaml", "*.yml"})})
	return nil
}

// planRules plans to write a team's file that has only comments. They name the presets for files of the repository.
func (n *initializer) planRules() error {
	before, err := n.read(session.RulesFileName)
	if err != nil {
		return err
	}
	misnamed := session.New(session.Options{}).MisnamedRulesFile()
	switch {
	case before != nil:
		n.skip(session.RulesFileName, "is there already")
		return nil
	case misnamed != "":
		n.skip(misnamed, "is not read; rename it to "+session.RulesFileName)
		return nil
	}
	files, err := n.tree.Paths("ls-files", "-z", "--cached", "--others", "--exclude-standard")
	if err != nil {
		return err
	}
	var names, useful []string
	for _, p := range program.Presets() {
		names = append(names, p.Name)
		for _, pattern := range p.Files {
			glob, err := wildmatch.Parse(pattern)
			if i := slices.IndexFunc(files, func(f string) bool { return err == nil && glob.Match(f) }); i >= 0 {
				useful = append(useful, p.Name+" is for "+files[i])
				break
			}
		}
	}
	hint := "There are " + strings.Join(names, ", ") + "."
	if len(useful) > 0 {
		hint += " Here, " + strings.Join(useful, ", ") + "."
	}
	text := strings.Replace(readTemplate("rules.yaml"), "PRESETS", strings.Map(func(r rune) rune {
		if terminal.IsUnprintable(r) {
			return '?'
		}
		return r
	}, hint), 1)
	n.files = append(n.files, initFile{session.RulesFileName, nil, []byte(text)})
	return nil
}

// readTemplate returns a file of initTemplates.
func readTemplate(name string) string {
	text, err := initTemplates.ReadFile("init/" + name)
	if err != nil {
		panic(err) // the file is embedded, so it can be missing only by mistake
	}
	return string(text)
}

// planHook plans to add the hooks to the configuration of pre-commit, as its last repository.
func (n *initializer) planHook() error {
	const path = ".pre-commit-config.yaml"
	hooks := readTemplate("pre-commit.yaml")
	before, err := n.read(path)
	switch {
	case err != nil:
		return err
	case bytes.Contains(before, []byte(driver.ProgramName)):
		n.skip(path, "has "+driver.ProgramName+" already")
		return nil
	case before == nil:
		text := "# https://pre-commit.com\ndefault_install_hook_types: [pre-commit, post-merge]\nrepos:\n" + indent(hooks, 2)
		n.files = append(n.files, initFile{path, nil, []byte(text)})
		return nil
	}
	after, ok := appendItem(before, "repos", hooks)
	if !ok {
		n.skip(path, "repos is not its last field, so add these hooks by hand:")
		n.out.PrintHunks(indent(hooks, 2))
		return nil
	}
	n.files = append(n.files, initFile{path, before, after})
	return nil
}

// appendItem returns file, a YAML file, with an item after the others of the list called field. ok is false if the list
// is not the last thing in the file, is written in brackets, or is empty.
func appendItem(file []byte, field, item string) (edited []byte, ok bool) {
	var doc yaml.Node
	if yaml.Unmarshal(file, &doc) != nil || doc.Kind == 0 || doc.Content[0].Kind != yaml.MappingNode {
		return nil, false
	}
	fields := doc.Content[0].Content
	last := len(fields) - 2
	if last < 0 || fields[last].Value != field || fields[last+1].Kind != yaml.SequenceNode || fields[last+1].Style&yaml.FlowStyle != 0 {
		return nil, false
	}
	list := fields[last+1]
	edited = append(withFinalNewline(file), indent(item, list.Column-1)...)
	var after yaml.Node
	ok = yaml.Unmarshal(edited, &after) == nil && len(after.Content[0].Content) == len(fields) &&
		len(after.Content[0].Content[last+1].Content) == len(list.Content)+1
	return edited, ok
}

// withFinalNewline returns a copy of file that ends with a line break.
func withFinalNewline(file []byte) []byte {
	if len(file) > 0 && !bytes.HasSuffix(file, []byte("\n")) {
		return append(bytes.Clone(file), '\n')
	}
	return bytes.Clone(file)
}

// indent returns the lines of text, indented by n blanks.
func indent(text string, n int) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		b.WriteString(strings.Repeat(" ", n) + line)
	}
	return b.String()
}

// planCI plans to write the CI job for the host of the repository.
func (n *initializer) planCI() error {
	host := cmp.Or(n.CI, n.findHost())
	version := build.Version()
	if isRelease := regexp.MustCompile(`^v[0-9]+\.[0-9]+\.[0-9]+$`); !isRelease.MatchString(version) {
		version = "latest"
	}
	job := strings.ReplaceAll(readTemplate(cmp.Or(host, "github")+".yml"), "VERSION", version)
	path := ".github/workflows/yaml-merges.yml"
	switch host {
	case "":
		n.skip("ci", "the host of this repository is not known; --ci github or --ci gitlab names it")
		return nil
	case "gitlab":
		path = ".gitlab-ci.yml"
	}
	before, err := n.read(path)
	switch {
	case err != nil:
		return err
	case bytes.Contains(before, []byte(driver.ProgramName)):
		n.skip(path, "has "+driver.ProgramName+" already")
		return nil
	case before == nil:
		// A pipeline of GitLab that has jobs in the stage .post alone does not run.
		n.files = append(n.files, initFile{path, nil, []byte(strings.Replace(job, "  stage: .post\n", "", 1))})
		return nil
	case host == "github": // a file of that name that is not of this program
		n.skip(path, "is there already")
		return nil
	}
	after := append(append(withFinalNewline(before), '\n'), job...)
	var jobs map[string]any
	if err := yaml.Unmarshal(after, &jobs); err != nil || jobs["yaml-merges"] == nil {
		n.skip(path, "the job cannot be added after what is in it; add it by hand:")
		n.out.PrintHunks(job)
		return nil
	}
	n.files = append(n.files, initFile{path, before, after})
	return nil
}

// findHost returns github or gitlab if the repository has files for its CI, or if the remote origin is there. It returns
// "" if it is on neither of them, or on both.
func (n *initializer) findHost() string {
	exists := func(path string) bool {
		_, err := os.Lstat(n.tree.DiskPath(path))
		return err == nil
	}
	github, gitlab := exists(".github"), exists(".gitlab-ci.yml")
	if github == gitlab {
		url := n.tree.WebURL()
		github, gitlab = strings.HasPrefix(url, "https://github.com/"), strings.Contains(url, "//gitlab.")
	}
	switch {
	case github:
		return "github"
	case gitlab:
		return "gitlab"
	}
	return ""
}
