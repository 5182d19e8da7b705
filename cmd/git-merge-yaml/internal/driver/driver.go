// Package driver merges the three versions of a file in the way git expects of a merge driver. It reads the team's
// rules and git's settings for this, merges by field with package merge, and falls back to git's line merge. It also
// composes the messages about a merge, and defines the names of the drivers that install sets up. It does not read or
// write the files: the caller passes the contents and writes the result.
//
// The main type is Merger: New prepares the merge of a session.File, Run merges, and Report returns the messages for
// the user. For example, if theirs adds a line directly below the one that ours changed, git's line merge has a
// conflict:
//
//	base             ours             theirs           result
//	image: web:1     image: web:2     image: web:1     image: web:2
//	                                  replicas: 3      replicas: 3
//
//	m := driver.New(file, driver.Options{Labels: [3]string{"ours", "base", "theirs"}, MarkerSize: 7})
//	res, err := m.Run(false)           // res.Bytes is the result above
//	lines := m.Report("web.yaml", res) // "web.yaml: merged by field: resolved 1 conflict of git's line merge"
//
// Terms:
//
//	line merge       the merge that git does without a driver
//	operation        what git does, such as a merge or a rebase; it calls the driver once for each file
//	merged ancestor  a version that git makes from several common ancestors, to use it as the base
//	generated        a rule of the team says that a program writes the file
//	tally            the counts of the files of one operation, kept in a file between the calls of the driver
//	preset           rules that come with this program, which a team can add to its own
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
	"strconv"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/session"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/situation"
	"github.com/git-merge-yaml/git-merge-yaml/gitattrs"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
	"github.com/git-merge-yaml/git-merge-yaml/merge/linemerge"
)

// Options control how a file is merged and how conflicts are written. Only Labels and MarkerSize are required.
type Options struct {
	// Labels are written after the markers, in the order ours, base, theirs. If all are "", they are derived from the
	// operation that git is performing (see Markers).
	Labels     [3]string
	MarkerSize int
	Style      string // merge, diff3 or zdiff3; "" is the style that git is configured to use
	Resolve    string // ours, theirs or union decides all conflicts; "" writes markers
	// CallerUnknown is set for the merge driver, which git or any other program may have started. Run then applies the
	// option -X of git's operation. If git is performing none, ours is the user's own side.
	CallerUnknown bool
}

// MaxMarkerSize is the largest marker size of a merge by field, in characters. It is far larger than necessary. A
// merge by field writes several candidate results, which could exhaust the memory if markers had any size. A file with
// longer markers, which git accepts, is merged by lines.
const MaxMarkerSize = 1 << 16

// resolveByName maps the words ours, theirs and union of Options.Resolve to the values of package merge that decide all
// conflicts in this way. All other strings give merge.TakeNone.
var resolveByName = map[string]merge.Take{
	"ours":   merge.TakeOurs,
	"theirs": merge.TakeTheirs,
	"union":  merge.TakeBoth,
}

// resolveLinesByName maps the words ours, theirs and union of Options.Resolve to the values of package linemerge that
// decide all conflicts in this way. All other strings give linemerge.ResolveMark, which writes markers.
var resolveLinesByName = map[string]linemerge.Resolve{
	"ours":   linemerge.ResolveOurs,
	"theirs": linemerge.ResolveTheirs,
	"union":  linemerge.ResolveUnion,
}

// styleByName maps the values of merge.conflictStyle to those of package linemerge.
var styleByName = map[merge.Style]linemerge.Style{
	merge.StyleMerge:  linemerge.StyleMerge,
	merge.StyleDiff3:  linemerge.StyleDiff3,
	merge.StyleZdiff3: linemerge.StyleZdiff3,
}

// A Merger merges the three versions of one file. It is not safe for concurrent use.
type Merger struct {
	session.File
	Options

	resolveFromGit bool // Resolve was read from the option -X of the operation that git is performing
	current        *situation.Situation
}

// New returns a Merger for f. Which side is the user's own is read from the operation that git is performing now.
func New(f session.File, o Options) *Merger {
	return &Merger{File: f.InCurrentOperation(o.Labels, o.CallerUnknown), Options: o}
}

