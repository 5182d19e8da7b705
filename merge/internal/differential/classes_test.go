package differential

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// The predicates of the classes of differences.

// mixed reports whether the other program fails because the kind of a value differs between versions or from the
// schema.
func mixed(d *difference) bool {
	err, ok := d.want.(error)
	return ok && strings.Contains(err.Error(), "wrong node kind: expected") && d.versions.mixed("")
}

// mixed reports whether a value at or below path has different kinds in different versions, or whether a list of
// mappings has a scalar item.
func (v versions) mixed(path string) bool {
	kinds := map[string]bool{}
	for i, e := range v {
		if a, ok := e.(anchored); ok {
			v[i] = a.value
		}
		kinds[kindOf(v[i])] = true
	}
	delete(kinds, "")
	if len(kinds) > 1 || kinds["scalar"] && strings.HasSuffix(path, "]") {
		return true
	}
	for _, e := range v {
		switch x := e.(type) {
		case object:
			for k := range x {
				if v.at(func(v any) any { return field(v, k) }).mixed(path + "." + k) {
					return true
				}
			}
		case []any:
			for _, k := range keysOf(x) {
				item := v.at(func(v any) any { l, _ := v.([]any); return itemWith(l, k) })
				if isItems(path) && item.mixed(path+"[]") {
					return true
				}
			}
		}
	}
	return false
}

// isItems reports whether the items of the list at path are mappings.
func isItems(path string) bool { return paired(path) && !strings.HasSuffix(path, ".finalizers") }

// kindOf returns the name of the kind of a value, or "" if it is absent or null.
func kindOf(v any) string {
	switch v.(type) {
	case nil, absent:
		return ""
	case object:
		return "map"
	case []any:
		return "list"
	case alias:
		return "alias"
	}
	return "scalar"
}

// comesBack reports whether the other program restores a collection that dest lacks and in which updated neither added
// nor changed anything.
func comesBack(d *difference) bool {
	o, u := d.versions[0], d.versions[2]
	return isAbsent(d.got) && isHusk(d.want) && isAbsent(d.versions[1]) && !adds(u, o) && !changes(u, o)
}

// staysEmpty reports whether the other program keeps an empty collection that updated deleted and to which dest added
// nothing.
func staysEmpty(d *difference) bool {
	return isAbsent(d.got) && isHusk(d.want) && isAbsent(d.versions[2]) && !adds(d.versions[1], d.versions[0])
}

// adds reports whether v has a value where o has none.
func adds(v, o any) bool {
	return isAbsent(o) && !isAbsent(v) && v != nil || below(v, o, adds)
}

// changes reports whether v has a different value where o has one. Nulls do not count as values, and two aliases count
// as equal.
func changes(v, o any) bool {
	if isObject(v) && isObject(o) || hasKeys(v) && hasKeys(o) {
		return below(v, o, changes)
	}
	_, isAlias := v.(alias)
	_, wasAlias := o.(alias)
	return v != nil && !isAbsent(o) && !reflect.DeepEqual(v, o) && !(isAlias && wasAlias)
}

// below reports whether f is true for an entry of v and the entry of o with the same key.
func below(v, o any, f func(v, o any) bool) bool {
	switch x := v.(type) {
	case object:
		for k, e := range x {
			if f(e, field(o, k)) {
				return true
			}
		}
	case []any:
		l, _ := o.([]any)
		for _, e := range x {
			if keyOf(e) != "" && f(e, itemWith(l, itemKey(e))) {
				return true
			}
		}
	}
	return false
}

// isHusk reports whether v is a collection that contains nothing but collections and the keys of items.
func isHusk(v any) bool {
	switch x := v.(type) {
	case object:
		for k, e := range x {
			if !isHusk(e) && keyOf(x) != fmt.Sprintf("%s=%v", k, e) {
				return false
			}
		}
		return true
	case []any:
		for _, e := range x {
			if !isHusk(e) {
				return false
			}
		}
		return true
	}
	return false
}

// aliased reports whether the other program lost a value for which a version has an alias.
func aliased(d *difference) bool {
	if isAbsent(d.got) || !isAbsent(d.want) {
		return false
	}
	for _, v := range d.versions {
		if _, ok := v.(alias); ok {
			return true
		}
	}
	return false
}

// asWhole returns the result of merging v as one value: dest if updated is the same as the original, otherwise updated.
func asWhole(v versions) any {
	if reflect.DeepEqual(plain(v[0]), plain(v[2])) {
		return plain(v[1])
	}
	return plain(v[2])
}

