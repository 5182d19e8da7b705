package sops

import "testing"

const sealedFile = "a: ENC[1]\nsops:\n    azure_kv:\n        - name: n\n          version: v1\n    lastmodified: \"2026-01-01T00:00:00Z\"\n    mac: ENC[m]\n    version: 3.9.0\n"

func TestSplit(t *testing.T) {
	for in, want := range map[string]bool{
		sealedFile: true,
		"a: ENC[1]\nsops:\n    pgp:\n        - enc: |-\n            x\n\n            y\n    mac: m\n": true,
		"a: 1\n":                 false,
		sealedFile + "b: 1\n":    false, // the block is not at the end
		"---\n" + sealedFile:     false,
		sealedFile + "---\nb: 1": false,
	} {
		data, block, ok := split([]byte(in))
		if ok != want || ok && string(data)+string(block) != in {
			t.Errorf("%q: %q and %q, %v", in, data, block, ok)
		}
	}
}

func TestLasting(t *testing.T) {
	_, block, _ := split([]byte(sealedFile))
	want := "sops:\n    azure_kv:\n        - name: n\n          version: v1\n\n\n\n"
	if got := string(lasting(block)); got != want {
		t.Errorf("%q, want %q: a key's version lasts", got, want)
	}
}

func TestSealedAs(t *testing.T) {
	_, block, _ := split([]byte(sealedFile))
	other := "sops:\n  lastmodified: T\n  mac: M\n"
	want := "sops:\n    azure_kv:\n        - name: n\n          version: v1\n    lastmodified: T\n    mac: M\n    version: 3.9.0\n"
	if got := string(sealedAs(block, []byte(other))); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got := sealedAs(block, []byte(other+"  mac: N\n")); got != nil {
		t.Errorf("two MACs make %q", got)
	}
}