// situation returns the operation that git is performing. It is read once, so that git is asked once about the commits
// that it merges.
func (m *Merger) situation() *situation.Situation {
	if m.current == nil {
		m.current = m.Situation(m.Labels)
	}
	return m.current
}

// Run merges the three versions by field or, if that is impossible, by lines as git does. A missing version is nil.
// lineMergeOnly makes it merge by lines in any case. Result.Reason says why a file was merged by lines; it is "" with
// lineMergeOnly and for generated text. The error is that of the line merge.
//
// Run may set m.Resolve to the side of git's option -X. If m.Resolve is still "", a generated file with conflicts
// becomes ours, except
//
//   - with lineMergeOnly or a mistake in the rules
//   - with markers longer than MaxMarkerSize
//   - for a merged ancestor
func (m *Merger) Run(lineMergeOnly bool) (merge.Result, error) {
	if m.CallerUnknown && m.Resolve == "" && m.RuleSet == "" && !m.mayMergeAncestors() {
		m.Resolve = m.situation().FavouredSide(m.SituationFile())
		m.resolveFromGit = m.Resolve != ""
	}
	mistake := m.FirstRulesError()
	switch {
	case lineMergeOnly:
		return m.mergeByLine("")
	case m.MarkerSize > MaxMarkerSize:
		return m.mergeByLine(fmt.Sprintf("the markers are longer than %d characters", MaxMarkerSize))
	case mistake != nil:
		return m.mergeByLine(mistake.Error())
	}
	res, err := m.mergeByFieldOrLine()
	// then a result with conflicts is also kept for generated files
	if err != nil || m.Resolve != "" || m.MergesAncestors() {
		return res, err
	}
	return m.KeepOursIfGenerated(res), nil
}

// mergeByFieldOrLine merges by field or, if that is impossible or f is generated text, by lines. It fails only if the
// line merge fails.
func (m *Merger) mergeByFieldOrLine() (merge.Result, error) {
	if m.IsGeneratedText() {
		return m.mergeByLine("")
	}
	res, err := m.MergeByField()
	if err != nil {
		return m.mergeByLine(err.Error())
	}
	// a rule set merged by lines without deciding the conflicts
	if m.Resolve != "" && res.Method == merge.MethodDelegated && !res.Clean() {
		return m.mergeByLine(res.Reason)
	}
	return res, nil
}

// MergesAncestors reports whether git merges two common ancestors into one, to use the result as the base of the merge
// that the user started. Git does so if two branches have several best common ancestors. The user never sees that file
// or its conflicts.
func (m *Merger) MergesAncestors() bool { return m.Labels[0] == situation.VirtualBaseLabel }

// MergeByField merges the three versions as YAML, with conflict markers if there are conflicts. Options.Resolve decides
// all conflicts, if it is set. If a version is not valid YAML, the result is a merge by lines (merge.MethodDelegated),
// and not an error. The error is that of package merge; a panic is returned as an error, too.
func (m *Merger) MergeByField() (res merge.Result, err error) {
	defer recoverAsError(&err)
	opts := m.MergeOptions()
	opts.Resolve = resolveByName[m.Resolve]
	opts.Markers = merge.Markers{Style: m.style(), Size: m.MarkerSize}
	if res, err = m.Merge(opts); err != nil || res.Clean() {
		return res, err
	}
	// labels are read from git only if there are conflicts, because this takes time
	return res.WithMarkers(m.fieldMarkers())
}

// LibraryOptions returns the options of package merge for this merge.
func (m *Merger) LibraryOptions() merge.Options {
	opts := m.MergeOptions()
	opts.Markers, opts.Resolve = m.fieldMarkers(), resolveByName[m.Resolve]
	return opts
}

