// Package driver merges three files as git asks a merge driver for it: by fields
// in the library or, where that is switched off, not possible or fails, by lines
// as git does. It reads the team's rules and git's settings for that, and writes
// nothing.
package driver

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/session"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/situation"
	"github.com/git-merge-yaml/git-merge-yaml/gitattrs"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// Options say how a file is merged. All but the labels and the size of the
// markers may be left out.
type Options struct {
	// Labels stand behind the markers, in the order ours, base, theirs; "" is what git is
	// doing says.
	Labels     [3]string
	MarkerSize int
	Style      string // merge, diff3, zdiff3, or "" for what git is configured to
	Resolve    string // ours, theirs, union, or "" for markers
	Alone      bool   // whoever asks for the merge need not be git, nor after one of git's
}

// MaxMarkerSize is far above what anybody asks for, and far below what would fill the memory where a merge is tried in
// several ways. A file with longer markers, which git takes, is merged by lines.
const MaxMarkerSize = 1 << 16

// resolves are the names of --ours, --theirs and --union in the library; none of them is ResolveNone.
var resolves = map[string]merge.Resolve{
	"ours":   merge.ResolveOurs,
	"theirs": merge.ResolveTheirs,
	"union":  merge.ResolveUnion,
}

// styles are the names of merge.conflictStyle in the library.
var styles = map[string]merge.Style{
	"merge":  merge.StyleMerge,
	"diff3":  merge.StyleDiff3,
	"zdiff3": merge.StyleZdiff3,
}

// A Merger is one merge of three files.
type Merger struct {
	session.File
	Options

	favoured bool // Resolve is what -X says in the operation that git is at
}

// New is the merge of f in what git does now.
func New(f session.File, o Options) *Merger {
	return &Merger{File: f.InCurrentOperation(o.Labels, o.Alone), Options: o}
}

// Run returns what is to be written: the merge by fields or, where that is
// switched off or fails, or the team's rules cannot be read, git's merge by
// lines. Of a file that a program is to make again, it is ours where it does not merge clean,
// unless git merges ancestors, which nobody makes again.
func (m *Merger) Run(off bool) (res merge.Result, err error) {
	if m.Alone && m.Resolve == "" && m.RuleSet == "" && !m.mayBeAncestor() {
		m.Resolve = m.Situation(m.Labels).Favour(m.SituationFile())
		m.favoured = m.Resolve != ""
	}
	switch mistake := m.FirstRulesError(); {
	case off:
		return m.byLine("")
	case m.MarkerSize > MaxMarkerSize:
		return m.byLine(fmt.Sprintf("its markers are of more than %d characters", MaxMarkerSize))
	case mistake != nil:
		return m.byLine(mistake.Error())
	}
	if m.IsGeneratedText() {
		res, err = m.byLine("")
	} else if res, err = m.ByField(); err != nil {
		res, err = m.byLine(err.Error())
	}
	if err != nil || m.Resolve != "" || m.OfAncestors() {
		return res, err
	}
	return m.KeepOursIfGenerated(res), nil
}

// OfAncestors reports whether git merges two common ancestors to have one: nobody will see
// that file, nor what is in conflict there.
func (m *Merger) OfAncestors() bool { return m.Labels[0] == situation.AncestorLabel }

// ByField merges in the library.
func (m *Merger) ByField() (res merge.Result, err error) {
	defer survive(&err)
	return m.Library(m.Base, m.Ours, m.Theirs, m.LibraryOptions())
}

// LibraryOptions are the options of the library.
func (m *Merger) LibraryOptions() merge.Options {
	opts := m.MergeOptions()
	opts.Markers, opts.Resolve = m.Markers, resolves[m.Resolve]
	return opts
}

// byLine is git's line merge, in this process, for the reason given.
func (m *Merger) byLine(reason string) (res merge.Result, err error) {
	defer survive(&err)
	var merged []byte
	var n int
	if m.Resolve != "" {
		merged, err = merge.ResolveLines(m.Base, m.Ours, m.Theirs, resolves[m.Resolve])
	} else {
		merged, n, err = merge.MergeLines(m.Base, m.Ours, m.Theirs, m.Markers())
	}
	switch {
	case err != nil && BeyondLines(m.Base, m.Ours, m.Theirs): // as git does, which merges nothing then
		res = merge.Result{Bytes: m.Ours, LineConflicts: -1}
		switch m.Resolve {
		case "ours":
		case "theirs":
			res.Bytes = m.Theirs
		default:
			res.Conflicts = make([]merge.Conflict, 1)
			res.Reason = err.Error() + ", so git merges nothing: ours is left as it is; choose with git checkout --ours or --theirs"
		}
		return res, nil
	case err != nil && reason != "":
		return res, fmt.Errorf("%s; the line merge failed too: %w", reason, err)
	case err != nil:
		return res, err
	}
	return merge.DelegatedResult(merged, n, m.MarkerSize, reason), nil
}

