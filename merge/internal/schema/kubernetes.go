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

// kubernetesText describes the lists, unions and image references in Kubernetes' built-in types. Package gen generates
// it. Types with the same description are written once.
//
// The first part has a line for each apiVersion, with the kinds and the number of the type of each, in base 36:
//
//	apps/v1 ControllerRevision:k DaemonSet:l Deployment:1x
//
// The second part follows after an empty line. It has a line for each type, beginning with number 0. A line consists of
// fields separated by spaces:
//
//	name:type              a field with a value of this type; the field * is any field
//	name~:type             an atomic list with items of this type
//	name|:type             a set
//	name#key,key=default:type    a map list with these associative keys
//	name@                  an image reference
//	^a,b                   a union: only one of the fields may be present
//	^a!v,b                 the same, except that a only counts if its value is not v
//
// ":type" is omitted if the table has no description of the type.
//
//go:embed kubernetes.txt
var kubernetesText string

// A kubernetesTable holds the lines of both parts of kubernetesText.
type kubernetesTable struct{ kindLines, typeLines []string }

// kubernetesTypes returns the lines of kubernetesText, which it splits in the first call. A line is only parsed when it
// is needed, because a merge needs few of them.
var kubernetesTypes = sync.OnceValue(func() *kubernetesTable {
	heads, types, _ := strings.Cut(kubernetesText, "\n\n")
	return &kubernetesTable{strings.Split(heads, "\n"), strings.Split(types, "\n")}
})

// typesOf returns the types that a resource may have, each as its line in the table. For an unknown apiVersion, it
// returns the types of the kind in all versions of its API group, or nil.
func (t *kubernetesTable) typesOf(apiVersion, kind string) (types []string) {
	if apiVersion == "" || kind == "" {
		return nil
	}
	group := TypeOf(apiVersion, kind).Group
	for _, line := range t.kindLines {
		v, kinds, _ := strings.Cut(line, " ")
		if TypeOf(v, kind).Group != group {
			continue
		}
		for entry := range strings.SplitSeq(kinds, " ") {
			name, id, _ := strings.Cut(entry, ":")
			if name == kind && v == apiVersion {
				return []string{t.typeLine(id)}
			}
			if name == kind {
				types = append(types, t.typeLine(id))
			}
		}
	}
	return types
}

// A Type is the type of a resource: API group, version and kind.
type Type struct{ Group, Version, Kind string }

// TypeOf returns the group, version and kind of a document with this apiVersion and kind. apps/v1 has the group
// apps and the version v1; the group of v1 is "".
func TypeOf(apiVersion, kind string) Type {
	group, version, ok := strings.Cut(apiVersion, "/")
	if !ok {
		group, version = "", apiVersion
	}
	return Type{group, version, kind}
}

// builtinMark returns what Kubernetes' built-in types say about the field at p: how a list is merged, such as "#name"
// for the key name, "@" for an image reference, or "". types are the lines of the types that the document may have;
// without them, those of relatedTypes are used. ok is false if no type describes the field, or if two types differ.
func builtinMark(types []string, p Place) (mark string, ok bool) {
	if p.APIVersion == "" || p.Kind == "" || len(p.Path) == 0 {
		return "", false
	}
	t, path := kubernetesTypes(), p.Path
	if len(types) == 0 {
		types, path = t.relatedTypes(p)
	}
	for _, typeLine := range types {
		typeMark, fieldType, known := t.descend(typeLine, path)
		if !known || typeMark == "" && fieldType == "" {
			continue // the type does not have the field, or the table has nothing about it, as about an item that is a string
		}
		if ok && typeMark != mark {
			return "", false
		}
		mark, ok = typeMark, true
	}
	return mark, ok
}

// relatedTypes helps with a kind that is not built-in, but has parts that are. It returns the lines of types that
// describe the field at p, and the path of the field below these types, or nil if there are none.
//
//	DeploymentList, items.*.spec     a Deployment, spec
//	any kind, metadata.labels        a ConfigMap, metadata.labels
func (t *kubernetesTable) relatedTypes(p Place) (types, path []string) {
	kind, isList := strings.CutSuffix(p.Kind, "List")
	switch {
	case p.Path[0] == "metadata": // it is the same in all kinds, and ConfigMap is one of them
		return t.typesOf("v1", "ConfigMap"), p.Path
	case isList && len(p.Path) > 2 && p.Path[0] == "items": // items.* of a DeploymentList is a Deployment
		return t.typesOf(p.APIVersion, kind), p.Path[2:]
	}
	return nil, nil
}

