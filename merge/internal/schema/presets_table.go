// Code generated from presets.yaml by go generate. DO NOT EDIT.

package schema

func presetTable() []*entry {
	return []*entry{
		{
			files: []glob{
				{segments: []string{"kustomization.yaml"}, base: true},
				{segments: []string{"kustomization.yml"}, base: true},
				{segments: []string{"Kustomization"}, base: true},
			},
			kinds: nil,
			lists: []listRule{
				{at: pattern{element{name: "resources"}}, list: List{Kind: 0x2, Source: "preset kustomization"}},
				{at: pattern{element{name: "components"}}, list: List{Kind: 0x2, Source: "preset kustomization"}},
				{at: pattern{element{name: "bases"}}, list: List{Kind: 0x2, Source: "preset kustomization"}},
				{at: pattern{element{name: "crds"}}, list: List{Kind: 0x2, Source: "preset kustomization"}},
				{at: pattern{element{name: "generators"}}, list: List{Kind: 0x2, Source: "preset kustomization"}},
				{at: pattern{element{name: "transformers"}}, list: List{Kind: 0x2, Source: "preset kustomization"}},
				{at: pattern{element{name: "validators"}}, list: List{Kind: 0x2, Source: "preset kustomization"}},
				{at: pattern{element{name: "configurations"}}, list: List{Kind: 0x2, Source: "preset kustomization"}},
				{at: pattern{element{name: "patchesStrategicMerge"}}, list: List{Kind: 0x2, Source: "preset kustomization"}},
				{at: pattern{element{name: "images"}}, list: List{Kind: 0x1, Keys: []string{"name"}, Source: "preset kustomization"}},
				{at: pattern{element{name: "replicas"}}, list: List{Kind: 0x1, Keys: []string{"name"}, Source: "preset kustomization"}},
				{at: pattern{element{name: "vars"}}, list: List{Kind: 0x1, Keys: []string{"name"}, Source: "preset kustomization"}},
				{at: pattern{element{name: "configMapGenerator"}}, list: List{Kind: 0x1, Keys: []string{"name", "namespace"}, Defaults: map[string]string{"namespace": ""}, Source: "preset kustomization"}},
				{at: pattern{element{name: "secretGenerator"}}, list: List{Kind: 0x1, Keys: []string{"name", "namespace"}, Defaults: map[string]string{"namespace": ""}, Source: "preset kustomization"}},
				{at: pattern{element{wild: 0x1}, element{wild: 0x1}, element{name: "literals"}}, list: List{Kind: 0x1, Separators: []string{"="}, Source: "preset kustomization"}},
				{at: pattern{element{wild: 0x1}, element{wild: 0x1}, element{name: "files"}}, list: List{Kind: 0x1, Separators: []string{"="}, Source: "preset kustomization"}},
				{at: pattern{element{name: "patches"}}, list: List{Kind: 0x0, Source: "preset kustomization"}},
				{at: pattern{element{name: "patchesJson6902"}}, list: List{Kind: 0x0, Source: "preset kustomization"}},
				{at: pattern{element{name: "replacements"}}, list: List{Kind: 0x0, Source: "preset kustomization"}},
				{at: pattern{element{name: "helmCharts"}}, list: List{Kind: 0x0, Source: "preset kustomization"}},
			},
		},
		{
			files: []glob{
				{segments: []string{"Chart.yaml"}, base: true},
				{segments: []string{"Chart.lock"}, base: true},
				{segments: []string{"requirements.yaml"}, base: true},
				{segments: []string{"requirements.lock"}, base: true},
			},
			kinds: nil,
			lists: []listRule{
				{at: pattern{element{name: "dependencies"}}, list: List{Kind: 0x1, Keys: []string{"alias|name"}, Source: "preset Helm chart"}},
				{at: pattern{element{name: "maintainers"}}, list: List{Kind: 0x1, Keys: []string{"name"}, Source: "preset Helm chart"}},
			},
		},
		{
			files: []glob{
				{segments: []string{".github", "workflows", "*.yml"}},
				{segments: []string{".github", "workflows", "*.yaml"}},
			},
			kinds: nil,
			lists: []listRule{
				{at: pattern{element{name: "jobs"}, element{wild: 0x1}, element{name: "steps"}}, list: List{Kind: 0x0, Source: "preset GitHub workflow"}},
				{at: pattern{element{name: "jobs"}, element{wild: 0x1}, element{name: "needs"}}, list: List{Kind: 0x2, Source: "preset GitHub workflow"}},
				{at: pattern{element{name: "jobs"}, element{wild: 0x1}, element{name: "strategy"}, element{name: "matrix"}, element{name: "include"}}, list: List{Kind: 0x0, Source: "preset GitHub workflow"}},
				{at: pattern{element{name: "jobs"}, element{wild: 0x1}, element{name: "strategy"}, element{name: "matrix"}, element{name: "exclude"}}, list: List{Kind: 0x0, Source: "preset GitHub workflow"}},
			},
			oneOf: []unionRule{
				{at: pattern{element{name: "jobs"}, element{wild: 0x1}, element{name: "steps"}, element{wild: 0x1}}, union: OneOf{Member{Field: "run", Not: ""}, Member{Field: "uses", Not: ""}}},
			},
			images: []pattern{
				{element{name: "jobs"}, element{wild: 0x1}, element{name: "container"}},
				{element{name: "jobs"}, element{wild: 0x1}, element{name: "container"}, element{name: "image"}},
				{element{name: "jobs"}, element{wild: 0x1}, element{name: "services"}, element{wild: 0x1}, element{name: "image"}},
				{element{name: "jobs"}, element{wild: 0x1}, element{name: "steps"}, element{wild: 0x1}, element{name: "uses"}},
				{element{name: "jobs"}, element{wild: 0x1}, element{name: "uses"}},
			},
		},
		{
			files: []glob{
				{segments: []string{"action.yml"}, base: true},
				{segments: []string{"action.yaml"}, base: true},
			},
			kinds: nil,
			lists: []listRule{
				{at: pattern{element{name: "runs"}, element{name: "steps"}}, list: List{Kind: 0x0, Source: "preset GitHub action"}},
			},
			oneOf: []unionRule{
				{at: pattern{element{name: "runs"}, element{name: "steps"}, element{wild: 0x1}}, union: OneOf{Member{Field: "run", Not: ""}, Member{Field: "uses", Not: ""}}},
			},
			images: []pattern{
				{element{name: "runs"}, element{name: "steps"}, element{wild: 0x1}, element{name: "uses"}},
			},
		},
		{
			files: []glob{
				{segments: []string{".circleci", "config.yml"}},
				{segments: []string{".circleci", "config.yaml"}},
			},
			kinds: nil,
			lists: nil,
			images: []pattern{
				{element{name: "orbs"}, element{wild: 0x1}},
			},
		},
		{
			files: []glob{
				{segments: []string{".github", "dependabot.yml"}},
				{segments: []string{".github", "dependabot.yaml"}},
			},
			kinds: nil,
			lists: []listRule{
				{at: pattern{element{name: "updates"}}, list: List{Kind: 0x1, Keys: []string{"package-ecosystem", "directory", "target-branch"}, Defaults: map[string]string{"directory": "", "target-branch": ""}, Source: "preset dependabot"}},
			},
		},
		{
			files: []glob{
				{segments: []string{"*compose*.yml"}, base: true},
				{segments: []string{"*compose*.yaml"}, base: true},
			},
			kinds: nil,
			lists: []listRule{
				{at: pattern{element{name: "services"}, element{wild: 0x1}, element{name: "environment"}}, list: List{Kind: 0x1, Separators: []string{"="}, Source: "preset compose"}},
				{at: pattern{element{name: "services"}, element{wild: 0x1}, element{name: "labels"}}, list: List{Kind: 0x1, Separators: []string{"="}, Source: "preset compose"}},
				{at: pattern{element{name: "services"}, element{wild: 0x1}, element{name: "build"}, element{name: "args"}}, list: List{Kind: 0x1, Separators: []string{"="}, Source: "preset compose"}},
				{at: pattern{element{name: "services"}, element{wild: 0x1}, element{name: "volumes"}}, list: List{Kind: 0x1, Keys: []string{"target"}, Source: "preset compose"}},
				{at: pattern{element{name: "services"}, element{wild: 0x1}, element{name: "command"}}, list: List{Kind: 0x0, Source: "preset compose"}},
				{at: pattern{element{name: "services"}, element{wild: 0x1}, element{name: "entrypoint"}}, list: List{Kind: 0x0, Source: "preset compose"}},
				{at: pattern{element{name: "services"}, element{wild: 0x1}, element{name: "healthcheck"}, element{name: "test"}}, list: List{Kind: 0x0, Source: "preset compose"}},
				{at: pattern{element{name: "services"}, element{wild: 0x1}, element{name: "dns"}}, list: List{Kind: 0x2, Source: "preset compose"}},
				{at: pattern{element{name: "services"}, element{wild: 0x1}, element{name: "depends_on"}}, list: List{Kind: 0x2, Source: "preset compose"}},
				{at: pattern{element{name: "services"}, element{wild: 0x1}, element{name: "networks"}}, list: List{Kind: 0x2, Source: "preset compose"}},
				{at: pattern{element{name: "services"}, element{wild: 0x1}, element{name: "cap_add"}}, list: List{Kind: 0x2, Source: "preset compose"}},
				{at: pattern{element{name: "services"}, element{wild: 0x1}, element{name: "cap_drop"}}, list: List{Kind: 0x2, Source: "preset compose"}},
				{at: pattern{element{name: "services"}, element{wild: 0x1}, element{name: "expose"}}, list: List{Kind: 0x2, Source: "preset compose"}},
			},
			images: []pattern{
				{element{name: "services"}, element{wild: 0x1}, element{name: "image"}},
			},
		},
		{
			files: []glob{
				{segments: []string{"*.gitlab-ci.yml"}, base: true},
				{segments: []string{".gitlab", "**", "*.yml"}},
			},
			kinds: nil,
			lists: []listRule{
				{at: pattern{element{wild: 0x1}, element{name: "needs"}}, list: List{Kind: 0x2, Source: "preset GitLab CI"}},
			},
		},
		{
			files: []glob{
				{segments: []string{"prometheus*.yml"}, base: true},
				{segments: []string{"prometheus*.yaml"}, base: true},
			},
			kinds: nil,
			lists: []listRule{
				{at: pattern{element{name: "scrape_configs"}}, list: List{Kind: 0x1, Keys: []string{"job_name"}, Source: "preset Prometheus"}},
			},
		},
		{
			files: []glob{
				{segments: []string{"*openapi*.yml"}, base: true},
				{segments: []string{"*openapi*.yaml"}, base: true},
				{segments: []string{"*openapi*.json"}, base: true},
				{segments: []string{"*swagger*.yml"}, base: true},
				{segments: []string{"*swagger*.yaml"}, base: true},
				{segments: []string{"*swagger*.json"}, base: true},
			},
			kinds: nil,
			lists: []listRule{
				{at: pattern{element{name: "tags"}}, list: List{Kind: 0x1, Keys: []string{"name"}, Source: "preset OpenAPI"}},
				{at: pattern{element{wild: 0x2}, element{name: "parameters"}}, list: List{Kind: 0x1, Keys: []string{"$ref|name", "in"}, Defaults: map[string]string{"in": ""}, Source: "preset OpenAPI"}},
				{at: pattern{element{wild: 0x2}, element{name: "required"}}, list: List{Kind: 0x2, Source: "preset OpenAPI"}},
				{at: pattern{element{wild: 0x2}, element{name: "enum"}}, list: List{Kind: 0x2, Source: "preset OpenAPI"}},
				{at: pattern{element{wild: 0x2}, element{name: "allOf"}}, list: List{Kind: 0x0, Source: "preset OpenAPI"}},
				{at: pattern{element{wild: 0x2}, element{name: "anyOf"}}, list: List{Kind: 0x0, Source: "preset OpenAPI"}},
				{at: pattern{element{wild: 0x2}, element{name: "oneOf"}}, list: List{Kind: 0x0, Source: "preset OpenAPI"}},
			},
		},
		{
			files: []glob{
				{segments: []string{"package.json"}, base: true},
			},
			kinds: nil,
			lists: []listRule{
				{at: pattern{element{name: "files"}}, list: List{Kind: 0x2, Source: "preset package.json"}},
				{at: pattern{element{name: "keywords"}}, list: List{Kind: 0x2, Source: "preset package.json"}},
				{at: pattern{element{name: "workspaces"}}, list: List{Kind: 0x2, Source: "preset package.json"}},
				{at: pattern{element{name: "workspaces"}, element{name: "packages"}}, list: List{Kind: 0x2, Source: "preset package.json"}},
				{at: pattern{element{name: "os"}}, list: List{Kind: 0x2, Source: "preset package.json"}},
				{at: pattern{element{name: "cpu"}}, list: List{Kind: 0x2, Source: "preset package.json"}},
			},
		},
		{
			files: []glob{
				{segments: []string{"tsconfig*.json"}, base: true},
				{segments: []string{"jsconfig*.json"}, base: true},
			},
			kinds: nil,
			lists: []listRule{
				{at: pattern{element{name: "compilerOptions"}, element{name: "lib"}}, list: List{Kind: 0x2, Source: "preset tsconfig"}},
				{at: pattern{element{name: "compilerOptions"}, element{name: "types"}}, list: List{Kind: 0x2, Source: "preset tsconfig"}},
				{at: pattern{element{name: "compilerOptions"}, element{name: "paths"}, element{wild: 0x1}}, list: List{Kind: 0x0, Source: "preset tsconfig"}},
				{at: pattern{element{name: "include"}}, list: List{Kind: 0x2, Source: "preset tsconfig"}},
				{at: pattern{element{name: "exclude"}}, list: List{Kind: 0x2, Source: "preset tsconfig"}},
				{at: pattern{element{name: "files"}}, list: List{Kind: 0x2, Source: "preset tsconfig"}},
				{at: pattern{element{name: "references"}}, list: List{Kind: 0x1, Keys: []string{"path"}, Source: "preset tsconfig"}},
			},
		},
		{
			files: []glob{
				{segments: []string{"*dashboard*.json"}, base: true},
				{segments: []string{"**", "dashboards", "**", "*.json"}},
				{segments: []string{"**", "grafana", "**", "*.json"}},
			},
			kinds: nil,
			lists: []listRule{
				{at: pattern{element{wild: 0x2}, element{name: "panels"}}, list: List{Kind: 0x1, Keys: []string{"id"}, Source: "preset Grafana"}},
				{at: pattern{element{wild: 0x2}, element{name: "targets"}}, list: List{Kind: 0x1, Keys: []string{"refId"}, Source: "preset Grafana"}},
				{at: pattern{element{name: "templating"}, element{name: "list"}}, list: List{Kind: 0x1, Keys: []string{"name"}, Source: "preset Grafana"}},
				{at: pattern{element{name: "annotations"}, element{name: "list"}}, list: List{Kind: 0x1, Keys: []string{"name"}, Source: "preset Grafana"}},
				{at: pattern{element{name: "tags"}}, list: List{Kind: 0x2, Source: "preset Grafana"}},
				{at: pattern{element{name: "links"}}, list: List{Kind: 0x0, Source: "preset Grafana"}},
				{at: pattern{element{wild: 0x2}, element{name: "overrides"}}, list: List{Kind: 0x0, Source: "preset Grafana"}},
				{at: pattern{element{wild: 0x2}, element{name: "transformations"}}, list: List{Kind: 0x0, Source: "preset Grafana"}},
			},
		},
		{
			files: []glob{
				{segments: []string{".vscode", "*.json"}},
				{segments: []string{"**", ".vscode", "*.json"}},
				{segments: []string{"*.code-workspace"}, base: true},
			},
			kinds: nil,
			lists: []listRule{
				{at: pattern{element{wild: 0x2}, element{name: "recommendations"}}, list: List{Kind: 0x2, Source: "preset VS Code"}},
				{at: pattern{element{wild: 0x2}, element{name: "unwantedRecommendations"}}, list: List{Kind: 0x2, Source: "preset VS Code"}},
				{at: pattern{element{wild: 0x2}, element{name: "configurations"}}, list: List{Kind: 0x1, Keys: []string{"name"}, Source: "preset VS Code"}},
				{at: pattern{element{wild: 0x2}, element{name: "compounds"}}, list: List{Kind: 0x1, Keys: []string{"name"}, Source: "preset VS Code"}},
				{at: pattern{element{wild: 0x2}, element{name: "tasks"}}, list: List{Kind: 0x1, Keys: []string{"label"}, Source: "preset VS Code"}},
				{at: pattern{element{wild: 0x2}, element{name: "inputs"}}, list: List{Kind: 0x1, Keys: []string{"id"}, Source: "preset VS Code"}},
				{at: pattern{element{name: "folders"}}, list: List{Kind: 0x1, Keys: []string{"path"}, Source: "preset VS Code"}},
			},
		},
		{
			files: nil,
			kinds: []kindSelector{
				{group: "apiextensions.k8s.io", anyGroup: false, kind: "CustomResourceDefinition"},
			},
			lists: []listRule{
				{at: pattern{element{name: "spec"}, element{name: "versions"}}, list: List{Kind: 0x1, Keys: []string{"name"}, Source: "preset CustomResourceDefinition"}},
				{at: pattern{element{name: "spec"}, element{name: "names"}, element{name: "categories"}}, list: List{Kind: 0x2, Source: "preset CustomResourceDefinition"}},
				{at: pattern{element{name: "spec"}, element{name: "names"}, element{name: "shortNames"}}, list: List{Kind: 0x2, Source: "preset CustomResourceDefinition"}},
				{at: pattern{element{wild: 0x2}, element{name: "additionalPrinterColumns"}}, list: List{Kind: 0x1, Keys: []string{"name"}, Source: "preset CustomResourceDefinition"}},
				{at: pattern{element{wild: 0x2}, element{name: "selectableFields"}}, list: List{Kind: 0x0, Source: "preset CustomResourceDefinition"}},
				{at: pattern{element{wild: 0x2}, element{name: "conversionReviewVersions"}}, list: List{Kind: 0x0, Source: "preset CustomResourceDefinition"}},
				{at: pattern{element{wild: 0x2}, element{name: "required"}}, list: List{Kind: 0x2, Source: "preset CustomResourceDefinition"}},
				{at: pattern{element{wild: 0x2}, element{name: "enum"}}, list: List{Kind: 0x2, Source: "preset CustomResourceDefinition"}},
				{at: pattern{element{wild: 0x2}, element{name: "allOf"}}, list: List{Kind: 0x0, Source: "preset CustomResourceDefinition"}},
				{at: pattern{element{wild: 0x2}, element{name: "anyOf"}}, list: List{Kind: 0x0, Source: "preset CustomResourceDefinition"}},
				{at: pattern{element{wild: 0x2}, element{name: "oneOf"}}, list: List{Kind: 0x0, Source: "preset CustomResourceDefinition"}},
				{at: pattern{element{wild: 0x2}, element{name: "x-kubernetes-validations"}}, list: List{Kind: 0x1, Keys: []string{"rule"}, Source: "preset CustomResourceDefinition"}},
				{at: pattern{element{wild: 0x2}, element{name: "x-kubernetes-list-map-keys"}}, list: List{Kind: 0x0, Source: "preset CustomResourceDefinition"}},
				{at: pattern{element{name: "status"}, element{name: "conditions"}}, list: List{Kind: 0x1, Keys: []string{"type"}, Source: "preset CustomResourceDefinition"}},
				{at: pattern{element{name: "status"}, element{name: "storedVersions"}}, list: List{Kind: 0x2, Source: "preset CustomResourceDefinition"}},
			},
		},
		{
			files: nil,
			kinds: []kindSelector{
				{group: "apiregistration.k8s.io", anyGroup: false, kind: "APIService"},
			},
			lists: []listRule{
				{at: pattern{element{name: "status"}, element{name: "conditions"}}, list: List{Kind: 0x1, Keys: []string{"type"}, Source: "preset APIService"}},
			},
		},
		{
			files: nil,
			kinds: []kindSelector{
				{group: "tekton.dev", anyGroup: false, kind: "Task"},
				{group: "tekton.dev", anyGroup: false, kind: "ClusterTask"},
				{group: "tekton.dev", anyGroup: false, kind: "Pipeline"},
				{group: "tekton.dev", anyGroup: false, kind: "TaskRun"},
				{group: "tekton.dev", anyGroup: false, kind: "PipelineRun"},
			},
			lists: []listRule{
				{at: pattern{element{wild: 0x2}, element{name: "steps"}}, list: List{Kind: 0x0, Source: "preset Tekton"}},
				{at: pattern{element{wild: 0x2}, element{name: "params"}}, list: List{Kind: 0x1, Keys: []string{"name"}, Source: "preset Tekton"}},
				{at: pattern{element{wild: 0x2}, element{name: "workspaces"}}, list: List{Kind: 0x1, Keys: []string{"name"}, Source: "preset Tekton"}},
				{at: pattern{element{wild: 0x2}, element{name: "results"}}, list: List{Kind: 0x1, Keys: []string{"name"}, Source: "preset Tekton"}},
				{at: pattern{element{wild: 0x2}, element{name: "tasks"}}, list: List{Kind: 0x1, Keys: []string{"name"}, Source: "preset Tekton"}},
				{at: pattern{element{wild: 0x2}, element{name: "finally"}}, list: List{Kind: 0x1, Keys: []string{"name"}, Source: "preset Tekton"}},
				{at: pattern{element{wild: 0x2}, element{name: "sidecars"}}, list: List{Kind: 0x1, Keys: []string{"name"}, Source: "preset Tekton"}},
				{at: pattern{element{wild: 0x2}, element{name: "runAfter"}}, list: List{Kind: 0x2, Source: "preset Tekton"}},
			},
		},
		{
			files: nil,
			kinds: []kindSelector{
				{group: "argoproj.io", anyGroup: false, kind: "Application"},
				{group: "argoproj.io", anyGroup: false, kind: "ApplicationSet"},
			},
			lists: []listRule{
				{at: pattern{element{wild: 0x2}, element{name: "helm"}, element{name: "parameters"}}, list: List{Kind: 0x1, Keys: []string{"name"}, Source: "preset Argo CD"}},
				{at: pattern{element{wild: 0x2}, element{name: "syncOptions"}}, list: List{Kind: 0x1, Separators: []string{"="}, Source: "preset Argo CD"}},
				{at: pattern{element{wild: 0x2}, element{name: "sources"}}, list: List{Kind: 0x0, Source: "preset Argo CD"}},
				{at: pattern{element{wild: 0x2}, element{name: "ignoreDifferences"}}, list: List{Kind: 0x0, Source: "preset Argo CD"}},
			},
		},
		{
			files: nil,
			kinds: []kindSelector{
				{group: "networking.istio.io", anyGroup: false, kind: "VirtualService"},
				{group: "networking.istio.io", anyGroup: false, kind: "DestinationRule"},
				{group: "networking.istio.io", anyGroup: false, kind: "Gateway"},
			},
			lists: []listRule{
				{at: pattern{element{name: "spec"}, element{name: "http"}}, list: List{Kind: 0x0, Source: "preset Istio"}},
				{at: pattern{element{name: "spec"}, element{name: "tcp"}}, list: List{Kind: 0x0, Source: "preset Istio"}},
				{at: pattern{element{name: "spec"}, element{name: "tls"}}, list: List{Kind: 0x0, Source: "preset Istio"}},
				{at: pattern{element{name: "spec"}, element{name: "subsets"}}, list: List{Kind: 0x1, Keys: []string{"name"}, Source: "preset Istio"}},
				{at: pattern{element{name: "spec"}, element{name: "servers"}}, list: List{Kind: 0x1, Keys: []string{"port.number", "port.name"}, Defaults: map[string]string{"port.name": ""}, Source: "preset Istio"}},
				{at: pattern{element{name: "spec"}, element{name: "gateways"}}, list: List{Kind: 0x2, Source: "preset Istio"}},
				{at: pattern{element{wild: 0x2}, element{name: "hosts"}}, list: List{Kind: 0x2, Source: "preset Istio"}},
			},
		},
		{
			files: nil,
			kinds: []kindSelector{
				{group: "gateway.networking.k8s.io", anyGroup: false, kind: "Gateway"},
				{group: "gateway.networking.k8s.io", anyGroup: false, kind: "HTTPRoute"},
				{group: "gateway.networking.k8s.io", anyGroup: false, kind: "GRPCRoute"},
			},
			lists: []listRule{
				{at: pattern{element{name: "spec"}, element{name: "listeners"}}, list: List{Kind: 0x1, Keys: []string{"name"}, Source: "preset Gateway API"}},
				{at: pattern{element{name: "spec"}, element{name: "rules"}}, list: List{Kind: 0x0, Source: "preset Gateway API"}},
				{at: pattern{element{wild: 0x2}, element{name: "parentRefs"}}, list: List{Kind: 0x0, Source: "preset Gateway API"}},
				{at: pattern{element{wild: 0x2}, element{name: "backendRefs"}}, list: List{Kind: 0x0, Source: "preset Gateway API"}},
				{at: pattern{element{name: "spec"}, element{name: "hostnames"}}, list: List{Kind: 0x2, Source: "preset Gateway API"}},
			},
		},
		{
			files: []glob{
				{segments: []string{"requirements.yml"}, base: true},
			},
			kinds: nil,
			lists: []listRule{
				{at: pattern{}, list: List{Kind: 0x1, Keys: []string{"name|src"}, Source: "preset Ansible requirements"}},
				{at: pattern{element{name: "roles"}}, list: List{Kind: 0x1, Keys: []string{"name|src"}, Source: "preset Ansible requirements"}},
				{at: pattern{element{name: "collections"}}, list: List{Kind: 0x1, Keys: []string{"name"}, Source: "preset Ansible requirements"}},
			},
		},
		{
			files: []glob{
				{segments: []string{"**", "tasks", "**", "*.yml"}},
				{segments: []string{"**", "tasks", "**", "*.yaml"}},
				{segments: []string{"**", "handlers", "**", "*.yml"}},
				{segments: []string{"**", "handlers", "**", "*.yaml"}},
				{segments: []string{"**", "playbooks", "**", "*.yml"}},
				{segments: []string{"**", "playbooks", "**", "*.yaml"}},
				{segments: []string{"*playbook*.yml"}, base: true},
				{segments: []string{"*playbook*.yaml"}, base: true},
				{segments: []string{"site.yml"}, base: true},
			},
			kinds: nil,
			lists: []listRule{
				{at: pattern{}, list: List{Kind: 0x0, Source: "preset Ansible"}},
				{at: pattern{element{wild: 0x2}, element{name: "tasks"}}, list: List{Kind: 0x0, Source: "preset Ansible"}},
				{at: pattern{element{wild: 0x2}, element{name: "pre_tasks"}}, list: List{Kind: 0x0, Source: "preset Ansible"}},
				{at: pattern{element{wild: 0x2}, element{name: "post_tasks"}}, list: List{Kind: 0x0, Source: "preset Ansible"}},
				{at: pattern{element{wild: 0x2}, element{name: "handlers"}}, list: List{Kind: 0x0, Source: "preset Ansible"}},
				{at: pattern{element{wild: 0x2}, element{name: "roles"}}, list: List{Kind: 0x0, Source: "preset Ansible"}},
				{at: pattern{element{wild: 0x2}, element{name: "block"}}, list: List{Kind: 0x0, Source: "preset Ansible"}},
				{at: pattern{element{wild: 0x2}, element{name: "rescue"}}, list: List{Kind: 0x0, Source: "preset Ansible"}},
				{at: pattern{element{wild: 0x2}, element{name: "always"}}, list: List{Kind: 0x0, Source: "preset Ansible"}},
			},
		},
		{
			files: []glob{
				{segments: []string{"environment*.yml"}, base: true},
				{segments: []string{"environment*.yaml"}, base: true},
			},
			kinds: nil,
			lists: []listRule{
				{at: pattern{element{name: "dependencies"}}, list: List{Kind: 0x1, Separators: []string{"=", "<", ">", "!", "~", "[", " "}, After: "::", Source: "preset conda"}},
				{at: pattern{element{name: "dependencies"}, element{wild: 0x1}, element{name: "pip"}}, list: List{Kind: 0x1, Separators: []string{"=", "<", ">", "!", "~", "[", ";", " "}, Source: "preset conda"}},
				{at: pattern{element{name: "channels"}}, list: List{Kind: 0x0, Source: "preset conda"}},
			},
		},
		{
			files: []glob{
				{segments: []string{".pre-commit-config.yaml"}, base: true},
			},
			kinds: nil,
			lists: []listRule{
				{at: pattern{element{name: "repos"}}, list: List{Kind: 0x0, Source: "preset pre-commit"}},
				{at: pattern{element{name: "repos"}, element{wild: 0x1}, element{name: "hooks"}}, list: List{Kind: 0x0, Source: "preset pre-commit"}},
			},
		},
	}
}
