package team

import (
	"bytes"
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// A Policy is an answer to all conflicts of one field.
type Policy struct {
	Take            merge.Take
	Field, Resource string
	// File is where it counts, if there is no resource; Pattern is that of many.
	File, Pattern string
	Files         []string // patterns of several, in their place
	More          []string // fields for which it is, too
	// Comment are lines that stand above it, and Name is what it is called, if anything.
	Comment []string
	Name    string
	// List says that Field is a list, of which all that both sides have stays: a set.
	List bool
	// Last says that it comes behind the others, which it leaves something to decide.
	Last bool
}

// OfItems is the policy by which what both sides put into a list stays, where Field is that
// of its items.
func (p Policy) OfItems(kind merge.Items) Policy {
	p.Take, p.List = merge.TakeBoth, kind == merge.ItemsScalars
	p.Field = cmp.Or(strings.TrimSuffix(strings.TrimSuffix(p.Field, "[*]"), "*"), ".")
	return p
}

// PolicyTakes are the answers that the team's file has a policy for, both of them for the
// items of a list.
var PolicyTakes = []merge.Take{merge.TakeOwn, merge.TakeUpstream, merge.TakeOurs, merge.TakeTheirs, merge.TakeHighest, merge.TakeLowest,
	merge.TakeBoth}

// entry is the policy as an entry of `rules`.
func (p Policy) entry() policyEntry {
	e := policyEntry{Name: p.Name}
	says := map[string]string{}
	for _, f := range append([]string{p.Field}, p.More...) {
		says[f] = string(p.Take)
		if p.Take == merge.TakeBoth {
			says[f] = "union"
		}
	}
	if e.Fields = says; p.List {
		e.Lists, e.Fields = map[string]string{p.Field: "set"}, nil
	}
	switch {
	case len(p.Files) > 0:
		e.Files = p.Files
	case p.Resource != "":
		e.Kinds = []string{p.Resource}
	case p.Pattern != "":
		e.Files = []string{p.Pattern}
	default:
		e.Files = []string{"/" + p.File}
	}
	return e
}

// Line is the policy as an entry of `rules` in one line.
func (p Policy) Line() (string, error) {
	n, err := p.node()
	if err != nil {
		return "", err
	}
	n.Style = yaml.FlowStyle
	b, err := encode(n)
	return string(bytes.TrimRight(b, "\n")), err
}

// node is the entry with its comment.
func (p Policy) node() (*yaml.Node, error) {
	n := &yaml.Node{}
	err := n.Encode(p.entry())
	for _, line := range p.Comment {
		n.HeadComment += "# " + line + "\n"
	}
	return n, err
}

// policyEntry is what is written of an entry.
type policyEntry struct {
	Name   string            `yaml:"name,omitempty"`
	Files  []string          `yaml:"files,omitempty,flow"`
	Kinds  []string          `yaml:"kinds,omitempty,flow"`
	Lists  map[string]string `yaml:"lists,omitempty"`
	Fields map[string]string `yaml:"fields,omitempty"`
}

// Policies are a file with rules, in this order, those that come last behind the others.
func Policies(all []Policy) ([]byte, error) {
	entries, last := []*yaml.Node{}, []*yaml.Node{}
	for _, p := range all {
		n, err := p.node()
		if err != nil {
			return nil, err
		}
		if p.Last {
			last = append(last, n)
		} else {
			entries = append(entries, n)
		}
	}
	return encode(map[string][]*yaml.Node{"rules": append(entries, last...)})
}

// PolicyFile is the file with rules that counts in a work tree, or will.
func PolicyFile(tree *git.WorkTree) (string, error) {
	team := filepath.Join(tree.Top, File)
	if _, err := os.Lstat(team); !errors.Is(err, fs.ErrNotExist) {
		return team, err
	}
	set, err := tree.Settings(Key)
	if err != nil {
		return "", err
	}
	switch named := set[Key]; {
	case named == "":
		return team, nil
	case filepath.IsAbs(named):
		return named, nil
	default:
		return filepath.Join(tree.Top, named), nil
	}
}

// AddPolicy adds a policy to a file with rules, which need not exist.
func AddPolicy(file string, p Policy) error {
	return edit(file, func(old []byte) ([]byte, error) { return withPolicy(old, p) })
}

// withPolicy returns rules with one entry more, before the others since the
// first that knows a field decides, unless it is to be the last.
func withPolicy(file []byte, p Policy) ([]byte, error) {
	entry, err := p.node()
	if err != nil {
		return nil, err
	}
	return edited(file, func(root *yaml.Node) error {
		list := field(root, "rules")
		if list == nil {
			list = &yaml.Node{Kind: yaml.SequenceNode}
			addField(root, "rules", list)
		}
		if list.Kind != yaml.SequenceNode {
			return errors.New("its rules are no list")
		}
		if len(list.Content) == 0 {
			list.Style = 0 // [] has no room for a comment
		}
		if p.Last {
			list.Content = append(list.Content, entry)
		} else {
			list.Content = append([]*yaml.Node{entry}, list.Content...)
		}
		return nil
	})
}
