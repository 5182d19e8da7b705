package differential

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
)

type object = map[string]any

// absent is the value of a place where a version has nothing.
type absent struct{}

// A maker generates random values.
type maker struct{ *rand.Rand }

func newMaker(series, n uint64) maker { return maker{rand.New(rand.NewPCG(series, n))} }

func (m maker) pick(values ...any) any { return values[m.IntN(len(values))] }

// once reports true with a probability of 1 in n.
func (m maker) once(n int) bool { return m.IntN(n) == 0 }

// some returns a mapping with a random choice of the fields.
func (m maker) some(fields ...func(object)) object {
	o := object{}
	for _, f := range fields {
		if m.IntN(3) > 0 {
			f(o)
		}
	}
	return o
}

func (m maker) set(name string, values ...any) func(object) {
	return func(o object) { o[name] = copied(m.pick(values...)) }
}

func (m maker) in(name string, make func() any) func(object) {
	return func(o object) { o[name] = make() }
}

// items returns a function that generates a list of mappings with different keys.
func (m maker) items(key string, keys []any, make func() object) func() any {
	return func() any {
		l := []any{}
		for _, i := range m.Perm(len(keys)) {
			if m.IntN(2) > 0 {
				o := make()
				o[key] = keys[i]
				l = append(l, o)
			}
		}
		return l
	}
}

// copied returns a deep copy of v.
func copied(v any) any {
	switch x := v.(type) {
	case object:
		o := object{}
		for k := range x {
			o[k] = copied(x[k])
		}
		return o
	case []any:
		l := []any{}
		for _, e := range x {
			l = append(l, copied(e))
		}
		return l
	}
	return v
}

// mixed returns a copy of a with some values of b.
func (m maker) mixed(a, b any) any {
	switch a := a.(type) {
	case object:
		if b, ok := b.(object); ok {
			return m.mixedFields(a, b)
		}
	case []any:
		if b, ok := b.([]any); ok {
			return m.mixedItems(a, b)
		}
	}
	if m.once(4) {
		return b
	}
	return copied(a)
}

func (m maker) mixedFields(a, b object) object {
	out := object{}
	for _, k := range slices.Sorted(maps.Keys(a)) {
		switch _, both := b[k]; {
		case both:
			out[k] = m.mixed(a[k], b[k])
		case !m.once(4):
			out[k] = copied(a[k])
		}
	}
	for _, k := range slices.Sorted(maps.Keys(b)) {
		if _, both := a[k]; !both && m.once(4) {
			out[k] = b[k]
		}
	}
	return out
}

// mixedItems mixes the items that have the same key. If the items of a have no keys, it returns one of the two lists.
func (m maker) mixedItems(a, b []any) []any {
	if len(a) == 0 || keyOf(a[0]) == "" {
		return m.pick(copied(a), b).([]any)
	}
	out := []any{}
	for _, e := range a {
		other := itemOf(b, keyOf(e))
		switch {
		case other != absent{}:
			out = append(out, m.mixed(e, other))
		case !m.once(3):
			out = append(out, copied(e))
		}
	}
	for _, e := range b {
		if (itemOf(a, keyOf(e)) == absent{}) && m.once(2) {
			out = append(out, e)
		}
	}
	if m.once(6) {
		m.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	}
	return out
}

// keyOf returns the key by which the patch strategies match items like e, as "field=value", or "" if e has none.
func keyOf(e any) string {
	o, ok := e.(object)
	if !ok {
		return ""
	}
	for _, key := range []string{"containerPort", "port", "mountPath", "name"} {
		if o[key] != nil {
			return fmt.Sprintf("%s=%v", key, o[key])
		}
	}
	return ""
}

// itemOf returns the item of l with that key, or absent.
func itemOf(l []any, key string) any {
	for _, e := range l {
		if keyOf(e) == key {
			return e
		}
	}
	return absent{}
}

// spoil changes some values below v, except for fields that identify a resource or item. If change returns false, it
// leaves the value unchanged.
func (m maker) spoil(v any, change func(any) (any, bool)) {
	switch x := v.(type) {
	case object:
		for _, k := range slices.Sorted(maps.Keys(x)) {
			if slices.Contains([]string{"apiVersion", "kind", "metadata", "name", "port", "containerPort", "mountPath"}, k) {
				continue
			}
			if m.once(10) {
				if e, ok := change(x[k]); ok {
					x[k] = e
					continue
				}
			}
			m.spoil(x[k], change)
		}
	case []any:
		for _, e := range x {
			m.spoil(e, change)
		}
	}
}

func toNull(any) (any, bool) { return nil, true }
