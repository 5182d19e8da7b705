// Package differential compares the rule sets with the programs whose behaviour they follow. It is a separate module,
// so that the main module does not depend on these programs.
package differential

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge/kube"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
	"sigs.k8s.io/yaml"
)

// TestApply checks that Apply gives the same data as kubectl's own library, apart from the documented exceptions. Each
// exception must occur.
func TestApply(t *testing.T) {
	seen := map[exception]int{}
	for n := range 1200 {
		k := kinds[n%len(kinds)]
		m := newMaker(1, uint64(n))
		var v [3][]byte // last applied, config, live
		var all packages
		for i := range v {
			r := m.resource(k)
			if i <= 1 && m.once(3) { // live has no nulls
				m.spoil(r, toNull)
			}
			all[i] = []any{r}
		}
		switch {
		case n%7 == 0:
			m.doubled(&all)
		case n%7 == 1:
			m.doubled(&packages{{object{}}, {object{}}, all[2]})
		}
		for i := range v {
			v[i], _ = json.Marshal(all[i][0])
		}
		want, err := kubectl(v, k.schema)
		if err != nil && n%7 > 1 { // the library fails at duplicate keys
			t.Fatalf("%d: %v", n, err)
		}
		live, _ := yaml.JSONToYAML(v[2])
		config, _ := yaml.JSONToYAML(v[1])
		res, err := kube.Apply(v[0], config, live, kube.Options{})
		if err != nil {
			t.Errorf("%s %d: %v", k.name, n, err)
			continue
		}
		got, err := yaml.YAMLToJSON(res.Bytes)
		if err != nil {
			t.Fatal(err)
		}
		asJSON(t, v, config, got)
		if want == nil {
			want = got
		}
		c := applied{seen: seen}
		c.value("", data(t, got), data(t, want), versions{data(t, v[0]), data(t, v[2]), data(t, v[1])})
		if len(c.problems) > 0 {
			t.Errorf("%s %d: last applied\n%s\nconfig\n%s\nlive\n%s\ngot\n%s\nwant\n%s\n%s", k.name, n, v[0], v[1], v[2], got, want, strings.Join(c.problems, "\n"))
		}
	}
	for _, e := range exceptions {
		t.Logf("%5d places: %s", seen[e], e)
		if seen[e] == 0 {
			t.Errorf("it never occurs: %s", e)
		}
		documented(t, string(e))
	}
}

// asJSON checks that Apply returns JSON with the data of want if live is JSON.
func asJSON(t *testing.T, v [3][]byte, config, want []byte) {
	t.Helper()
	var indented bytes.Buffer
	if err := json.Indent(&indented, v[2], "", "    "); err != nil {
		t.Fatal(err)
	}
	for _, live := range [][]byte{v[2], indented.Bytes()} {
		res, err := kube.Apply(v[0], config, live, kube.Options{})
		if err != nil {
			t.Errorf("%v\nof live\n%s", err, live)
			continue
		}
		if !json.Valid(res.Bytes) || !reflect.DeepEqual(data(t, res.Bytes), data(t, want)) {
			t.Errorf("live\n%s\nconfig\n%s\ngot\n%s\nwant\n%s", live, config, res.Bytes, want)
		}
	}
}

// An exception is a way in which a result may differ from kubectl's.
type exception string

const (
	// According to the documentation, the items of config come first and the other items of live follow. The library
	// leaves the other items near the places where they were. The order among the items of config, and among the other
	// items of live, is the same in both.
	liveOnlyOrder exception = "items that only live has stand behind those of config"
	// If live lacks a value, the library copies it unchanged from the patch, with its directives and with the nulls
	// that remove fields. The API server drops both when it decodes the object, because they are not part of it.
	directives exception = "what live lacks has no directives and no nulls of the patch"
	// If live lacks a list, the library writes an item to delete as its key and `$patch: delete`.
	deletedItems exception = "what live lacks has no items that the patch deletes"
	// A list that is replaced is one value, including its nulls. The library keeps the nulls too if live has the list,
	// but drops them if live lacks it.
	nullsInLists exception = "nulls in a list that is replaced stay"
	// If several items have the same key, the library uses the first of them for all, or an arbitrary one.
	doubledKeys exception = "keys that stand twice"
)

var exceptions = []exception{liveOnlyOrder, directives, deletedItems, nullsInLists, doubledKeys}

// kubectl returns the result of `kubectl apply` on live. v is the last applied configuration, the config and live.
func kubectl(v [3][]byte, schema any) ([]byte, error) {
	meta, err := strategicpatch.NewPatchMetaFromStruct(schema)
	if err != nil {
		return nil, err
	}
	patch, err := strategicpatch.CreateThreeWayMergePatch(v[0], v[1], v[2], meta, true)
	if err != nil {
		return nil, err
	}
	return strategicpatch.StrategicMergePatch(v[2], patch, schema)
}

