// Package kube merges Kubernetes resources by the documented rules of kustomize and of kubectl apply. By these rules
// one side wins, so that nothing is in conflict. Comments and bytes that nothing changes are kept, as by package merge.
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
)

// Options are the options of Merge2, Apply, ApplyAnnotated and Check3. The zero value has the built-in types and no
// rules of a team.
type Options struct {
	// Path is the path of the file in its repository, separated by slashes. It selects rules for well-known files, and
	// entries of the team's rules. The file is not opened. If it is empty, only rules for all files apply.
	Path string
	// Rules are the team's rules, by which the items of lists are matched. Their policies for conflicts are not used,
	// because there are no conflicts. nil means none.
	Rules *merge.Rules
	// Names are the names of the files in errors: Base of the original or last applied file, Ours of the file that is
	// changed, and Theirs of the file that wins. Empty names are base, ours and theirs; in Merge2, Ours is DEST and
	// Theirs is SRC; in Apply and ApplyAnnotated, they are last-applied, LIVE and CONFIG.
	Names merge.Names
}

// Merge3Options are the options of Merge3. The zero value has the built-in types and no rules of a team.
type Merge3Options struct {
	// Path is the path of the file in its repository, separated by slashes. It selects rules for well-known files, and
	// entries of the team's rules. The file is not opened.
	Path string
	// Rules are the team's rules, by which the items of lists are matched. nil means none.
	Rules *merge.Rules
	// Names are the names of original, dest and updated in errors. Empty names are base, ours and theirs.
	Names merge.Names
	// Markers are the style, size and labels of the conflict markers. They are used only for versions that cannot be
	// merged by these rules. The zero value means git's style merge with the labels base, ours and theirs.
	Markers merge.Markers
	// Own is the side that is the user's own work, for policies of the team's rules. It is used only for versions that
	// cannot be merged by these rules. The zero value is merge.SideUnknown.
	Own merge.Side
}

// An Error is the reason and the place where a file cannot be merged by these rules, such as two resources with the
// same name.
type Error struct {
	// File is the name of the file, as given in Options.Names, or its default name.
	File string `json:"file"`
	// Line and Column are the place in the file, in lines and characters, from 1.
	Line   int `json:"line"`
	Column int `json:"column"`
	// Problem is the message.
	Problem string `json:"problem"`
	// Rules is the name of the rules, as in "rules kustomize" or "rules of apply".
	Rules string `json:"rules"`
}

// Error returns file:line:column: problem (rules), as in "LIVE:3:1: … (rules of apply)".
func (e *Error) Error() string {
	return fmt.Sprintf("%s:%d:%d: %s (%s)", e.File, e.Line, e.Column, e.Problem, e.Rules)
}

// Merge3 merges three versions as kustomize documents, with original as the base. Versions that cannot be merged so are
// merged by lines, and versions encrypted by SOPS as merge.Merge does it; either may leave conflicts. It fails as
// merge.Merge does.
//
//	both sides changed a field        updated wins; Result.Resolved has the change of dest
//	null                              deletes the field
//	a list without associative keys   is one value
func Merge3(original, dest, updated []byte, opts Merge3Options) (merge.Result, error) {
	o, err := bridge.Options(merge.Options{Path: opts.Path, Rules: opts.Rules, Names: opts.Names, Markers: opts.Markers, Own: opts.Own})
	if err != nil {
		return merge.Result{}, err
	}
	o.Kustomize = true
	res, err := engine.Merge(original, dest, updated, o)
	return result([3][]byte{original, dest, updated}, res, err)
}

// Check3 compares result with the merge by Merge3, and returns the first difference in data or comments as the only
// finding, or nil. Conflict markers, and a result that cannot be parsed, are findings, too. It fails if these rules
// cannot merge the versions.
func Check3(original, dest, updated, result []byte, opts Options) ([]merge.Finding, error) {
	o := opts.toEngine()
	o.Kustomize = true
	found, err := engine.Check(original, dest, updated, result, o)
	return bridge.Findings(found).([]merge.Finding), err
}

// Merge2 merges the fields of src into dest by kustomize's documented two-way merge, without conflicts. The result is
// JSON if dest is. It fails with an *Error if a file does not meet the requirements of the rules.
//
//	a value in src                    replaces the value of dest
//	null in src                       deletes the field
//	$patch in src                     deletes, replaces or merges the mapping or list around it
//	a list without associative keys   is one value
func Merge2(src, dest []byte, opts Options) (merge.Result, error) {
	res, err := engine.Merge2(src, dest, opts.toEngine())
	return result([3][]byte{nil, dest, src}, res, err)
}

// Apply returns live as `kubectl apply` would change it: with the fields of config, without those null in config or
// only in lastApplied. If lastApplied is nil, kubectl's annotation in live is read, and remains. It fails with an
// *Error if a file does not meet the rules' requirements.
func Apply(lastApplied, config, live []byte, opts Options) (merge.Result, error) {
	return apply(engine.Apply, lastApplied, config, live, opts)
}

// ApplyAnnotated does the same as Apply, and writes each resource of config into the annotation
// kubectl.kubernetes.io/last-applied-configuration of the result, as kubectl does: as compact JSON with sorted keys and
// a final line break. It also fails if config has an alias or a merge key, which JSON does not have.
func ApplyAnnotated(lastApplied, config, live []byte, opts Options) (merge.Result, error) {
	return apply(engine.ApplyAnnotated, lastApplied, config, live, opts)
}

// apply calls do, which is engine.Apply or engine.ApplyAnnotated, with opts as options of package engine, and converts
// the result, in which live is ours and config theirs. If do fails, the result is the zero value, and an
// *engine.RuleError becomes an *Error.
func apply(do func(lastApplied, config, live []byte, opts engine.Options) (engine.Result, error), lastApplied, config, live []byte, opts Options) (merge.Result, error) {
	res, err := do(lastApplied, config, live, opts.toEngine())
	return result([3][]byte{lastApplied, live, config}, res, err)
}

// toEngine returns o as options of package engine. Its Rules are never nil.
func (o Options) toEngine() engine.Options {
	return engine.Options{Path: o.Path, Rules: bridge.Team(o.Rules), Names: [3]string{o.Names.Base, o.Names.Ours, o.Names.Theirs}}
}

// result returns res, a merge of raw (base, ours and theirs) by package engine, as a merge.Result. If err is not nil,
// it returns the zero value and err instead, as an *Error if it is an *engine.RuleError.
func result(raw [3][]byte, res engine.Result, err error) (merge.Result, error) {
	if e, ok := errors.AsType[*engine.RuleError](err); ok {
		err = &Error{e.File, e.Line, e.Column, e.Problem, e.Rules}
	}
	if err != nil {
		return merge.Result{}, err
	}
	return bridge.Result(raw, res).(merge.Result), nil
}
