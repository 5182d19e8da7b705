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

// InitParts are the names of the files that Init can write: .gitattributes ("attributes"), the team's rules file
// ("rules"), the hooks of pre-commit ("hook") and the CI job ("ci").
var InitParts = []string{"attributes", "rules", "hook", "ci"}

// InitOptions are the options of [Init].
type InitOptions struct {
	Parts  []string // of InitParts; empty for all
	CI     string   // github or gitlab; "" for the host of the repository, as far as it is known
	DryRun bool     // write nothing
	Yes    bool     // write without a question
}

// initTemplates are the texts of the files that Init writes, or of the parts that it adds to existing files.
//
//go:embed init
var initTemplates embed.FS

// An initFile is a file that Init writes.
type initFile struct {
	path          string // from the top of the work tree
	before, after []byte // before is nil if the file does not exist
}

// An initializer collects the changes that Init shows to the user and then writes. It is used for one run of Init.
type initializer struct {
	InitOptions
	out   *terminal.Painter
	tree  *git.WorkTree
	files []initFile
	// hasHooks is true if files has hooks of pre-commit, or if they were printed to be added by hand.
	hasHooks bool
}

// Init writes the files that set a repository up for a team into the work tree: those of o.Parts, or of all InitParts
// if there are none. It shows the changes as a diff, asks whether to write them, and prints the next steps. Nothing is
// staged or committed. With o.DryRun, it only shows the diff. It panics if o.Parts has an unknown word.
//
// written is false if the user declined, or if there is an error. It is also true with o.DryRun, and if there was
// nothing to change.
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
	n.out.Println("wrote " + terminal.CountNoun(len(n.files), "file") + "; next steps:")
	n.out.Println("  git add " + strings.Join(paths, " ") + ` && git commit -m "Merge YAML by field"`)
	n.out.Println("  git merge-yaml install --attributes none    # each person once")
	if n.hasHooks {
		n.out.Println("  pre-commit install --hook-type pre-commit --hook-type post-merge    # in each clone")
	}
	return true, n.out.Err
}

// read returns the content of the file at path, from the top of the work tree, or nil if it does not exist. It is an
// error if it is not a regular file, because a repository may contain a link that leads out of the work tree, or if it
// cannot be read.
func (n *initializer) read(path string) ([]byte, error) {
	file := n.tree.DiskPath(path)
	switch info, err := os.Lstat(file); {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is not a regular file; nothing was written", path)
	}
	return disk.ReadIfExists(file)
}

// skip prints a line with the path of a file and the reason why it is not written.
func (n *initializer) skip(path, reason string) { n.out.Println(path + ": " + reason) }

// planAttributes adds .gitattributes to n.files, with lines that assign the files of defaultPatterns to the driver
// (merge=yaml). The other lines of the file are kept. If the file already assigns a pattern to the driver,
// planAttributes only prints a message. The error is that of reading the file.
func (n *initializer) planAttributes() error {
	const path = ".gitattributes"
	before, err := n.read(path)
	if err != nil {
		return err
	}
	for line := range strings.Lines(string(before)) {
		if _, attributes := gitattrs.ParseLine(line); slices.Contains(attributes, "merge="+driver.Name) {
			n.skip(path, "already has merge="+driver.Name)
			return nil
		}
	}
	// A file that is not nil: all who read this block need not know that init created the file.
	after := gitattrs.SetPatterns(append([]byte{}, before...), driver.Name, defaultPatterns(n.tree.Git))
	n.files = append(n.files, initFile{path, before, after})
	return nil
}