func data(t *testing.T, b []byte) any {
	t.Helper()
	var v any
	if err := json.Unmarshal(b, &v); err != nil {
		t.Fatal(err)
	}
	return v
}

// applied compares a result with kubectl's and counts the exceptions.
type applied struct {
	problems []string
	seen     map[exception]int
}

func (c *applied) problem(path string, got, want any) {
	c.problems = append(c.problems, fmt.Sprintf("%s: got %v, want %v", path, got, want))
}

// value compares the values at a path. v has the values of the last applied configuration, live and config at that
// path, or absent.
func (c *applied) value(path string, got, want any, v versions) {
	live := v[1]
	if live == (any)(absent{}) {
		want = c.sent(want)
	}
	g, isObject := got.(object)
	w, ok := want.(object)
	if isObject && ok {
		for _, k := range slices.Sorted(maps.Keys(union(g, w))) {
			c.value(path+"."+k, field(g, k), field(w, k), v.at(func(v any) any { return field(v, k) }))
		}
		return
	}
	gl, isList := got.([]any)
	wl, ok := want.([]any)
	if isList && ok && paired(path) {
		c.items(path, gl, wl, v)
		return
	}
	if live == (any)(absent{}) && isList {
		if bare := withoutNulls(got); !reflect.DeepEqual(got, bare) {
			got = bare
			c.seen[nullsInLists]++
		}
	}
	if !reflect.DeepEqual(got, want) {
		c.problem(path, got, want)
	}
}

// items compares lists whose items are matched by the patch strategies.
func (c *applied) items(path string, got, want []any, v versions) {
	for _, of := range v {
		if l, ok := of.([]any); ok && path != ".metadata.finalizers" && !hasKeys(l) {
			c.seen[doubledKeys]++
			if !keepsTwins(got, v) {
				c.problem(path, got, v)
			}
			return
		}
	}
	known, _ := v[2].([]any)
	order := func(l []any) []string {
		var first, rest []string
		for _, e := range l {
			if k := itemKey(e); itemWith(known, k) != (any)(absent{}) {
				first = append(first, k)
			} else {
				rest = append(rest, k)
			}
		}
		return append(first, rest...)
	}
	keys := order(want)
	if !slices.Equal(order(got), keys) {
		c.problem(path, order(got), keys)
		return
	}
	if !reflect.DeepEqual(keysOf(got), keysOf(want)) {
		c.seen[liveOnlyOrder]++
	}
	for _, k := range keys {
		c.value(path+"["+k+"]", itemWith(got, k), itemWith(want, k), v.at(func(v any) any { l, _ := v.([]any); return itemWith(l, k) }))
	}
}

// paired reports whether the list at path is merged by items and not replaced as a whole.
func paired(path string) bool {
	return slices.Contains([]string{"containers", "env", "ports", "volumes", "finalizers"}, path[strings.LastIndex(path, ".")+1:])
}

// itemKey returns the key of an item, or its value if it has no key.
func itemKey(e any) string {
	if k := keyOf(e); k != "" {
		return k
	}
	return fmt.Sprint(e)
}

func keysOf(l []any) (keys []string) {
	for _, e := range l {
		keys = append(keys, itemKey(e))
	}
	return keys
}

func itemWith(l []any, key string) any {
	for _, e := range l {
		if itemKey(e) == key {
			return e
		}
	}
	return absent{}
}

func union(a, b object) object {
	out := maps.Clone(a)
	maps.Copy(out, b)
	return out
}

// field returns the value of a field of an object, or absent.
func field(v any, name string) any {
	if o, ok := v.(object); ok {
		if e, ok := o[name]; ok {
			return e
		}
	}
	return absent{}
}

// sent returns kubectl's value of a field that live lacks, without the directives, nulls and deleted items that the
// patch leaves in it. It counts these as exceptions.
func (c *applied) sent(v any) any {
	switch x := v.(type) {
	case object:
		out := object{}
		for k, e := range x {
			if strings.HasPrefix(k, "$") || e == nil {
				c.seen[directives]++
				continue
			}
			out[k] = c.sent(e)
		}
		return out
	case []any:
		out := []any{}
		for _, e := range x {
			if o, ok := e.(object); ok && o["$patch"] == "delete" {
				c.seen[deletedItems]++
				continue
			}
			out = append(out, c.sent(e))
		}
		return out
	}
	return v
}

// withoutNulls returns v without the fields that are null.
func withoutNulls(v any) any {
	switch x := v.(type) {
	case object:
		out := object{}
		for k, e := range x {
			if e != nil {
				out[k] = withoutNulls(e)
			}
		}
		return out
	case []any:
		out := []any{}
		for _, e := range x {
			out = append(out, withoutNulls(e))
		}
		return out
	}
	return v
}
