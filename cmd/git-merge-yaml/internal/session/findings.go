package session

import (
	"fmt"
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge"
	"github.com/git-merge-yaml/git-merge-yaml/merge/kube"
)

// Findings checks result, a result of merging f by any means, and returns a finding for each change of a side that it
// lost, and for each change that neither side made. A file that a program writes again is only checked for invalid YAML
// and conflict markers, and a generated text not at all. It fails if the versions of f cannot be merged as YAML.
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
	return f.joinReplacements(found), err
}

// joinReplacements returns findings with fewer repetitions. If one side replaced an item of a list, and the result
// still has the old one, merge.Check reports the old value as "undone" and the new value as "lost". They become one
// finding, whose Detail names both values, if each value is known and has one line. findings is not changed.
//
//	theirs changed a to b; the result still has the old value
func (f File) joinReplacements(findings []merge.Finding) (joined []merge.Finding) {
	at := map[string][]string{} // the rules of the findings about each path
	for _, x := range findings {
		at[x.Path] = append(at[x.Path], x.Rule)
	}
	isPair := func(path string) bool { return slices.Equal(at[path], []string{"undone", "lost"}) }
	if !slices.ContainsFunc(findings, func(x merge.Finding) bool { return isPair(x.Path) }) {
		return findings
	}
	details := map[string][]string{} // what the sides did to the item at a path
	for _, side := range []merge.Side{merge.SideOurs, merge.SideTheirs} {
		changes, _ := f.Changes(map[merge.Side][]byte{merge.SideOurs: f.Ours, merge.SideTheirs: f.Theirs}[side])
		for _, c := range changes {
			detail := ""
			// only values of one line are named
			if c.Kind == merge.ChangeModified && c.List != "" && !strings.Contains(c.From.Text+c.To.Text, "\n") {
				detail = fmt.Sprintf("%s changed %s to %s; the result still has the old value", side, c.From.Text, c.To.Text)
			}
			details[c.Path] = append(details[c.Path], detail)
		}
	}
	for _, x := range findings {
		// nothing else may be known about the path
		if d := details[x.Path]; isPair(x.Path) && len(d) == 1 && d[0] != "" {
			if x.Rule == "lost" {
				continue
			}
			x.Detail = d[0]
		}
		joined = append(joined, x)
	}
	return joined
}
