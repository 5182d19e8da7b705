package merge_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// TestChoices: what a result has of the fields that both sides changed.
func TestChoices(t *testing.T) {
	for _, c := range []struct{ base, ours, theirs, result, want string }{
		{"a: 1\n", "a: x\n", "a: y\n", "a: x\n", "a: ours of ours,theirs,base"},
		{"a: 1\n", "a: x\n", "a: v\n", "a: \"v\" # why\n", "a: theirs of ours,theirs,base"},
		{"a: x\n", "a: y\n", "a: z\n", "a: x\n", "a: base of ours,theirs,base"},
		{"a: x\n", "a: y\n", "a: z\n", "a: w\n", "a: nothing of ours,theirs,base"},
		{"a: 1.0.0\n", "a: 1.0.1\n", "a: 1.0.4\n", "a: 1.0.5\n", "a: next of ours,theirs,base,highest,lowest,next"},
		{"a: 1.0.0\n", "a: 1.1.0\n", "a: 1.0.4\n", "a: '1.1.0'\n", "a: ours,highest,next of ours,theirs,base,highest,lowest,next"},
		{"a: 1.0.0\n", "a: 1.0.1\n", "a: 1.0.4\n", "a: 1.0.4\n", "a: theirs,highest of ours,theirs,base,highest,lowest,next"},
		{"a:\n- p\n", "a:\n- p\n- q\n", "a:\n- p\n- q2\n", "a:\n- p\n- q\n- q2\n", "a[1]: both of ours,theirs,base,both"},
		{"a: {b: x}\nz: 0\n", "a: {b: y}\nz: 1\n", "z: 0\n", "z: 1\n", "a: theirs of ours,theirs,base"},
		{"a:\n- {name: p, value: p}\n- {name: b, value: b}\n", "a:\n- {name: p, value: p}\n- {name: d, value: d}\n", "a:\n- {name: p, value: p}\n- {name: c, value: c}\n", "a:\n- {name: p, value: p}\n- {name: d, value: d}\n- {name: c, value: c}\n", "a[name=d]: both of ours,theirs,base,both"},
		{"a:\n- {name: p, value: p}\n- {name: b, value: b}\n", "a:\n- {name: p, value: p}\n- {name: d, value: d}\n", "a:\n- {name: p, value: p}\n- {name: c, value: c}\n", "a:\n- {name: p, value: p}\n- {name: d, value: d}\n", "a[name=d]: ours of ours,theirs,base,both"},
		{"a:\n- {name: p, value: p}\n- {name: b, value: b}\n", "a:\n- {name: p, value: p}\n- {name: d, value: d}\n", "a:\n- {name: p, value: p}\n- {name: c, value: c}\n", "a:\n- {name: p, value: p}\n- {name: c, value: c}\n", "a[name=d]: theirs of ours,theirs,base,both"},
		{"a: x\nb: x\n", "a: y\nb: y\n", "a: z\nb: z\n", "a: y\nb: z\n", "a: ours of ours,theirs,base; b: theirs of ours,theirs,base"},
		{"a: 1\nb: 1\n", "a: 2\nb: 1\n", "a: 1\nb: 2\n", "a: 2\nb: 2\n", ""},
		{"a: |\n  y\n  p\n  q\n  z\n", "a: |\n  y1\n  p\n  q\n  z\n", "a: |\n  y2\n  p\n  q\n  z1\n", "a: |\n  y1\n  p\n  q\n  z1\n", "a: ours of ours,theirs,base,both"},
		{"a: |\n  y\n  p\n  q\n  z\n", "a: |\n  y1\n  p\n  q\n  z\n", "a: |\n  y2\n  p\n  q\n  z1\n", "a: |\n  y2\n  p\n  q\n  z1\n", "a: theirs of ours,theirs,base,both"},
		{"a: |\n  y\n  p\n  q\n  z\n", "a: |\n  y1\n  p\n  q\n  z\n", "a: |\n  y2\n  p\n  q\n  z1\n", "a: |\n  y1\n  p\n  q\n  z\n", "a: nothing of ours,theirs,base,both"},
	} {
		own := func() merge.Own { return merge.OwnOurs }
		found, err := merge.Choices([]byte(c.base), []byte(c.ours), []byte(c.theirs), []byte(c.result), merge.Options{Own: own})
		var said []string
		for _, f := range found {
			taken := listed(f.Taken)
			if taken == "" {
				taken = "nothing"
			}
			said = append(said, fmt.Sprintf("%s: %s of %s", f.Path, taken, listed(f.Offered)))
		}
		if got := strings.Join(said, "; "); got != c.want || err != nil {
			t.Errorf("%q %q %q %q: %q, %v, want %q", c.base, c.ours, c.theirs, c.result, got, err, c.want)
		}
	}
}

