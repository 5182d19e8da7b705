package differential

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// versions are the values of original, dest and updated in one place, or absent. merge2 has no original.
type versions [3]any

func (v versions) at(k func(any) any) (out versions) {
	for i := range v {
		out[i] = k(v[i])
	}
	return out
}

// A difference is a place where two results differ.
type difference struct {
	path      string
	got, want any // the result of this program, and that of the other
	versions
	up *difference // the difference that contains this one, nil for a resource
}

func (d *difference) String() string {
	if err, ok := d.want.(error); ok {
		return fmt.Sprintf("%s: %v (%v)", d.path, err, d.versions)
	}
	return fmt.Sprintf("%s: got %#v, want %#v (original %#v, dest %#v, updated %#v)", d.path, d.got, d.want, d.versions[0], d.versions[1], d.versions[2])
}

// differences returns the smallest differences between got and want: fields, items of lists with keys, and the order of
// such items.
func differences(d *difference) []*difference {
	if reflect.DeepEqual(d.got, d.want) {
		return nil
	}
	var names []string
	var step func(string) func(any) any
	switch {
	case d.both(isObject):
		for _, v := range []any{d.got, d.want} {
			names = append(names, slices.Collect(maps.Keys(v.(object)))...)
		}
		step = func(k string) func(any) any { return func(v any) any { return field(v, k) } }
	case d.both(hasKeys):
		for _, v := range []any{d.got, d.want} {
			names = append(names, keysOf(v.([]any))...)
		}
		step = func(k string) func(any) any {
			return func(v any) any { l, _ := v.([]any); return itemWith(l, k) }
		}
	default:
		return []*difference{d}
	}
	var out []*difference
	if d.both(hasKeys) {
		out = d.inOrder()
	}
	slices.Sort(names)
	for _, k := range slices.Compact(names) {
		out = append(out, differences(&difference{
			path: d.path + "." + k, got: step(k)(d.got), want: step(k)(d.want), versions: d.at(step(k)), up: d})...)
	}
	return out
}

// inOrder returns a difference if the items that both results have are in different orders.
func (d *difference) inOrder() []*difference {
	got, want := among(order(d.got), order(d.want)), among(order(d.want), order(d.got))
	if slices.Equal(got, want) {
		return nil
	}
	var v versions
	for i := range v {
		v[i] = order(d.versions[i])
	}
	return []*difference{{path: d.path + ".(order)", got: got, want: want, versions: v, up: d}}
}

// order returns the keys of the items of a list.
func order(v any) []string {
	l, _ := v.([]any)
	return keysOf(l)
}

// among returns the elements of keys that others contains, in the order of keys.
func among(keys, others []string) (out []string) {
	for _, k := range keys {
		if slices.Contains(others, k) {
			out = append(out, k)
		}
	}
	return out
}

// both reports whether of is true for got and want.
func (d *difference) both(of func(any) bool) bool { return of(d.got) && of(d.want) }

func isObject(v any) bool { _, ok := v.(object); return ok }

// hasKeys reports whether v is a list whose items all have different keys.
func hasKeys(v any) bool {
	l, ok := v.([]any)
	if !ok {
		return false
	}
	keys := keysOf(l)
	slices.Sort(keys)
	return len(slices.Compact(keys)) == len(l) && !slices.ContainsFunc(l, func(e any) bool { return keyOf(e) == "" })
}

func isAbsent(v any) bool { return v == (any)(absent{}) }

// name returns the last field of the path of d.
func (d *difference) name() string { return d.path[strings.LastIndex(d.path, ".")+1:] }