// mergeByLine merges the versions by lines, with the result of git's own line merge. reason says why the file is not
// merged by field, and becomes Result.Reason. Options.Resolve decides all conflicts if it is set. Like git, it leaves a
// binary or too large file as ours, with one conflict, or as the side Options.Resolve; this is no error. Other errors
// are returned, after reason.
func (m *Merger) mergeByLine(reason string) (res merge.Result, err error) {
	defer recoverAsError(&err)
	opts := linemerge.Options{Resolve: resolveLinesByName[m.Resolve]}
	if m.Resolve == "" {
		opts.Markers = m.Markers()
	}
	lines, err := linemerge.Merge(m.Base, m.Ours, m.Theirs, opts)
	switch {
	case err != nil && IsBinaryOrTooLarge(m.Base, m.Ours, m.Theirs): // git leaves ours too
		res = merge.Result{Bytes: m.Ours, LineConflicts: -1}
		switch m.Resolve {
		case "ours":
		case "theirs":
			res.Bytes = m.Theirs
		default:
			res.Conflicts = make([]merge.Conflict, 1)
			res.Reason = err.Error() + ", kept ours"
			if m.Path != "" {
				res.Reason += "; " + ChooseSideHint(":/"+m.Path) // works in every folder
			}
		}
		return res, nil
	case err != nil && reason != "":
		return res, fmt.Errorf("%s; the line merge also failed: %w", reason, err)
	case err != nil:
		return res, err
	}
	res = merge.Result{Bytes: lines.Bytes, Method: merge.MethodDelegated, Reason: reason, LineConflicts: lines.Conflicts}
	if !lines.Clean() {
		res.Conflicts = slices.Repeat([]merge.Conflict{{Kind: merge.ConflictLine}}, lines.Conflicts)
		for i, c := range linemerge.ParseConflicts(lines.Bytes, m.MarkerSize) {
			if i < len(res.Conflicts) {
				res.Conflicts[i].Line = c.Line
			}
		}
	}
	return res, nil
}

// fieldMarkers returns the markers of m.Markers for package merge.
func (m *Merger) fieldMarkers() merge.Markers {
	k := m.Markers()
	return merge.Markers{Style: m.style(), Size: k.Size, Base: k.Base, Ours: k.Ours, Theirs: k.Theirs}
}

// Markers returns the style, the length and the labels of the conflict markers to write. The labels are Options.Labels
// or, if git passed none, those of the operation that git is performing, as in "HEAD" and "8ca51e7 (subject)". Labels
// that remain unknown are ours, base and theirs, so that no label is empty.
func (m *Merger) Markers() linemerge.Markers {
	labels, style := m.Labels, styleByName[m.style()]
	// git before 2.44 does not pass labels to drivers
	if slices.Contains(labels[:], "") && !m.mayMergeAncestors() {
		labels = m.situation().Labels(m.SituationFile())
		if labels[1] == "" && style != linemerge.StyleMerge {
			labels[1] = m.situation().BaseLabel(m.SituationFile())
		}
	}
	for i, role := range [3]string{"ours", "base", "theirs"} {
		labels[i] = strings.NewReplacer("\n", " ", "\r", " ").Replace(cmp.Or(labels[i], role)) // a marker is one line
	}
	return linemerge.Markers{
		Style: style,
		Size:  m.MarkerSize,
		Ours:  labels[0], Base: labels[1], Theirs: labels[2],
	}
}

// style returns the style of conflict markers: Options.Style, or the setting merge.conflictStyle of git if that is "".
// For a style that is not known, it returns merge.StyleMerge.
func (m *Merger) style() merge.Style {
	style := merge.Style(cmp.Or(m.Style, m.Repo().ConfigValue("merge.conflictStyle")))
	if _, ok := styleByName[style]; !ok {
		return merge.StyleMerge
	}
	return style
}

// mayMergeAncestors reports whether git is merging several common ancestors into one, or may be doing so. The label of
// ours shows it. Git before 2.44 does not pass labels; then only the length of the markers is a sign. Git makes them
// two characters longer for each merge of ancestors, and one character longer in a renamed file.
func (m *Merger) mayMergeAncestors() bool {
	size := linemerge.DefaultMarkerSize
	if m.MergesAncestors() || !m.CallerUnknown || !slices.Contains(m.Labels[:], "") || m.MarkerSize < size+2 {
		return m.MergesAncestors()
	}
	if m.Path != "" {
		if attributes, err := m.Git.Attributes([]string{m.Path}, "conflict-marker-size"); err == nil {
			size = MarkerSizeForAttribute(attributes[0]["conflict-marker-size"])
		}
	}
	return m.MarkerSize >= size+2
}

