package mergetest

import "strings"

// A Row is a merge of a short file, whose versions have the same first lines.
type Row struct {
	Path, Head         string
	Base, Ours, Theirs string // the lines after the head
	Want               string // depends on the test
}

// File returns a file with the head of r and lines below it.
func (r Row) File(lines string) []byte { return []byte(r.Head + "\n" + lines + "\n") }

// Raw returns base, ours and theirs.
func (r Row) Raw() [3][]byte { return [3][]byte{r.File(r.Base), r.File(r.Ours), r.File(r.Theirs)} }

// fieldsRow returns a merge in which ours changes the first field of a mapping, and theirs the second one. The fields are
// written with their old and new values, as "kind: Role -> ClusterRole". kind is that of the resource with its API
// version, or "". path are the names of the fields around the mapping; a name of a list has an entry of the item in
// brackets, as in "spec.rules[name: a].backend".
func fieldsRow(file, kind, path, first, second, want string) Row {
	var head strings.Builder
	if apiVersion, kind, ok := strings.Cut(kind, " "); ok {
		head.WriteString("apiVersion: " + apiVersion + "\nkind: " + kind)
	}
	indent := "\n"
	for name := range strings.SplitSeq(path, ".") {
		name, entry, isList := strings.Cut(strings.TrimSuffix(name, "]"), "[")
		if name != "" {
			head.WriteString(indent + name + ":")
			indent += "  "
		}
		if isList {
			head.WriteString(indent + "- " + entry)
			indent += "  "
		}
	}
	name, change, _ := strings.Cut(first, ": ")
	before, after, _ := strings.Cut(change, " -> ")
	line := func(name, value string) string { return indent[1:] + name + ": " + value }
	old, ours := line(name, before), line(name, after)
	name, change, _ = strings.Cut(second, ": ")
	before, after, _ = strings.Cut(change, " -> ")
	return Row{
		Path: file, Head: strings.TrimPrefix(head.String(), "\n"), Want: want,
		Base: old + "\n" + line(name, before), Ours: ours + "\n" + line(name, before), Theirs: old + "\n" + line(name, after),
	}
}

// AccessDetail is a part of the description of a conflict about access fields.
const AccessDetail = "together they grant access that neither side grants"

const exclude, oneValue, access = "they exclude each other", "they are one value", AccessDetail

// The heads of several rows.
const (
	clusterRole         = "apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {name: r}\nrules:"
	networkPolicy       = "apiVersion: networking.k8s.io/v1\nkind: NetworkPolicy\nmetadata: {name: a}\nspec:"
	authorizationPolicy = "apiVersion: security.istio.io/v1\nkind: AuthorizationPolicy\nmetadata: {name: a}\nspec:"
	iamPolicy           = "Resources:\n  Policy:\n    Type: AWS::IAM::ManagedPolicy\n    Properties:\n      PolicyDocument:\n        Statement:"
	securityGroup       = "Resources:\n  Group:\n    Type: AWS::EC2::SecurityGroup\n    Properties:\n      SecurityGroupIngress:"
	service             = "apiVersion: v1\nkind: Service\nspec:"
)

