// Package differential compares the rule sets with the programs that they are
// documented for. It is a module of its own, so that the program depends on
// none of these.
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

	"k8s.io/apimachinery/pkg/util/strategicpatch"
	"sigs.k8s.io/yaml"

	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// TestApply holds that Apply gives the data that kubectl's own library gives,
// but for the exceptions, each of which has to occur.
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
		if err != nil && n%7 > 1 { // at doubled keys the library fails
			t.Fatalf("%d: %v", n, err)
		}
		live, _ := yaml.JSONToYAML(v[2])
		config, _ := yaml.JSONToYAML(v[1])
		res, err := merge.Apply(v[0], config, live, merge.Options{})
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

// asJSON holds that live in JSON comes back as JSON, and as the same data.
func asJSON(t *testing.T, v [3][]byte, config, want []byte) {
	t.Helper()
	var indented bytes.Buffer
	if err := json.Indent(&indented, v[2], "", "    "); err != nil {
		t.Fatal(err)
	}
	for _, live := range [][]byte{v[2], indented.Bytes()} {
		res, err := merge.Apply(v[0], config, live, merge.Options{})
		if err != nil {
			t.Errorf("%v\nof live\n%s", err, live)
			continue
		}
		if !json.Valid(res.Bytes) || !reflect.DeepEqual(data(t, res.Bytes), data(t, want)) {
			t.Errorf("live\n%s\nconfig\n%s\ngot\n%s\nwant\n%s", live, config, res.Bytes, want)
		}
	}
}

// An exception is how a result may differ from kubectl's.
type exception string

const (
	// The documentation has config's items first and then the others of live;
	// the library leaves those at the places near which they were. Config's
	// items among themselves, and live's, stand in one order.
	liveOnlyOrder exception = "items that only live has stand behind those of config"
	// A patch is put as it is into what live lacks, with the directives in it
	// and with the nulls that would remove fields. The API server's types drop
	// both; they are no part of the document.
	directives exception = "what live lacks has no directives and no nulls of the patch"
	// In what live lacks, an item that is to be deleted is put as its key and
	// `$patch: delete`.
	deletedItems exception = "what live lacks has no items that the patch deletes"
	// A list that is replaced is one value, nulls and all, which the library
	// holds too where live has the list. Where live lacks it, it drops them.
	nullsInLists exception = "nulls in a list that is replaced stay"
	// Of items with one key the library takes the first for all, or any of them.
	doubledKeys exception = "keys that stand twice"
)

var exceptions = []exception{liveOnlyOrder, directives, deletedItems, nullsInLists, doubledKeys}

// kubectl is what `kubectl apply` makes of live.
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

// applied compares a result with kubectl's.
type applied struct {
	problems []string
	seen     map[exception]int
}

func (c *applied) problem(path string, got, want any) {
	c.problems = append(c.problems, fmt.Sprintf("%s: got %v, want %v", path, got, want))
}

// value compares the values at a path; v is what was applied last, live and config
// have there, or absent.
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

// items compares lists whose items the patch strategies pair.
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

// paired reports whether the list at a path of the kinds is not replaced.
func paired(path string) bool {
	return slices.Contains([]string{"containers", "env", "ports", "volumes", "finalizers"}, path[strings.LastIndex(path, ".")+1:])
}

// itemKey is the key of an item, or its value.
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

// field is what an object has in a field, or absent.
func field(v any, name string) any {
	if o, ok := v.(object); ok {
		if e, ok := o[name]; ok {
			return e
		}
	}
	return absent{}
}

// sent is a value of kubectl's that live lacks, without what the patch leaves
// behind in it.
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

// withoutNulls is v without its fields that are null.
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