// Markers is how conflicts are written. Their style is what git is configured to, unless
// an option says it; their labels are those that git says or, before 2.44, leaves to be found.
func (m *Merger) Markers() merge.Markers {
	l, style := m.Labels, styles[cmp.Or(m.Style, m.Repo().Value("merge.conflictStyle"))] // merge, where it is not set
	if slices.Contains(l[:], "") && !m.mayBeAncestor() {
		l = m.Situation(l).Labels(m.SituationFile())
		if l[1] == "" && style != merge.StyleMerge {
			l[1] = m.Situation(m.Labels).BaseLabel(m.SituationFile())
		}
	}
	for i, role := range [3]string{"ours", "base", "theirs"} {
		l[i] = strings.NewReplacer("\n", " ", "\r", " ").Replace(cmp.Or(l[i], role)) // a label does not break its line
	}
	return merge.Markers{
		Style: style,
		Size:  m.MarkerSize,
		Ours:  l[0], Base: l[1], Theirs: l[2],
	}
}

// mayBeAncestor reports whether git may be merging common ancestors: it makes their markers
// longer, and does not before 2.44 say more.
func (m *Merger) mayBeAncestor() bool {
	return m.OfAncestors() || slices.Contains(m.Labels[:], "") && m.MarkerSize >= merge.DefaultMarkerSize+2
}

// survive makes a panic an error, since a program that dies leaves ours unmarked. It is to be deferred.
func survive(err *error) {
	if r := recover(); r != nil {
		*err = Bug(r)
	}
}

// Bug is the error for a panic.
func Bug(panicked any) error {
	return fmt.Errorf("a bug in git-merge-yaml, please report it: %v", panicked)
}

// BeyondLines reports whether git takes one of files for binary, or as too large
// for its line merge.
func BeyondLines(files ...[]byte) bool {
	const looked, limit = 8000, 1023 << 20 // git's buffer_is_binary, MAX_XDIFF_SIZE
	return slices.ContainsFunc(files, func(f []byte) bool {
		return len(f) > limit || bytes.IndexByte(f[:min(len(f), looked)], 0) >= 0
	})
}

// Name is what attributes files call this driver: merge=yaml.
const Name = "yaml"

// KustomizeName is what they call the driver with the rules of kustomize.
const KustomizeName = Name + "-kustomize"

// All are the drivers that install sets up, the default one first.
var All = []gitattrs.Driver{{Name: Name}, {Name: KustomizeName, Rules: "kustomize"}}

// RulesOf returns the rules of a merge attribute, and whether it is one of this
// program's drivers.
func RulesOf(attribute string) (rules string, ok bool) {
	for _, d := range All {
		if d.Name == attribute {
			return d.Rules, true
		}
	}
	return "", false
}

// NameOf returns the name of the driver that merges by the rules.
func NameOf(rules string) string {
	i := slices.IndexFunc(All, func(d gitattrs.Driver) bool { return d.Rules == rules })
	return All[i].Name
}

// IsYAML reports whether a path is named like a YAML file.
func IsYAML(p string) bool {
	ext := strings.ToLower(path.Ext(p))
	return ext == ".yaml" || ext == ".yml"
}

// ProgramName is the name of the program on the PATH.
const ProgramName = "git-merge-yaml"

// Program returns how a driver line calls this program: by its full path, since
// programs with windows may have another PATH than a terminal. Where it is found
// by its name, which it reports, the path is the one that is found: that of a package
// manager's link stays when the version behind it changes.
func Program() (program string, byName bool) {
	self, err := os.Executable()
	if err != nil {
		return ProgramName, false
	}
	found, _ := exec.LookPath(ProgramName)
	a, err := os.Stat(self)
	b, err2 := os.Stat(found)
	byName = err == nil && err2 == nil && os.SameFile(a, b)
	if byName && filepath.IsAbs(found) {
		self = found
	}
	return filepath.ToSlash(self), byName
}
