package schema

import (
	_ "embed"
	"slices"
	"strconv"
	"strings"
	"sync"
)

//go:generate go run -C gen .

// kubernetesText is the graph of Kubernetes' built-in types, as far as it
// has lists, atomic mappings, unions or images. Types that answer alike are one.
//
// A line per apiVersion, `apps/v1 Deployment:32 …`, gives the number of each
// kind's type, in base 36. After an empty line follow the types, by number, a line
// each: its fields, separated by spaces, `name:type`. A name may be followed by
// what kind of list the field is: `~` atomic, `|` a set, `#key,key=default` a map;
// the type is then the items'. `:type` is left out where nothing below is known;
// `name@` is the reference of an image. The field `*` stands for any. A line that
// starts with `!` is the type of an atomic mapping. `^a,b` is a union: at most one
// of these fields is there, where `a!v` is a with another value than v.
//
//go:embed kubernetes.txt
var kubernetesText string

// A kubernetesTable is kubernetesText, line by line.
type kubernetesTable struct{ heads, types []string }

// kubernetesTypes splits the table when the first list of a resource is asked
// for. Its lines are read where they are needed: a merge asks for few.
var kubernetesTypes = sync.OnceValue(splitKubernetes)

func splitKubernetes() *kubernetesTable {
	heads, types, _ := strings.Cut(kubernetesText, "\n\n")
	return &kubernetesTable{strings.Split(heads, "\n"), strings.Split(types, "\n")}
}

// kind returns the type of a kind of exactly this apiVersion, "" if there is none.
func (t *kubernetesTable) kind(apiVersion, kind string) string {
	for _, line := range t.heads {
		if v, kinds, _ := strings.Cut(line, " "); v == apiVersion {
			return kindIn(kinds, kind)
		}
	}
	return ""
}

// typesOf returns the type of a kind, or the types that it has in the versions
// of its group that the table knows, if it lacks this one.
func (t *kubernetesTable) typesOf(apiVersion, kind string) []string {
	if apiVersion == "" || kind == "" {
		return nil
	}
	if id := t.kind(apiVersion, kind); id != "" {
		return []string{id}
	}
	group := resourceOf(apiVersion, kind).group
	var ids []string
	for _, line := range t.heads {
		v, kinds, _ := strings.Cut(line, " ")
		if resourceOf(v, kind).group != group {
			continue
		}
		if id := kindIn(kinds, kind); id != "" {
			ids = append(ids, id)
		}
	}
	return ids
}

// kindIn finds a kind in `Deployment:32 …`.
func kindIn(kinds, kind string) string {
	for entry := range strings.SplitSeq(kinds, " ") {
		if name, id, _ := strings.Cut(entry, ":"); name == kind {
			return id
		}
	}
	return ""
}

// A resource is the type of a document.
type resource struct{ group, version, kind string }

// resourceOf splits an apiVersion into group and version.
func resourceOf(apiVersion, kind string) resource {
	group, version, ok := strings.Cut(apiVersion, "/")
	if !ok {
		group, version = "", apiVersion
	}
	return resource{group, version, kind}
}

// A shape is what the table says of a field.
type shape struct {
	list   string // as in the table, "" if it is no list; imageMark for an image
	atomic bool   // an atomic mapping
}

// builtin returns what Kubernetes says of the field at p. Types are those of
// the document; where they are several, they must agree as far as they know the path.
func builtin(types []string, p Place) (shape, bool) {
	if p.APIVersion == "" || p.Kind == "" || len(p.Path) == 0 {
		return shape{}, false
	}
	if len(types) == 0 {
		return kubernetesTypes().unknownKind(p)
	}
	return kubernetesTypes().agreed(types, p.Path)
}

// unknownKind answers for what all resources have in common: metadata, and
// the items of a DeploymentList.
func (t *kubernetesTable) unknownKind(p Place) (shape, bool) {
	kind, isList := strings.CutSuffix(p.Kind, "List")
	switch {
	case p.Path[0] == "metadata":
		return t.at(t.kind("v1", "ConfigMap"), p.Path)
	case isList && len(p.Path) > 2 && p.Path[0] == "items":
		return t.agreed(t.typesOf(p.APIVersion, kind), p.Path[2:])
	}
	return shape{}, false
}

