package three

import (
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
)

func TestPick(t *testing.T) {
	for _, c := range []struct {
		v    [3]string // original, dest, updated
		want Version
		ok   bool
	}{
		{[3]string{"a", "a", "a"}, Dest, true},
		{[3]string{"a", "b", "a"}, Dest, true},
		{[3]string{"a", "a", "b"}, Updated, true},
		{[3]string{"a", "b", "b"}, Dest, true},
		{[3]string{"a", "b", "c"}, Dest, false},
	} {
		if s, ok := Pick(c.v); s != c.want || ok != c.ok {
			t.Errorf("%q: %v, %v", c.v, s, ok)
		}
		isEqual := func(a, b string) bool { return a == b }
		if s, ok := PickFunc(c.v, isEqual); s != c.want || ok != c.ok {
			t.Errorf("%q by a function: %v, %v", c.v, s, ok)
		}
	}
}

func TestForm(t *testing.T) {
	for v, want := range map[[3]int]int{{1, 1, 2}: 2, {1, 2, 1}: 2, {1, 2, 3}: 2, {1, 1, 1}: 1} {
		if got := Form(v[0], v[1], v[2]); got != want {
			t.Errorf("%v: %d", v, got)
		}
	}
}

func TestPath(t *testing.T) {
	root := &Path{Root: &schema.Place{Kind: "Deployment"}}
	stream := &Path{Field: "Deployment/web", Root: &schema.Place{Kind: "Deployment"}}
	for _, c := range []struct {
		path *Path
		want string
	}{
		{nil, ""},
		{root, ""},
		{stream, "Deployment/web"},
		{root.Child("spec").Child("containers").Item("name=web").Child("image"), "spec.containers[name=web].image"},
		{stream.Child("spec").Child("ports").Index(3), "Deployment/web: spec.ports[3]"},
		{root.Child("a.b").Child("").Child("c d"), `"a.b"."".` + `"c d"`},
		{root.Index(0).Child("x"), "[0].x"},
	} {
		if got := c.path.String(); got != c.want {
			t.Errorf("got %s, want %s", got, c.want)
		}
	}
	place := stream.Child("spec").Child("ports").Index(3).Place()
	if place.Kind != "Deployment" || len(place.Path) != 3 || place.Path[0] != "spec" || place.Path[1] != "ports" || place.Path[2] != "*" {
		t.Errorf("the place of an item is %+v", place)
	}
	if len(stream.Root.Path) != 0 {
		t.Error("the place of an item changed that of its resource")
	}
}

func TestEntries(t *testing.T) {
	value := &syntax.Node{}
	entry := &syntax.Entry{Value: value}
	for _, c := range []struct {
		entries Entries
		want    Version
	}{
		{Entries{entry, entry, entry}, Dest},
		{Entries{entry, nil, entry}, Updated},
		{Entries{entry, nil, nil}, Original},
	} {
		if got := c.entries.First(); got != c.want {
			t.Errorf("%v: %v", c.entries, got)
		}
	}
	if values := (Entries{entry, nil, entry}).Values(); values != (Nodes{value, nil, value}) {
		t.Errorf("values %v", values)
	}
	if Dest.Other() != Updated || Updated.Other() != Dest {
		t.Error("a side is its own opposite")
	}
}

func TestOptional(t *testing.T) {
	if _, ok := (Optional{}).Get(); ok {
		t.Error("the zero value is a version")
	}
	if v, ok := Some(Original).Get(); v != Original || !ok {
		t.Errorf("%v, %v", v, ok)
	}
}
