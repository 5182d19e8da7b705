package session

import (
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge"
	"github.com/git-merge-yaml/git-merge-yaml/merge/kube"
)

// Findings returns the lost and invented changes in result, a result of merging f, however that was made: the findings
// of merge.Check. It restricts them if the program that generates the file decides about its content. That is so for a
// generated file and for a lock file that the preset locks merges. Then only two findings are returned: that the file
// cannot be parsed (rule "unparsable"), and that it has conflict markers (rule "conflict markers"). For a generated file that is
// not YAML or JSON, Findings returns nothing. The error is that of merge.Check.
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
		own := merge.OwnUnknown
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