// inferred reports whether d is a list of a field without a schema, for which this program infers keys while the other
// program merges it as one value.
func inferred(d *difference) bool {
	return (d.name() == "parts" || d.name() == "mounts") && reflect.DeepEqual(d.want, asWhole(d.versions))
}

// isSet reports whether d is a list of values that this program merges as one value, as documented.
func isSet(d *difference) bool {
	return d.name() == "finalizers" && reflect.DeepEqual(d.got, asWhole(d.versions))
}

// retyped reports whether updated changed only the types of scalars, or whether the result has the same scalar as the
// other program, but with the type that it has in updated.
func retyped(d *difference) bool {
	o, u := d.versions[0], d.versions[2]
	return !adds(u, o) && changes(u, o) && !changes(asText(u), asText(o)) ||
		fmt.Sprint(d.got) == fmt.Sprint(d.want) && reflect.DeepEqual(d.got, u)
}

// asText returns v with its scalars as strings.
func asText(v any) any {
	switch x := v.(type) {
	case nil, absent, alias:
		return v
	case object:
		out := object{}
		for k, e := range x {
			out[k] = asText(e)
		}
		return out
	case []any:
		out := []any{}
		for _, e := range x {
			out = append(out, asText(e))
		}
		return out
	}
	return fmt.Sprint(v)
}

// above returns a predicate that reports whether holds is true for a difference or for one that contains it.
func above(holds func(*difference) bool) func(*difference) bool {
	return func(d *difference) bool {
		for ; d != nil; d = d.up {
			if holds(d) {
				return true
			}
		}
		return false
	}
}

// moved reports whether the apiVersion of a resource differs between versions.
func moved(d *difference) bool {
	seen := map[any]bool{}
	for _, v := range d.versions {
		if f := field(v, "apiVersion"); !isAbsent(f) {
			seen[f] = true
		}
	}
	return len(seen) > 1
}

// relocated reports whether the namespace of a resource differs between versions.
func relocated(d *difference) bool {
	seen := map[any]bool{}
	for _, v := range d.versions {
		if meta := field(v, "metadata"); !isAbsent(meta) {
			seen[field(meta, "namespace")] = true
		}
	}
	return len(seen) > 1
}

// resourceBack reports whether the other program restores a resource that dest deleted.
func resourceBack(d *difference) bool {
	return !isAbsent(field(d.want, "metadata")) && isAbsent(d.got) && isAbsent(d.versions[1]) && !isAbsent(d.versions[0])
}

// twins reports whether a version of the list has duplicate keys, and the result keeps all their items as described at
// keepsTwins.
func twins(d *difference) bool {
	got, _ := d.got.([]any)
	return d.inKeyedList(func(l []any) bool { return !hasKeys(l) }) && keepsTwins(got, d.versions)
}

// keepsTwins reports whether got has the right number of items for each key: no more than the larger number in dest and
// updated, and no fewer than either side has minus those that the other side removed.
func keepsTwins(got []any, v versions) bool {
	var of [3]map[string]int
	for i := range of {
		l, _ := v[i].([]any)
		of[i] = tally(l)
	}
	o, d, u := of[0], of[1], of[2]
	for k, n := range tally(got) {
		if n > max(d[k], u[k]) {
			return false
		}
	}
	have := tally(got)
	for k := range union2(d, u) {
		if have[k] < max(d[k]-max(0, o[k]-u[k]), u[k]-max(0, o[k]-d[k])) {
			return false
		}
	}
	return true
}

// tally returns the number of items with each key.
func tally(l []any) map[string]int {
	n := map[string]int{}
	for _, e := range l {
		n[itemKey(e)]++
	}
	return n
}

func union2(a, b map[string]int) map[string]int {
	out := maps.Clone(a)
	maps.Copy(out, b)
	return out
}

// keyless reports whether an item in a version of the list has no key, and the result is that of merging the list as
// one value.
func keyless(d *difference) bool {
	noKey := func(e any) bool { return keyOf(e) == "" }
	return d.inKeyedList(func(l []any) bool { return slices.ContainsFunc(l, noKey) }) && reflect.DeepEqual(d.got, asWhole(d.versions))
}

// inKeyedList reports whether the items of the list at d have keys and holds is true for the list in a version.
func (d *difference) inKeyedList(holds func([]any) bool) bool {
	return paired(d.path) && slices.ContainsFunc(d.versions[:], func(v any) bool { l, ok := v.([]any); return ok && holds(l) })
}