// PresetConflicts are merges in which presets find fields that must not be combined. Want is a part of the description
// of the conflict, or "" if it has none.
var PresetConflicts = []Row{
	{".gitlab-ci.yml", "test:", "  script: make", "  only: [main]\n  script: make", "  rules: [{when: always}]\n  script: make", exclude},
	{".github/workflows/ci.yaml", "jobs:\n  a:", "    name: x", "    uses: ./a.yml\n    name: x", "    steps: []\n    name: x", exclude},
	{"compose.yaml", "services:\n  web:", "    image: a", "    network_mode: host\n    image: a", "    networks: [a]\n    image: a", exclude},
	{"alerts.yml", "groups:\n- name: a\n  rules:", "  - expr: up", "  - alert: a\n    expr: up", "  - record: a\n    expr: up", exclude},
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
	{"a.yaml", service, "  type: ClusterIP", "  type: LoadBalancer", "  type: ClusterIP\n  clusterIP: None", exclude},
	{"a.yaml", service, "  sessionAffinity: ClientIP", "  sessionAffinity: None", "  sessionAffinity: ClientIP\n  sessionAffinityConfig: {clientIP: {}}", exclude},
	{"a.yaml", service, "  type: NodePort", "  type: ClusterIP", "  type: NodePort\n  externalTrafficPolicy: Local", exclude},
	{"values.yaml", "job:", "  cron: 0 5 * * *\n  timezone: UTC", "  cron: 0 6 * * *\n  timezone: UTC", "  cron: 0 5 * * *\n  timezone: Europe/Berlin", oneValue},
	{"a.yaml", "apiVersion: keda.sh/v1alpha1\nkind: ScaledObject\nspec:\n  triggers:\n  - type: cron\n    metadata:", "      timezone: UTC\n      start: 0 6 * * *", "      timezone: Europe/Berlin\n      start: 0 6 * * *", "      timezone: UTC\n      start: 0 7 * * *", oneValue},
	{".github/dependabot.yml", "updates:\n- package-ecosystem: gomod\n  schedule:", "    time: '05:00'\n    timezone: UTC", "    time: '06:00'\n    timezone: UTC", "    time: '05:00'\n    timezone: Europe/Berlin", oneValue},
	{"prometheus.yml", "global:", "  scrape_interval: 30s\n  scrape_timeout: 10s", "  scrape_interval: 15s\n  scrape_timeout: 10s", "  scrape_interval: 30s\n  scrape_timeout: 20s", "scrape_timeout would be greater than scrape_interval"},
	{"a.yaml", "apiVersion: monitoring.coreos.com/v1\nkind: ServiceMonitor\nspec:\n  endpoints:", "  - port: web\n    interval: 1m\n    scrapeTimeout: 10s", "  - port: web\n    interval: 30s\n    scrapeTimeout: 10s", "  - port: web\n    interval: 1m\n    scrapeTimeout: 45s", "scrapeTimeout would be greater than interval"},
	{"a.yaml", "apiVersion: cert-manager.io/v1\nkind: Certificate\nspec:", "  duration: 2160h\n  renewBefore: 24h", "  duration: 168h\n  renewBefore: 24h", "  duration: 2160h\n  renewBefore: 720h", "renewBefore would be greater than duration"},
	{"a.yaml", "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nspec:\n  versions:\n  - name: v1\n    schema:\n      openAPIV3Schema:\n        properties:\n          port:", "            type: integer", "            type: string", "            type: integer\n            default: 5", oneValue},
	{"openapi.yaml", "components:\n  schemas:\n    A:", "      type: integer\n      format: int32", "      type: string\n      format: int32", "      type: integer\n      format: int64", oneValue},
	{"values.yaml", "web:", "  imageTag: v1\n  imageDigest: sha256:aa", "  imageTag: v2\n  imageDigest: sha256:aa", "  imageTag: v1\n  imageDigest: sha256:bb", oneValue},
	{"a.yaml", "apiVersion: argoproj.io/v1alpha1\nkind: Application\nspec:\n  source:", "    repoURL: https://a/mono\n    targetRevision: v1", "    repoURL: https://a/web\n    targetRevision: v1", "    repoURL: https://a/mono\n    targetRevision: v2", oneValue},
	{"values.yaml", "securityContext:", "  runAsUser: 1000", "  runAsUser: 0", "  runAsUser: 1000\n  runAsNonRoot: true", exclude},
	{"values.yaml", "securityContext:", "  privileged: false", "  privileged: true", "  privileged: false\n  allowPrivilegeEscalation: false", exclude},
	{"values.yaml", "ingress:\n  paths:", "  - path: /api\n    pathType: Prefix", "  - path: /api(/|$)\n    pathType: Prefix", "  - path: /api\n    pathType: Exact", oneValue},
	{"a.yaml", "apiVersion: gateway.networking.k8s.io/v1\nkind: HTTPRoute\nspec:\n  rules:\n  - matches:", "    - method: GET\n      path:\n        type: PathPrefix\n        value: /", "    - method: GET\n      path:\n        type: Exact\n        value: /", "    - method: GET\n      path:\n        type: PathPrefix\n        value: /api", oneValue},
	{"values.yaml", "image:", "  registry: docker.io\n  repository: a/web", "  registry: r.io\n  repository: a/web", "  registry: docker.io\n  repository: b/web", oneValue},
	{"values.yaml", "image:", "  repository: a/web\n  tag: v1", "  registry: docker.io\n  repository: a/web\n  tag: v1", "  repository: ghcr.io/a/web\n  tag: v1", oneValue},
	{"a.yaml", service, "  type: ClusterIP\n  loadBalancerSourceRanges: [10.0.0.0/8]", "  type: LoadBalancer\n  loadBalancerSourceRanges: [10.0.0.0/8]", "  type: ClusterIP", access},
	{"a.yaml", "apiVersion: argoproj.io/v1alpha1\nkind: AppProject\nspec:\n  destinations:", "  - server: https://a\n    namespace: b", "  - server: \"*\"\n    namespace: b", "  - server: https://a\n    namespace: \"*\"", access},
	{"a.yaml", "apiVersion: projectcalico.org/v3\nkind: GlobalNetworkPolicy\nspec:\n  egress:\n  - destination:", "      nets: [10.0.0.0/8]\n      ports: [80]", "      nets: [10.0.0.0/8, 192.168.0.0/16]\n      ports: [80]", "      nets: [10.0.0.0/8]\n      ports: [80, 22]", access},
	{"a.yaml", "apiVersion: cilium.io/v2\nkind: CiliumNetworkPolicy\nspec:\n  ingress:", "  - fromEndpoints:\n    - matchLabels: {app: a}\n    toPorts:\n    - ports: [{port: \"80\"}]", "  - fromEndpoints:\n    - matchLabels: {app: a}\n    toPorts:\n    - ports: [{port: \"80\"}, {port: \"443\"}]", "  - fromEndpoints:\n    - matchLabels: {app: a}\n    - matchLabels: {app: b}\n    toPorts:\n    - ports: [{port: \"80\"}]", access},
	{"a.yaml", "apiVersion: security.istio.io/v1\nkind: AuthorizationPolicy\nspec:\n  rules:\n  - to:\n    - operation:", "        methods: [GET]\n        paths: [/a]", "        methods: [GET, PUT]\n        paths: [/a]", "        methods: [GET]\n        paths: [/a, /b]", access},
	{"a.yaml", "apiVersion: security.istio.io/v1\nkind: AuthorizationPolicy\nspec:\n  rules:\n  - from:\n    - source:", "        principals: [a]\n        namespaces: [a]", "        principals: [a, b]\n        namespaces: [a]", "        principals: [a]\n        namespaces: [a, b]", access},
	{"a.yaml", "apiVersion: security.istio.io/v1\nkind: AuthorizationPolicy\nspec:\n  rules:", "  - from:\n    - source:\n        principals: [a]\n    to:\n    - operation:\n        methods: [GET]", "  - from:\n    - source:\n        principals: [a]\n    to:\n    - operation:\n        methods: [GET, PUT]", "  - from:\n    - source:\n        principals: [a, b]\n    to:\n    - operation:\n        methods: [GET]", access},
	{"vpc.template.yaml", securityGroup, "      - CidrIp: 10.0.0.0/8\n        IpProtocol: tcp\n        FromPort: 443\n        ToPort: 443", "      - CidrIp: 10.0.0.0/8\n        IpProtocol: tcp\n        FromPort: 443\n        ToPort: 8443", "      - CidrIp: 0.0.0.0/0\n        IpProtocol: tcp\n        FromPort: 443\n        ToPort: 443", access},
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
	{"stack/template.yaml", iamPolicy, "          - Effect: Allow\n            Action: [s3:Get]\n            Resource: [a]\n            Condition: {Bool: {aws:SecureTransport: \"true\"}}", "          - Effect: Allow\n            Action: [s3:Get, s3:Delete]\n            Resource: [a]\n            Condition: {Bool: {aws:SecureTransport: \"true\"}}", "          - Effect: Allow\n            Action: [s3:Get]\n            Resource: [a, b]\n            Condition: {Bool: {aws:SecureTransport: \"true\"}}", access},
	{"stack/template.yaml", iamPolicy, "          - Effect: Allow\n            Action: [s3:Get]\n            Resource: [a]\n            Condition: {Bool: {aws:SecureTransport: \"true\"}}", "          - Effect: Allow\n            Action: [s3:Get]\n            Resource: [a]", "          - Effect: Allow\n            Action: [s3:Get, s3:Delete]\n            Resource: [a]\n            Condition: {Bool: {aws:SecureTransport: \"true\"}}", access},
	{"stack/template.yaml", iamPolicy, "          - Effect: Allow\n            NotAction: [iam:Pass, iam:Create]\n            Resource: [a]", "          - Effect: Allow\n            NotAction: [iam:Pass]\n            Resource: [a]", "          - Effect: Allow\n            NotAction: [iam:Pass, iam:Create]\n            Resource: [a, b]", access},
	{"stack/template.yaml", iamPolicy, "          - Effect: Allow\n            NotAction: [iam:Pass]\n            Resource: [a]", "          - Effect: Allow\n            Action: [iam:Pass]\n            Resource: [a]", "          - Effect: Allow\n            NotAction: [iam:Pass]\n            Resource: [a, b]", ""},
	{"template.yml", "Resources:\n  Role:\n    Type: AWS::Serverless::Function\n    Properties:\n      Policies:\n        - Statement:", "            - Effect: Allow\n              Action: [sqs:Send]\n              Resource: [!GetAtt A.Arn]", "            - Effect: Allow\n              Action: [sqs:Send, sqs:Delete]\n              Resource: [!GetAtt A.Arn]", "            - Effect: Allow\n              Action: [sqs:Send]\n              Resource: [!GetAtt A.Arn, !GetAtt B.Arn]", access},
	{"a.yaml", "Statement:", "  - Effect: Allow\n    Principal: {AWS: \"arn:a\"}\n    Action: [sts:AssumeRole]\n    Condition: {StringLike: {sub: \"b:main\"}}", "  - Effect: Allow\n    Principal: {AWS: \"*\"}\n    Action: [sts:AssumeRole]\n    Condition: {StringLike: {sub: \"b:main\"}}", "  - Effect: Allow\n    Principal: {AWS: \"arn:a\"}\n    Action: [sts:AssumeRole]\n    Condition: {StringLike: {sub: \"b:*\"}}", access},
	{"policy.yaml", "bindings:", "  - role: admin\n    condition: {title: work, expression: hours < 18}\n    members: [ann]", "  - role: admin\n    members: [ann]", "  - role: admin\n    condition: {title: work, expression: hours < 18}\n    members: [ann, bob]", access},
	{"a.yaml", authorizationPolicy, "  action: DENY\n  rules:\n    - from: [{source: {principals: [a]}}]\n      to: [{operation: {methods: [GET], paths: [/a]}}]", "  action: ALLOW\n  rules:\n    - from: [{source: {principals: [a]}}]\n      to: [{operation: {methods: [GET], paths: [/a]}}]", "  action: DENY\n  rules:\n    - from: [{source: {principals: [a]}}]\n      to: [{operation: {methods: [GET], paths: [/a, /b]}}]", access},
	{"a.yaml", authorizationPolicy, "  selector: {matchLabels: {app: a}}\n  action: ALLOW\n  rules:\n    - to: [{operation: {methods: [GET]}}]", "  action: ALLOW\n  rules:\n    - to: [{operation: {methods: [GET]}}]", "  selector: {matchLabels: {app: a}}\n  action: ALLOW\n  rules:\n    - to: [{operation: {methods: [GET, POST]}}]", access},
	{"a.yaml", clusterRole, "  - apiGroups: [\"\"]\n    resources: &r [pods]\n    verbs: [get]\n  - apiGroups: [\"\"]\n    resources: *r\n    verbs: [list]", "  - apiGroups: [\"\"]\n    resources: &r [pods, secrets]\n    verbs: [get]\n  - apiGroups: [\"\"]\n    resources: *r\n    verbs: [list]", "  - apiGroups: [\"\"]\n    resources: &r [pods]\n    verbs: [get]\n  - apiGroups: [\"\"]\n    resources: *r\n    verbs: [list, delete]", ""},
	{"a.yaml", clusterRole, "  - apiGroups: [\"\"]\n    resources: &r [pods]\n    verbs: [get]", "  - apiGroups: [\"\"]\n    resources: &r [pods, secrets]\n    verbs: [get]", "  - apiGroups: [\"\"]\n    resources: &r [pods]\n    verbs: [get]\n  - apiGroups: [\"\"]\n    resources: *r\n    verbs: [delete]", ""},
	{"a.yaml", clusterRole, "  - &pods\n    apiGroups: [\"\"]\n    resources: [pods]\n    verbs: [get]\n  - <<: *pods\n    verbs: [list]", "  - &pods\n    apiGroups: [\"\"]\n    resources: [pods, secrets]\n    verbs: [get]\n  - <<: *pods\n    verbs: [list]", "  - &pods\n    apiGroups: [\"\"]\n    resources: [pods]\n    verbs: [get]\n  - <<: *pods\n    verbs: [list, delete]", ""},
	{"a.yaml", clusterRole, "  - apiGroups: [\"\"]\n    resourceNames: [a]\n    resources: [pods]\n    verbs: [get]", "  - apiGroups: [\"\"]\n    resources: [pods]\n    verbs: [get]", "  - apiGroups: [\"\"]\n    resourceNames: [a]\n    resources: [pods]\n    verbs: [get, delete]", access},
	{"a.yaml", networkPolicy, "  ingress:\n    - from: [{podSelector: {matchLabels: {app: a}}}]\n      ports: [{port: 80}]", "  ingress:\n    - from: [{podSelector: {matchLabels: {app: a}}}]\n      ports: [{port: 80}, {port: 443}]", "  ingress:\n    - from: [{podSelector: {matchLabels: {app: a}}}, {namespaceSelector: {matchLabels: {team: b}}}]\n      ports: [{port: 80}]", access},
	{"a.yaml", networkPolicy, "  ingress:\n    - from: [{podSelector: {matchLabels: {app: a}}}]\n      ports: [{port: 80}]", "  ingress:\n    - from: [{podSelector: {matchLabels: {app: a}}}]\n      ports: [{port: 80}, {port: 443}]", "  ingress:\n    - ports: [{port: 80}]", access},
	{"a.yaml", networkPolicy, "  ingress:\n    - from: [{podSelector: {matchLabels: {app: a}}}]\n      ports: [{port: 80}]", "  ingress:\n    - from: [{podSelector: {matchLabels: {app: a}}, namespaceSelector: {}}]\n      ports: [{port: 80}]", "  ingress:\n    - from: [{podSelector: {matchLabels: {app: a}}}]\n      ports: [{port: 80}, {port: 443}]", access},
	{"a.yaml", networkPolicy, "  ingress:\n    - from: [{podSelector: {matchLabels: {app: a}}}]\n      ports: [{port: 53}]", "  ingress:\n    - from: [{podSelector: {matchLabels: {app: a}}}]\n      ports: [{port: 53, protocol: UDP}]", "  ingress:\n    - from: [{podSelector: {}}]\n      ports: [{port: 53}]", access},
	{"a.yaml", networkPolicy, "  ingress:\n    - from:\n        - podSelector: {matchLabels: {app: a}}\n          namespaceSelector: {matchLabels: {team: b}}", "  ingress:\n    - from:\n        - podSelector: {}\n          namespaceSelector: {matchLabels: {team: b}}", "  ingress:\n    - from:\n        - podSelector: {matchLabels: {app: a}}\n          namespaceSelector: {}", access},
	{"a.yaml", networkPolicy, "  podSelector: {matchLabels: {app: b}}\n  policyTypes: [Ingress]\n  ingress:\n    - from: [{podSelector: {matchLabels: {app: a}}}]", "  podSelector: {}\n  policyTypes: [Ingress]\n  ingress:\n    - from: [{podSelector: {matchLabels: {app: a}}}]", "  podSelector: {matchLabels: {app: b}}\n  policyTypes: [Ingress]\n  ingress:\n    - from: [{podSelector: {matchLabels: {app: a}}}]\n    - from: [{ipBlock: {cidr: 0.0.0.0/0}}]", access},
	{"a.yaml", "apiVersion: cilium.io/v2\nkind: CiliumNetworkPolicy\nmetadata: {name: a}\nspec:\n  ingress:", "    - fromEndpoints: [{matchLabels: {app: a}}]\n      toPorts: [{ports: [{port: \"80\"}]}]\n      fromCIDR: [10.0.0.0/8]", "    - toPorts: [{ports: [{port: \"80\"}]}]\n      fromCIDR: [10.0.0.0/8]", "    - fromEndpoints: [{matchLabels: {app: a}}]\n      toPorts: [{ports: [{port: \"80\"}]}]", ""},
	fieldsRow(".github/workflows/a.yml", "", "jobs.a.environment", "name: a -> b", "url: x -> y", oneValue),
	fieldsRow(".github/workflows/a.yml", "", "jobs.a.steps[uses: actions/checkout@v4].with", "repository: a/b -> a/c", "ref: v1 -> v2", oneValue),
	fieldsRow(".github/workflows/a.yml", "", "jobs.a.steps[uses: docker/login-action@v3].with", "registry: a -> b", "username: x -> y", oneValue),
	fieldsRow(".github/workflows/a.yml", "", "jobs.a.steps[name: a]", "shell: bash -> pwsh", "run: a -> b", oneValue),
	fieldsRow("action.yml", "", "runs.steps[name: a]", "shell: bash -> pwsh", "run: a -> b", oneValue),
	fieldsRow(".gitlab-ci.yml", "", "test.environment", "name: a -> b", "url: x -> y", oneValue),
	fieldsRow(".gitlab-ci.yml", "", "test.rules[changes: [a]]", "if: a -> b", "when: manual -> always", oneValue),
	fieldsRow("compose.yaml", "", "services.a.build", "context: . -> a", "dockerfile: Dockerfile -> a/Dockerfile", oneValue),
	fieldsRow("compose.yaml", "", "networks.a.ipam.config[aux_addresses: {}]", "subnet: 10.0.0.0/24 -> 10.1.0.0/24", "gateway: 10.0.0.1 -> 10.0.0.9", oneValue),
	fieldsRow("compose.yaml", "", "services.a.volumes[target: /a]", "type: volume -> bind", "source: a -> b", oneValue),
	fieldsRow("azure-pipelines.yml", "", "resources.repositories[repository: a]", "name: a/b -> a/c", "ref: v1 -> v2", oneValue),
	fieldsRow("kustomization.yaml", "", "vars[name: a].objref", "kind: Service -> ConfigMap", "name: a -> b", oneValue),
	fieldsRow("a.yaml", "", "spec.resourceRef", "kind: A -> B", "name: a -> b", oneValue),
	fieldsRow("a.yaml", "", "spec.resourceRefs[x: y]", "kind: A -> B", "name: a -> b", oneValue),
	fieldsRow("a.yaml", "argoproj.io/v1alpha1 Rollout", "spec.workloadRef", "kind: A -> B", "name: a -> b", oneValue),
	fieldsRow("a.yaml", "cluster.x-k8s.io/v1beta1 Cluster", "spec.infrastructureRef", "kind: A -> B", "name: a -> b", oneValue),
	fieldsRow("a.yaml", "cluster.x-k8s.io/v1beta1 Cluster", "spec.controlPlaneRef", "kind: A -> B", "name: a -> b", oneValue),
	fieldsRow("a.yaml", "cluster.x-k8s.io/v1beta1 Machine", "spec.bootstrap.configRef", "kind: A -> B", "name: a -> b", oneValue),
	fieldsRow("a.yaml", "eventing.knative.dev/v1 Trigger", "spec.subscriber.ref", "kind: A -> B", "name: a -> b", oneValue),
	fieldsRow("a.yaml", "sources.knative.dev/v1 PingSource", "spec.sink.ref", "kind: A -> B", "name: a -> b", oneValue),
	fieldsRow("a.yaml", "s3.aws.m.upbound.io/v1beta1 Bucket", "spec.providerConfigRef", "kind: A -> B", "name: a -> b", oneValue),
	fieldsRow("a.yaml", "karpenter.sh/v1 NodePool", "spec.template.spec.nodeClassRef", "kind: A -> B", "name: a -> b", oneValue),
	fieldsRow("a.yaml", "gateway.networking.k8s.io/v1 GatewayClass", "spec.parametersRef", "kind: A -> B", "name: a -> b", oneValue),
	fieldsRow("a.yaml", "gateway.networking.k8s.io/v1 HTTPRoute", "spec.rules[name: a].filters[type: ExtensionRef].extensionRef", "kind: A -> B", "name: a -> b", oneValue),
	fieldsRow("a.yaml", "gateway.networking.k8s.io/v1 HTTPRoute", "spec.rules[name: a].filters[type: RequestMirror].requestMirror.backendRef", "name: a -> b", "port: 1 -> 2", oneValue),
	fieldsRow("a.yaml", "tekton.dev/v1 Pipeline", "spec.tasks[name: a].taskRef", "kind: ClusterTask -> Task", "name: a -> b", oneValue),
	fieldsRow("a.yaml", "tekton.dev/v1 PipelineRun", "spec.pipelineRef", "name: a -> b", "bundle: x -> y", oneValue),
	fieldsRow("a.yaml", "argoproj.io/v1alpha1 Workflow", "spec.templates[name: a].dag.tasks[name: a].templateRef", "name: a -> b", "template: x -> y", oneValue),
	fieldsRow("a.yaml", "argoproj.io/v1alpha1 Workflow", "spec.workflowTemplateRef", "name: a -> b", "clusterScope: false -> true", oneValue),
	fieldsRow("a.yaml", "v1 Pod", "spec.containers[name: a].env[name: a].valueFrom.resourceFieldRef", "resource: limits.cpu -> limits.memory", "divisor: 1 -> 2", oneValue),
	fieldsRow("values.yaml", "", "db", "existingSecret: a -> b", "existingSecretKey: x -> y", oneValue),
	fieldsRow("values.yaml", "", "db", "existingSecret: a -> b", "existingSecretPasswordKey: x -> y", oneValue),
	fieldsRow("values.yaml", "", "db", "existingSecret: a -> b", "passwordKey: x -> y", oneValue),
	fieldsRow("values.yaml", "", "db", "existingSecret: a -> b", "secretKeys: {userPasswordKey: x} -> {userPasswordKey: y}", oneValue),
	fieldsRow("values.yaml", "", "db", "secretName: a -> b", "secretKey: x -> y", oneValue),
	fieldsRow("a.yaml", "image.toolkit.fluxcd.io/v1 ImagePolicy", "spec.imageRepositoryRef", "name: a -> b", "namespace: x -> y", oneValue),
	fieldsRow("a.yaml", "", "spec.writeConnectionSecretToRef", "name: a -> b", "namespace: x -> y", oneValue),
	fieldsRow("a.yaml", "v1 PersistentVolume", "spec.csi.nodePublishSecretRef", "name: a -> b", "namespace: x -> y", oneValue),
	fieldsRow("a.yaml", "external-secrets.io/v1 ExternalSecret", "spec.dataFrom[sourceRef: {}].extract", "key: a -> b", "property: x -> y", oneValue),
	fieldsRow("a.yaml", "autoscaling/v2 HorizontalPodAutoscaler", "spec.metrics[type: Resource].resource", "name: cpu -> memory", "target: {type: Utilization, averageUtilization: 60} -> {type: Utilization, averageUtilization: 80}", oneValue),
	fieldsRow("a.yaml", "autoscaling/v2 HorizontalPodAutoscaler", "spec.behavior.scaleUp.policies[periodSeconds: 60]", "type: Percent -> Pods", "value: 10 -> 50", oneValue),
	fieldsRow("a.yaml", "autoscaling/v2 HorizontalPodAutoscaler", "spec.behavior.scaleDown.policies[periodSeconds: 60]", "type: Percent -> Pods", "value: 10 -> 50", oneValue),
	fieldsRow("a.yaml", "keda.sh/v1alpha1 ScaledObject", "spec.triggers[type: prometheus].metadata", "query: a -> b", "threshold: 1 -> 2", oneValue),
	fieldsRow(".github/dependabot.yaml", "", "registries.a", "url: x -> y", "password: p -> q", oneValue),
	fieldsRow("a.yaml", "", "Properties", "MinSize: 1 -> 4", "DesiredCapacity: 5 -> 2", "MinSize would be greater than DesiredCapacity"),
	fieldsRow("a.yaml", "", "Properties", "DesiredCapacity: 2 -> 5", "MaxSize: 6 -> 4", "DesiredCapacity would be greater than MaxSize"),
	fieldsRow("a.yaml", "", "ScalingConfig", "MinSize: 1 -> 4", "DesiredSize: 5 -> 2", "MinSize would be greater than DesiredSize"),
	fieldsRow("a.yaml", "", "ScalingConfig", "DesiredSize: 2 -> 5", "MaxSize: 6 -> 4", "DesiredSize would be greater than MaxSize"),
	fieldsRow("a.yaml", "", "nodeGroups[name: a]", "minSize: 1 -> 4", "desiredCapacity: 5 -> 2", "minSize would be greater than desiredCapacity"),
	fieldsRow("a.yaml", "", "nodeGroups[name: a]", "desiredCapacity: 2 -> 5", "maxSize: 6 -> 4", "desiredCapacity would be greater than maxSize"),
	fieldsRow("a.yaml", "", "scalingConfig", "minSize: 1 -> 4", "desiredSize: 5 -> 2", "minSize would be greater than desiredSize"),
	fieldsRow("a.yaml", "", "scalingConfig", "desiredSize: 2 -> 5", "maxSize: 6 -> 4", "desiredSize would be greater than maxSize"),
	fieldsRow("a.yaml", "", "DeploymentConfiguration", "MinimumHealthyPercent: 50 -> 150", "MaximumPercent: 200 -> 100", "MinimumHealthyPercent would be greater than MaximumPercent"),
	fieldsRow("a.yaml", "", "ScalingConfiguration", "MinCapacity: 1 -> 4", "MaxCapacity: 5 -> 2", "MinCapacity would be greater than MaxCapacity"),
	fieldsRow("a.yaml", "", "autoscaling", "minNodeCount: 1 -> 4", "maxNodeCount: 5 -> 2", "minNodeCount would be greater than maxNodeCount"),
	fieldsRow("a.yaml", "", "pool", "minCount: 1 -> 4", "maxCount: 5 -> 2", "minCount would be greater than maxCount"),
	fieldsRow("openapi.yaml", "", "components.schemas.A", "minProperties: 1 -> 4", "maxProperties: 5 -> 2", "minProperties would be greater than maxProperties"),
	fieldsRow("a.yaml", "gateway.networking.k8s.io/v1 HTTPRoute", "spec.rules[name: a].timeouts", "request: 10s -> 6s", "backendRequest: 5s -> 8s", "backendRequest would be greater than request"),
	fieldsRow("values.yaml", "", "resources", "requests: {cpu: 100m, memory: 64Mi} -> {cpu: 400m, memory: 64Mi}", "limits: {cpu: 0.5, memory: 128Mi} -> {cpu: 0.3, memory: 128Mi}", "requests would be greater than limits"),
	fieldsRow("values.yaml", "", "resources", "requests: {memory: 900M} -> {memory: 1000M}", "limits: {memory: 1Gi} -> {memory: 900Mi}", "requests would be greater than limits"),
	fieldsRow("a.yaml", "v1 LimitRange", "spec.limits[type: Container]", "defaultRequest: {cpu: 100m} -> {cpu: 300m}", "default: {cpu: 500m} -> {cpu: 200m}", "defaultRequest would be greater than default"),
	fieldsRow("a.yaml", "v1 LimitRange", "spec.limits[type: Container]", "default: {cpu: 100m} -> {cpu: 300m}", "max: {cpu: 500m} -> {cpu: 200m}", "default would be greater than max"),
	fieldsRow("a.yaml", "v1 LimitRange", "spec.limits[type: Container]", "min: {cpu: 100m} -> {cpu: 300m}", "defaultRequest: {cpu: 500m} -> {cpu: 200m}", "min would be greater than defaultRequest"),
	fieldsRow("openapi.yaml", "", "components.schemas.A", "enum: [a, b, c] -> [a, b]", "default: a -> c", oneValue),
	fieldsRow("a.yaml", "apiextensions.k8s.io/v1 CustomResourceDefinition", "spec.versions[name: v1].schema.openAPIV3Schema.properties.a", "enum: [a, b, c] -> [a, b]", "default: a -> c", oneValue),
	fieldsRow("openapi.yaml", "", "components.securitySchemes.a", "in: header -> cookie", "name: X-Key -> Authorization", oneValue),
	fieldsRow("swagger.yaml", "", "securityDefinitions.a", "in: header -> query", "name: X-Key -> Authorization", oneValue),
	fieldsRow("values.yaml", "", "imageCredentials", "registry: a -> b", "password: x -> y", oneValue),
	fieldsRow("application.yml", "", "spring.datasource", "username: a -> b", "password: x -> y", oneValue),
	fieldsRow("values.yaml", "", "postgresql", "user: a -> b", "password: x -> y", oneValue),
	fieldsRow("values.yaml", "", "grafana", "adminUser: a -> b", "adminPassword: x -> y", oneValue),
	fieldsRow("values.yaml", "", "minio", "rootUser: a -> b", "rootPassword: x -> y", oneValue),
	fieldsRow("values.yaml", "", "s3", "accessKey: a -> b", "secretKey: x -> y", oneValue),
	fieldsRow("compose.yaml", "", "services.a.environment", "POSTGRES_USER: a -> b", "POSTGRES_PASSWORD: x -> y", oneValue),
	fieldsRow("compose.yaml", "", "services.a.environment", "MYSQL_USER: a -> b", "MYSQL_PASSWORD: x -> y", oneValue),
	fieldsRow("compose.yaml", "", "services.a.environment", "MARIADB_USER: a -> b", "MARIADB_PASSWORD: x -> y", oneValue),
	fieldsRow("compose.yaml", "", "services.a.environment", "MONGO_INITDB_ROOT_USERNAME: a -> b", "MONGO_INITDB_ROOT_PASSWORD: x -> y", oneValue),
	fieldsRow("compose.yaml", "", "services.a.environment", "RABBITMQ_DEFAULT_USER: a -> b", "RABBITMQ_DEFAULT_PASS: x -> y", oneValue),
	fieldsRow("compose.yaml", "", "services.a.environment", "MINIO_ROOT_USER: a -> b", "MINIO_ROOT_PASSWORD: x -> y", oneValue),
	fieldsRow("compose.yaml", "", "services.a.environment", "DB_USER: a -> b", "DB_PASSWORD: x -> y", oneValue),
	fieldsRow("compose.yaml", "", "services.a.environment", "DB_USERNAME: a -> b", "DB_PASSWORD: x -> y", oneValue),
	fieldsRow("compose.yaml", "", "services.a.environment", "AWS_ACCESS_KEY_ID: a -> b", "AWS_SECRET_ACCESS_KEY: x -> y", oneValue),
	fieldsRow("alertmanager.yml", "", "global", "smtp_smarthost: a -> b", "smtp_auth_password: x -> y", oneValue),
	fieldsRow("alertmanager.yml", "", "receivers[name: a].email_configs[to: a]", "smarthost: a -> b", "auth_password: x -> y", oneValue),
	fieldsRow("prometheus.yml", "", "remote_write[name: a]", "url: a -> b", "basic_auth: {username: x} -> {username: y}", oneValue),
	fieldsRow("a.yaml", "monitoring.coreos.com/v1 Prometheus", "spec.remoteWrite[name: a]", "url: a -> b", "basicAuth: {username: x} -> {username: y}", oneValue),
	fieldsRow("a.yaml", "networking.istio.io/v1 Gateway", "spec.servers[hosts: [a]].port", "number: 80 -> 443", "protocol: HTTP -> HTTPS", oneValue),
	fieldsRow("a.yaml", "networking.istio.io/v1 ServiceEntry", "spec.ports[name: a]", "number: 80 -> 443", "protocol: HTTP -> HTTPS", oneValue),
	fieldsRow("values.yaml", "", "ingress.tls[x: y]", "hosts: [a] -> [a, b]", "secretName: a -> b", oneValue),
	fieldsRow("a.yaml", "kustomize.toolkit.fluxcd.io/v1 Kustomization", "spec", "path: ./a -> ./b", "sourceRef: {kind: GitRepository, name: a} -> {kind: GitRepository, name: b}", oneValue),
	fieldsRow("a.yaml", "apiextensions.crossplane.io/v1 Composition", "spec.resources[name: a].patches[x: y]", "fromFieldPath: a -> b", "toFieldPath: x -> y", oneValue),
	fieldsRow("kustomization.yaml", "", "replacements[targets: []].source", "name: a -> b", "fieldPath: x -> y", oneValue),
	fieldsRow("tasks/main.yml", "", "[name: a].lineinfile", "regexp: ^a -> ^b", "line: a b -> a c", oneValue),
	fieldsRow("tasks/main.yml", "", "[name: a].git", "repo: a/b -> a/c", "version: v1 -> v2", oneValue),
	fieldsRow("tasks/main.yml", "", "[name: a].cron", "minute: 0 -> 30", "hour: 3 -> 4", oneValue),
	fieldsRow("tasks/main.yml", "", "[name: a].ufw", "port: 22 -> 5432", "src: 10.0.0.0/8 -> any", access),
	fieldsRow("tasks/main.yml", "", "[name: a].iptables", "source: 10.0.0.0/8 -> 0.0.0.0/0", "destination_port: 22 -> 5432", access),
	fieldsRow("tasks/main.yml", "", "[name: a].firewalld", "port: 22/tcp -> 5432/tcp", "zone: internal -> public", access),
	fieldsRow("tasks/main.yml", "", "[name: a].sudoers", "user: deploy -> ci", "commands: /bin/a -> ALL", access),
	fieldsRow("a.template.yaml", "", "Resources.A.Properties", "Engine: postgres -> mysql", "EngineVersion: 14 -> 15", oneValue),
	fieldsRow("a.template.yaml", "", "Resources.A.Properties", "CodeUri: src -> dist", "Handler: a.handler -> src/a.handler", oneValue),
	fieldsRow("a.template.yaml", "", "Resources.A.Properties.Code", "S3Bucket: a -> b", "S3Key: x -> y", oneValue),
	fieldsRow("a.template.yaml", "", "Resources.A.Properties", "MasterUsername: a -> b", "MasterUserPassword: x -> y", oneValue),
	fieldsRow("a.yaml", "networking.istio.io/v1 VirtualService", "spec.http[name: a].corsPolicy", "allowOrigins: [{exact: a}] -> [{regex: .*}]", "allowCredentials: false -> true", access),
	fieldsRow("a.yaml", "traefik.io/v1alpha1 Middleware", "spec.headers", "accessControlAllowOriginList: [a] -> [\"*\"]", "accessControlAllowCredentials: false -> true", access),
	fieldsRow("a.yaml", "networking.k8s.io/v1 Ingress", "metadata.annotations", "nginx.ingress.kubernetes.io/cors-allow-origin: a -> \"*\"", "nginx.ingress.kubernetes.io/cors-allow-credentials: \"false\" -> \"true\"", access),
	fieldsRow("compose.yaml", "", "services.a", "cap_add: [NET_BIND_SERVICE] -> [SYS_ADMIN]", "user: 1000 -> root", access),
	fieldsRow("a.yaml", "traefik.io/v1alpha1 IngressRoute", "spec.routes[kind: Rule]", "match: Path(`/a`) -> PathPrefix(`/`)", "middlewares: [{name: auth}] -> []", access),
	fieldsRow(".github/workflows/a.yml", "", "", "on: [push] -> [push, pull_request_target]", "permissions: {contents: read} -> {contents: write}", access),
	fieldsRow("renovate.json", "", "packageRules[groupName: a]", "matchPackageNames: [a] -> [\"*\"]", "automerge: false -> true", access),
	fieldsRow("flatpak.yaml", "", "modules[name: a].sources[type: git]", "tag: v1 -> v2", "commit: a -> b", oneValue),
	fieldsRow("snapcraft.yaml", "", "parts.a", "source: https://a/b -> https://a/c", "source-tag: v1 -> v2", oneValue),
	fieldsRow("melange.yaml", "", "pipeline[uses: git-checkout].with", "tag: v1 -> v2", "expected-commit: a -> b", oneValue),
	fieldsRow("meta.yaml", "", "source", "git_url: https://a/b -> https://a/c", "git_rev: v1 -> v2", oneValue),
	fieldsRow("a.yaml", "source.toolkit.fluxcd.io/v1 HelmChart", "spec", "chart: a -> b", "version: 1.0.0 -> 2.0.0", oneValue),
	fieldsRow("a.yaml", "source.toolkit.fluxcd.io/v1 HelmChart", "spec", "chart: a -> b", "sourceRef: {kind: HelmRepository, name: a} -> {kind: HelmRepository, name: b}", oneValue),
	fieldsRow("a.yaml", "source.toolkit.fluxcd.io/v1 HelmRepository", "spec", "type: default -> oci", "url: https://a -> https://b", oneValue),
	fieldsRow("a.yaml", "argoproj.io/v1alpha1 ApplicationSet", "spec.generators[x: y].git", "repoURL: https://a/b -> https://a/c", "revision: v1 -> v2", oneValue),
	fieldsRow("a.yaml", "fleet.cattle.io/v1alpha1 GitRepo", "spec", "repo: https://a/b -> https://a/c", "branch: v1 -> v2", oneValue),
	fieldsRow("humble/distribution.yaml", "", "repositories.a.source", "url: https://a/b -> https://a/c", "version: v1 -> v2", oneValue),
	fieldsRow("humble/distribution.yaml", "", "repositories.a.release", "url: https://a/b -> https://a/c", "version: v1 -> v2", oneValue),
	fieldsRow("a.repos", "", "repositories.a", "url: https://a/b -> https://a/c", "version: v1 -> v2", oneValue),
	fieldsRow("pubspec.yaml", "", "dependencies.a.git", "url: https://a/b -> https://a/c", "ref: v1 -> v2", oneValue),
	fieldsRow("helmfile.yaml", "", "repositories[name: a]", "url: https://a -> https://b", "password: x -> y", oneValue),
	fieldsRow("tasks/main.yml", "", "[name: a].mysql_db", "login_user: a -> b", "login_password: x -> y", oneValue),
	fieldsRow("tasks/main.yml", "", "[name: a].docker_login", "registry_url: a -> b", "password: x -> y", oneValue),
}

