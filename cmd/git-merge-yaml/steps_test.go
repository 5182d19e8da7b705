package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/scripttest"
)

// A repetitiveInput is an input in which each of n values could be compared with each. make returns version v of the
// file: 0 for base, 1 for ours and 2 for theirs.
type repetitiveInput struct {
	name string
	n    int
	make func(n, v int) string
}

// repetitiveInputs are such inputs. Each n is so large that a bound on the values that are compared is exceeded.
var repetitiveInputs = []repetitiveInput{
	{"one key", 2000, func(n, v int) string {
		return numbered(n, func(i int) string { return fmt.Sprintf("a: v%d of %d\n", i, v) })
	}},
	{"items of one name under conditions", 2000, func(n, v int) string {
		// no line is equal in two versions: git's line merge compares runs of equal lines up to a bound that it does not reach
		blanks := strings.Repeat(" ", v)
		return "kind: Pod\napiVersion: v1\nspec:\n  containers:\n" + numbered(n, func(i int) string {
			return fmt.Sprintf("{{- if %s.Values.c%d }}\n  - {name: web, image: i%d}\n{{- end %s}}\n", blanks, i, 3*i+v, blanks)
		})
	}},
	{"networks of a NetworkPolicy", 1000, func(n, v int) string {
		return "apiVersion: networking.k8s.io/v1\nkind: NetworkPolicy\nmetadata: {name: a}\nspec:\n  ingress:\n  - from:\n" +
			numbered(n, func(i int) string {
				return fmt.Sprintf("    - ipBlock: {cidr: 10.%d.%d.0/%d}\n", i/250, i%250, 24-v)
			}) + fmt.Sprintf("    ports: [{port: 1%d}]\n", v)
	}},
	{"verbs and resources of a role", 3000, func(n, v int) string {
		return "apiVersion: rbac.authorization.k8s.io/v1\nkind: Role\nmetadata: {name: a}\nrules:\n- apiGroups: ['']\n" +
			"  resources:\n" + numbered(n/2*(1+v/2), func(i int) string { return fmt.Sprintf("  - r%d\n", i) }) +
			"  verbs:\n" + numbered(n/2*(1+v%2), func(i int) string { return fmt.Sprintf("  - v%d\n", i) })
	}},
	{"actions with stars", 1250, func(n, v int) string { return policy("Action", n, v) }},
	{"excluded actions with stars", 1250, func(n, v int) string { return policy("NotAction", n, v) }},
	{"fields of requests and limits", 2000, func(n, v int) string {
		fields := func(value int) string {
			return numbered(n, func(i int) string { return fmt.Sprintf("    r%d: %d\n", i, value) })
		}
		return fmt.Sprintf("resources:\n  requests:\n    a: %d\n%s  limits:\n    a: %d\n%s", 1+8*(v%2), fields(1), 9-v/2, fields(2))
	}},
	{"fields that both sides replaced and one side kept in another mapping", 1000, func(n, v int) string {
		fields := func(name string) string {
			return numbered(n, func(i int) string { return fmt.Sprintf("  %s%d: v%d\n", name, i, i) })
		}
		return [...]string{
			"data:\n" + fields("old") + "  tail: 1\n",
			"data:\n" + fields("new") + "  tail: 1\nmoved:\n" + fields("old"),
			"data:\n" + fields("new") + "  tail: 2\n",
		}[v]
	}},
}

// policy returns version v of an IAM policy with n patterns in the field. They and the resource differ in all versions.
func policy(field string, n, v int) string {
	return "Resources:\n  P:\n    Type: AWS::IAM::ManagedPolicy\n    Properties:\n      PolicyDocument:\n        Statement:\n" +
		fmt.Sprintf("        - Effect: Allow\n          Resource: [r%d]\n          %s:\n", v, field) +
		numbered(n, func(i int) string { return fmt.Sprintf("          - s3:v%d-%d*\n", v, i) })
}

// numbered returns the concatenation of line(0) to line(n-1).
func numbered(n int, line func(i int) string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(line(i))
	}
	return b.String()
}

// mostGrowth is how many times the steps a merge may need if its input has twice the size. A quadratic part makes it 4.
const mostGrowth = 2.5

// TestStepsGrowWithTheSize checks that twice the input needs at most mostGrowth times the steps, on any machine. The
// steps are the statements that a merge executes, as a program counts them that is built to measure coverage. Those of
// a small merge, which reads the built-in rules, are subtracted. It only runs with -long, because it compiles all
// packages once more.
func TestStepsGrowWithTheSize(t *testing.T) {
	if !scripttest.Long() {
		t.Skip("compiles all packages once more")
	}
	program := filepath.Join(t.TempDir(), "git-merge-yaml")
	// Without main, the program would write no counts.
	const packages = "-coverpkg=.,github.com/git-merge-yaml/git-merge-yaml/merge/..."
	build := exec.Command("go", "build", "-cover", "-covermode=count", packages, "-pgo=off", "-buildvcs=false", "-ldflags=-s -w", "-o", program, ".")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	covdata, err := exec.Command("go", "tool", "-n", "covdata").Output() // the path of the tool, to start it without the go command
	if err != nil {
		t.Fatal(err)
	}
	counter := stepCounter{program: program, covdata: strings.TrimSpace(string(covdata))}
	for _, in := range repetitiveInputs {
		t.Run(in.name, func(t *testing.T) {
			start := counter.count(t, in, 3)
			once, twice := counter.count(t, in, in.n)-start, counter.count(t, in, 2*in.n)-start
			t.Logf("%d values: %d steps, %d values: %d steps", in.n, once, 2*in.n, twice)
			if float64(twice) > mostGrowth*float64(once) || once < in.n {
				t.Errorf("twice the values need %.1f times the steps", float64(twice)/float64(once))
			}
		})
	}
}

// A stepCounter has the paths of a program that was built with -cover, and of go tool covdata.
type stepCounter struct{ program, covdata string }

// count merges the input with n values, and returns how many statements the program executed.
func (c stepCounter) count(t *testing.T, in repetitiveInput, n int) (steps int) {
	t.Helper()
	dir := t.TempDir()
	args := []string{"-q", "-p", "--path", "x.yaml"}
	for v := range 3 {
		args = append(args, filepath.Join(dir, strconv.Itoa(v)))
		if err := os.WriteFile(args[len(args)-1], []byte(in.make(n, v)), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	counts := filepath.Join(dir, "counts")
	if err := os.Mkdir(counts, 0o777); err != nil {
		t.Fatal(err)
	}
	merge := exec.Command(c.program, args...)
	merge.Env = append(os.Environ(), "GOCOVERDIR="+counts)
	if out, err := merge.Output(); err != nil && merge.ProcessState.ExitCode() != 1 {
		t.Fatalf("%v: %.300s", err, out)
	}
	text := filepath.Join(dir, "text")
	if out, err := exec.Command(c.covdata, "textfmt", "-i="+counts, "-o="+text).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	data, err := os.ReadFile(text)
	if err != nil {
		t.Fatal(err)
	}
	// Each line is a block: file:line.column,line.column STATEMENTS COUNT.
	for line := range strings.Lines(string(data)) {
		if f := strings.Fields(line); len(f) == 3 {
			statements, _ := strconv.Atoi(f[1])
			count, _ := strconv.Atoi(f[2])
			steps += statements * count
		}
	}
	return steps
}