// descend looks up the field at path below the type typeLine, a line of the table. path has names, and "*" for an item
// of a list. mark and fieldType are as in fieldOf. ok is false if the table lacks the field.
//
//	path, from a PodSpec    mark     fieldType
//	containers              #name    the line of a Container
//	containers.*            ""       the line of a Container
//	containers.*.image      @        ""
func (t *kubernetesTable) descend(typeLine string, path []string) (mark, fieldType string, ok bool) {
	fieldType = typeLine
	for _, name := range path {
		isList := mark != "" && mark != imageMark
		if isList && name == "*" { // leads to an item, whose type fieldType already is
			mark = ""
			continue
		}
		if mark != "" { // a list is followed only by "*", and an image by nothing
			return "", "", false
		}
		if mark, fieldType, ok = t.fieldOf(fieldType, name); !ok {
			return "", "", false
		}
	}
	return mark, fieldType, true
}

// fieldOf looks up the field called name in typeLine, the line of a type in the table. mark is how a list is merged,
// "@" for an image reference, or "". fieldType is the line of the type of its value or its items, or "" if the table
// has none. ok is false if the type lacks the field.
//
//	containers in "affinity:p containers#name:x"    #name, the line of x, true
func (t *kubernetesTable) fieldOf(typeLine, name string) (mark, fieldType string, ok bool) {
	for f := range strings.SplitSeq(typeLine, " ") {
		end := strings.IndexAny(f, "~|#@:")                  // the end of the name; a union, such as ^a,b, has none
		if end >= 0 && (f[:end] == name || f[:end] == "*") { // the field * has every name
			mark, id, _ := strings.Cut(f[end:], ":")
			return mark, t.typeLine(id), true
		}
	}
	return "", "", false
}

// typeLine returns the line of the table for the type whose number, in base 36, is id. The line has the type's fields,
// separated by spaces, as in "env#name:y image@". The result is "" if id is "".
func (t *kubernetesTable) typeLine(id string) string {
	if n, err := strconv.ParseUint(id, 36, 16); err == nil {
		return t.typeLines[n]
	}
	return ""
}

// KubernetesList returns how the list at p is merged according to Kubernetes' built-in types. For a kind that is not
// built-in, they still describe the lists in metadata. ok is false if they have no list at p, or if two versions of the
// kind merge it differently.
func (b *Builtin) KubernetesList(p Place) (l List, ok bool) {
	mark, ok := builtinMark(b.types(), p)
	if !ok || mark == "" || mark == imageMark {
		return List{}, false
	}
	l.Source = "Kubernetes " + p.APIVersion + " " + p.Kind
	switch mark[0] {
	case '~':
		l.Kind = Atomic
	case '|':
		l.Kind = Set
	case '#':
		l.Kind = Map
		l.Keys, l.Defaults = parseKeys(mark[1:])
		l.OrderMatters = p.Path[len(p.Path)-1] == "initContainers" // they run one after the other
	}
	return l, true
}

// unorderedFields are atomic lists of scalars in Kubernetes' types whose order has no meaning.
var unorderedFields = []string{
	"accessModes", "add", "apiGroups", "apiVersions", "cidrs", "drop", "except", "hosts", "loadBalancerSourceRanges", "namespaces",
	"nonResourceURLs", "operations", "policyTypes", "resourceNames", "resources", "scopes", "usages", "values", "verbs",
}

// distinctFields has the fields that distinguish the items of a list in an RBAC role or a NetworkPolicy, by kind and name
// of the list, because each item grants something of its own.
var distinctFields = map[string][]string{
	"Role rules":            {"apiGroups", "resources", "resourceNames", "nonResourceURLs"},
	"ClusterRole rules":     {"apiGroups", "resources", "resourceNames", "nonResourceURLs"},
	"NetworkPolicy ingress": {"from", "ports"},
	"NetworkPolicy egress":  {"to", "ports"},
	"NetworkPolicy from":    {"podSelector", "namespaceSelector", "ipBlock"},
	"NetworkPolicy to":      {"podSelector", "namespaceSelector", "ipBlock"},
	"NetworkPolicy ports":   {"protocol", "port", "endPort"},
}

// namedInFile has the associative keys of atomic lists in Kubernetes' types, by kind and name of the list, in the form of
// parseKeys. Programs keep or use only one item with the same keys.
var namedInFile = map[string]string{
	"EndpointSlice ports":              "name",           // discovery/v1 EndpointPort: all ports must have a unique name
	"Ingress rules":                    "host",           // networking/v1 IngressRule: a request matches a rule by its host
	"Ingress paths":                    "path,pathType=", // networking/v1 HTTPIngressPath: and a path by these two fields
	"StatefulSet volumeClaimTemplates": "metadata.name",  // the controller makes one claim for each name (getPersistentVolumeClaims)
}

