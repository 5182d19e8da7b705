package sops

import (
	"strings"
	"testing"
)

// block makes a sops block for age recipients, which are encrypted anew each time.
func blockFor(mark string, names ...string) []byte {
	s := "sops:\n    age:\n"
	for _, n := range names {
		s += "        - enc: |\n            " + mark + "\n          recipient: " + n + "\n"
	}
	return []byte(s + "    lastmodified: \"" + mark + "\"\n    mac: " + mark + "\n    version: 3.13.3\n")
}

func TestMergeRecipients(t *testing.T) {
	for _, c := range []struct{ base, ours, theirs, want, note string }{
		{"a", "a b", "a c", "a b c", "ours lets b read it; theirs lets c read it"},
		{"a b", "a", "a b c", "a c", "ours took b out, who may still have the data key: rotate it, and the secrets; theirs lets c read it"},
		{"a b", "b a", "a", "a", "theirs took b out, who may still have the data key: rotate it, and the secrets"},
		{"a b", "a", "b", "", "ours took b out, who may still have the data key: rotate it, and the secrets; theirs took a out, who may still have the data key: rotate it, and the secrets"},
	} {
		blocks := [3][]byte{}
		for i, names := range []string{c.base, c.ours, c.theirs} {
			blocks[i] = blockFor(sides[i], strings.Fields(names)...)
		}
		merged := mergeRecipients(blocks)
		names, _, _ := recipients(merged)
		if got := strings.Join(names, " "); got != c.want {
			t.Errorf("%+v: %q\n%s", c, got, merged)
		}
		if got := recipientsNote(blocks); got != c.note {
			t.Errorf("%+v: %q", c, got)
		}
		if err := compareBlocks(blocks[:]...); err != nil {
			t.Errorf("%+v: %v", c, err)
		}
	}
}

// TestOtherKeys holds that nobody else is asked for keys that one side alone names.
func TestOtherKeys(t *testing.T) {
	with := func(field string) []byte {
		return []byte(strings.Replace(string(blockFor("m", "a")), "sops:\n", "sops:\n"+field, 1))
	}
	for _, field := range []string{
		"    hc_vault:\n        - vault_address: http://example.com\n", "    kms:\n        - arn: x\n",
		"    unencrypted_suffix: _x\n", "    mac_only_encrypted: true\n", "    key_groups:\n        - age: []\n", "    shamir_threshold: 1\n",
	} {
		for i := range 3 {
			f := files{blocks: [3][]byte{with(""), with(""), with("")}}
			f.blocks[i] = with(field)
			if compareBlocks(f.blocks[:]...) == nil {
				t.Errorf("%s has %q", sides[i], field)
			}
		}
	}
	f := files{blocks: [3][]byte{with(""), with("    pgp:\n        - fp: X\n          enc: |-\n            x\n\n            y\n"), with("")}}
	if err := compareBlocks(f.blocks[:]...); err != nil {
		t.Errorf("pgp is local: %v", err)
	}
}
