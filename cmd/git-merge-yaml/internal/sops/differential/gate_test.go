// Package differential compares the gate of package sops with sops's own reader.
package differential

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/getsops/sops/v3"
	"github.com/getsops/sops/v3/config"
	"github.com/getsops/sops/v3/stores/yaml"

	gate "github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/sops"
)

const values = "a: ENC[AES256_GCM,data:x,iv:x,tag:x,type:str]\nopen_unencrypted: x\n"

// blocks are what the fuzzer starts from.
var blocks = []string{
	`sops:
    age:
        - enc: |
            -----BEGIN AGE ENCRYPTED FILE-----
            text
            -----END AGE ENCRYPTED FILE-----
          recipient: age1me
    lastmodified: "2026-01-01T00:00:00Z"
    mac: ENC[AES256_GCM,data:y,iv:y,tag:y,type:str]
    unencrypted_suffix: _unencrypted
    version: 3.13.3
`, `sops:
    hc_vault:
        - vault_address: http://127.0.0.1:1
          engine_path: sops
          key_name: key
          created_at: "2026-01-01T00:00:00Z"
          enc: vault:v1:x
    pgp:
        - created_at: "2026-01-01T00:00:00Z"
          enc: |-
            text

            more
          fp: FBC7B9E2A4F9289AC0C1D4843D16CEE4A27381B4
    lastmodified: "2026-01-01T00:00:00Z"
    mac: ENC[AES256_GCM,data:y,iv:y,tag:y,type:str]
    encrypted_regex: ^(data|stringData)$
    mac_only_encrypted: true
    version: 3.9.0
`, `sops:
    shamir_threshold: 2
    key_groups:
        - hc_vault: []
          age:
            - recipient: age1me
              enc: x
        - hc_vault: []
          age:
            - recipient: age1you
              enc: x
    lastmodified: "2026-01-01T00:00:00Z"
    mac: ENC[AES256_GCM,data:y,iv:y,tag:y,type:str]
    version: 3.13.3
`,
}

// FuzzGate holds that sops reads the same of two files that pass the gate, but for the MAC, its time and its version.
func FuzzGate(f *testing.F) {
	for _, b := range blocks {
		f.Add(b, b)
		f.Add(b, strings.Replace(b, "data:y", "data:z", 1))
	}
	f.Fuzz(func(t *testing.T, base, theirs string) { compare(t, values+base, values+theirs) })
}

// compare reports whether two files pass, and fails where sops reads them otherwise.
func compare(t *testing.T, base, theirs string) bool {
	if gate.Gate([]byte(base), []byte(base), []byte(theirs)) != nil {
		return false
	}
	a, b := read(t, base), read(t, theirs)
	if a != nil && b != nil && !reflect.DeepEqual(says(a.Metadata), says(b.Metadata)) {
		t.Errorf("the gate lets through what sops reads otherwise:\n%s\n%+v\n\n%s\n%+v", base, says(a.Metadata), theirs, says(b.Metadata))
	}
	return true
}

// read is what sops reads of a file, nil if it cannot.
func read(t *testing.T, file string) *sops.Tree {
	tree, err := yaml.NewStore(&config.YAMLStoreConfig{}).LoadEncryptedFile([]byte(file))
	if err != nil {
		return nil
	}
	if len(tree.Branches) != 1 {
		t.Errorf("sops reads %d documents:\n%s", len(tree.Branches), file)
	}
	return &tree
}

// says is a block but for its stamps.
func says(m sops.Metadata) string {
	var keys []string
	for _, group := range m.KeyGroups {
		for _, key := range group {
			keys = append(keys, fmt.Sprintf("%T %v %s", key, key.ToMap(), key.EncryptedDataKey()))
		}
		keys = append(keys, "--")
	}
	return fmt.Sprint(keys, m.ShamirThreshold, m.UnencryptedSuffix, m.EncryptedSuffix, m.UnencryptedRegex, m.EncryptedRegex,
		m.UnencryptedCommentRegex, m.EncryptedCommentRegex, m.MACOnlyEncrypted)
}

// TestGate spoils blocks as somebody would who wants two readers to see two things.
func TestGate(t *testing.T) {
	words := []string{
		"\r", "\u0085", "\u2028", "\n", "\n\n", " ", "    ", "- ", "-\n", ": ", ": |\n", ": '", "'", "\"", "#", " # x", "&a ", "*a", "!!str ", "---\n", "...\n",
		"{", "}", "[", "]", "<<: ", "? ", "sops:\n", "z: '\n", "    hc_vault:\n        - vault_address: http://x\n", "    Age: []\n", "    mac: x\n",
		"    kms:\n        - arn: x\n", "    encrypted_suffix: x\n", "true", "0x10", "~", "\\", "\t",
	}
	r := rand.New(rand.NewPCG(1, 2))
	passed := 0
	for range 20_000 {
		base := blocks[r.IntN(len(blocks))]
		theirs := base
		for range 1 + r.IntN(3) {
			at := r.IntN(len(theirs) + 1)
			if r.IntN(2) == 0 { // where a line begins
				at = strings.LastIndexByte(theirs[:at], '\n') + 1
			}
			end := at
			if r.IntN(3) == 0 {
				end = min(len(theirs), at+r.IntN(20))
			}
			theirs = theirs[:at] + words[r.IntN(len(words))] + theirs[end:]
		}
		if compare(t, values+base, values+theirs) && theirs != base {
			passed++
		}
		if t.Failed() {
			return
		}
	}
	if passed < 20 {
		t.Errorf("only %d others passed: the test says nothing", passed)
	}
	t.Logf("%d of 20,000 passed", passed)
}
