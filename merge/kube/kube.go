// Package kube merges Kubernetes resources by the documented rules of kustomize and of kubectl apply. By these rules one
// side wins, so that nothing is in conflict. Comments and bytes that nothing changes are kept, as by package merge.
//
//	last applied         live                     config               result of Apply
//	data:                data:                    data:                data:
//	  color: red           color: red               color: blue          color: blue
//	  size: s              size: s                                       zone: a # the cluster's
//	                       zone: a # the cluster's
//
// In Go:
//
//	res, err := kube.Apply(last, config, live, kube.Options{})
//	if err != nil {
//		return err // file:line:column: problem (rules)
//	}
//	return os.WriteFile("live.yaml", res.Bytes, 0o644)
//
// Items of lists are matched by the associative keys of the built-in types, or of Options.Rules. The package does not
// talk to a cluster. Functions keep no state and do not modify their inputs. They may be called concurrently.
package kube

import (
	"errors"
	"fmt"

	"github.com/git-merge-yaml/git-merge-yaml/merge"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/bridge"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/engine"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/linemerge"
)

// Options are the options of Merge2, Apply, ApplyAnnotated and Check3. The zero value selects the built-in types.
type Options struct {
	// Path is the path of the file in its repository, separated by slashes. It selects rules for well-known files.
	// The file is not opened.
	Path string
	// Rules are the team's rules for lists. nil means none.
	Rules *merge.Rules
	// Names are the names of the files in errors: of the base or last applied file, of the file that is changed, and of
	// the file that wins. An empty name means base, ours or theirs; in Merge2, DEST or SRC; in Apply, last-applied, LIVE
	// or CONFIG.
	Names merge.Names
}

// Merge3Options are the options of Merge3.
type Merge3Options struct {
	// Path, Rules and Names are as in Options.
	Path  string
	Rules *merge.Rules
	Names merge.Names
	// Markers and Own are as in merge.Options. They are used for versions that cannot be merged by these rules.
	Markers linemerge.Markers
	Own     merge.Own
}

// An Error is the reason and the place where a file does not meet the requirements of the rules.
type Error struct {
	// File is the name of the file, as in Options.Names.
	File string `json:"file"`
	// Line and Column are the place in the file, from 1. Columns count characters.
	Line   int `json:"line"`
	Column int `json:"column"`
	// Problem is the message.
	Problem string `json:"problem"`
	// Rules is the name of the rules.
	Rules string `json:"rules"`
}

// Error returns file:line:column: problem (rules).
func (e *Error) Error() string {
	return fmt.Sprintf("%s:%d:%d: %s (%s)", e.File, e.Line, e.Column, e.Problem, e.Rules)
}

// Merge3 merges three versions by the rules of kustomize's documented three-way merge: updated wins. A null in updated
// deletes the field. A list without associative keys is one value. Result.Resolved has the changes of dest that were
// overridden; original, dest and updated are its base, ours and theirs.
//
// If the versions cannot be merged by these rules, the result is a line merge, and Result.Cause is why. If SOPS
// encrypted a version, the versions are merged by the rules of merge.Merge. Merge3 returns an error where merge.Merge
// does.
func Merge3(original, dest, updated []byte, opts Merge3Options) (merge.Result, error) {
	o, err := engineOptions(Options{opts.Path, opts.Rules, opts.Names}, opts.Own)
	if err != nil {
		return merge.Result{}, err
	}
	o.RuleSet = engine.KustomizeRules
	m := opts.Markers
	o.Markers = text.Markers{Style: text.Style(m.Style), Size: m.Size, Base: m.Base, Ours: m.Ours, Theirs: m.Theirs}
	res, err := engine.Merge(original, dest, updated, o)
	return result([3][]byte{original, dest, updated}, res, err)
}

