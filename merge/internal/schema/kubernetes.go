package schema

import (
	_ "embed"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
)

//go:generate go run -C gen .

// kubernetesText is the graph of Kubernetes' built-in types, as far as it
// has lists, unions or images. Types that answer alike are one.
//
// A line per apiVersion, `apps/v1 Deployment:32 …`, gives the number of each
// kind's type, in base 36. After an empty line follow the types, by number, a line
// each: its fields, separated by spaces, `name:type`. A name may be followed by
// what kind of list the field is: `~` atomic, `|` a set, `#key,key=default` a map;
// the type is then the items'. `:type` is left out where nothing below is known;
// `name@` is the reference of an image. The field `*` stands for any. `^a,b` is a
// union: at most one of these fields is there, where `a!v` is a with another value than v.
//
//go:embed kubernetes.txt
var kubernetesText string

// A kubernetesTable is kubernetesText, line by line.
type kubernetesTable struct{ kindLines, typeLines []string }

// kubernetesTypes splits the table when the first list of a resource is asked
// for. Its lines are read where they are needed: a merge asks for few.
var kubernetesTypes = sync.OnceValue(func() *kubernetesTable {
	heads, types, _ := strings.Cut(kubernetesText, "\n\n")
	return &kubernetesTable{strings.Split(heads, "\n"), strings.Split(types, "\n")}
})

