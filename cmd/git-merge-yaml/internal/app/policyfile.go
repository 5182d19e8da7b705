package app

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"gopkg.in/yaml.v3"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/build"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/disk"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// A policy is an answer that was given to all conflicts of one field.
type policy struct {
	take            merge.Take
	field, resource string
	file            string // where it counts, if there is no resource
}

// policyTakes are the answers that the team's file has a policy for.
var policyTakes = []merge.Take{merge.TakeOurs, merge.TakeTheirs, merge.TakeHighest, merge.TakeLowest}

// remember keeps a policy for the end of the session, in the place of an
// earlier one for the field.
func (s *session) remember(p policy) {
	kept := slices.DeleteFunc(slices.Clone(s.policies), func(o policy) bool {
		return o.field == p.field && o.resource == p.resource && o.file == p.file
	})
	if slices.Contains(policyTakes, p.take) {
		kept = append(kept, p)
	}
	s.policies = kept
}

// entry is the policy as an entry of `rules`.
func (p policy) entry() policyEntry {
	e := policyEntry{Fields: map[string]string{p.field: string(p.take)}}
	if p.resource != "" {
		e.Kinds = []string{p.resource}
	} else {
		e.Files = []string{"/" + p.file}
	}
	return e
}

// policyEntry is what is written of an entry.
type policyEntry struct {
	Files  []string          `yaml:"files,omitempty,flow"`
	Kinds  []string          `yaml:"kinds,omitempty,flow"`
	Fields map[string]string `yaml:"fields"`
}

// offerPolicies offers to write what was decided for all conflicts of a field
// into the team's file.
func (s *session) offerPolicies() error {
	if len(s.policies) == 0 {
		return nil
	}
	file, err := s.policyFile()
	if err != nil {
		return err
	}
	for _, p := range s.policies {
		where := p.resource
		if where == "" {
			where = p.file
		}
		s.ask.Out.Line()
		yes, err := s.ask.Yes(fmt.Sprintf("From now on take %s at %s of %s without a question: write that into %s", p.take, p.field, where, filepath.Base(file)))
		if err != nil {
			return err
		}
		if !yes {
			continue
		}
		if err := writePolicy(file, p); err != nil {
			return fmt.Errorf("the policy is not written: %w", err)
		}
		s.say(filepath.Base(file) + ": written; commit it for others to have it")
	}
	return nil
}

// policyFile is the file with rules that counts here, or will.
func (s *session) policyFile() (string, error) {
	team := filepath.Join(s.tree.Top, rulesFile)
	if _, err := os.Lstat(team); !errors.Is(err, fs.ErrNotExist) {
		return team, err
	}
	set, err := s.tree.Settings(rulesKey)
	if err != nil {
		return "", err
	}
	switch named := set[rulesKey]; {
	case named == "":
		return team, nil
	case filepath.IsAbs(named):
		return named, nil
	default:
		return filepath.Join(s.tree.Top, named), nil
	}
}

// writePolicy adds a policy to a file with rules, which need not exist.
func writePolicy(file string, p policy) error {
	old, err := os.ReadFile(file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	data, err := withPolicy(old, p.entry())
	if err != nil {
		return err
	}
	if _, err := merge.ParseRules(file, data, build.Version()); err != nil {
		return err
	}
	return disk.ReplaceOrMake(file, data)
}

// withPolicy returns rules with one entry more, before the others since the
// first that knows a field decides. What is there keeps its bytes: the entry
// is added to a copy of the data, and merged from there.
func withPolicy(file []byte, e policyEntry) ([]byte, error) {
	var root yaml.Node
	if err := yaml.Unmarshal(file, &root); err != nil {
		return nil, err
	}
	if root.Kind == 0 || root.Content[0].Tag == "!!null" {
		added, err := encode(map[string][]policyEntry{"rules": {e}})
		return append(wholeLines(file), added...), err
	}
	uncommented(&root)
	before, err := encode(&root)
	if err != nil {
		return nil, err
	}
	if err := addRule(root.Content[0], e); err != nil {
		return nil, err
	}
	after, err := encode(&root)
	if err != nil {
		return nil, err
	}
	res, err := merge.Merge(before, file, after, merge.Options{Path: rulesFile})
	if err == nil && (!res.Clean() || res.Method == merge.Delegated) {
		err = errors.New("it has no place for it that is certain")
	}
	return res.Bytes, err
}

// encode writes YAML with the usual indent.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := yaml.NewEncoder(&b)
	e.SetIndent(2)
	err := e.Encode(v)
	return b.Bytes(), errors.Join(err, e.Close())
}

// uncommented takes the comments away.
func uncommented(n *yaml.Node) {
	n.HeadComment, n.LineComment, n.FootComment = "", "", ""
	for _, c := range n.Content {
		uncommented(c)
	}
}

// addRule puts an entry before the others.
func addRule(root *yaml.Node, e policyEntry) error {
	var entry yaml.Node
	if err := entry.Encode(e); err != nil {
		return err
	}
	if root.Kind != yaml.MappingNode {
		return errors.New("it is no mapping")
	}
	for i := 0; i+1 < len(root.Content); i += 2 {
		if root.Content[i].Value == "rules" {
			list := root.Content[i+1]
			if list.Kind != yaml.SequenceNode {
				return errors.New("its rules are no list")
			}
			list.Content = append([]*yaml.Node{&entry}, list.Content...)
			return nil
		}
	}
	root.Content = append(root.Content,
		&yaml.Node{Kind: yaml.ScalarNode, Value: "rules"},
		&yaml.Node{Kind: yaml.SequenceNode, Content: []*yaml.Node{&entry}})
	return nil
}

// wholeLines is b, ended by a line break.
func wholeLines(b []byte) []byte {
	if len(b) == 0 || bytes.HasSuffix(b, []byte("\n")) {
		return b
	}
	return append(bytes.Clone(b), '\n')
}
