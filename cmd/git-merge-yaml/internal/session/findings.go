package session

import (
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge"
	"github.com/git-merge-yaml/git-merge-yaml/merge/kube"
)

// Findings checks result, a result of merging f by any means, for changes of a side that it lost and for changes that
// neither side made. It returns a merge.Finding for each; the field Rule names the kind, as in "lost" or "unexpected".
// The list is empty or nil if there are none.
//
// Two kinds of files are checked less, because a program writes them again anyway:
//
//   - For a file that a rule of the team declares as generated, or a lock file that the preset locks merges, only two
//     kinds are returned: that result cannot be parsed ("unparsable"), and that it has conflict markers ("conflict
//     markers").
//   - For a generated file that is neither YAML, JSON nor a lock file, Findings returns nothing.
//
// It returns an error if the versions of f cannot be merged as YAML.
func (f File) Findings(result []byte) ([]merge.Finding, error) {
	if f.IsGeneratedText() {
		return nil, nil
	}
	opts := f.MergeOptions()
	var found []merge.Finding
	var err error
	if f.RuleSet == "kustomize" {
		found, err = kube.Check3(f.Base, f.Ours, f.Theirs, result, kube.Options{Path: opts.Path, Rules: opts.Rules})
	} else {
		own := merge.SideUnknown
		if opts.Rules != nil { // no policy can depend on the side otherwise
			own = f.OwnSide()
		}
		found, err = merge.Check(f.Base, f.Ours, f.Theirs, result, merge.CheckOptions{Path: opts.Path, Rules: opts.Rules, Own: own})
	}
	if _, generated := f.GeneratedRule(); generated || f.IsMergedLockFile() {
		found = slices.DeleteFunc(found, func(x merge.Finding) bool { return x.Rule != "unparsable" && x.Rule != "conflict markers" })
	}
	return found, err
}