// typesOf returns the type of a kind, or the types that it has in the versions
// of its group that the table knows, if it lacks this one.
func (t *kubernetesTable) typesOf(apiVersion, kind string) (ids []string) {
	if apiVersion == "" || kind == "" {
		return nil
	}
	group := resourceOf(apiVersion, kind).group
	for _, line := range t.kindLines {
		v, kinds, _ := strings.Cut(line, " ")
		if resourceOf(v, kind).group != group {
			continue
		}
		for entry := range strings.SplitSeq(kinds, " ") {
			name, id, _ := strings.Cut(entry, ":")
			switch {
			case name != kind:
			case v == apiVersion:
				return []string{id}
			default:
				ids = append(ids, id)
			}
		}
	}
	return ids
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

// builtinMark returns what Kubernetes says of the field at p, as in the table: "" for no list,
// imageMark for an image. Types are those of the document; where they are several, they must
// agree as far as they know the path. Of an unknown kind it knows what all resources have in
// common: metadata, and the items of a DeploymentList.
func builtinMark(types []string, p Place) (list string, ok bool) {
	if p.APIVersion == "" || p.Kind == "" || len(p.Path) == 0 {
		return "", false
	}
	t := kubernetesTypes()
	if len(types) == 0 {
		kind, isList := strings.CutSuffix(p.Kind, "List")
		switch {
		case p.Path[0] == "metadata":
			types = t.typesOf("v1", "ConfigMap")
		case isList && len(p.Path) > 2 && p.Path[0] == "items":
			types, p.Path = t.typesOf(p.APIVersion, kind), p.Path[2:]
		}
	}
	for _, id := range types {
		said, next, known := t.descend(id, p.Path)
		switch {
		case !known || said == "" && next == "":
		case ok && said != list:
			return "", false
		default:
			list, ok = said, true
		}
	}
	return list, ok
}

// descend goes down path from the type id, and returns what the field there is and its type. An item
// of a list is an element of its own in path.
func (t *kubernetesTable) descend(id string, path []string) (list, next string, ok bool) {
	next = id
	for i := 0; i < len(path); i++ {
		switch {
		case list == imageMark || list != "" && path[i] != "*":
			return "", "", false
		case list != "":
			list = ""
			continue
		}
		if list, next, ok = t.fieldOf(next, path[i]); !ok {
			return "", "", false
		}
	}
	return list, next, true
}

// fieldOf looks up a field of the type id.
func (t *kubernetesTable) fieldOf(id, name string) (list, next string, ok bool) {
	line := t.typeLine(id)
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

// typeLine returns the line of a type, "" where nothing is known of it.
func (t *kubernetesTable) typeLine(id string) string {
	n, err := strconv.ParseUint(id, 36, 16)
	if err != nil || int(n) >= len(t.typeLines) {
		return ""
	}
	return t.typeLines[n]
}

// kubernetesList returns the list at p if it is one of a built-in type.
func kubernetesList(types []string, p Place) (List, bool) {
	list, ok := builtinMark(types, p)
	if !ok || list == "" || list == imageMark {
		return List{}, false
	}
	l := List{Source: "Kubernetes " + p.APIVersion + " " + p.Kind}
	switch list[0] {
	case '~':
		l.Kind = Atomic
	case '|':
		l.Kind = Set
	case '#':
		l.Kind = Map
		l.Keys, l.Defaults = decodeKeys(list[1:])
	}
	return l, true
}

// unorderedFields are the lists of scalars of which Kubernetes says that they are one value, and whose
// order means nothing.
var unorderedFields = []string{
	"accessModes", "add", "apiGroups", "apiVersions", "cidrs", "drop", "except", "hosts", "loadBalancerSourceRanges", "namespaces",
	"nonResourceURLs", "operations", "policyTypes", "resourceNames", "resources", "scopes", "usages", "values", "verbs",
}

// asEditedInFile is l as people edit it in a file. That a list is one value (atomic) is about who owns
// it on a server: in a file it is a set, where its order means nothing, or ordered.
//
//	verbs: [get, list]     # a set
//	args: [--a, --b]       # ordered
func (l List) asEditedInFile(p Place) List {
	if l.Kind == Atomic {
		l.Kind = Ordered
		switch name := p.Path[len(p.Path)-1]; {
		case slices.Contains(unorderedFields, name):
			l.Kind = Set
		case name == "rules" && (p.Kind == "Role" || p.Kind == "ClusterRole"):
			l.DistinctBy = []string{"apiGroups", "resources", "resourceNames", "nonResourceURLs"}
		}
	}
	return l
}

// decodeKeys reads `key,key=default`.
func decodeKeys(text string) (keys []string, defaults map[string]string) {
	for k := range strings.SplitSeq(text, ",") {
		name, value, ok := strings.Cut(k, "=")
		keys = append(keys, name)
		if ok {
			if defaults == nil {
				defaults = map[string]string{}
			}
			defaults[name] = value
		}
	}
	return keys, defaults
}

// imageMark is how the table of Kubernetes' types marks the reference of an image.
const imageMark = "@"

// replacedGroups are the kinds that Kubernetes took from one API group into another.
var replacedGroups = map[[2]string]string{
	{"extensions", "DaemonSet"}:               "apps",
	{"extensions", "Deployment"}:              "apps",
	{"extensions", "ReplicaSet"}:              "apps",
	{"extensions", "HorizontalPodAutoscaler"}: "autoscaling",
	{"extensions", "Ingress"}:                 "networking.k8s.io",
	{"extensions", "NetworkPolicy"}:           "networking.k8s.io",
	{"extensions", "PodSecurityPolicy"}:       "policy",
	{"", "Event"}:                             "events.k8s.io",
}

// SameGroup reports whether two apiVersions of a kind are of one API group, or of two
// of which one replaced the other. One that says nothing is of any.
func SameGroup(a, b, kind string) bool {
	return a == "" || b == "" || CurrentGroup(a, kind) == CurrentGroup(b, kind)
}

// CurrentGroup is the API group of a kind; where another one replaced it, that.
func CurrentGroup(apiVersion, kind string) string {
	group := resourceOf(apiVersion, kind).group
	if to, ok := replacedGroups[[2]string{group, kind}]; ok {
		return to
	}
	return group
}

// clusterScoped are the built-in kinds that are in no namespace.
var clusterScoped = []string{
	"CSIDriver", "CSINode", "CertificateSigningRequest", "ClusterRole", "ClusterRoleBinding", "ClusterTrustBundle",
	"ComponentStatus", "DeviceClass", "DeviceTaintRule", "FlowSchema", "IPAddress", "IngressClass",
	"MutatingAdmissionPolicy", "MutatingAdmissionPolicyBinding", "MutatingWebhookConfiguration", "Namespace", "Node",
	"PersistentVolume", "PriorityClass", "PriorityLevelConfiguration", "ResourcePoolStatusRequest", "ResourceSlice",
	"RuntimeClass", "ServiceCIDR", "StorageClass", "StorageVersion", "StorageVersionMigration",
	"ValidatingAdmissionPolicy", "ValidatingAdmissionPolicyBinding", "ValidatingWebhookConfiguration",
	"VolumeAttachment", "VolumeAttributesClass",
}

// IsNamespaced reports whether a kind is a built-in one of which each resource is in a
// namespace.
func IsNamespaced(apiVersion, kind string) bool {
	return !slices.Contains(clusterScoped, kind) && len(kubernetesTypes().typesOf(apiVersion, kind)) > 0
}

// OneOf is what fields of a mapping exclude each other: at most one of its
// members is there.
type OneOf []Member

// A Member is a field of a union that is there and not null; with Not, one that
// has another value than this: a strategy of another type than RollingUpdate
// excludes the field rollingUpdate.
type Member struct{ Field, Not string }

// OneOf returns what excludes each other in the mapping at p: what the team's
// rules, Kubernetes' types and the presets say of it.
func (r *Rules) OneOf(p Place) []OneOf {
	sel := r.selectionFor(p)
	all := slices.Collect(matchingRules(sel.team, p.Path, oneOfRules))
	for _, id := range sel.types() {
		if list, next, ok := kubernetesTypes().descend(id, p.Path); ok && list == "" {
			for f := range strings.SplitSeq(kubernetesTypes().typeLine(next), " ") {
				if text, ok := strings.CutPrefix(f, "^"); ok {
					all = append(all, decodeUnion(text))
				}
			}
		}
		if len(all) > 0 {
			return all
		}
	}
	return slices.AppendSeq(all, matchingRules(sel.typelessPresets(), p.Path, oneOfRules))
}

func oneOfRules(e *rulesEntry) []rule[OneOf] { return e.oneOf }

// decodeUnion reads `field,field!value`.
func decodeUnion(text string) OneOf {
	var u OneOf
	for f := range strings.SplitSeq(text, ",") {
		field, not, _ := strings.Cut(f, "!")
		u = append(u, Member{field, not})
	}
	return u
}

func (u OneOf) hasName(field string) bool {
	return slices.ContainsFunc(u, func(m Member) bool { return m.Field == field })
}

// CountPresent returns how many members of u a mapping of these entries has.
func (u OneOf) CountPresent(entries []*syntax.Entry) int {
	held := 0
	for _, e := range entries {
		if slices.ContainsFunc(u, func(m Member) bool { return m.isPresentIn(e) }) {
			held++
		}
	}
	return held
}

// HasField reports whether e is a field of u, whatever its value.
func (u OneOf) HasField(e *syntax.Entry) bool { return e.Key != nil && u.hasName(e.Key.Value) }

func (m Member) isPresentIn(e *syntax.Entry) bool {
	if e.Key == nil || e.Key.Value != m.Field || e.Value.IsNull() {
		return false
	}
	return m.Not == "" || e.Value.Kind == syntax.Scalar && e.Value.Value != m.Not
}

// String names the fields of u.
func (u OneOf) String() string {
	var names []string
	for _, m := range u {
		names = append(names, m.Field)
	}
	return strings.Join(names, ", ")
}

// stringMapParents are fields that Kubernetes has as maps of strings, each with the field that holds it; "" is any.
var stringMapParents = map[string]string{
	"matchLabels": "", "nodeSelector": "", "labels": "metadata", "annotations": "metadata", "limits": "resources", "requests": "resources",
}

// isDataField reports whether a resource of kind is made of the data in the field name.
func isDataField(kind, name string) bool {
	switch kind {
	case "ConfigMap":
		return name == "data" || name == "binaryData"
	case "Secret":
		return name == "data" || name == "stringData"
	}
	return false
}

// isStringMap reports whether Kubernetes has a map of strings at p, and the versions (nil where one has none)
// hold nothing else. Its keys are names: two entries are never two ways to say one thing.
func isStringMap(p Place, versions ...*syntax.Node) bool {
	if p.APIVersion == "" || p.Kind == "" || len(p.Path) == 0 {
		return false
	}
	name, above := p.Path[len(p.Path)-1], ""
	if len(p.Path) > 1 {
		above = p.Path[len(p.Path)-2]
	}
	in, known := stringMapParents[name]
	data := len(p.Path) == 1 && isDataField(p.Kind, name)
	if !data && (!known || in != "" && in != above) {
		return false
	}
	return !slices.ContainsFunc(versions, func(v *syntax.Node) bool {
		return v != nil && slices.ContainsFunc(v.Entries, func(e *syntax.Entry) bool {
			return v.Kind != syntax.Mapping || e.Value == nil || e.Value.Kind != syntax.Scalar
		})
	})
}

// AreDistinctFields reports whether a and b are two fields of the mapping at p that are known to mean different things, so that
// one is not the other under a new name: they exclude each other, or a preset says so.
func (r *Rules) AreDistinctFields(p Place, a, b string) bool {
	both := func(u OneOf) bool { return a != b && u.hasName(a) && u.hasName(b) }
	if slices.ContainsFunc(r.OneOf(p), both) {
		return true
	}
	for u := range matchingRules(r.selectionFor(p).typelessPresets(), p.Path, distinctRules) {
		if both(u) {
			return true
		}
	}
	return false
}

func distinctRules(e *rulesEntry) []rule[OneOf] { return e.distinct }