// PresetMerges are merges without a conflict, although both sides changed fields with the names of a preset. Want are
// the lines of the result.
var PresetMerges = []Row{
	// properties of a schema, and data in an example
	{"openapi.yaml", "components:\n  schemas:\n    A:\n      properties:", "        type: {type: string}\n        format: {type: string}", "        type: {type: string, maxLength: 9}\n        format: {type: string}", "        type: {type: string}\n        format: {type: string, maxLength: 5}", "        type: {type: string, maxLength: 9}\n        format: {type: string, maxLength: 5}"},
	{"a.yaml", "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nspec:\n  versions:\n  - name: v1\n    schema:\n      openAPIV3Schema:\n        properties:", "          image: {type: string}\n          tag: {type: string}", "          image: {type: string, minLength: 1}\n          tag: {type: string}", "          image: {type: string}\n          tag: {type: string, maxLength: 128}", "          image: {type: string, minLength: 1}\n          tag: {type: string, maxLength: 128}"},
	{"openapi.yaml", "components:\n  schemas:\n    A:\n      example:", "        type: image\n        format: png", "        type: photo\n        format: png", "        type: image\n        format: webp", "        type: photo\n        format: webp"},
	// labels
	{"config/locales/en.yml", "en:\n  login:", "    username: Username\n    password: Password", "    username: User name\n    password: Password", "    username: Username\n    password: Passphrase", "    username: User name\n    password: Passphrase"},
	// a field that is written with its default
	{"a.yaml", "apiVersion: v1\nkind: Pod\nmetadata:\n  name: a\nspec:\n  containers:\n  - name: a\n    livenessProbe:\n      httpGet:", "        port: 80", "        port: 8080", "        port: 80\n        scheme: HTTP", "        port: 8080\n        scheme: HTTP"},
	{"a.yaml", "apiVersion: monitoring.coreos.com/v1\nkind: ServiceMonitor\nmetadata:\n  name: a\nspec:\n  endpoints:\n  - path: /metrics", "    port: web", "    port: metrics", "    port: web\n    scheme: http", "    port: metrics\n    scheme: http"},
	{"tasks/main.yml", "- name: a\n  user:", "    name: bob\n    groups: a", "    name: bob\n    groups: b", "    name: bob\n    groups: a\n    state: present", "    name: bob\n    groups: b\n    state: present"},
	{".github/workflows/a.yml", "jobs:\n  a:\n    steps:\n    - name: a", "      run: a", "      run: b", "      run: a\n      shell: bash", "      run: b\n      shell: bash"},
	{".gitlab-ci.yml", "a:\n  rules:\n  - allow_failure: true", "    if: a", "    if: b", "    if: a\n    when: on_success", "    if: b\n    when: on_success"},
	// a request that is at most the limit
	{"values.yaml", "resources:", "  requests: {cpu: 100m}\n  limits: {cpu: 2}", "  requests: {cpu: 0.4}\n  limits: {cpu: 2}", "  requests: {cpu: 100m}\n  limits: {cpu: 500m}", "  requests: {cpu: 0.4}\n  limits: {cpu: 500m}"},
	// the first permissions of a workflow, which take others away
	{".github/workflows/a.yml", "name: a", "on: [push]\njobs: {}", "on: [push, pull_request]\njobs: {}", "on: [push]\njobs: {}\npermissions: {contents: read}", "on: [push, pull_request]\njobs: {}\npermissions: {contents: read}"},
}