func listed(all []merge.Take) string {
	var words []string
	for _, t := range all {
		words = append(words, string(t))
	}
	return strings.Join(words, ",")
}

// TestChoicesOfFields: a choice has the field and the resource as a team's file
// names them, and what that decides is none.
func TestChoicesOfFields(t *testing.T) {
	const file = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec:\n  template:\n    spec:\n      containers:\n      - name: web\n        image: IMAGE\n"
	version := func(image string) []byte { return []byte(strings.Replace(file, "IMAGE", image, 1)) }
	choices := func(rules *merge.Rules) []merge.Choice {
		found, err := merge.Choices(version("a"), version("b"), version("c"), version("c"), merge.Options{Rules: rules})
		if err != nil {
			t.Fatal(err)
		}
		return found
	}
	found := choices(nil)
	if len(found) != 1 || found[0].Field != "spec.template.spec.containers[*].image" || found[0].Resource != "apps/Deployment" {
		t.Errorf("%+v", found)
	}
	rules, err := merge.ParseRules("team", []byte("rules: [{fields: {\"**.image\": theirs}}]\n"), "")
	if err != nil {
		t.Fatal(err)
	}
	if found := choices(rules); len(found) > 0 {
		t.Errorf("decided by rules, and yet %+v", found)
	}
	if _, err := merge.Choices([]byte("a: 1\n"), []byte("a: [\n"), []byte("a: 2\n"), nil, merge.Options{}); err == nil {
		t.Error("no error where ours is no YAML")
	}
}

// TestChoicesOfItems: items that both sides put into one place of a list are one choice,
// as many as they are, and it says what they are.
func TestChoicesOfItems(t *testing.T) {
	for _, c := range []struct{ base, ours, theirs, want string }{
		{"a: [p]", "a:\n- p\n- q\n- r", "a:\n- p\n- q2", "a[*] scalars [ours theirs base both] [both]"},
		{"a: [p]", "a:\n- p\n- k: 1", "a:\n- p\n- l: 2\n- m: 3", "a[*] mappings [ours theirs base both] [both]"},
		{"a: [p]", "a:\n- p\n- k: 1", "a:\n- p\n- q", "a[*]  [ours theirs base both] [both]"},
		{"a: p", "a: q", "a: r", "a  [ours theirs base] [ours]"},
	} {
		result := c.ours
		if _, items, isList := strings.Cut(c.theirs, "\n- p\n"); isList {
			result += "\n" + items
		}
		versions := [4][]byte{}
		for i, v := range []string{c.base, c.ours, c.theirs, result} {
			versions[i] = []byte(strings.Replace(v, "[p]", "\n- p", 1) + "\n")
		}
		found, err := merge.Choices(versions[0], versions[1], versions[2], versions[3], merge.Options{})
		if err != nil || len(found) != 1 {
			t.Fatalf("%q: %v, %+v", c.ours, err, found)
		}
		f := found[0]
		if got := fmt.Sprintln(f.Field, f.Items, f.Offered, f.Taken); got != c.want+"\n" {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
}
