package session

import (
	"bytes"
	"cmp"
	"errors"
	"os"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/build"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/disk"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// ChangePresets makes a file with rules, which need not exist, extend presets, or no longer,
// and returns those that this changed. What are no rules then is not written, nor anything
// through a link: a repository could lead it out of the work tree.
func ChangePresets(file string, names []string, add bool) ([]string, error) {
	if info, err := os.Lstat(file); err == nil && !info.Mode().IsRegular() {
		return nil, errors.New("it is no regular file, so nothing is written to it")
	}
	old, err := disk.ReadIfExists(file)
	if err != nil {
		return nil, err
	}
	data, changed, err := withPresets(old, names, add)
	if err != nil || len(changed) == 0 {
		return nil, err
	}
	if _, err := merge.ParseRules(file, data, build.Version()); err != nil {
		return nil, err
	}
	return changed, disk.ReplaceOrCreate(file, data)
}

// withPresets returns rules that extend presets, or no longer, and those of names that this
// changed. What is there keeps its bytes: what changes of `extends` alone is merged into it.
func withPresets(file []byte, names []string, add bool) (data []byte, changed []string, err error) {
	var doc yaml.Node
	var rules struct{ Extends yaml.Node }
	if err := yaml.Unmarshal(file, &doc); err != nil {
		return nil, nil, err
	}
	isNew := doc.Kind == 0 || doc.Content[0].Tag == "!!null"
	if !isNew && doc.Content[0].Kind != yaml.MappingNode {
		return nil, nil, errors.New("it is no mapping")
	}
	if err := doc.Decode(&rules); err != nil && !isNew {
		return nil, nil, err
	}
	was := rules.Extends
	all := []string{was.Value}
	if was.Kind != yaml.ScalarNode {
		all = nil
		if err := was.Decode(&all); err != nil && !was.IsZero() {
			return nil, nil, err
		}
	}
	extends := func(all []string) string {
		switch {
		case len(all) == 0:
			return ""
		case len(all) == 1 && was.Kind != yaml.SequenceNode:
			return "extends: " + all[0] + "\n"
		}
		return "extends: [" + strings.Join(all, ", ") + "]\n"
	}
	before := extends(all)
	for _, name := range names {
		switch i := slices.Index(all, name); {
		case add && i < 0:
			all, changed = append(all, name), append(changed, name)
		case !add && i >= 0:
			all, changed = slices.Delete(all, i, i+1), append(changed, name)
		}
	}
	switch {
	case len(changed) == 0:
		return file, nil, nil
	case isNew && len(file) > 0 && !bytes.HasSuffix(file, []byte("\n")):
		file = append(bytes.Clone(file), '\n')
		fallthrough
	case isNew:
		return append(bytes.Clone(file), extends(all)...), changed, nil
	}
	rest := "" // what the others leave of a mapping, which ours has deleted
	if len(doc.Content[0].Content) > 2 {
		rest = "rest: 1\n"
	}
	after := cmp.Or(rest+extends(all), "{}\n")
	res, err := merge.Merge([]byte(rest+before), file, []byte(after), merge.Options{Path: TeamFile})
	if err == nil && (!res.Clean() || res.Method == merge.Delegated) {
		err = errors.New("this cannot be written for certain; edit it by hand")
	}
	return res.Bytes, changed, err
}
