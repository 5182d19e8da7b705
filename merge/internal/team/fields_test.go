package team

import (
	"reflect"
	"strings"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/access"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
)

// TestAccessPresets checks that for a place of each preset, a field is an access field.
func TestAccessPresets(t *testing.T) {
	for _, c := range []struct{ file, resource, path, field string }{
		{"", "rbac.authorization.k8s.io/v1 Role", "rules.*", "verbs"},
		{"", "rbac.authorization.k8s.io/v1 ClusterRole", "rules.*", "nonResourceURLs"},
		{"", "rbac.authorization.k8s.io/v1 RoleBinding", "", "subjects"},
		{"", "rbac.authorization.k8s.io/v1 ClusterRoleBinding", "", "roleRef"},
		{"charts/x/templates/role.yaml", " ", "rules.*", "verbs"},
		{"charts/x/templates/rbac.yaml", " ", "", "roleRef"},
		{"charts/x/values.yaml", " ", "rbac.rules.*", "verbs"},
		{"", "operators.coreos.com/v1alpha1 ClusterServiceVersion", "spec.install.spec.clusterPermissions.*.rules.*", "verbs"},
		{"", "networking.k8s.io/v1 NetworkPolicy", "spec.ingress.*", "from"},
		{"", "networking.k8s.io/v1 NetworkPolicy", "spec.egress.*", "to"},
		{"", "networking.k8s.io/v1 NetworkPolicy", "spec.ingress.*.from.*", "namespaceSelector"},
		{"charts/x/values.yaml", " ", "networkPolicy.extraIngress.*", "from"},
		{"", "projectcalico.org/v3 GlobalNetworkPolicy", "spec.ingress.*", "source"},
		{"", "projectcalico.org/v3 GlobalNetworkPolicy", "spec.egress.*.destination", "ports"},
		{"", "cilium.io/v2 CiliumNetworkPolicy", "spec.ingress.*", "fromEndpoints/fromEntities/fromCIDR/fromCIDRSet/fromNodes/fromGroups"},
		{"", "cilium.io/v2 CiliumClusterwideNetworkPolicy", "specs.*.egress.*", "toPorts/icmps"},
		{"", "security.istio.io/v1 AuthorizationPolicy", "spec.rules.*", "to"},
		{"", "security.istio.io/v1 AuthorizationPolicy", "spec", "action"},
		{"", "security.istio.io/v1 AuthorizationPolicy", "spec.rules.*.from.*.source", "principals"},
		{"", "security.istio.io/v1 AuthorizationPolicy", "spec.rules.*.to.*.operation", "methods"},
		{"", "argoproj.io/v1alpha1 AppProject", "spec", "destinations"},
		{"", "argoproj.io/v1alpha1 AppProject", "spec.destinations.*", "server/name"},
		{"", "argoproj.io/v1alpha1 AppProject", "spec.clusterResourceWhitelist.*", "kind"},
		{"", "argoproj.io/v1alpha1 AppProject", "spec.roles.*", "groups"},
		{"any.yaml", " ", "Resources.R.Properties.Policies.*.PolicyDocument.Statement.*", "Action/NotAction"},
		{"any.yaml", " ", "Resources.R.Properties.AssumeRolePolicyDocument.Statement", "Principal/NotPrincipal"},
		{"serverless.yml", " ", "provider.iam.role.statements.*", "Resource/NotResource"},
		{"serverless.yml", " ", "functions.f.iamRoleStatements.*", "Effect"},
		{"any.yaml", " ", "Resources.G.Properties.SecurityGroupEgress.*", "FromPort/ToPort"},
		{"any.yaml", " ", "Resources.G.Properties", "IpProtocol"},
		{"playbook.yml", " ", "*.tasks.*.rules.*", "from_port/to_port/ports"},
		{"any.yaml", " ", "auth.*.roles.*", "policies/token_policies"},
		{"any.yaml", " ", "policies.*", "capabilities"},
		{"any.yaml", " ", "bindings.*", "members"},
	} {
		p := place(c.resource, c.path)
		if p.File = c.file; c.path == "" {
			p.Path = nil
		}
		found := false
		for _, m := range new(Rules).AccessFields(p) {
			for _, f := range m {
				found = found || f.String() == c.field
			}
		}
		if !found {
			t.Errorf("%s %s %s: %s is not an access field", c.file, c.resource, c.path, c.field)
		}
	}
	if m := new(Rules).AccessFields(place("apps/v1 Deployment", "spec.template.spec.containers.*")); m != nil {
		t.Errorf("in a container %v", m)
	}
}

