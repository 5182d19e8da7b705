package differential

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/mergetest/trees"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/team"
)

// TestStrategies checks that apply merges every list of the built-in types by the patch strategy in the tags of the Go
// types, which `kubectl apply` reads, and that it recognizes their unions.
func TestStrategies(t *testing.T) {
	scheme := runtime.NewScheme()
	if err := addToScheme.AddToScheme(scheme); err != nil {
		t.Fatal(err)
	}
	s := strategies{t: t, seen: map[string]int{}}
	for gvk, goType := range scheme.AllKnownTypes() {
		if _, ok := goType.FieldByName("ObjectMeta"); !ok || slices.Contains(notApplied, gvk.Kind) {
			continue
		}
		version, kind := gvk.ToAPIVersionAndKind()
		s.fields(schema.Place{APIVersion: version, Kind: kind}, goType)
	}
	t.Logf("lists: %d map, %d set, %d replaced; %d unions", s.seen["map"], s.seen["set"], s.seen["atomic"], s.seen["union"])
	if s.seen["map"] == 0 || s.seen["set"] == 0 || s.seen["atomic"] == 0 || s.seen["union"] == 0 {
		t.Error("none of a kind")
	}
}

// notApplied are kinds of subresources and kinds that only the API server uses. They do not occur in files.
var notApplied = []string{"Binding", "RangeAllocation", "Scale"}

type strategies struct {
	t     *testing.T
	seen  map[string]int
	above []reflect.Type // types that contain the current one
}

// fields checks the fields of goType, which is the type at p.
func (s *strategies) fields(p schema.Place, goType reflect.Type) {
	for goType.Kind() == reflect.Pointer {
		goType = goType.Elem()
	}
	if goType.Kind() != reflect.Struct || slices.Contains(s.above, goType) || goType == reflect.TypeFor[metav1.FieldsV1]() {
		return
	}
	s.above = append(s.above, goType)
	defer func() { s.above = s.above[:len(s.above)-1] }()
	for f := range goType.Fields() {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "" { // inline
			s.fields(p, f.Type)
			continue
		}
		at := p
		at.Path = append(slices.Clone(p.Path), name)
		s.field(at, f)
	}
}

func (s *strategies) field(at schema.Place, f reflect.StructField) {
	patch := strings.Split(f.Tag.Get("patchStrategy"), ",")
	goType := f.Type
	if goType.Kind() == reflect.Slice && goType.Elem().Kind() != reflect.Uint8 {
		goType = goType.Elem()
		want := "atomic"
		if slices.Contains(patch, "merge") {
			want = strings.TrimSpace("map " + f.Tag.Get("patchMergeKey"))
			if want == "map" {
				want = "set"
			}
		}
		s.list(at, want)
		if want == "atomic" {
			return
		}
		at.Path = append(slices.Clone(at.Path), "*")
	}
	union := slices.Contains(patch, "retainKeys")
	if got := schema.RetainsKeys(at, trees.Root(s.t, "a: 1")); got != union {
		s.t.Errorf("%s %s %s: is a union: %v, want %v", at.APIVersion, at.Kind, strings.Join(at.Path, "."), got, union)
	}
	if union {
		s.seen["union"]++
	}
	s.fields(at, goType)
}

// list checks that the list at a place is merged as want says.
func (s *strategies) list(at schema.Place, want string) {
	got := "atomic"
	if _, keys := (*team.Rules)(nil).PatchStrategy(at).ItemWithoutKey(trees.Root(s.t, "[{}]")); keys != nil {
		got = "map " + strings.Join(keys, ",")
	} else if (*team.Rules)(nil).StrategicList(at, trees.Root(s.t, "[a, b]")).Kind == schema.Set {
		got = "set"
	}
	if got != want {
		s.t.Errorf("%s %s %s: %s, want %s", at.APIVersion, at.Kind, strings.Join(at.Path, "."), got, want)
	}
	kind, _, _ := strings.Cut(want, " ")
	s.seen[kind]++
}
