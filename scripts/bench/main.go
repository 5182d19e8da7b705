// Command bench writes versions of YAML files to the current folder and times
// merges of them by whole processes, each in turn with git merge-file. It
// prints medians; scripts/bench.sh builds what it needs.
package main

import (
	"bufio"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
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

// series grow in size with the edits fixed, and in edits with the size fixed.
var series = func() (all []input) {
	for _, size := range []int{1 << 10, 10 << 10, 100 << 10, 1 << 20, 10 << 20, 50 << 20} {
		all = append(all, input{kind: "values", size: size, edits: min(10, size>>10)})
	}
	for _, edits := range []int{1, 10, 100, 1000, 10000} {
		all = append(all, input{kind: "values", size: 5 << 20, edits: edits})
	}
	return all
}()

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

// A run is one process: its time, that of the processor, its peak memory and
// its exit code.
type run struct {
	took   time.Duration
	cpu    time.Duration
	memory int64 // bytes
	code   int
}

// start runs a command in dir on a fresh copy of ours.
func start(dir, command string) (run, error) {
	if err := copyFile(filepath.Join(dir, "merged.yaml"), filepath.Join(dir, "ours")); err != nil {
		return run{}, err
	}
	args := strings.Fields(strings.NewReplacer("%O", "base", "%A", "merged.yaml", "%B", "theirs").Replace(command))
	c := exec.Command(args[0], args[1:]...)
	c.Dir = dir
	began := time.Now()
	err := c.Run()
	if c.ProcessState == nil {
		return run{}, err
	}
	p := c.ProcessState
	return run{time.Since(began), p.UserTime() + p.SystemTime(), peak(p), p.ExitCode()}, nil
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

const gitCommand = "git merge-file -q %A %O %B"

// pairs runs two commands in turn, each in its folder, and returns their runs
// and the ratios of the second to the first.
func pairs(times int, dirs, commands [2]string) (runs [2][]run, ratios []float64, err error) {
	for i := range times + 1 {
		var pair [2]run
		for j := range pair {
			if pair[j], err = start(dirs[j], commands[j]); err != nil {
				return runs, nil, err
			}
		}
		if i == 0 {
			continue // the first pair warms up
		}
		for j, r := range pair {
			runs[j] = append(runs[j], r)
		}
		ratios = append(ratios, pair[1].took.Seconds()/pair[0].took.Seconds())
	}
	slices.Sort(ratios)
	return runs, ratios, nil
}

func milliseconds(r run) float64 { return r.took.Seconds() * 1000 }

func cpu(r run) float64 { return r.cpu.Seconds() * 1000 }

func megabytes(r run) float64 { return float64(r.memory) / 1e6 }

// compare times one input and prints a line.
func compare(in input, command string, times int) error {
	if err := in.write("input"); err != nil {
		return err
	}
	runs, ratios, err := pairs(times, [2]string{"input", "input"}, [2]string{gitCommand, command})
	if err != nil {
		return err
	}
	fmt.Printf("%-8s%10d%8d%10.2f%10.2f%9.2fx%8.0f%6d\n", in.kind, in.size, in.edits,
		median(runs[0], milliseconds), median(runs[1], milliseconds), ratios[len(ratios)/2], median(runs[1], megabytes), runs[1][0].code)
	return nil
}

func main() {
	command := flag.String("cmd", "", "the program, with %O %A %B as git gives them")
	times := flag.Int("runs", 21, "runs of each, in turn")
	only := flag.String("only", "", "only the inputs of this kind")
	long := flag.Bool("series", false, "growing sizes and numbers of edits")
	odd := flag.Bool("odd", false, "odd inputs, also in turn with ordinary ones of their size")
	bad := flag.Bool("hostile", false, "inputs that somebody made to be slow, once each at three sizes")
	many := flag.Int("files", 0, "merge so many files in a repository, by the driver line and its parts")
	flag.Parse()
	var err error
	switch {
	case *many > 0:
		err = compareMany(*many, *command, *times)
	case *bad:
		err = compareHostile(*command, *only)
	default:
		err = print(*command, *only, *times, *long, *odd)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// print times the inputs of a kind, or all, and prints a table.
func print(command, only string, times int, long, odd bool) error {
	inputs, each := table, compare
	switch {
	case odd:
		inputs, each = odds, compareOdd
		fmt.Printf("%s\n%-9s%10s%10s%10s%10s%12s%12s%8s%6s\n", command, "input", "bytes", "git ms", "ms", "to git",
			"to ordinary", "by CPU", "MB", "exit")
	case long:
		inputs = series
		fallthrough
	default:
		fmt.Printf("%s\n%-8s%10s%8s%10s%10s%10s%8s%6s\n", command, "input", "bytes", "edits", "git ms", "ms", "ratio", "MB", "exit")
	}
	for _, in := range inputs {
		if only != "" && in.kind != only {
			continue
		}
		if err := each(in, command, times); err != nil {
			return err
		}
	}
	return nil
}
