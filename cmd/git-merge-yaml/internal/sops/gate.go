// Package sops has the sops program make the MAC of a merged file. The merge is one of ciphertexts: each value of the
// result is, byte for byte, one of a version's, so that nothing that was encrypted can come to stand open. sops decrypts to
// see which ciphertexts are the same value, and to show a person what is in conflict, into memory and through pipes.
//
// Nothing is decrypted before the gate: all versions say the same in their sops blocks.
package sops

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"gopkg.in/yaml.v3"
)

// Key is the setting of git with which a person lets merges run sops.
const Key = "merge.yaml.sops"

// A version is a file as sops writes it: one document, whose last field is the sops block.
type version struct {
	name        string     // for people
	data, block []byte     // the lines above `sops:`, and the others
	root        *yaml.Node // what the lines above say
	says        *yaml.Node // what the block says
	mac, time   *yaml.Node // in the block
}

var (
	errForm    = errors.New("it is not of the form in which sops writes files")
	errComment = errors.New("comments say what is encrypted in it (comment_regex)")
)

// stamps are the fields of the block that sops writes anew each time.
var stamps = []string{"mac", "lastmodified", "version"}

// secret is what sops encrypted.
var secret = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^ENC\[AES256_GCM,[^\]\s]+\]$`) })

// Above are the lines of a file above its sops block, whatever became of the block; nil if there is none.
func Above(file []byte) []byte {
	if at := bytes.LastIndex(file, []byte("\nsops:\n")); at >= 0 {
		return file[:at+1]
	}
	return nil
}

// InBlock reports whether a path leads into the sops block.
func InBlock(path string) bool { return path == "sops" || strings.HasPrefix(path, "sops.") }

// read reads a file. What sops never writes is refused: a line break that only YAML knows, an anchor, a tag, a key that
// stands twice, another document.
func read(name string, file []byte) (version, error) {
	v := version{name: name, data: Above(file)}
	if v.data == nil || !utf8.Valid(file) || bytes.ContainsAny(file, "\r\u0085\u2028\u2029\ufeff") {
		return v, errForm
	}
	v.block = file[len(v.data):]
	var doc, more yaml.Node
	d := yaml.NewDecoder(bytes.NewReader(file))
	if d.Decode(&doc) != nil || d.Decode(&more) != io.EOF || !plain(doc.Content[0]) {
		return v, errForm
	}
	v.root = doc.Content[0]
	last := len(v.root.Content) - 2
	if v.root.Kind != yaml.MappingNode || v.root.Style&yaml.FlowStyle != 0 || last < 0 {
		return v, errForm
	}
	key, block := v.root.Content[last], v.root.Content[last+1]
	if key.Value != "sops" || key.Line != 1+bytes.Count(v.data, []byte("\n")) || block.Kind != yaml.MappingNode || block.Style&yaml.FlowStyle != 0 {
		return v, errForm
	}
	v.says, v.root.Content = block, v.root.Content[:last]
	if v.mac, v.time = field(block, "mac"), field(block, "lastmodified"); !isStamp(v.mac) || !isStamp(v.time) {
		return v, errForm
	}
	for k := range pairs(block) {
		if strings.HasSuffix(k.Value, "_comment_regex") {
			return v, errComment
		}
	}
	return v, nil
}

// isStamp reports whether n is a scalar on one line, of nothing that YAML has another reading of.
func isStamp(n *yaml.Node) bool {
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_[],:+/=.-"
	return n != nil && n.Kind == yaml.ScalarNode && n.Value != "" && strings.Trim(n.Value, letters) == ""
}

// plain reports whether what stands in n is written as sops writes it.
func plain(n *yaml.Node) bool {
	if n.Kind == yaml.AliasNode || n.Anchor != "" || n.Style&yaml.TaggedStyle != 0 {
		return false
	}
	seen := map[string]bool{}
	for k := range pairs(n) {
		if k.Kind != yaml.ScalarNode || k.ShortTag() != "!!str" || seen[k.Value] {
			return false
		}
		seen[k.Value] = true
	}
	return !slices.ContainsFunc(n.Content, func(c *yaml.Node) bool { return !plain(c) })
}

// pairs are the keys and values of a mapping.
func pairs(n *yaml.Node) func(yield func(key, value *yaml.Node) bool) {
	return func(yield func(key, value *yaml.Node) bool) {
		for i := 0; n != nil && n.Kind == yaml.MappingNode && i+1 < len(n.Content); i += 2 {
			if !yield(n.Content[i], n.Content[i+1]) {
				return
			}
		}
	}
}

// field is the value of a key, nil if there is none.
func field(n *yaml.Node, key string) *yaml.Node {
	for k, v := range pairs(n) {
		if k.Value == key {
			return v
		}
	}
	return nil
}

// same reports whether two nodes say the same. The order of fields says nothing.
func same(a, b *yaml.Node) bool {
	if a == nil || b == nil || a.Kind != b.Kind || len(a.Content) != len(b.Content) {
		return a == b
	}
	if a.Kind != yaml.MappingNode {
		return a.ShortTag() == b.ShortTag() && a.Value == b.Value && slices.EqualFunc(a.Content, b.Content, same)
	}
	for k, v := range pairs(a) {
		if !same(v, field(b, k.Value)) {
			return false
		}
	}
	return true
}

// Gate reports in an error why base, ours and theirs, and perhaps a result, are not to be decrypted: sops did not write
// one of them, their sops blocks do not say the same, `mac`, `lastmodified` and `version` aside, or what is encrypted in one
// stands open in another. Keys of either side's own could be a server of somebody's, who would be sent what is asked there,
// or people who do not know the secrets.
func Gate(files ...[]byte) error {
	_, err := gate(files...)
	return err
}

func gate(files ...[]byte) (versions []version, err error) {
	var differ []string
	for i, f := range files {
		v, err := read([]string{"base", "ours", "theirs", "the result"}[i], f)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", v.name, err)
		}
		versions = append(versions, v)
		differ = append(differ, differences(versions[0], v)...)
	}
	if differ != nil {
		return nil, errors.New(strings.Join(differ, "; "))
	}
	return versions, sameSecrets(versions)
}

// keyed are the fields that name who can decrypt, in the entries of a block.
var keyed = []string{"recipient", "fp", "arn", "resource_id", "vault_address", "vault_url", "key_id"}

// differences say in what the block of a version says something else than that of base.
func differences(base, v version) (all []string) {
	var keys []string
	for _, n := range []*yaml.Node{base.says, v.says} {
		for k := range pairs(n) {
			if !slices.Contains(keys, k.Value) && !slices.Contains(stamps, k.Value) {
				keys = append(keys, k.Value)
			}
		}
	}
	for _, key := range keys {
		was, is := field(base.says, key), field(v.says, key)
		if same(was, is) {
			continue
		}
		had, has, before := recipients(was), recipients(is), len(all)
		tell := func(format string, some, others []string) {
			for _, r := range some {
				if !slices.Contains(others, r) {
					all = append(all, fmt.Sprintf(format, v.name, r, key))
				}
			}
		}
		tell("%s adds %s to sops.%s", has, had)
		tell("%s takes %s out of sops.%s", had, has)
		if len(all) == before {
			all = append(all, fmt.Sprintf("%s has another sops.%s than base", v.name, key))
		}
	}
	return all
}

// recipients are those whom an entry of a block, or the entries in it, name.
func recipients(n *yaml.Node) (all []string) {
	if n == nil {
		return nil
	}
	for k, v := range pairs(n) {
		if slices.Contains(keyed, k.Value) && v.Kind == yaml.ScalarNode {
			all = append(all, v.Value)
		}
	}
	for _, c := range n.Content {
		all = append(all, recipients(c)...)
	}
	return all
}

// sameSecrets is an error if one path has ciphertext and, in another version or item, something that stands open.
func sameSecrets(versions []version) error {
	sealed, open := map[string]string{}, map[string]string{} // in which version first, by the path
	for _, v := range versions {
		for _, l := range leaves("", v.root) {
			switch {
			case l.sealed():
				sealed[l.path] = cmp.Or(sealed[l.path], v.name)
			case l.Value != "" && l.ShortTag() != "!!null": // these are never encrypted
				open[l.path] = cmp.Or(open[l.path], v.name)
			}
			if sealed[l.path] != "" && open[l.path] != "" {
				path := strings.ReplaceAll(strings.TrimPrefix(l.path, "\x00"), "\x00", ".")
				return fmt.Errorf("%s is encrypted in %s and open in %s", path, sealed[l.path], open[l.path])
			}
		}
	}
	return nil
}

// A leaf is a scalar and its path, in which items have no part, as sops has it.
type leaf struct {
	path string
	*yaml.Node
}

// leaves are the scalars in n, which stands at path.
func leaves(path string, n *yaml.Node) (all []leaf) {
	switch n.Kind {
	case yaml.ScalarNode:
		return []leaf{{path, n}}
	case yaml.SequenceNode:
		for _, item := range n.Content {
			all = append(all, leaves(path, item)...)
		}
	case yaml.MappingNode:
		for k, v := range pairs(n) {
			all = append(all, leaves(path+"\x00"+k.Value, v)...)
		}
	}
	return all
}

// sealed reports whether a scalar is ciphertext.
func (l leaf) sealed() bool { return secret().MatchString(l.Value) }