// AccessMerges are merges of fields that grant access, without a conflict. Want are the lines of the result.
var AccessMerges = []Row{
	{"stack/template.yaml", iamPolicy, "          - Effect: Allow\n            Action: [s3:*]\n            Resource: [a]\n            Condition: {Bool: {aws:SecureTransport: \"true\"}}", "          - Effect: Allow\n            Action: [s3:Get, s3:List]\n            Resource: [a]\n            Condition: {Bool: {aws:SecureTransport: \"true\"}}", "          - Effect: Allow\n            Action: [s3:*]\n            Resource: [a, b]\n            Condition: {Bool: {aws:SecureTransport: \"true\"}}", "          - Effect: Allow\n            Action: [s3:Get, s3:List]\n            Resource: [a, b]\n            Condition: {Bool: {aws:SecureTransport: \"true\"}}"},
	{"stack/template.yaml", iamPolicy, "          - Effect: Allow\n            NotAction: [iam:Pass]\n            Resource: [a]", "          - Effect: Allow\n            NotAction: [iam:Pass, iam:Create]\n            Resource: [a]", "          - Effect: Allow\n            NotAction: [iam:Pass]\n            Resource: [a, b]", "          - Effect: Allow\n            NotAction: [iam:Pass, iam:Create]\n            Resource: [a, b]"},
	{"a.yaml", authorizationPolicy, "  rules:\n    - from:\n        - source:\n            principals: [a]\n            namespaces: [x]\n      to:\n        - operation:\n            methods: [GET]\n            paths: [/a, /b]", "  rules:\n    - from:\n        - source:\n            principals: [a]\n            namespaces: [x]\n      to:\n        - operation:\n            methods: [GET]\n            paths: [/a]", "  rules:\n    - from:\n        - source:\n            principals: [a, b]\n            namespaces: [x]\n      to:\n        - operation:\n            methods: [GET]\n            paths: [/a, /b]", "  rules:\n    - from:\n        - source:\n            principals: [a, b]\n            namespaces: [x]\n      to:\n        - operation:\n            methods: [GET]\n            paths: [/a]"},
	{"a.yaml", authorizationPolicy, "  rules:\n    - from:\n        - source:\n            principals: [a]\n            namespaces: [x, y]\n      to:\n        - operation:\n            methods: [GET]\n            paths: [/a]", "  rules:\n    - from:\n        - source:\n            principals: [a, b]\n            namespaces: [x, y]\n      to:\n        - operation:\n            methods: [GET]\n            paths: [/a]", "  rules:\n    - from:\n        - source:\n            principals: [a]\n            namespaces: [x]\n      to:\n        - operation:\n            methods: [GET]\n            paths: [/a]", "  rules:\n    - from:\n        - source:\n            principals: [a, b]\n            namespaces: [x]\n      to:\n        - operation:\n            methods: [GET]\n            paths: [/a]"},
	{"a.yaml", networkPolicy, "  ingress:\n    - from:\n        - podSelector: {matchLabels: {app: a}}", "  ingress:\n    - from:\n        - podSelector: {matchLabels: {app: a}}\n      ports:\n        - port: 80", "  ingress:\n    - from:\n        - podSelector: {matchLabels: {app: a}}\n        - namespaceSelector: {}", "  ingress:\n    - from:\n        - podSelector: {matchLabels: {app: a}}\n        - namespaceSelector: {}\n      ports:\n        - port: 80"},
	{"a.yaml", networkPolicy, "  ingress:\n    - from:\n        - podSelector: {matchLabels: {app: a}}\n      ports:\n        - port: 80", "  ingress:\n    - from:\n        - podSelector: {matchLabels: {app: a}}\n      ports:\n        - port: 80\n        - port: 443", "  ingress:\n    - from:\n        - podSelector: {matchLabels: {app: a, tier: b}}\n      ports:\n        - port: 80", "  ingress:\n    - from:\n        - podSelector: {matchLabels: {app: a, tier: b}}\n      ports:\n        - port: 80\n        - port: 443"},
	{"a.yaml", clusterRole, "  - apiGroups: [\"\"]\n    resources: [pods]\n    verbs: [get]\n  - apiGroups: [apps]\n    resources: [deployments]\n    verbs: [get]", "  - apiGroups: [\"\"]\n    resources: [pods, secrets]\n    verbs: [get]\n  - apiGroups: [apps]\n    resources: [deployments]\n    verbs: [get]", "  - apiGroups: [\"\"]\n    resources: [pods]\n    verbs: [get]\n  - apiGroups: [apps]\n    resources: [deployments]\n    verbs: [get, delete]", "  - apiGroups: [\"\"]\n    resources: [pods, secrets]\n    verbs: [get]\n  - apiGroups: [apps]\n    resources: [deployments]\n    verbs: [get, delete]"},
	{"a.yaml", clusterRole, "  - apiGroups: [\"\"]\n    resources: [pods]\n    verbs: [get]", "  - apiGroups: [\"\"]\n    resources: [pods]\n    verbs: [get, delete]", "  - apiGroups: [\"\"]\n    resources: [pods, secrets]\n    verbs: [get, delete]", "  - apiGroups: [\"\"]\n    resources: [pods, secrets]\n    verbs: [get, delete]"},
	{"a.yaml", clusterRole, "  - apiGroups: [\"\"]\n    resources: [pods]\n    verbs: [get]", "  - apiGroups: [\"\"]\n    resourceNames: [a]\n    resources: [pods]\n    verbs: [get]", "  - apiGroups: [\"\"]\n    resources: [pods]\n    verbs: [get, delete]", "  - apiGroups: [\"\"]\n    resourceNames: [a]\n    resources: [pods]\n    verbs: [get, delete]"},
	{"a.yaml", clusterRole, "  - apiGroups: [\"\"]\n    resources: [pods]\n    verbs: [get, list]", "  - apiGroups: [\"\"]\n    resources: [pods]\n    verbs: [get]", "  - apiGroups: [\"\"]\n    resources: [pods, secrets]\n    verbs: [get, list]", "  - apiGroups: [\"\"]\n    resources: [pods, secrets]\n    verbs: [get]"},
	{"a.yaml", clusterRole, "  - apiGroups: [\"\"]\n    resources: [pods]\n    verbs: [get, list]", "  - apiGroups: [\"\"]\n    resources: [pods]\n    verbs: [create, get, list]", "  - apiGroups: [\"\"]\n    resources: [pods]\n    verbs: [get, list, delete]", "  - apiGroups: [\"\"]\n    resources: [pods]\n    verbs: [create, get, list, delete]"},
	{"a.yaml", clusterRole, "  - apiGroups: [\"\"]\n    resources: [pods]\n    verbs: ['*']", "  - apiGroups: [\"\"]\n    resources: [pods]\n    verbs: [get, list]", "  - apiGroups: [\"\"]\n    resources: [pods, secrets]\n    verbs: ['*']", "  - apiGroups: [\"\"]\n    resources: [pods, secrets]\n    verbs: [get, list]"},
	{"a.yaml", clusterRole, "  - apiGroups: [\"\"]\n    resources: &r [pods]\n    verbs: [get]\n  - apiGroups: [\"\"]\n    resources: *r\n    verbs: [list]\naggregationRule: a", "  - apiGroups: [\"\"]\n    resources: &r [pods, secrets]\n    verbs: [get]\n  - apiGroups: [\"\"]\n    resources: *r\n    verbs: [list, delete]\naggregationRule: a", "  - apiGroups: [\"\"]\n    resources: &r [pods]\n    verbs: [get]\n  - apiGroups: [\"\"]\n    resources: *r\n    verbs: [list]\naggregationRule: b", "  - apiGroups: [\"\"]\n    resources: &r [pods, secrets]\n    verbs: [get]\n  - apiGroups: [\"\"]\n    resources: *r\n    verbs: [list, delete]\naggregationRule: b"},
	{"vpc.template.yaml", securityGroup, "        - CidrIp: 10.0.0.0/8\n          IpProtocol: tcp\n          FromPort: 443\n          ToPort: 443", "        - CidrIp: 10.0.0.0/8\n          IpProtocol: tcp\n          FromPort: 443\n          ToPort: 8443", "        - CidrIp: 10.1.0.0/16\n          IpProtocol: tcp\n          FromPort: 443\n          ToPort: 443", "        - CidrIp: 10.1.0.0/16\n          IpProtocol: tcp\n          FromPort: 443\n          ToPort: 8443"},
}