// MarkerSizeForAttribute returns the length of conflict markers, from the value of the git attribute
// conflict-marker-size of a file: as in git, it is the default length if the value is no positive number.
func MarkerSizeForAttribute(attribute string) int {
	if size, err := strconv.Atoi(attribute); err == nil && size > 0 {
		return size
	}
	return linemerge.DefaultMarkerSize
}

// recoverAsError sets *err to PanicError if the function that defers it panics. A driver that crashed would leave the
// file without markers.
func recoverAsError(err *error) {
	if r := recover(); r != nil {
		*err = PanicError(r)
	}
}

// PanicError returns the error for a recovered panic. It requests a bug report.
func PanicError(panicked any) error {
	return fmt.Errorf("a bug in git-merge-yaml, please report it: %v", panicked)
}

// IsBinaryOrTooLarge reports whether git refuses to merge one of files by lines: it has a NUL among its first 8000
// bytes, or is larger than 1023 MiB. It reports false for nil and empty files, and without files.
func IsBinaryOrTooLarge(files ...[]byte) bool {
	const sniffedBytes, maxBytes = 8000, 1023 << 20 // as git's buffer_is_binary and MAX_XDIFF_SIZE
	return slices.ContainsFunc(files, func(f []byte) bool {
		return len(f) > maxBytes || bytes.IndexByte(f[:min(len(f), sniffedBytes)], 0) >= 0
	})
}

// Name is the name of the default driver in attributes files: merge=yaml.
const Name = "yaml"

// KustomizeName is the name of the driver that merges with the rule set kustomize.
const KustomizeName = Name + "-kustomize"

// Drivers are the drivers that install sets up. The first is the default.
var Drivers = []gitattrs.Driver{{Name: Name}, {Name: KustomizeName, Rules: "kustomize"}}

// RuleSetForAttribute returns the rules by which a file is merged, from the value of its git attribute "merge". ok is
// false if the value does not name a merge driver of this program. The two results are:
//
//	yaml                                           "", true: the default rules
//	yaml-kustomize                                 "kustomize", true
//	any other, such as "unspecified" or "set"      "", false
func RuleSetForAttribute(attribute string) (ruleSet string, ok bool) {
	for _, d := range Drivers {
		if d.Name == attribute {
			return d.Rules, true
		}
	}
	return "", false
}

// NameForRuleSet returns the name of the driver that merges with a rule set. It panics if there is none.
func NameForRuleSet(ruleSet string) string {
	i := slices.IndexFunc(Drivers, func(d gitattrs.Driver) bool { return d.Rules == ruleSet })
	return Drivers[i].Name
}

// IsYAMLPath reports whether the extension of p is .yaml or .yml, in upper or lower case.
func IsYAMLPath(p string) bool {
	ext := strings.ToLower(path.Ext(p))
	return ext == ".yaml" || ext == ".yml"
}

// ProgramName is the file name of this program in a folder of PATH.
const ProgramName = "git-merge-yaml"

// ProgramPath returns the path of this program for the setting that defines the driver: absolute, with slashes, as in
// /usr/local/bin/git-merge-yaml. onPath is true if PATH finds this program; path is then the one that PATH gives, which
// may be a symbolic link. If the path is unknown, it returns ProgramName and false.
func ProgramPath() (path string, onPath bool) {
	self, err := os.Executable()
	if err != nil {
		return ProgramName, false
	}
	found, _ := exec.LookPath(ProgramName)
	a, err := os.Stat(self)
	b, err2 := os.Stat(found)
	onPath = err == nil && err2 == nil && os.SameFile(a, b)
	if onPath && filepath.IsAbs(found) {
		// a link of a package manager remains valid when the package is updated
		self = found
	}
	return filepath.ToSlash(self), onPath
}
