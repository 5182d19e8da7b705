package differential

import (
	"maps"
	"slices"
	"strconv"
)

// widget is a kind without a schema.
var widget = kind{"example.com/v1", "Widget", nil, func(m maker) (string, any) {
	names := []any{"a", "b", "c"}
	return "spec", m.some(
		m.in("parts", m.items("name", names, func() object { return m.some(m.set("size", 1, 2)) })),
		m.in("mounts", m.items("mountPath", names, func() object { return m.some(m.set("name", "v", "w")) })),
		m.set("args", []any{"a"}, []any{"a", "b"}))
}}

// packages are the resources of original, dest and updated.
type packages [3][]any

// packages generates three versions of a resource. n selects the kind of the resource and the mishap.
func (m maker) packages(n int, mishaps []mishap) (p packages) {
	all := append([]kind{widget}, kinds...)
	k := all[n%len(all)]
	o := m.resource(k)
	p = packages{{o}, {m.mixed(o, m.resource(k))}, {m.mixed(o, m.resource(k))}}
	mishaps[n/len(all)%len(mishaps)](m, &p)
	return p
}

// A mishap adds something unusual to the versions of a resource.
type mishap func(maker, *packages)

func spoiled(change func(maker, any) (any, bool)) mishap {
	return func(m maker, p *packages) {
		m.spoil(p[m.IntN(3)][0], func(v any) (any, bool) { return change(m, v) })
	}
}

var (
	none            mishap = func(maker, *packages) {}
	nulls                  = spoiled(func(_ maker, v any) (any, bool) { return toNull(v) })
	otherKinds             = spoiled(maker.toAnother)
	otherTypes             = spoiled(func(_ maker, v any) (any, bool) { return toOtherType(v) })
	resourceMishaps        = []mishap{none, nulls, otherKinds, otherTypes, maker.aliases, maker.doubled, maker.keyless}
	streamMishaps          = append(slices.Clone(resourceMishaps), maker.lacking, maker.bumped, maker.relocated)
	patchMishaps           = append(slices.Clone(resourceMishaps), maker.patches)
)

// toAnother returns a value that may be of another kind. It leaves protocols unchanged, because they are part of a key.
func (m maker) toAnother(v any) (any, bool) {
	return m.pick("text", object{"k": "v"}, []any{"x"}), v != "TCP" && v != "UDP"
}

// toOtherType converts a number to a string, and a string of digits to a number.
func toOtherType(v any) (any, bool) {
	switch x := v.(type) {
	case int:
		return strconv.Itoa(x), true
	case string:
		i, err := strconv.Atoi(x)
		return i, err == nil
	}
	return v, false
}

// aliases adds an anchor to the labels, and replaces some mappings by an alias of the labels.
func (m maker) aliases(p *packages) {
	for _, rs := range p {
		meta := rs[0].(object)["metadata"].(object)
		labels := field(meta, "labels")
		if isAbsent(labels) {
			labels = object{"a": "1"}
		}
		meta["labels"] = anchored{labels}
		for _, path := range [][]string{{"spec", "selector"}, {"spec", "nodeSelector"}, {"spec", "template", "spec", "nodeSelector"}} {
			var o any = rs[0]
			for _, f := range path[:len(path)-1] {
				o = field(o, f)
			}
			if holder, ok := o.(object); ok && !m.once(4) {
				holder[path[len(path)-1]] = alias{labels}
			}
		}
	}
}

// doubled adds a second item with the same key to lists with keys.
func (m maker) doubled(p *packages) {
	for _, rs := range p {
		spec := rs[0].(object)["spec"]
		for _, f := range []string{"volumes", "ports", "parts"} {
			l, _ := field(spec, f).([]any)
			if len(l) == 0 {
				continue
			}
			twin := copied(l[0]).(object)
			twin["twin"] = m.pick("1", "2")
			spec.(object)[f] = append(slices.Clone(l), twin)
		}
	}
}

// keyless adds an item without a key to some lists.
func (m maker) keyless(p *packages) {
	for _, rs := range p {
		spec := rs[0].(object)["spec"]
		for _, f := range []string{"volumes", "ports", "containers", "parts"} {
			if l, ok := field(spec, f).([]any); ok && m.once(2) {
				spec.(object)[f] = append(slices.Clone(l), object{"twin": m.pick("1", "2")})
			}
		}
	}
}

// lacking adds a second resource to some of the versions.
func (m maker) lacking(p *packages) {
	for i := range p {
		r := object{"apiVersion": "v1", "kind": "ConfigMap", "metadata": object{"name": "second"}, "data": object{"a": m.pick("1", "2")}}
		if m.once(2) {
			p[i] = append(p[i], r)
		}
	}
}

// bumped gives a Deployment in original and dest an older apiVersion at random, as if updated moved to a newer API.
func (m maker) bumped(p *packages) {
	for i := range 2 {
		if r := p[i][0].(object); r["kind"] == "Deployment" && m.once(2) {
			r["apiVersion"] = "apps/v1beta2"
		}
	}
}

// relocated adds a namespace to dest and updated at random.
func (m maker) relocated(p *packages) {
	for i := range 2 {
		if m.once(2) {
			p[1+i][0].(object)["metadata"].(object)["namespace"] = m.pick("x", "y")
		}
	}
}

// patches adds directives to updated at random.
func (m maker) patches(p *packages) {
	for _, f := range []string{"spec", "data"} {
		m.patch(field(p[2][0], f))
	}
}

func (m maker) patch(v any) {
	directive := func() any { return m.pick("delete", "replace", "merge") }
	switch x := v.(type) {
	case object:
		for _, k := range slices.Sorted(maps.Keys(x)) {
			m.patch(x[k])
			if l, ok := x[k].([]any); ok && len(l) > 0 && isItems("."+k) && m.once(4) {
				x[k] = append(slices.Clone(l), object{"$patch": directive()})
			}
		}
		if m.once(4) {
			x["$patch"] = directive()
		}
	case []any:
		for _, e := range x {
			if keyOf(e) != "" {
				m.patch(e)
			}
		}
	}
}