// planRules adds to n.files a new rules file for the team, .git-merge-yaml.yaml, that has only comments: examples of
// rules, and the presets that fit files of this repository. It adds nothing, and prints that, if the file exists, or
// one with a similar name that is not read. The error is that of git or of reading the file.
func (n *initializer) planRules() error {
	before, err := n.read(session.RulesFileName)
	if err != nil {
		return err
	}
	misnamed := session.New(session.Options{}).MisnamedRulesFile()
	switch {
	case before != nil:
		n.skip(session.RulesFileName, "already exists")
		return nil
	case misnamed != "":
		n.skip(misnamed, "ignored because of its name; rename the file to "+session.RulesFileName)
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
				useful = append(useful, p.Name+" applies to "+files[i])
				break
			}
		}
	}
	hint := strings.Join(names, ", ") + "."
	if len(useful) > 0 {
		hint += " In this repository, " + strings.Join(useful, ", ") + "."
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

// readTemplate returns the text of a file of initTemplates, the embedded texts of the files that Init writes. name is
// without the folder, as in "rules.yaml". It panics if there is none of this name.
func readTemplate(name string) string {
	text, err := initTemplates.ReadFile("init/" + name)
	if err != nil {
		panic(err) // the file is embedded, so it can be missing only by mistake
	}
	return string(text)
}

// planHook adds to n.files the configuration of pre-commit, .pre-commit-config.yaml, with the hooks of this program at
// the end of its list of repositories. If the file mentions this program already, it only prints that. If the hooks
// cannot be added safely, it prints them for the user to add. The error is that of reading the file.
func (n *initializer) planHook() error {
	const path = ".pre-commit-config.yaml"
	hooks := readTemplate("pre-commit.yaml")
	before, err := n.read(path)
	switch {
	case err != nil:
		return err
	case bytes.Contains(before, []byte(driver.ProgramName)):
		n.skip(path, "already has "+driver.ProgramName)
		return nil
	}
	const hookTypes = "default_install_hook_types"
	types := hookTypes + ": [pre-commit, post-merge]\n"
	n.hasHooks = true
	if before == nil {
		text := "# https://pre-commit.com\n" + types + "repos:\n" + indent(hooks, 2)
		n.files = append(n.files, initFile{path, nil, []byte(text)})
		return nil
	}
	after, ok := appendItem(before, "repos", hooks)
	var fields map[string]any
	if ok && yaml.Unmarshal(before, &fields) == nil && fields[hookTypes] == nil {
		// without this field, "pre-commit install" installs no post-merge hook
		longer := append(bytes.Clone(after), types...)
		if yaml.Unmarshal(longer, &fields) == nil && fields[hookTypes] != nil { // not if the fields are indented
			after = longer
		}
	}
	if !ok {
		n.skip(path, "cannot add the hooks at the end of the list repos; add these lines yourself:")
		n.out.PrintHunks(indent(hooks, 2))
		return nil
	}
	n.files = append(n.files, initFile{path, before, after})
	return nil
}

// appendItem returns a copy of file, a YAML file, in which item is the new last item of the list in field. item is the
// text of an item without indentation. It is only possible at the end of the file: ok is false if field is not the last
// field, if its list is empty or in brackets, or if the result would not have this item.
//
//	file                 field   item         edited
//	repos:               repos   - repo: b    repos:
//	  - repo: a                                 - repo: a
//	                                            - repo: b
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

// withFinalNewline returns a copy of file that ends with a line break. One is added only if there is none; an empty
// file remains empty.
func withFinalNewline(file []byte) []byte {
	if len(file) > 0 && !bytes.HasSuffix(file, []byte("\n")) {
		return append(bytes.Clone(file), '\n')
	}
	return bytes.Clone(file)
}

// indent returns the lines of text, indented by n blanks. Empty lines are indented, too. It returns "" for an empty
// text.
func indent(text string, n int) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		b.WriteString(strings.Repeat(" ", n) + line)
	}
	return b.String()
}

// planCI adds to n.files a CI job that checks merges. It is a workflow of GitHub, or a job at the end of
// .gitlab-ci.yml, depending on n.CI or, if that is "", on the host of the repository. If the host is unknown or the job
// exists, it prints that; if the job cannot be added, it prints the job for the user to add. The error is that of
// reading the file.
func (n *initializer) planCI() error {
	host := cmp.Or(n.CI, n.findHost())
	version := build.Pin()
	job := strings.ReplaceAll(readTemplate(cmp.Or(host, "github")+".yml"), "VERSION", cmp.Or(version, "COMMIT"))
	path := ".github/workflows/yaml-merges.yml"
	switch host {
	case "":
		n.skip("ci", "skipped, because the host of this repository is unknown; use --ci github or --ci gitlab")
		return nil
	case "gitlab":
		path = ".gitlab-ci.yml"
	}
	before, err := n.read(path)
	// The job then has COMMIT in place of the version, and fails until a commit is written there.
	if version == "" && err == nil && !bytes.Contains(before, []byte(driver.ProgramName)) {
		n.skip(path, "the version of this program is not known; replace @COMMIT by a commit of it, without which the job fails")
	}
	switch {
	case err != nil:
		return err
	case bytes.Contains(before, []byte(driver.ProgramName)):
		n.skip(path, "already has "+driver.ProgramName)
		return nil
	case before == nil:
		// A pipeline of GitLab that has jobs in the stage .post alone does not run.
		n.files = append(n.files, initFile{path, nil, []byte(strings.Replace(job, "  stage: .post\n", "", 1))})
		return nil
	case host == "github": // a file of that name that is not of this program
		n.skip(path, "already exists")
		return nil
	}
	after := append(append(withFinalNewline(before), '\n'), job...)
	var jobs map[string]any
	if err := yaml.Unmarshal(after, &jobs); err != nil || jobs["yaml-merges"] == nil {
		n.skip(path, "cannot add the job at the end of the file; add these lines yourself:")
		n.out.PrintHunks(job)
		return nil
	}
	n.files = append(n.files, initFile{path, before, after})
	return nil
}

// findHost returns the host of the repository, "github" or "gitlab", or "" if it is not known. The files of the host in
// the work tree decide or, if there are those of both or neither, the address of the repository on the web.
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
