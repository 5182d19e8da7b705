package engine

import (
	"strings"
	"testing"
)

// TestPresetCombinations checks that presets find fields that must not be combined. In each row, ours and theirs change
// one field each of a mapping, in the lines after the head, and the merge must be a conflict with the text want.
func TestPresetCombinations(t *testing.T) {
	const exclude, oneValue, access = "they exclude each other", "they are one value", "together they grant access that neither side grants"
	for _, c := range []struct {
		path, head         string
		base, ours, theirs string
		want               string
	}{
		{".gitlab-ci.yml", "test:", "  script: make", "  only: [main]\n  script: make", "  rules: [{when: always}]\n  script: make", exclude},
		{".github/workflows/ci.yaml", "jobs:\n  a:", "    name: x", "    uses: ./a.yml\n    name: x", "    steps: []\n    name: x", exclude},
		{"compose.yaml", "services:\n  web:", "    image: a", "    network_mode: host\n    image: a", "    networks: [a]\n    image: a", exclude},
		{"alerts.yml", "groups:\n- name: a\n  rules:", "  - expr: up", "  - alert: a\n    expr: up", "  - record: a\n    expr: up", ""},
		{"a.yaml", "apiVersion: tekton.dev/v1\nkind: Task\nspec:\n  steps:\n  - name: a", "    image: a", "    script: ls\n    image: a", "    command: [ls]\n    image: a", exclude},
		{"a.yaml", "apiVersion: argoproj.io/v1alpha1\nkind: Application\nspec:\n  source:", "    repoURL: a", "    path: a\n    repoURL: a", "    chart: a\n    repoURL: a", exclude},
		{"a.yaml", "apiVersion: argoproj.io/v1alpha1\nkind: Workflow\nspec:\n  templates:\n  - name: a\n    dag:\n      tasks:\n      - name: a", "        template: a", "        depends: b\n        template: a", "        dependencies: [b]\n        template: a", exclude},
		{"a.yaml", "apiVersion: networking.istio.io/v1\nkind: VirtualService\nspec:\n  http:\n  - name: a", "    timeout: 1s", "    redirect: {uri: /}\n    timeout: 1s", "    directResponse: {status: 503}\n    timeout: 1s", exclude},
		{"a.yaml", "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nspec:", "  interval: 1m", "  chart: {spec: {chart: a}}\n  interval: 1m", "  chartRef: {kind: OCIRepository, name: a}\n  interval: 1m", exclude},
		{"roles/a/tasks/main.yml", "- name: a", "  debug:", "  loop: [1]\n  debug:", "  with_items: [1]\n  debug:", exclude},
		{"openapi.yaml", "paths:\n  /a:\n    get:\n      parameters:\n      - name: a\n        in: query", "        required: true", "        example: a\n        required: true", "        examples: {a: {value: a}}\n        required: true", exclude},
		{"kustomization.yaml", "patches:\n- path: a.yaml\n  target:", "    kind: Deployment\n    name: a", "    kind: StatefulSet\n    name: a", "    kind: Deployment\n    name: b", oneValue},
		{"a.yaml", "apiVersion: networking.istio.io/v1\nkind: VirtualService\nspec:\n  tcp:\n  - route:\n    - destination:", "        host: a\n        subset: v1", "        host: b\n        subset: v1", "        host: a\n        subset: v2", oneValue},
		{"helmfile.yaml", "releases:\n- name: a", "  chart: b/redis\n  version: 1.0.0", "  chart: b/valkey\n  version: 1.0.0", "  chart: b/redis\n  version: 2.0.0", oneValue},
		{"requirements.yml", "collections:", "- name: a.b\n  version: 1.0.0", "- name: c.d\n  version: 1.0.0", "- name: a.b\n  version: 2.0.0", oneValue},
		{"openapi.yaml", "components:\n  schemas:\n    A:", "      minimum: 1\n      maximum: 10", "      minimum: 8\n      maximum: 10", "      minimum: 1\n      maximum: 5", "minimum would be greater than maximum"},
		{"a.yaml", "apiVersion: security.istio.io/v1\nkind: PeerAuthentication\nspec:", "  selector: {matchLabels: {app: a}}\n  mtls: {mode: STRICT}", "  mtls: {mode: STRICT}", "  selector: {matchLabels: {app: a}}\n  mtls: {mode: PERMISSIVE}", access},
		{"a.yaml", "apiVersion: v1\nkind: Service\nspec:", "  type: ClusterIP", "  type: LoadBalancer", "  type: ClusterIP\n  clusterIP: None", exclude},
		{"a.yaml", "apiVersion: v1\nkind: Service\nspec:", "  sessionAffinity: ClientIP", "  sessionAffinity: None", "  sessionAffinity: ClientIP\n  sessionAffinityConfig: {clientIP: {}}", exclude},
		{"a.yaml", "apiVersion: v1\nkind: Service\nspec:", "  type: NodePort", "  type: ClusterIP", "  type: NodePort\n  externalTrafficPolicy: Local", exclude},
		{"values.yaml", "job:", "  cron: 0 5 * * *\n  timezone: UTC", "  cron: 0 6 * * *\n  timezone: UTC", "  cron: 0 5 * * *\n  timezone: Europe/Berlin", oneValue},
		{"a.yaml", "apiVersion: keda.sh/v1alpha1\nkind: ScaledObject\nspec:\n  triggers:\n  - type: cron\n    metadata:", "      timezone: UTC\n      start: 0 6 * * *", "      timezone: Europe/Berlin\n      start: 0 6 * * *", "      timezone: UTC\n      start: 0 7 * * *", oneValue},
		{".github/dependabot.yml", "updates:\n- package-ecosystem: gomod\n  schedule:", "    time: '05:00'\n    timezone: UTC", "    time: '06:00'\n    timezone: UTC", "    time: '05:00'\n    timezone: Europe/Berlin", oneValue},
		{"prometheus.yml", "global:", "  scrape_interval: 30s\n  scrape_timeout: 10s", "  scrape_interval: 15s\n  scrape_timeout: 10s", "  scrape_interval: 30s\n  scrape_timeout: 20s", "scrape_timeout would be greater than scrape_interval"},
		{"a.yaml", "apiVersion: monitoring.coreos.com/v1\nkind: ServiceMonitor\nspec:\n  endpoints:", "  - port: web\n    interval: 1m\n    scrapeTimeout: 10s", "  - port: web\n    interval: 30s\n    scrapeTimeout: 10s", "  - port: web\n    interval: 1m\n    scrapeTimeout: 45s", "scrapeTimeout would be greater than interval"},
		{"a.yaml", "apiVersion: cert-manager.io/v1\nkind: Certificate\nspec:", "  duration: 2160h\n  renewBefore: 24h", "  duration: 168h\n  renewBefore: 24h", "  duration: 2160h\n  renewBefore: 720h", "renewBefore would be greater than duration"},
		{"a.yaml", "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nspec:\n  port:", "    type: integer", "    type: string", "    type: integer\n    default: 5", oneValue},
		{"openapi.yaml", "components:\n  schemas:\n    A:", "      type: integer\n      format: int32", "      type: string\n      format: int32", "      type: integer\n      format: int64", oneValue},
		{"values.yaml", "web:", "  imageTag: v1\n  imageDigest: sha256:aa", "  imageTag: v2\n  imageDigest: sha256:aa", "  imageTag: v1\n  imageDigest: sha256:bb", oneValue},
		{"a.yaml", "apiVersion: argoproj.io/v1alpha1\nkind: Application\nspec:\n  source:", "    repoURL: https://a/mono\n    targetRevision: v1", "    repoURL: https://a/web\n    targetRevision: v1", "    repoURL: https://a/mono\n    targetRevision: v2", oneValue},
		{"values.yaml", "securityContext:", "  runAsUser: 1000", "  runAsUser: 0", "  runAsUser: 1000\n  runAsNonRoot: true", exclude},
		{"values.yaml", "securityContext:", "  privileged: false", "  privileged: true", "  privileged: false\n  allowPrivilegeEscalation: false", exclude},
		{"values.yaml", "ingress:\n  paths:", "  - path: /api\n    pathType: Prefix", "  - path: /api(/|$)\n    pathType: Prefix", "  - path: /api\n    pathType: Exact", oneValue},
		{"a.yaml", "apiVersion: gateway.networking.k8s.io/v1\nkind: HTTPRoute\nspec:\n  rules:\n  - matches:", "    - method: GET\n      path:\n        type: PathPrefix\n        value: /", "    - method: GET\n      path:\n        type: Exact\n        value: /", "    - method: GET\n      path:\n        type: PathPrefix\n        value: /api", oneValue},
		{"values.yaml", "image:", "  registry: docker.io\n  repository: a/web", "  registry: r.io\n  repository: a/web", "  registry: docker.io\n  repository: b/web", oneValue},
		{"values.yaml", "image:", "  repository: a/web\n  tag: v1", "  registry: docker.io\n  repository: a/web\n  tag: v1", "  repository: ghcr.io/a/web\n  tag: v1", oneValue},
		{"a.yaml", "apiVersion: v1\nkind: Service\nspec:", "  type: ClusterIP\n  loadBalancerSourceRanges: [10.0.0.0/8]", "  type: LoadBalancer\n  loadBalancerSourceRanges: [10.0.0.0/8]", "  type: ClusterIP", access},
		{"a.yaml", "apiVersion: argoproj.io/v1alpha1\nkind: AppProject\nspec:\n  destinations:", "  - server: https://a\n    namespace: b", "  - server: \"*\"\n    namespace: b", "  - server: https://a\n    namespace: \"*\"", access},
		{"a.yaml", "apiVersion: projectcalico.org/v3\nkind: GlobalNetworkPolicy\nspec:\n  egress:\n  - destination:", "      nets: [10.0.0.0/8]\n      ports: [80]", "      nets: [10.0.0.0/8, 192.168.0.0/16]\n      ports: [80]", "      nets: [10.0.0.0/8]\n      ports: [80, 22]", access},
		{"a.yaml", "apiVersion: cilium.io/v2\nkind: CiliumNetworkPolicy\nspec:\n  ingress:", "  - fromEndpoints:\n    - matchLabels: {app: a}\n    toPorts:\n    - ports: [{port: \"80\"}]", "  - fromEndpoints:\n    - matchLabels: {app: a}\n    toPorts:\n    - ports: [{port: \"80\"}, {port: \"443\"}]", "  - fromEndpoints:\n    - matchLabels: {app: a}\n    - matchLabels: {app: b}\n    toPorts:\n    - ports: [{port: \"80\"}]", access},
		{"a.yaml", "apiVersion: security.istio.io/v1\nkind: AuthorizationPolicy\nspec:\n  rules:\n  - to:\n    - operation:", "        methods: [GET]\n        paths: [/a]", "        methods: [GET, PUT]\n        paths: [/a]", "        methods: [GET]\n        paths: [/a, /b]", access},
		{"a.yaml", "apiVersion: security.istio.io/v1\nkind: AuthorizationPolicy\nspec:\n  rules:\n  - from:\n    - source:", "        principals: [a]\n        namespaces: [a]", "        principals: [a, b]\n        namespaces: [a]", "        principals: [a]\n        namespaces: [a, b]", access},
		{"a.yaml", "apiVersion: security.istio.io/v1\nkind: AuthorizationPolicy\nspec:\n  rules:", "  - from:\n    - source:\n        principals: [a]\n    to:\n    - operation:\n        methods: [GET]", "  - from:\n    - source:\n        principals: [a]\n    to:\n    - operation:\n        methods: [GET, PUT]", "  - from:\n    - source:\n        principals: [a, b]\n    to:\n    - operation:\n        methods: [GET]", access},
		{"vpc.template.yaml", "Resources:\n  Group:\n    Type: AWS::EC2::SecurityGroup\n    Properties:\n      SecurityGroupIngress:", "      - CidrIp: 10.0.0.0/8\n        IpProtocol: tcp\n        FromPort: 443\n        ToPort: 443", "      - CidrIp: 10.0.0.0/8\n        IpProtocol: tcp\n        FromPort: 443\n        ToPort: 8443", "      - CidrIp: 0.0.0.0/0\n        IpProtocol: tcp\n        FromPort: 443\n        ToPort: 443", access},
		{"serverless.yml", "provider:\n  iam:\n    role:\n      statements:", "      - Effect: Allow\n        Action: [a:Get]\n        Resource: [a]", "      - Effect: Allow\n        Action: [a:Get, a:Put]\n        Resource: [a]", "      - Effect: Allow\n        Action: [a:Get]\n        Resource: [a, b]", access},
		{"template.yaml", "Resources:\n  Role:\n    Properties:\n      AssumeRolePolicyDocument:\n        Statement:", "          Effect: Allow\n          Principal: {Service: a}\n          Action: sts:AssumeRole", "          Effect: Allow\n          Principal: {Service: a}\n          Action: [sts:AssumeRole, sts:TagSession]", "          Effect: Allow\n          Principal: {Service: a, AWS: b}\n          Action: sts:AssumeRole", access},
		{"vault-config.yml", "auth:\n- type: kubernetes\n  roles:\n  - name: a", "    bound_service_account_namespaces: [a]\n    policies: [a]", "    bound_service_account_namespaces: [a]\n    policies: [a, b]", "    bound_service_account_namespaces: [a, b]\n    policies: [a]", access},
		{"values.yaml", "networkPolicy:\n  extraIngress:", "  - from:\n    - podSelector: {matchLabels: {app: a}}\n    ports:\n    - port: 5432", "  - from:\n    - podSelector: {matchLabels: {app: a}}\n    ports:\n    - port: 5432\n    - port: 9187", "  - from:\n    - podSelector: {matchLabels: {app: a}}\n    - podSelector: {matchLabels: {app: b}}\n    ports:\n    - port: 5432", access},
		{"a.yaml", "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nspec:\n  values:\n    rbac:\n      rules:", "      - apiGroups: [\"\"]\n        resources: [pods]\n        verbs: [get]", "      - apiGroups: [\"\"]\n        resources: [pods]\n        verbs: [get, delete]", "      - apiGroups: [\"\"]\n        resources: [pods, secrets]\n        verbs: [get]", access},
		{"aws.yaml", "Resources:\n  Group:\n    Properties:", "      MinSize: 1\n      MaxSize: 9", "      MinSize: 5\n      MaxSize: 9", "      MinSize: 1\n      MaxSize: 3", "MinSize would be greater than MaxSize"},
		{"a.yaml", "nodeGroups:\n- name: a", "  minSize: 1\n  maxSize: 9", "  minSize: 5\n  maxSize: 9", "  minSize: 1\n  maxSize: 3", "minSize would be greater than maxSize"},
		{"a.yaml", "limits:", "  min: 1\n  max: 9", "  min: 5\n  max: 9", "  min: 1\n  max: 3", "min would be greater than max"},
		{"a.yaml", "leaderElection:", "  renewDeadline: 10s\n  leaseDuration: 15s", "  renewDeadline: 14s\n  leaseDuration: 15s", "  renewDeadline: 10s\n  leaseDuration: 12s", "renewDeadline would be greater than leaseDuration"},
		{"a.yaml", "leaderElection:", "  retryPeriod: 2s\n  renewDeadline: 10s", "  retryPeriod: 8s\n  renewDeadline: 10s", "  retryPeriod: 2s\n  renewDeadline: 5s", "retryPeriod would be greater than renewDeadline"},
		{"a.yaml", "apiVersion: karpenter.sh/v1\nkind: NodePool\nspec:\n  template:\n    spec:\n      requirements:\n      - key: zone", "        operator: In\n        values: [a]", "        operator: NotIn\n        values: [a]", "        operator: In\n        values: [a, b]", oneValue},
		{"prometheus.yml", "scrape_configs:\n- job_name: a\n  relabel_configs:\n  - source_labels: [env]", "    regex: dev\n    action: keep", "    regex: dev|test\n    action: keep", "    regex: dev\n    action: drop", oneValue},
		{"a.yaml", "apiVersion: monitoring.coreos.com/v1\nkind: ServiceMonitor\nspec:\n  endpoints:\n  - port: web\n    relabelings:\n    - sourceLabels: [env]", "      regex: dev\n      action: keep", "      regex: dev|test\n      action: keep", "      regex: dev\n      action: drop", oneValue},
		{"a.yaml", "tool:", "  url: https://a/1.tgz\n  sha256: aa", "  url: https://a/2.tgz\n  sha256: aa", "  url: https://a/1.tgz\n  sha256: bb", oneValue},
		{"snapcraft.yaml", "parts:\n  a:", "    source: https://a/1.tgz\n    source-checksum: sha256/aa", "    source: https://a/2.tgz\n    source-checksum: sha256/aa", "    source: https://a/1.tgz\n    source-checksum: sha256/bb", oneValue},
		{"values.yaml", "nfs:", "  server: a\n  path: /a", "  server: b\n  path: /a", "  server: a\n  path: /b", oneValue},
		{"a.yaml", "apiVersion: v1\nkind: PersistentVolume\nspec:\n  csi:", "    driver: a\n    volumeHandle: x", "    driver: b\n    volumeHandle: x", "    driver: a\n    volumeHandle: y", oneValue},
		{"values.yaml", "livenessProbe:\n  httpGet:", "    port: 80\n    scheme: HTTP", "    port: 8443\n    scheme: HTTP", "    port: 80\n    scheme: HTTPS", oneValue},
		{"roles/a/tasks/main.yml", "- name: a\n  copy:", "    dest: /a", "    dest: /a\n    src: a", "    dest: /a\n    content: a", exclude},
		{"tasks/main.yml", "- name: a\n  user:", "    name: bob\n    state: present", "    name: carol\n    state: present", "    name: bob\n    state: absent", oneValue},
		{"tasks/main.yml", "- name: a\n  file:", "    path: /tmp/a\n    state: directory", "    path: /var/a\n    state: directory", "    path: /tmp/a\n    state: absent", oneValue},
		{"values.yaml", "strategy:", "  maxSurge: 1\n  maxUnavailable: 1", "  maxSurge: 0\n  maxUnavailable: 1", "  maxSurge: 1\n  maxUnavailable: 0", exclude},
		{"a.yaml", "apiVersion: argoproj.io/v1alpha1\nkind: Rollout\nspec:", "  replicas: 1\n  strategy: {}", "  replicas: 1\n  strategy: {canary: {}}", "  replicas: 1\n  strategy: {blueGreen: {}}", exclude},
		{"a.yaml", "apiVersion: cert-manager.io/v1\nkind: Issuer\nmetadata: {name: a}\nspec:", "  x: a", "  selfSigned: {}\n  x: a", "  ca: {secretName: a}\n  x: a", exclude},
		{"prometheus.yml", "scrape_configs:", "- job_name: a", "- job_name: a\n  basic_auth: {username: a}", "- job_name: a\n  authorization: {credentials: a}", exclude},
		{"a.yaml", "apiVersion: monitoring.coreos.com/v1\nkind: ServiceMonitor\nspec:\n  endpoints:", "  - port: web", "  - port: web\n    basicAuth: {}", "  - port: web\n    authorization: {}", exclude},
		{".gitlab-ci.yml", "test:", "  stage: a", "  script: make\n  stage: a", "  trigger: a\n  stage: a", exclude},
		{".gitlab-ci.yml", "include:", "- project: a/b\n  ref: v1", "- project: a/c\n  ref: v1", "- project: a/b\n  ref: v2", oneValue},
		{"openapi.yaml", "paths:\n  /a:\n    get:\n      parameters:\n      - name: a\n        in: query", "        required: true", "        schema: {type: string}\n        required: true", "        content: {}\n        required: true", exclude},
		{"a.yaml", "apiVersion: argoproj.io/v1alpha1\nkind: Application\nspec:\n  source:\n    helm:", "      releaseName: a", "      values: 'a: 1'\n      releaseName: a", "      valuesObject: {a: 1}\n      releaseName: a", exclude},
		{"a.yaml", "apiVersion: networking.istio.io/v1\nkind: DestinationRule\nspec:\n  trafficPolicy:\n    loadBalancer:", "      warmup: {}", "      simple: RANDOM\n      warmup: {}", "      consistentHash: {useSourceIp: true}\n      warmup: {}", exclude},
		{"a.yaml", "apiVersion: networking.istio.io/v1\nkind: VirtualService\nspec:\n  http:\n  - match:\n    - uri: {prefix: /a}\n      headers:\n        x:", "          y: a", "          exact: a\n          y: a", "          regex: a\n          y: a", exclude},
		{"a.yaml", "apiVersion: external-secrets.io/v1\nkind: SecretStore\nmetadata: {name: a}\nspec:\n  provider:", "    y: a", "    vault: {}\n    y: a", "    aws: {}\n    y: a", exclude},
		{"a.template.yaml", "Resources:\n  A:\n    Properties:", "      Name: a", "      SecurityGroupIds: [a]\n      Name: a", "      SecurityGroups: [a]\n      Name: a", exclude},
		{"a.template.yaml", "Resources:\n  A:\n    Properties:", "      Name: a", "      CodeUri: a\n      Name: a", "      ImageUri: a\n      Name: a", exclude},
		{"a.yaml", "apiVersion: networking.k8s.io/v1\nkind: NetworkPolicy\nspec:\n  ingress:\n  - from:\n    - ipBlock:", "        cidr: 10.0.0.0/8\n        except: [10.1.0.0/16]", "        cidr: 0.0.0.0/0\n        except: [10.1.0.0/16]", "        cidr: 10.0.0.0/8\n        except: []", access},
		{"a.yaml", "apiVersion: cilium.io/v2\nkind: CiliumNetworkPolicy\nspec:\n  ingress:\n  - fromCIDRSet:", "    - cidr: 10.0.0.0/8\n      except: [10.1.0.0/16]", "    - cidr: 0.0.0.0/0\n      except: [10.1.0.0/16]", "    - cidr: 10.0.0.0/8\n      except: []", access},
		{"a.yaml", "apiVersion: gateway.networking.k8s.io/v1\nkind: ReferenceGrant\nspec:", "  from: [{namespace: a}]\n  to: [{kind: Service}]", "  from: [{namespace: a}, {namespace: b}]\n  to: [{kind: Service}]", "  from: [{namespace: a}]\n  to: [{kind: Service}, {kind: Secret}]", access},
		{"a.yaml", "apiVersion: kafka.strimzi.io/v1\nkind: KafkaUser\nspec:\n  authorization:\n    acls:", "    - resource: {type: topic, name: a}\n      operations: [Read]", "    - resource: {type: topic, name: b}\n      operations: [Read]", "    - resource: {type: topic, name: a}\n      operations: [Read, Write]", access},
		{"a.yaml", "apiVersion: iam.cnrm.cloud.google.com/v1beta1\nkind: IAMPolicyMember\nspec:", "  member: a\n  role: viewer", "  member: b\n  role: viewer", "  member: a\n  role: owner", access},
		{"a.yaml", "apiVersion: eksctl.io/v1alpha5\nkind: ClusterConfig\niamIdentityMappings:\n- username: a", "  arn: a\n  groups: [dev]", "  arn: b\n  groups: [dev]", "  arn: a\n  groups: [system:masters]", access},
		{".github/settings.yml", "collaborators:", "- username: a\n  permission: pull", "- username: b\n  permission: pull", "- username: a\n  permission: admin", access},
		{"roles.yml", "a:\n  indices:", "  - names: [a]\n    privileges: [read]", "  - names: [a, b]\n    privileges: [read]", "  - names: [a]\n    privileges: [read, write]", access},
		{"a.template.yaml", "Resources:\n  A:\n    Properties:\n      CorsRules:", "      - AllowedOrigins: [a]\n        AllowedMethods: [GET]", "      - AllowedOrigins: [a, b]\n        AllowedMethods: [GET]", "      - AllowedOrigins: [a]\n        AllowedMethods: [GET, PUT]", access},
		{"a.template.yaml", "Resources:\n  A:\n    Properties:", "      Principal: a\n      SourceAccount: 1", "      Principal: b\n      SourceAccount: 1", "      Principal: a\n      SourceAccount: 2", access},
		{"values.yaml", "auth:", "  username: a\n  password: x", "  username: b\n  password: x", "  username: a\n  password: y", oneValue},
		{"a.yaml", "apiVersion: gateway.networking.k8s.io/v1\nkind: Gateway\nspec:\n  listeners:\n  - name: a", "    port: 80\n    protocol: HTTP", "    port: 8443\n    protocol: HTTP", "    port: 80\n    protocol: HTTPS", oneValue},
	} {
		version := func(lines string) []byte { return []byte(c.head + "\n" + lines + "\n") }
		res, err := Merge(version(c.base), version(c.ours), version(c.theirs), Options{Path: c.path})
		switch {
		case err != nil:
			t.Errorf("%s: %v", c.path, err)
		case res.Clean():
			t.Errorf("%s, %s: clean:\n%s", c.path, c.want, res.Bytes)
		case !strings.Contains(res.Conflicts[0].Detail, c.want):
			t.Errorf("%s: %q, want %q", c.path, res.Conflicts[0].Detail, c.want)
		}
	}
}
