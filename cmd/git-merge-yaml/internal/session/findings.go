package session

import (
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge"
	"github.com/git-merge-yaml/git-merge-yaml/merge/kube"
)

// Findings checks result, a result of merging f by any means, for changes of a side that it lost and for changes that
// neither side made, and returns a finding for each. Generated files and merged lock files are checked at most for YAML
// that cannot be parsed and for conflict markers, because a program writes them again. It returns an error if the
// versions of f cannot be merged as YAML.
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