// AsEditedInFile returns how l, the list at p, is merged in a file that both sides may edit. It changes only Atomic
// lists: Kubernetes declares lists as atomic for clients of a server, not for files. The last name of p and, except for
// a Set, the kind of p decide:
//
//	in namedInFile        a Map with the associative keys there
//	in unorderedFields    a Set, as verbs: [get, list]
//	all others            Ordered
func (l List) AsEditedInFile(p Place) List {
	if l.Kind != Atomic {
		return l
	}
	name := ""
	if len(p.Path) > 0 { // a definition may declare that the root is a list
		name = p.Path[len(p.Path)-1]
	}
	l.Kind, l.DistinctBy = Ordered, distinctFields[p.Kind+" "+name]
	if slices.Contains(unorderedFields, name) {
		l.Kind = Set
	}
	if keys := namedInFile[p.Kind+" "+name]; keys != "" {
		l.Kind = Map
		l.Keys, l.Defaults = parseKeys(keys)
	}
	return l
}

// parseKeys parses associative keys and their default values, written as key,key=default: "port,protocol=TCP" gives
// [port protocol] and {protocol: TCP}. defaults is nil if no key has one.
func parseKeys(text string) (keys []string, defaults map[string]string) {
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

// imageMark is the mark of an image reference in kubernetesText.
const imageMark = "@"

// replacedGroups maps the former API group of a kind, and the kind, to its current API group.
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

// currentGroup returns the API group in apiVersion, or the group that replaced it in newer versions of Kubernetes: apps
// for extensions/v1beta1 and Deployment. The group of v1 is "".
func currentGroup(apiVersion, kind string) string {
	group := TypeOf(apiVersion, kind).Group
	if current, ok := replacedGroups[[2]string{group, kind}]; ok {
		return current
	}
	return group
}

// clusterScoped are the built-in kinds whose resources are not in a namespace.
var clusterScoped = []string{
	"CSIDriver", "CSINode", "CertificateSigningRequest", "ClusterRole", "ClusterRoleBinding", "ClusterTrustBundle",
	"ComponentStatus", "DeviceClass", "DeviceTaintRule", "FlowSchema", "IPAddress", "IngressClass",
	"MutatingAdmissionPolicy", "MutatingAdmissionPolicyBinding", "MutatingWebhookConfiguration", "Namespace", "Node",
	"PersistentVolume", "PriorityClass", "PriorityLevelConfiguration", "ResourcePoolStatusRequest", "ResourceSlice",
	"RuntimeClass", "ServiceCIDR", "StorageClass", "StorageVersion", "StorageVersionMigration",
	"ValidatingAdmissionPolicy", "ValidatingAdmissionPolicyBinding", "ValidatingWebhookConfiguration",
	"VolumeAttachment", "VolumeAttributesClass",
}

// IsNamespaced reports whether kind is a built-in kind whose resources are in a namespace.
func IsNamespaced(apiVersion, kind string) bool {
	return !slices.Contains(clusterScoped, kind) && len(kubernetesTypes().typesOf(apiVersion, kind)) > 0
}

// stringMapParents are the fields that are maps of strings in Kubernetes' types, with the field that must contain them;
// "" means any field.
var stringMapParents = map[string]string{
	"matchLabels": "", "nodeSelector": "", "labels": "metadata", "annotations": "metadata", "limits": "resources", "requests": "resources",
}

// dataFields are the fields with the data of a resource, each after its kind.
var dataFields = []string{"ConfigMap data", "ConfigMap binaryData", "Secret data", "Secret stringData"}

// IsStringMap reports whether the mapping at p is a map of strings in Kubernetes' types, such as labels. Authors choose
// its keys, so two different keys mean different things. versions are the mapping in some versions, or nil: the result
// is false if one of them has a value that is not a scalar.
func IsStringMap(p Place, versions ...*syntax.Node) bool {
	if p.APIVersion == "" || p.Kind == "" || len(p.Path) == 0 {
		return false
	}
	name, parent := p.Path[len(p.Path)-1], ""
	if len(p.Path) > 1 {
		parent = p.Path[len(p.Path)-2]
	}
	requiredParent, isKnown := stringMapParents[name]
	isBelowParent := isKnown && (requiredParent == "" || requiredParent == parent)
	isData := len(p.Path) == 1 && slices.Contains(dataFields, p.Kind+" "+name)
	if !isData && !isBelowParent {
		return false
	}
	isOther := func(e *syntax.Entry) bool { return e.Key == nil || e.Value == nil || e.Value.Kind != syntax.Scalar }
	return !slices.ContainsFunc(versions, func(v *syntax.Node) bool { return v != nil && slices.ContainsFunc(v.Entries, isOther) })
}

// KubernetesKinds returns the names of the built-in kinds. A kind is repeated for each API version that has it.
func KubernetesKinds() (all []string) {
	for _, line := range kubernetesTypes().kindLines {
		_, kinds, _ := strings.Cut(line, " ")
		for entry := range strings.SplitSeq(kinds, " ") {
			name, _, _ := strings.Cut(entry, ":")
			all = append(all, name)
		}
	}
	return all
}
