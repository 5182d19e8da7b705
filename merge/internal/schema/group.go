package schema

import (
	"slices"
	"strings"
)

// moved are the kinds that Kubernetes took from one API group into another.
var moved = map[[2]string]string{
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
	return a == "" || b == "" || Group(a, kind) == Group(b, kind)
}

// Group is the API group of a kind; where another one replaced it, that.
func Group(apiVersion, kind string) string {
	group, _, ok := strings.Cut(apiVersion, "/")
	if !ok {
		group = ""
	}
	if to, ok := moved[[2]string{group, kind}]; ok {
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

// Namespaced reports whether a kind is a built-in one of which each resource is in a
// namespace.
func Namespaced(apiVersion, kind string) bool {
	return !slices.Contains(clusterScoped, kind) && len(kubernetesTypes().typesOf(apiVersion, kind)) > 0
}

// parseKind reads a kind selector. It reports false where s is none.
func parseKind(s string) (kindSelector, bool) {
	group, kind, ok := strings.Cut(s, "/")
	if !ok {
		return kindSelector{anyGroup: true, kind: s}, isName(s)
	}
	if group == "core" {
		return kindSelector{kind: kind}, isName(kind)
	}
	return kindSelector{group: group, kind: kind}, isName(kind) && isGroup(group)
}

// isName reports whether s is a kind: letters and digits, a letter first.
func isName(s string) bool {
	for i := range len(s) {
		if !isAlpha(s[i]) && (i == 0 || !isDigit(s[i])) {
			return false
		}
	}
	return s != ""
}

// isGroup reports whether s is an API group and no version.
func isGroup(s string) bool {
	if len(s) > 1 && s[0] == 'v' && isDigit(s[1]) && !strings.Contains(s, ".") {
		return false
	}
	return s != "" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyz0123456789.-") == ""
}

func isAlpha(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

func isDigit(c byte) bool { return '0' <= c && c <= '9' }
