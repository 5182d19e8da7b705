package sops

import (
	"strings"
	"testing"
)

const (
	enc    = "ENC[AES256_GCM,data:x,iv:x,tag:x,type:str]"
	values = "a: " + enc + "\nopen_unencrypted: x\nlist:\n    - b: " + enc + "\nempty: \"\"\n"
	block  = "sops:\n    age:\n        - enc: |\n            text\n          recipient: age1me\n    lastmodified: \"2026-01-01T00:00:00Z\"\n" +
		"    mac: ENC[AES256_GCM,data:y,iv:y,tag:y,type:str]\n    unencrypted_suffix: _unencrypted\n    version: 3.13.3\n"
	form = "theirs: it is not of the form in which sops writes files"
)

// TestGate changes theirs in one place.
func TestGate(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{"", "", ""},
		{"data:x", "data:other", ""},
		{"data:y", "data:other", ""},
		{"2026", "2027", ""},
		{"3.13.3", "3.9.0", ""},
		{"list:\n    - b: " + enc + "\n", "new: " + enc + "\n", ""},
		{"\n        - enc: |\n            text\n          recipient: age1me\n", " [{recipient: age1me, enc: \"text\\n\"}]\n", ""},

		{"    lastm", "        - enc: |\n            text\n          recipient: age1you\n    lastm", "theirs adds age1you to sops.age"},
		{"    lastm", "        -\n          enc: |\n            text\n          recipient: age1you # x\n    lastm", "theirs adds age1you to sops.age"},
		{"age1me", "age1you", "theirs adds age1you to sops.age; theirs takes age1me out of sops.age"},
		{"text", "other", "theirs has another sops.age than base"},
		{"    lastm", "    hc_vault:\n        - vault_address: http://x\n    lastm", "theirs adds http://x to sops.hc_vault"},
		{"    lastm", "    kms:\n        - arn: x\n          role: y\n    lastm", "theirs adds x to sops.kms"},
		{"_unencrypted\n    version", "_other\n    version", "theirs has another sops.unencrypted_suffix than base"},
		{"    version", "    mac_only_encrypted: true\n    version", "theirs has another sops.mac_only_encrypted than base"},
		{"    version", "    Version", "theirs has another sops.Version than base"},

		{"a: " + enc, "a: x", "a is encrypted in base and open in theirs"},
		{"open_unencrypted: x", "open_unencrypted: " + enc, "open_unencrypted is encrypted in theirs and open in base"},
		{"- b: " + enc, "- b: " + enc + "\n    - b: x", "list.b is encrypted in base and open in theirs"},
		{"empty: \"\"", "empty: " + enc, ""},
		{"a: " + enc, "a: null", ""},

		{"unencrypted_suffix: _unencrypted", "encrypted_comment_regex: x", "theirs: comments say what is encrypted in it (comment_regex)"},

		{"sops:\n", "sops: {}\nz: 1\nsops:\n", form},
		{"sops:\n", "sops: # x\n", form},
		{"sops:\n", "sops: &x\n", form},
		{"a: ENC", "a: !!str ENC", form},
		{"a: ENC", "a: &x ENC", form},
		{"a: ENC", "a: 1\na: ENC", form},
		{"    mac", "    mac: x\n    mac", form},
		{"age1me", "age1me\n          recipient: age1you", form},
		{"version: 3.13.3\n", "version: 3.13.3\nb: 1\n", form},
		{"version: 3.13.3\n", "version: 3.13.3\n---\nb: 1\n", form},
		{"version: 3.13.3\n", "version: 3.13.3\u0085    hc_vault: []\n", form},
		{"version: 3.13.3\n", "version: 3.13.3\r    hc_vault: []\n", form},
		{"version: 3.13.3\n", "version: 3.13.3\r\n", form},
		{"a: " + enc, "1: " + enc, form},
		{"a: " + enc, "a: [", form},
		{"    mac: ENC[AES256_GCM,data:y", "    mac: \"ENC[AES256_GCM,data:y\\\n      ", form},
		{"sops:\n", "sops:\n    hc_vault:\n        - vault_address: http://x\n    mac: x\n    lastmodified: x\nz: '\nsops:\n", form},
	} {
		theirs := strings.Replace(values+block, c.old, c.new, 1)
		_, err := gate([]byte(values+block), []byte(values+block), []byte(theirs))
		if got := errText(err); got != c.want {
			t.Errorf("%q for %q: %q, want %q", c.new, c.old, got, c.want)
		}
	}
}

func errText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// TestJoin holds that what sops reads has ours' block, whatever that of another version looks like.
func TestJoin(t *testing.T) {
	theirs := strings.Replace(strings.Replace(values+block, "age:\n        - enc: |\n            text\n          recipient: age1me\n", "age: [{recipient: age1me, enc: \"text\\n\"}]\n", 1), "data:y", "data:z", 1)
	versions, err := gate([]byte(values+block), []byte(values+block), []byte(theirs))
	if err != nil {
		t.Fatal(err)
	}
	o := &Opened{versions: versions}
	got, err := o.join(versions[2].data, versions[2].mac.Value, versions[2].time.Value)
	if want := values + strings.Replace(block, "data:y", "data:z", 1); err != nil || string(got) != want {
		t.Errorf("%v\n%s\nwant\n%s", err, got, want)
	}
	if _, err := o.join([]byte("a: typed\n"), versions[1].mac.Value, versions[1].time.Value); err == nil {
		t.Error("a value in the clear passes where one is encrypted")
	}
}