// TestTeamOverridesAccess checks that the first of the team's rules for a mapping is the only one used, even if it
// declares that the mapping has no access fields.
func TestTeamOverridesAccess(t *testing.T) {
	r := parseTeam(t, "rules:\n- access: {'rules[*]': [], grants.*: [role, team|-all, days=*]}\n- access: {grants.*: [a, b]}\n")
	if m := r.AccessFields(place("rbac.authorization.k8s.io/v1 Role", "rules.*")); m != nil {
		t.Errorf("the team's rules have no access fields here: %v", m)
	}
	m := r.AccessFields(place(" ", "grants.x"))
	var want access.Fields
	for _, text := range []string{"role", "team|-all", "days=*"} {
		f, err := access.ParseField(text)
		if err != nil {
			t.Fatal(err)
		}
		want = append(want, f)
	}
	if !reflect.DeepEqual(m, []access.Fields{want}) {
		t.Errorf("%+v", m)
	}
}

func TestIsImage(t *testing.T) {
	team, err := Parse("f", []byte("rules:\n- kinds: argoproj.io/Workflow\n  images: spec.templates.*.container.image\n"), "")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		rules                *Rules
		file, resource, path string
		want                 bool
	}{
		{nil, "", "apps/v1 Deployment", "spec.template.spec.containers.*.image", true},
		{nil, "", "apps/v1 Deployment", "spec.template.spec.initContainers.*.image", true},
		{nil, "", "apps/v9 Deployment", "spec.template.spec.containers.*.image", true},
		{nil, "", "batch/v1 CronJob", "spec.jobTemplate.spec.template.spec.containers.*.image", true},
		{nil, "", "v1 Pod", "spec.ephemeralContainers.*.image", true},
		{nil, "", "apps/v1 DeploymentList", "items.*.spec.template.spec.containers.*.image", true},
		{nil, "", "apps/v1 Deployment", "spec.template.spec.containers.image", false},
		{nil, "", "apps/v1 Deployment", "spec.template.spec.containers.*.image.*", false},
		{nil, "", "apps/v1 Deployment", "spec.template.spec.containers.*.name", false},
		{nil, "", "apps/v1 Deployment", "spec.image", false},
		{nil, "", "example.com/v1 Deployment", "spec.template.spec.containers.*.image", false},
		{nil, "", "argoproj.io/v1alpha1 Workflow", "spec.templates.*.container.image", false},
		{team, "", "argoproj.io/v1alpha1 Workflow", "spec.templates.*.container.image", true},
		{team, "", "apps/v1 Deployment", "spec.template.spec.containers.*.image", true},
		{nil, "docker-compose.yml", " ", "services.web.image", true},
		{nil, "docker-compose.yml", " ", "services.web.build", false},
		{nil, "values.yaml", " ", "services.web.image", false},
		{nil, ".github/workflows/ci.yaml", " ", "jobs.a.container", true},
		{nil, ".github/workflows/ci.yaml", " ", "jobs.a.container.image", true},
		{nil, ".github/workflows/ci.yaml", " ", "jobs.a.services.db.image", true},
		{nil, ".github/workflows/ci.yaml", " ", "jobs.a.image", false},
	} {
		p := place(c.resource, c.path)
		p.File = c.file
		if got := c.rules.IsImage(p); got != c.want {
			t.Errorf("%s %s %s: %v", c.file, c.resource, c.path, got)
		}
	}
}

func TestAreDistinctFields(t *testing.T) {
	for _, c := range []struct {
		file, path, a, b string
		want             bool
	}{
		{"pod.yaml", "spec.containers.*.resources", "limits", "requests", true},
		{"values.yaml", "web.resources", "requests", "limits", true},
		{"pod.yaml", "spec.containers.*", "command", "args", true},
		{"pod.yaml", "spec.containers.*.securityContext.capabilities", "add", "drop", true},
		{"pod.yaml", "spec.containers.*", "command", "command", false},
		{"pod.yaml", "spec.containers.*", "command", "cmd", false},
		{"pod.yaml", "services", "web", "db", false},
		{".github/workflows/ci.yaml", "on.push", "branches", "branches-ignore", true},
		{".github/workflows/ci.yaml", "on.push", "branches", "tags", true},
		{".github/workflows/ci.yaml", "jobs", "branches", "tags", false},
		{"compose.yaml", "services.web", "cap_add", "cap_drop", true},
		{"package.json", ".", "dependencies", "devDependencies", true},
	} {
		p := schema.Place{File: c.file, Path: strings.Split(c.path, ".")}
		if c.path == "." {
			p.Path = nil
		}
		if got := new(Rules).AreDistinctFields(p, c.a, c.b); got != c.want {
			t.Errorf("%s %s: %s and %s: %v", c.file, c.path, c.a, c.b, got)
		}
	}
	if !new(Rules).AreDistinctFields(place("v1 Pod", "spec.containers.*.env.*"), "value", "valueFrom") {
		t.Error("fields that exclude each other are not distinct")
	}
}