// Check3 returns the first difference between result and a merge by the rules of Merge3 that the rules do not allow, or
// nil. The error is why the versions cannot be merged by these rules.
func Check3(original, dest, updated, result []byte, opts Options) ([]merge.Finding, error) {
	o, err := engineOptions(opts, merge.OwnUnknown)
	if err != nil {
		return nil, err
	}
	o.RuleSet = engine.KustomizeRules
	found, err := engine.Check(original, dest, updated, result, o)
	return bridge.Findings(found).([]merge.Finding), err
}

// Merge2 merges the fields of src into dest by the rules of kustomize's documented two-way merge:
//
//   - Values of src win, and a null in src deletes the field.
//   - Fields that only dest has are kept.
//   - A list without associative keys is one value.
//   - New items are added at the end.
//   - A $patch in src deletes, replaces or merges the mapping or list that contains it, as in kustomize's code.
//
// Comments of src are copied with the entries that it adds, and to entries without a comment in dest. If dest is
// JSON, the result is JSON.
//
// The error says which file cannot be merged, and where. It is an *Error if the file does not meet the requirements of
// the rules.
func Merge2(src, dest []byte, opts Options) (merge.Result, error) {
	o, err := engineOptions(opts, merge.OwnUnknown)
	if err != nil {
		return merge.Result{}, err
	}
	res, err := engine.Merge2(src, dest, o)
	return result([3][]byte{nil, dest, src}, res, err)
}

// Apply returns live as `kubectl apply` would change it:
//
//   - Fields of config are set, even if only live has changed them.
//   - Fields of lastApplied that config lacks are deleted, and fields that are null in config.
//   - Other fields of live are kept.
//   - Lists are merged by the patch strategies of the built-in types or by the team's rules. Other lists are replaced.
//
// If lastApplied is nil, it is read from the annotation of live in which kubectl keeps it. Apply does not change the
// annotation; ApplyAnnotated does.
//
// The error says which file cannot be merged, and where. It is an *Error if the file does not meet the requirements of
// the rules.
func Apply(lastApplied, config, live []byte, opts Options) (merge.Result, error) {
	return apply(engine.Apply, lastApplied, config, live, opts)
}

// ApplyAnnotated does what Apply does, and also writes config into the annotation in which kubectl keeps the last
// applied configuration. It has kubectl's format: compact JSON with sorted keys and a final line break.
func ApplyAnnotated(lastApplied, config, live []byte, opts Options) (merge.Result, error) {
	return apply(engine.ApplyAnnotated, lastApplied, config, live, opts)
}

// apply calls one of the functions of the engine.
func apply(do func(lastApplied, config, live []byte, opts engine.Options) (engine.Result, error), lastApplied, config, live []byte, opts Options) (merge.Result, error) {
	o, err := engineOptions(opts, merge.OwnUnknown)
	if err != nil {
		return merge.Result{}, err
	}
	res, err := do(lastApplied, config, live, o)
	return result([3][]byte{lastApplied, live, config}, res, err)
}

// engineOptions returns options for the engine. The error is about a value of own that is not one of the constants.
func engineOptions(o Options, own merge.Own) (engine.Options, error) {
	sides := map[merge.Own]engine.Own{merge.OwnUnknown: engine.OwnUnknown, merge.OwnOurs: engine.OwnOurs, merge.OwnTheirs: engine.OwnTheirs}
	side, ok := sides[own]
	if !ok {
		return engine.Options{}, fmt.Errorf("kube: unknown own side %q", own)
	}
	return engine.Options{Path: o.Path, Rules: bridge.Schema(o.Rules), Names: [3]string{o.Names.Base, o.Names.Ours, o.Names.Theirs}, Own: side}, nil
}

// result returns the result of merging raw, or the error as an *Error if it has a place.
func result(raw [3][]byte, res engine.Result, err error) (merge.Result, error) {
	if e, ok := errors.AsType[*engine.RuleError](err); ok {
		err = &Error{e.File, e.Line, e.Column, e.Problem, e.Rules}
	}
	if err != nil {
		return merge.Result{}, err
	}
	return bridge.Result(raw, res).(merge.Result), nil
}
