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

// ChangePresets adds presets (sets of rules of this program, such as helm) to the field extends of the team's rules in
// file or, if add is false, removes them. It returns the names that made a difference. The file is created if
// necessary, and deleted if nothing remains in it. It fails, and changes nothing, if file is a link or not regular, or
// if it would have mistakes.
func ChangePresets(file string, names []string, add bool) ([]string, error) {
	name := filepath.Base(file)
	// A link in a repository may lead out of the work tree.
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

// checkRules returns the mistakes in data, the content of a file with the team's rules, joined, or nil if there are
// none. name is the name of the file in them.
func checkRules(name string, data []byte) error {
	rules, err := merge.ParseRules(name, data, build.Version())
	return cmp.Or(err, rules.Mistakes())
}

// editExtends adds names of presets to the field extends of old, the content of a rules file, or removes them if add is
// false. It returns the new content, and the names that made a difference. All other bytes stay, but if no field is
// left, only comments do. It fails if old is not a YAML mapping, or cannot be edited safely.
//
//	extends: a # first     add b     extends: [a, b] # first
//	extends: [a, b]        remove b  extends: [a]
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

// commentLines returns a copy of the lines of a file that have only a comment, with all blank lines after the first
// comment. Other lines are left out. A line of a text that begins with # counts as a comment. It returns nil if there
// are no comments.
func commentLines(data []byte) []byte {
	var kept []byte
	for line := range bytes.Lines(data) {
		if text := bytes.TrimSpace(line); len(text) == 0 && len(kept) > 0 || bytes.HasPrefix(text, []byte("#")) {
			kept = append(kept, line...)
		}
	}
	return kept
}
