// Command bench writes versions of YAML files to the current folder and times
// merges of them by whole processes, each in turn with git merge-file. It
// prints medians; scripts/bench.sh builds what it needs.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"time"
)

// An input is three versions of a file of about size bytes, in which each side
// changes some of the blocks.
type input struct {
	kind  string
	size  int
	edits int
}

// table is what people have, from a manifest to a lock file.
var table = []input{
	{"stream", 2 << 10, 1}, {"values", 100 << 10, 10}, {"stream", 1 << 20, 10}, {"types", 5 << 20, 10}, {"lock", 5 << 20, 10},
}

// series grow in size with the edits fixed, and in edits with the size fixed.
var series = []input{
	{"values", 1 << 10, 1}, {"values", 10 << 10, 10}, {"values", 100 << 10, 10}, {"values", 1 << 20, 10}, {"values", 10 << 20, 10}, {"values", 50 << 20, 10},
	{"values", 5 << 20, 1}, {"values", 5 << 20, 10}, {"values", 5 << 20, 100}, {"values", 5 << 20, 1000}, {"values", 5 << 20, 10000},
}

// heads stand above the blocks.
var heads = map[string]string{
	"types": "kind: CustomResourceDefinition\nmetadata:\n  name: things.example.com\nspec:\n  versions:\n  - name: v1\n    schema:\n      properties:\n",
	"lock":  "version: 9\npackages:\n",
}

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

// write writes the three versions.
func (in input) write() error {
	n := max(1, in.size/len(in.text(10000, false, false)))
	every := max(1, n/in.edits)
	for v, name := range []string{"base", "ours", "theirs"} {
		var b strings.Builder
		b.WriteString(heads[in.kind])
		for i := range n {
			edited := i%every == every/2
			b.WriteString(in.text(i, edited && v == 1, edited && v == 2))
		}
		if err := os.WriteFile(name, []byte(b.String()), 0o666); err != nil {
			return err
		}
	}
	return nil
}

// A run is one process: its time, its peak memory and its exit code.
type run struct {
	took   time.Duration
	memory int64 // bytes
	code   int
}

// start runs a command on a fresh copy of ours.
func start(command string) (run, error) {
	if err := copyFile("merged.yaml", "ours"); err != nil {
		return run{}, err
	}
	args := strings.Fields(strings.NewReplacer("%O", "base", "%A", "merged.yaml", "%B", "theirs").Replace(command))
	c := exec.Command(args[0], args[1:]...)
	began := time.Now()
	err := c.Run()
	if c.ProcessState == nil {
		return run{}, err
	}
	return run{time.Since(began), peak(c.ProcessState), c.ProcessState.ExitCode()}, nil
}

func copyFile(to, from string) error {
	src, err := os.Open(from)
	if err != nil {
		return err
	}
	defer src.Close()
	dst, err := os.Create(to)
	if err != nil {
		return err
	}
	if _, err := io.Copy(dst, src); err != nil {
		return err
	}
	return dst.Close()
}

// median returns the middle of the values of get.
func median(runs []run, get func(run) float64) float64 {
	var v []float64
	for _, r := range runs {
		v = append(v, get(r))
	}
	slices.Sort(v)
	return v[len(v)/2]
}

// compare times one input and prints a line.
func compare(in input, command string, times int) error {
	if err := in.write(); err != nil {
		return err
	}
	debug.FreeOSMemory() // a process starts with the peak of the one that starts it
	var git, own []run
	var ratio []float64
	for i := range times + 1 {
		g, err := start("git merge-file -q %A %O %B")
		if err != nil {
			return err
		}
		o, err := start(command)
		if err != nil {
			return err
		}
		if i > 0 { // the first pair warms up
			git, own, ratio = append(git, g), append(own, o), append(ratio, o.took.Seconds()/g.took.Seconds())
		}
	}
	slices.Sort(ratio)
	ms := func(r run) float64 { return r.took.Seconds() * 1000 }
	fmt.Printf("%-8s%10d%8d%10.2f%10.2f%9.2fx%8.0f%6d\n", in.kind, in.size, in.edits,
		median(git, ms), median(own, ms), ratio[len(ratio)/2], median(own, func(r run) float64 { return float64(r.memory) / 1e6 }), own[0].code)
	return nil
}

func main() {
	command := flag.String("cmd", "", "the program, with %O %A %B as git gives them")
	times := flag.Int("runs", 21, "runs of each, in turn")
	only := flag.String("only", "", "only the inputs of this kind")
	long := flag.Bool("series", false, "growing sizes and numbers of edits")
	flag.Parse()
	inputs := table
	if *long {
		inputs = series
	}
	fmt.Printf("%s\n%-8s%10s%8s%10s%10s%10s%8s%6s\n", *command, "input", "bytes", "edits", "git ms", "ms", "ratio", "MB", "exit")
	for _, in := range inputs {
		if *only != "" && in.kind != *only {
			continue
		}
		if err := compare(in, *command, *times); err != nil {
			fmt.Fprintln(os.Stderr, "bench:", err)
			os.Exit(1)
		}
	}
}
