package main

import (
	"bufio"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// An input is three versions of a file of about size bytes, in which each side
// changes some of the blocks.
type input struct {
	kind  string
	size  int
	edits int
	// version writes version v (base, ours, theirs), where it is set. It does
	// not hold it: processes start with the peak memory of the one that starts
	// them.
	version func(w *bufio.Writer, v int)
}

// table is what people have, from a manifest to a lock file.
var table = []input{
	{kind: "stream", size: 2 << 10, edits: 1},
	{kind: "values", size: 100 << 10, edits: 10},
	{kind: "stream", size: 1 << 20, edits: 10},
	{kind: "types", size: 5 << 20, edits: 10},
	{kind: "lock", size: 5 << 20, edits: 10},
	{kind: "json", size: 4 << 10, edits: 1},
	{kind: "json", size: 1 << 20, edits: 10},
}

// heads stand above the blocks.
var heads = map[string]string{
	"types": "kind: CustomResourceDefinition\nmetadata:\n  name: things.example.com\nspec:\n  versions:\n  - name: v1\n" +
		"    schema:\n      properties:\n",
	"lock": "version: 9\npackages:\n",
	"json": "{\n",
}

// feet stand below them.
var feet = map[string]string{"json": "  \"end\": 0\n}\n"}

// blocks are the texts of one block: its number (%), what ours changes («x|y»)
// and what theirs changes (‹x|y›).
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

// changes are the parts of blocks that a side changes.
var changes = regexp.MustCompile(`[«‹]([^|«‹]*)\|([^»›]*)[»›]`)

// text returns block i of a kind.
func (in input) text(i int, ours, theirs bool) string {
	b := changes.ReplaceAllStringFunc(blocks[in.kind], func(s string) string {
		m := changes.FindStringSubmatch(s)
		if strings.HasPrefix(s, "«") && ours || strings.HasPrefix(s, "‹") && theirs {
			return m[2]
		}
		return m[1]
	})
	return strings.ReplaceAll(b, "%", strconv.Itoa(i))
}

// write writes the three versions to the folder dir.
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
		in.content(w, v)
		if err := w.Flush(); err != nil {
			return err
		}
	}
	return nil
}

// content writes version v of the file.
func (in input) content(w *bufio.Writer, v int) {
	if in.version != nil {
		in.version(w, v)
		return
	}
	n := max(1, in.size/len(in.text(10000, false, false)))
	every := max(1, n/in.edits)
	w.WriteString(heads[in.kind])
	for i := range n {
		edited := i%every == every/2
		w.WriteString(in.text(i, edited && v == 1, edited && v == 2))
	}
	w.WriteString(feet[in.kind])
}
