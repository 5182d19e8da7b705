package sops

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

var errKeys = errors.New("the versions differ in their keys, or in what is encrypted")

// local are the fields of a block with keys that sops asks nobody else about: versions may differ in them. Any
// other could name a server of whoever wrote it.
var local = []string{"age", "pgp"}

// compareBlocks is an error if the blocks differ in what is encrypted, or in keys that are not local.
func compareBlocks(blocks ...[]byte) error {
	var first []byte
	for i, b := range blocks {
		rest := lasting(b)
		for _, key := range local {
			rest = whole(b, key).ReplaceAll(rest, nil)
		}
		rest = regexp.MustCompile(`\n+`).ReplaceAll(rest, []byte("\n"))
		if i == 0 {
			first = rest
		}
		if !bytes.Equal(rest, first) {
			return errKeys
		}
	}
	return nil
}

// keys are the block of the result, and the version that its data key is of where that is another one than base's; else 0.
func (f *files) keys() (block []byte, other int, err error) {
	changed := func(i int) bool { return !bytes.Equal(lasting(f.blocks[i]), lasting(f.blocks[0])) }
	for _, i := range []int{1, 2} {
		if !changed(i) || f.sharesKey(i) {
			continue
		}
		if other != 0 || changed(3-i) {
			return nil, 0, errors.New("both sides changed the keys, and one of them the data key")
		}
		if !f.couldRead(i) {
			return nil, 0, fmt.Errorf("%s has another data key, and does not show that who wrote it could read base: rotate without changing values, in a commit of its own", sides[i])
		}
		other = i
	}
	switch {
	case other != 0:
		return f.blocks[other], other, nil
	case !changed(2):
		return f.blocks[1], 0, nil
	case !changed(1):
		return f.blocks[2], 0, nil
	}
	if block = mergeRecipients(f.blocks); block == nil {
		return nil, 0, errKeys
	}
	return block, 0, nil
}

// sharesKey reports whether a version has base's data key. It has something of base's ciphertext, and was
// decrypted: with another key, that fails.
func (f *files) sharesKey(i int) bool {
	return slices.ContainsFunc(secret().FindAll(f.data[0], -1), func(s []byte) bool { return bytes.Contains(f.data[i], s) })
}

// proof is how much of base a version with another data key has to repeat. Who cannot read base cannot write that,
// and could else have what the other side encrypts encrypted for themselves, too.
const proof = 16

// couldRead reports whether a version holds all that base has encrypted, and that is enough to be no guess.
func (f *files) couldRead(i int) bool {
	sealed, base, clear := parse(f.data[0]), parse(f.clear[0]), parse(f.clear[i])
	n, ok := repeated(sealed, base, clear)
	return ok && n >= proof
}

// whole finds a field of the block with all that it holds.
func whole(block []byte, key string) *regexp.Regexp {
	in := string(indent(block))
	return regexp.MustCompile(`(?m)^` + in + key + `:.*\n?(?:` + in + `[ \t-].*\n?|[ \t]*\r?\n)*`)
}

// recipients are the entries of a block's list of age by their recipients, in order; ok if it has a list of such.
func recipients(block []byte) (names []string, entries map[string]string, ok bool) {
	head, list, _ := strings.Cut(string(whole(block, "age").Find(block)), "\n")
	if strings.TrimSpace(head) != "age:" {
		return nil, nil, false
	}
	item := list[:len(list)-len(strings.TrimLeft(list, " \t"))] + "- "
	entries = map[string]string{}
	for entry := range strings.SplitSeq("\n"+strings.TrimSuffix(list, "\n"), "\n"+item) {
		if entry == "" {
			continue
		}
		name := regexp.MustCompile(`(?m)^\s*recipient: *(\S+)$`).FindStringSubmatch(entry)
		if name == nil {
			return nil, nil, false
		}
		names = append(names, name[1])
		entries[name[1]] = item + entry + "\n"
	}
	return names, entries, len(names) > 0 && len(names) == len(entries)
}

// mergeRecipients is ours' block with the age recipients of both sides: a removed one stays removed. nil if the
// blocks differ in more than these. All of them have one data key.
func mergeRecipients(blocks [3][]byte) []byte {
	var names [3][]string
	var entries [3]map[string]string
	for i, b := range blocks {
		var ok bool
		if names[i], entries[i], ok = recipients(b); !ok || !bytes.Equal(whole(b, "pgp").Find(b), whole(blocks[0], "pgp").Find(blocks[0])) {
			return nil
		}
	}
	var list strings.Builder
	for _, n := range names[1] {
		if slices.Contains(names[2], n) || !slices.Contains(names[0], n) {
			list.WriteString(entries[1][n])
		}
	}
	for _, n := range names[2] {
		if !slices.Contains(names[0], n) && !slices.Contains(names[1], n) {
			list.WriteString(entries[2][n])
		}
	}
	if list.Len() == 0 {
		return nil
	}
	head := string(indent(blocks[1])) + "age:\n"
	return whole(blocks[1], "age").ReplaceAllLiteral(blocks[1], []byte(head+list.String()))
}

// recipientsNote says which age recipients a side added or removed, "" for none.
func recipientsNote(blocks [3][]byte) string {
	base, _, _ := recipients(blocks[0])
	var said []string
	for _, i := range []int{1, 2} {
		side, _, _ := recipients(blocks[i])
		for _, n := range side {
			if !slices.Contains(base, n) {
				said = append(said, sides[i]+" lets "+n+" read it")
			}
		}
		for _, n := range base {
			if !slices.Contains(side, n) {
				said = append(said, sides[i]+" took "+n+" out, who may still have the data key: rotate it, and the secrets")
			}
		}
	}
	for _, i := range []int{1, 2} {
		if !bytes.Equal(whole(blocks[i], "pgp").Find(blocks[i]), whole(blocks[0], "pgp").Find(blocks[0])) {
			said = append(said, sides[i]+" changed the pgp keys")
		}
	}
	return strings.Join(said, "; ")
}
