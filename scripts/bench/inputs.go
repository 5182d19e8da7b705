package main

import (
	"bufio"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// An input describes three versions of a file. By default, the file has about size bytes and consists of the
// blocks of its kind; each side changes about edits of the blocks.
type input struct {
	kind  string
	size  int
	edits int
	// custom, if set, writes version v (0 base, 1 ours, 2 theirs) instead. It writes to a buffer and does not
	// keep the version in memory, because the measured peak memory of a command is at least the memory of the
	// process that starts it.
	custom func(w *bufio.Writer, v int)
}

// inputs are typical files, from a manifest to a lock file.
var inputs = []input{
	{kind: "stream", size: 2 << 10, edits: 1},
	{kind: "values", size: 100 << 10, edits: 10},
	{kind: "stream", size: 1 << 20, edits: 10},
	{kind: "types", size: 5 << 20, edits: 10},
	{kind: "lock", size: 5 << 20, edits: 10},
	{kind: "json", size: 4 << 10, edits: 1},
	{kind: "json", size: 1 << 20, edits: 10},
}

// headers are the texts before the blocks, by kind.
var headers = map[string]string{
	"types": "kind: CustomResourceDefinition\nmetadata:\n  name: things.example.com\nspec:\n  versions:\n  - name: v1\n" +
		"    schema:\n      properties:\n",
	"lock": "version: 9\npackages:\n",
	"json": "{\n",
}

// footers are the texts after the blocks, by kind.
var footers = map[string]string{"json": "  \"end\": 0\n}\n"}

// blocks are the templates of one block, by kind. % is the number of the block. In «x|y», ours changes x to y;
// in ‹x|y›, theirs does.
var blocks = map[string]string{
	"stream": `---
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web-%
  namespace: shop
  labels: {app: web-%}
spec:
  replicas: «2|5»   # by hand
  template:
    spec:
      containers:
      - name: web
        image: registry.example.com/web-%:‹1.0|1.1›
        args: [--listen=:8080, --verbose]
        ports:
        - containerPort: 8080
        env:
        - name: LEVEL
          value: "info"
«|        - name: OURS
          value: "1"
»‹|        - name: THEIRS
          value: "1"
›        resources:
          limits:
            cpu: 100m
            memory: 256Mi
---
apiVersion: v1
kind: Service
metadata:
  name: web-%
  namespace: shop
spec:
  ports:
  - port: 80
    targetPort: 8080
`,
	"values": `
# service %
service%:
  image:
    repository: registry.example.com/service-%   # mirrored
    tag: "‹1.8|1.9›"
  replicas: «1|4»
  hosts:
    - service-%.example.com
  config: |
    level = "info"
`,
	"types": `        field%:
          description: «What it is|What it really is»
          type: string
          maxLength: ‹63|253›
          pattern: ^[a-z]([-a-z0-9]*[a-z0-9])?$
`,
	"json": `  "service%": {
    "image": "registry.example.com/service-%",
    "tag": "‹1.8|1.9›",
    "replicas": «1|4»,
    "hosts": [
      "service-%.example.com"«|,
      "www-%.example.com"»
    ]
  },
`,
	"lock": `
  package-%@1.0.0:
    resolution: {integrity: sha512-00000000000000000000000000000000%}
    engines: {node: '>=‹18|20›'}
«|    deprecated: use another
»`,
}

// changePattern matches the parts of a block that a side changes.
var changePattern = regexp.MustCompile(`[«‹]([^|«‹]*)\|([^»›]*)[»›]`)

// block returns block i. ours and theirs are whether it has the changes of these sides.
func (in input) block(i int, ours, theirs bool) string {
	b := changePattern.ReplaceAllStringFunc(blocks[in.kind], func(s string) string {
		m := changePattern.FindStringSubmatch(s)
		if strings.HasPrefix(s, "«") && ours || strings.HasPrefix(s, "‹") && theirs {
			return m[2]
		}
		return m[1]
	})
	return strings.ReplaceAll(b, "%", strconv.Itoa(i))
}

// write writes the three versions to the files base, ours and theirs in dir, which it creates if necessary.
func (in input) write(dir string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	for v, name := range []string{"base", "ours", "theirs"} {
		f, err := os.Create(filepath.Join(dir, name))
		if err != nil {
			return err
		}
		defer f.Close()
		w := bufio.NewWriter(f)
		in.writeVersion(w, v)
		if err := w.Flush(); err != nil {
			return err
		}
	}
	return nil
}

// writeVersion writes version v: 0 is base, 1 ours, 2 theirs.
func (in input) writeVersion(w *bufio.Writer, v int) {
	if in.custom != nil {
		in.custom(w, v)
		return
	}
	n := max(1, in.size/len(in.block(10000, false, false)))
	every := max(1, n/in.edits)
	w.WriteString(headers[in.kind])
	for i := range n {
		edited := i%every == every/2
		w.WriteString(in.block(i, edited && v == 1, edited && v == 2))
	}
	w.WriteString(footers[in.kind])
}
