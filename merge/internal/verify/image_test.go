package verify

import (
	"fmt"
	"testing"
)

// image holds an image in a field that Kubernetes' types say to be one.
const image = "apiVersion: v1\nkind: Pod\nmetadata:\n  name: web\nspec:\n  containers:\n  - name: web\n    image: %s\n"

func TestImages(t *testing.T) {
	for _, c := range []struct{ name, o, d, u, r, rule string }{
		{"registry and tag", "app:1.0", "my/app:1.0", "app:1.1", "my/app:1.1", ""},
		{"registry and digest", "app:1.0", "my/app:1.0", "app@sha256:0a", "my/app@sha256:0a", ""},
		{"tag in ours, registry in theirs", "a/app:1.0", "a/app:1.1", "b/app:1.0", "b/app:1.1", ""},
		{"a port is no tag", "h:1/app", "h:2/app", "h:1/app:3", "h:2/app:3", ""},
		{"name changed by both in the same way, tag by theirs", "app:1.0", "my/app:1.0", "my/app:1.1", "my/app:1.1", ""},
		{"tag gone", "app:1.0", "my/app:1.0", "app", "my/app", ""},
		{"quotes of one side", "app:1.0", "my/app:1.0", "'app:1.1'", "'my/app:1.1'", ""},
		{"quotes of both", "app:1.0", `"my/app:1.0"`, "'app:1.1'", `"my/app:1.1"`, ""},
		{"the tag undone", "app:1.0", "my/app:1.0", "app:1.1", "my/app:1.0", "wrong value"},
		{"the registry undone", "app:1.0", "my/app:1.0", "app:1.1", "app:1.1", "wrong value"},
		{"both undone", "app:1.0", "my/app:1.0", "app:1.1", "app:1.0", "undone"},
		{"another tag", "app:1.0", "my/app:1.0", "app:1.1", "my/app:1.2", "wrong value"},
		{"more than the tag", "app:1.0", "my/app:1.0", "app:1.1", "my/app:1.1@sha256:0a", "wrong value"},
		{"a tag beside the digest", "app:1.0@sha256:0a", "my/app:1.0@sha256:0a", "app@sha256:0b", "my/app:1.0@sha256:0b", "wrong value"},
		{"tag and digest, one by each", "app:1.0@sha256:0a", "app:1.1@sha256:0a", "app:1.0@sha256:0b", "app:1.1@sha256:0b", "wrong value"},
		{"the tag by both", "app:1.0", "my/app:1.2", "app:1.1", "my/app:1.1", "wrong value"},
		{"the name by both", "app:1.0", "a/app:1.0", "b/app:1.1", "a/app:1.1", "wrong value"},
		{"a number in one version of YAML", "'5:30'", "50:30", "'5:31'", "50:31", "wrong value"},
		{"a number", "'5'", "'6'", "5:1", "6:1", "wrong value"},
		{"an anchor", "&a app:1.0", "&a my/app:1.0", "&a app:1.1", "&a my/app:1.1", "wrong value"},
		{"a tag of YAML", "!!str app:1.0", "!!str my/app:1.0", "!!str app:1.1", "!!str my/app:1.1", "wrong value"},
		{"two words", "app:1.0 b", "my/app:1.0 b", "app:1.1 b", "my/app:1.1 b", "wrong value"},
		{"an escape", `"app:1.0\x41"`, `"my/app:1.0\x41"`, `"app:1.1\x41"`, `"my/app:1.1\x41"`, "wrong value"},
		{"a variable", "app:${A}", "my/app:${A}", "app:${B}", "my/app:${B}", "wrong value"},
		{"a text", "|-\n      app:1.0", "|-\n      my/app:1.0", "|-\n      app:1.1", "|-\n      my/app:1.1", "wrong value"},
	} {
		var v [4]string
		for i, ref := range [...]string{c.o, c.d, c.u, c.r} {
			v[i] = fmt.Sprintf(image, ref)
		}
		x := check(t, v[0], v[1], v[2], v[3])
		if (x == nil) != (c.rule == "") || x != nil && x.Rule.String() != c.rule && !(c.name == "a text" && x.Rule == RuleText) {
			t.Errorf("%s: %v, want %q", c.name, x, c.rule)
		}
	}
}

// TestImageUnknownField tests that only known image fields are merged by parts.
func TestImageUnknownField(t *testing.T) {
	const thing = "apiVersion: example.com/v1\nkind: Thing\nmetadata:\n  name: web\nspec:\n  image: %s\n"
	at := func(ref string) string { return fmt.Sprintf(thing, ref) }
	if x := check(t, at("app:1.0"), at("my/app:1.0"), at("app:1.1"), at("my/app:1.1")); x == nil || x.Rule != RuleValue {
		t.Errorf("%v", x)
	}
}

// TestImageNewWords tests that an image reference may contain words that no input has, and the rest of the line may
// not.
func TestImageNewWords(t *testing.T) {
	at := func(ref, more string) string { return fmt.Sprintf(image, ref+more) }
	o, d, u := at("app:1.0", ""), at("my/app:1.0", ""), at("app@sha256:0a", "")
	for _, more := range []string{" # new", "\n    tty: true"} {
		if x := check(t, o, d, u, at("my/app@sha256:0a", more)); x == nil {
			t.Errorf("%q is accepted", more)
		}
	}
}
