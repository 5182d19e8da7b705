package session

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/build"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/disk"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// ChangePresets adds presets (sets of rules of this program, such as helm) to the field extends of a file with the
// team's rules, or removes them if add is false. It creates the file if it does not exist, and deletes it if a removal
// leaves nothing in it. It returns the names that were added or removed: those of names that made a difference. If
// there are none, it returns nil and does not write the file.
//
// It writes nothing and returns an error if the file is not a regular file or the new content has mistakes, such as a
// preset that does not exist. A symbolic link is not followed because a repository may contain one that leads out of
// the work tree. It also returns an error if the file cannot be read or written. Errors begin with the name of the file.
func ChangePresets(file string, names []string, add bool) ([]string, error) {
	name := filepath.Base(file)
	if info, err := os.Lstat(file); err == nil && !info.Mode().IsRegular() {
		return nil, errors.New(name + ": not a regular file; edit the file by hand")
	}
	old, err := disk.ReadIfExists(file)
	if err != nil {
		return nil, err
	}
	data, changed, err := editExtends(old, names, add)
	if err != nil {
		return nil, cmp.Or(checkRules(name, old), fmt.Errorf("%s: %w", name, err)) // a mistake as rules check describes it
	}
	if len(changed) == 0 {
		return nil, nil
	}
	if err := checkRules(name, data); err != nil {
		return nil, err
	}
	if !add && len(bytes.TrimSpace(data)) == 0 {
		return changed, os.Remove(file)
	}
	return changed, disk.ReplaceOrCreate(file, data)
}

// checkRules returns the mistakes in data, the content of a file with the team's rules, joined, or nil if there are none.
// name is the name of the file in them.
func checkRules(name string, data []byte) error {
	rules, err := merge.ParseRules(name, data, build.Version())
	return cmp.Or(err, rules.Mistakes())
}

// editExtends adds names of presets (sets of rules of this program) to the field extends of a file with the team's
// rules, or removes them if add is false. It returns the new content, and the names that made a difference. If there
// are none, it returns old itself and nil. old may be nil or empty. All other bytes stay as they are: the change of
// extends is merged into the file.
//
//	extends: a # first     add b     extends: [a, b] # first
//	extends: [a, b]        remove b  extends: [a]
//
// If the last preset is removed, the field extends is, too; of a file that has no other field, only the comments
// remain. editExtends returns an error if old is not valid YAML or not a mapping. It also returns one if the change
// conflicts with the form of the file, which has to be edited by hand then. old is never changed.
func editExtends(old []byte, names []string, add bool) (data []byte, changed []string, err error) {
	var doc yaml.Node
	var rules struct{ Extends yaml.Node }
	if err := yaml.Unmarshal(old, &doc); err != nil {
		return nil, nil, err
	}
	isEmpty := doc.Kind == 0 || doc.Content[0].Tag == "!!null"
	if !isEmpty && doc.Content[0].Kind != yaml.MappingNode {
		return nil, nil, errors.New("not a mapping")
	}
	if err := doc.Decode(&rules); err != nil && !isEmpty {
		return nil, nil, err
	}
	oldNode := rules.Extends
	presets := []string{oldNode.Value}
	if oldNode.Kind != yaml.ScalarNode {
		presets = nil
		if err := oldNode.Decode(&presets); err != nil && !oldNode.IsZero() {
			return nil, nil, err
		}
	}
	formatExtends := func(presets []string) string {
		switch {
		case len(presets) == 0:
			return ""
		case len(presets) == 1 && oldNode.Kind != yaml.SequenceNode:
			return "extends: " + presets[0] + "\n"
		}
		return "extends: [" + strings.Join(presets, ", ") + "]\n"
	}
	oldExtends := formatExtends(presets)
	for _, name := range names {
		switch i := slices.Index(presets, name); {
		case add && i < 0:
			presets, changed = append(presets, name), append(changed, name)
		case !add && i >= 0:
			presets, changed = slices.Delete(presets, i, i+1), append(changed, name)
		}
	}
	switch {
	case len(changed) == 0:
		return old, nil, nil
	case isEmpty && len(old) > 0 && !bytes.HasSuffix(old, []byte("\n")):
		old = append(bytes.Clone(old), '\n')
		fallthrough
	case isEmpty:
		return append(bytes.Clone(old), formatExtends(presets)...), changed, nil
	}
	deletedField := "" // in place of all other fields: base and theirs contain it, and ours "deleted" it
	if len(doc.Content[0].Content) > 2 {
		deletedField = "rest: 1\n"
	}
	if deletedField == "" && len(presets) == 0 {
		return commentLines(old), changed, nil
	}
	res, err := merge.Merge([]byte(deletedField+oldExtends), old, []byte(deletedField+formatExtends(presets)), merge.Options{Path: RulesFileName})
	if err == nil && (!res.Clean() || res.Method == merge.MethodDelegated) {
		err = errors.New("cannot be edited safely; edit the file by hand")
	}
	return res.Bytes, changed, err
}

// commentLines returns a copy of the lines of a file that have only a comment, and the blank lines after the first of
// them. It returns nil if there are no comments.
func commentLines(data []byte) []byte {
	var kept []byte
	for line := range bytes.Lines(data) {
		if text := bytes.TrimSpace(line); len(text) == 0 && len(kept) > 0 || bytes.HasPrefix(text, []byte("#")) {
			kept = append(kept, line...)
		}
	}
	return kept
}