// nulledList reports whether dest or updated has null in place of a list that only the other program keeps.
func nulledList(d *difference) bool {
	_, isList := d.want.([]any)
	return isList && isAbsent(d.got) && (d.versions[1] == nil || d.versions[2] == nil)
}

// ownItems reports whether the difference is items that only dest has, in a list that updated deleted.
func ownItems(d *difference) bool {
	return isAbsent(d.want) && isAbsent(d.versions[2]) && withinLists(d.got, d.versions[0], d.versions[1])
}

// withinLists reports whether got has nothing but keys and lists of items with keys that both original and dest have.
func withinLists(got, original, dest any) bool {
	if l, ok := original.([]any); ok {
		own, ok := dest.([]any)
		return ok && hasKeys(append(slices.Clone(l), own...)[:1])
	}
	o, ok := got.(object)
	for k, e := range o {
		ok = ok && (keyOf(o) == fmt.Sprintf("%s=%v", k, e) || withinLists(e, field(original, k), field(dest, k)))
	}
	return ok
}

// keyAsText reports whether the results have the same key of an item, but one has it as a string.
func keyAsText(d *difference) bool {
	isKey := d.name() == "ports" || d.up != nil && keyOf(d.up.got) == fmt.Sprintf("%s=%v", d.name(), d.want)
	return isKey && fmt.Sprint(d.got) == fmt.Sprint(d.want)
}

// anyProtocol reports whether d is the ports of a container and a port has no protocol.
func anyProtocol(d *difference) bool {
	if d.name() != "ports" {
		return false
	}
	for _, v := range d.versions {
		l, _ := v.([]any)
		for _, e := range l {
			if p := field(e, "protocol"); (isAbsent(p) || p == nil) && !isAbsent(field(e, "containerPort")) {
				return true
			}
		}
	}
	return false
}

// reordered reports whether the difference is the order of items that dest has in the order of the original. In this
// program's result, the items of dest are in the order of updated. The new items are in the order of updated too,
// either among the others or at the end.
func reordered(d *difference) bool {
	got, ok := d.got.([]string)
	if !ok {
		return false
	}
	original, dest, updated := d.versions[0].([]string), d.versions[1].([]string), d.versions[2].([]string)
	known := among(got, dest)
	added := slices.DeleteFunc(slices.Clone(got), func(k string) bool { return slices.Contains(dest, k) })
	inOrder := func(keys []string) bool { return slices.Equal(among(keys, updated), among(updated, keys)) }
	return slices.Equal(among(original, known), among(among(dest, known), original)) && inOrder(known) && inOrder(added) &&
		(inOrder(got) || slices.Equal(got, append(known, added...)))
}

// overlooked reports whether updated has a list with a directive of its own that the other program ignored: it comes
// after an item with a directive, or it is still in the other program's result.
func overlooked(d *difference) bool {
	own := func(e any) bool { return !isAbsent(field(e, "$patch")) && len(e.(object)) == 1 }
	u, _ := d.versions[2].([]any)
	want, _ := d.want.([]any)
	i := slices.IndexFunc(u, own)
	return i >= 0 && (slices.ContainsFunc(want, own) || slices.ContainsFunc(u[:i], func(e any) bool { return !isAbsent(field(e, "$patch")) }))
}

var merge3Classes = []class{
	{"a change of kind", mixed},
	{"an apiVersion that changes", above(moved)},
	{"a namespace that changes", above(relocated)},
	{"a resource that comes back", resourceBack},
	{"a map that comes back", comesBack},
	{"a map that stays empty", staysEmpty},
	{"aliases", aliased},
	{"keys that are inferred", above(inferred)},
	{"lists of values", isSet},
	{"keys as text", keyAsText},
	{"a change of type", retyped},
	{"items without their key", above(keyless)},
	{"keys that stand twice", above(twins)},
	{"null in the place of a list", nulledList},
	{"items of a list that updated deleted", ownItems},
	{"items that updated reordered", reordered},
	{"ports without protocol", above(anyProtocol)},
}

var merge2Classes = []class{
	{"a change of kind", mixed},
	{"directives that are overlooked", above(overlooked)},
	{"aliases", aliased},
	{"keys that are inferred", above(inferred)},
	{"lists of values", isSet},
	{"a change of type", retyped},
	{"items without their key", above(keyless)},
	{"keys that stand twice", above(twins)},
	{"ports without protocol", above(anyProtocol)},
}
