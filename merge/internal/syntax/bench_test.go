package syntax

import (
	"bytes"
	"strconv"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

const manifest = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web-N
  labels: {app: web, tier: "front"}   # used by the service
spec:
  replicas: 3
  template:
    spec:
      # order matters
      containers:
      - name: web
        image: registry.example.com/shop/web:1.4.2
        args: ["--port", '8080']
        env:
        - name: MODE
          value: production

        - name: CONFIG
          value: |
            a = 1
            b = 2
`

// BenchmarkParse compares Parse (tree) with the YAML parser alone (yaml).
func BenchmarkParse(b *testing.B) {
	for _, docs := range []int{1, 1000} {
		var in strings.Builder
		for i := range docs {
			in.WriteString("---\n" + strings.Replace(manifest, "N", strconv.Itoa(i), 1))
		}
		src := []byte(in.String())
		name := strconv.Itoa(len(src)) + "B"
		b.Run("yaml/"+name, func(b *testing.B) {
			b.SetBytes(int64(len(src)))
			for b.Loop() {
				dec := yaml.NewDecoder(bytes.NewReader(src))
				for dec.Decode(new(yaml.Node)) == nil {
				}
			}
		})
		b.Run("tree/"+name, func(b *testing.B) {
			b.SetBytes(int64(len(src)))
			for b.Loop() {
				if _, err := Parse(text.New(src)); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