// agreed returns what those of the types that know path say, if they say the same.
func (t *kubernetesTable) agreed(ids, path []string) (answer shape, ok bool) {
	for _, id := range ids {
		s, known := t.at(id, path)
		if !known {
			continue
		}
		if ok && s != answer {
			return shape{}, false
		}
		answer, ok = s, true
	}
	return answer, ok
}

// at returns what is known of the field at path below the type id. An item
// of a list is an element of its own in path.
func (t *kubernetesTable) at(id string, path []string) (shape, bool) {
	for i := 0; ; {
		list, next, ok := t.field(id, path[i])
		if !ok {
			return shape{}, false
		}
		if i++; list != "" && i < len(path) {
			if i++; list == imageMark || path[i-1] != "*" {
				return shape{}, false
			}
			list = ""
		}
		if i == len(path) {
			return shape{list, list == "" && t.atomic(next)}, list != "" || next != ""
		}
		id = next
	}
}

// field looks up a field of the type id.
func (t *kubernetesTable) field(id, name string) (list, next string, ok bool) {
	line := t.line(id)
	for line != "" {
		var f string
		f, line, _ = strings.Cut(line, " ")
		end := strings.IndexAny(f, "~|#@:")
		if end < 0 || f[0] == '^' || f[:end] != name && f[:end] != "*" {
			continue
		}
		list, next, _ = strings.Cut(f[end:], ":")
		return list, next, true
	}
	return "", "", false
}

func (t *kubernetesTable) atomic(id string) bool { return strings.HasPrefix(t.line(id), "!") }

// line returns the line of a type, "" where nothing is known of it.
func (t *kubernetesTable) line(id string) string {
	n, err := strconv.ParseUint(id, 36, 16)
	if err != nil || int(n) >= len(t.types) {
		return ""
	}
	return t.types[n]
}

// kubernetesList returns the list at p if it is one of a built-in type.
func kubernetesList(types []string, p Place) (List, bool) {
	s, ok := builtin(types, p)
	if !ok || s.list == "" || s.list == imageMark {
		return List{}, false
	}
	l := List{Source: "Kubernetes " + p.APIVersion + " " + p.Kind}
	switch s.list[0] {
	case '~':
		l.Kind = Atomic
	case '|':
		l.Kind = Set
	case '#':
		l.Kind = Map
		l.Keys, l.Defaults = decodeKeys(s.list[1:])
	}
	return l, true
}

// unordered are the lists of scalars of which Kubernetes says that they are one value, and whose
// order means nothing.
var unordered = []string{
	"accessModes", "add", "apiGroups", "apiVersions", "cidrs", "drop", "except", "hosts", "loadBalancerSourceRanges", "namespaces",
	"nonResourceURLs", "operations", "policyTypes", "resourceNames", "resources", "scopes", "usages", "values", "verbs",
}

// edited is l as people edit it in a file. That a list is one value (atomic) is about who owns
// it on a server: in a file it is a set, where its order means nothing, or ordered.
//
//	verbs: [get, list]     # a set
//	args: [--a, --b]       # ordered
func (l List) edited(p Place) List {
	if l.Kind == Atomic {
		l.Kind = Ordered
		switch name := p.Path[len(p.Path)-1]; {
		case slices.Contains(unordered, name):
			l.Kind = Set
		case name == "rules" && (p.Kind == "Role" || p.Kind == "ClusterRole"):
			l.Apart = []string{"apiGroups", "resources", "resourceNames", "nonResourceURLs"}
		}
	}
	return l
}

// decodeKeys reads `key,key=default`.
func decodeKeys(text string) (keys []string, defaults map[string]string) {
	for k := range strings.SplitSeq(text, ",") {
		name, value, ok := strings.Cut(k, "=")
		keys = append(keys, name)
		if ok && defaults == nil {
			defaults = map[string]string{}
		}
		if ok {
			defaults[name] = value
		}
	}
	return keys, defaults
}

// imageMark is how the table of Kubernetes' types marks the reference of an image.
const imageMark = "@"
