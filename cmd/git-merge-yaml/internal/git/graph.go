package git

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"os/exec"
	"strconv"
	"strings"
	"time"
)

// A Graph is the history of some commits, all ancestors included. Commits are
// numbered from 0, parents after their children.
type Graph struct {
	ids     []ID
	trees   []ID
	parents [][]int32
	// dates are git's corrected commit dates: those written, but later than
	// the parents' in any case.
	dates []int64
	index map[ID]int32
}

// Len returns the number of commits.
func (g *Graph) Len() int { return len(g.ids) }

// ID returns the id of commit c.
func (g *Graph) ID(c int) ID { return g.ids[c] }

// Tree returns the root folder of commit c.
func (g *Graph) Tree(c int) ID { return g.trees[c] }

// Parents returns the parents of commit c.
func (g *Graph) Parents(c int) []int32 { return g.parents[c] }

// Merges returns the commits with several parents.
func (g *Graph) Merges() (merges []int) {
	for c, parents := range g.parents {
		if len(parents) > 1 {
			merges = append(merges, c)
		}
	}
	return merges
}

// Time returns when commit c was made, but later than its parents in any case.
func (g *Graph) Time(c int) time.Time { return time.Unix(g.dates[c], 0).UTC() }

// Find returns the number of a commit, -1 if it is not in the graph.
func (g *Graph) Find(id ID) int {
	if c, ok := g.index[id]; ok {
		return int(c)
	}
	return -1
}

// Graph reads the history of tips, in one process; without the ancestors of the
// commit last, if that is not "".
func (g Git) Graph(ctx context.Context, tips []ID, last ID) (*Graph, error) {
	b := &graphBuilder{graph: &Graph{index: map[ID]int32{}}}
	args := []string{"rev-list", "--topo-order", "--format=%H %T %ct %P", "--stdin"}
	var input strings.Builder
	for _, id := range tips {
		input.WriteString(id.String() + "\n")
	}
	if last != "" {
		input.WriteString("^" + last.String() + "^@\n")
	}
	if err := g.asIs().lines(ctx, input.String(), args, b.line); err != nil {
		return nil, err
	}
	return b.finish(), nil
}

// graphBuilder makes a Graph of rev-list's lines.
type graphBuilder struct {
	graph   *Graph
	parents [][]ID
}

func (b *graphBuilder) line(line string) error {
	if strings.HasPrefix(line, "commit ") {
		return nil
	}
	f := strings.Fields(line)
	if len(f) < 3 {
		return fmt.Errorf("git rev-list: unexpected line %q", line)
	}
	ids := make([]ID, 0, len(f)-1)
	for i, s := range f {
		if i == 2 {
			continue
		}
		id, err := ParseID(s)
		if err != nil {
			return err
		}
		ids = append(ids, id)
	}
	date, err := strconv.ParseInt(f[2], 10, 64)
	if err != nil {
		return err
	}
	g := b.graph
	g.index[ids[0]] = int32(len(g.ids))
	g.ids, g.trees, g.dates = append(g.ids, ids[0]), append(g.trees, ids[1]), append(g.dates, date)
	b.parents = append(b.parents, ids[2:])
	return nil
}

// finish numbers the parents and corrects the dates. Parents that a shallow
// clone lacks are left out, as git does.
func (b *graphBuilder) finish() *Graph {
	g := b.graph
	g.parents = make([][]int32, len(g.ids))
	for c := len(g.ids) - 1; c >= 0; c-- {
		for _, id := range b.parents[c] {
			p, ok := g.index[id]
			if !ok {
				continue
			}
			g.parents[c] = append(g.parents[c], p)
			g.dates[c] = max(g.dates[c], g.dates[p]+1)
		}
	}
	return g
}

// lines runs git with input on its stdin and gives each line that it prints
// to do, which ends the run by an error.
func (g Git) lines(ctx context.Context, input string, args []string, do func(string) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	cmd := exec.CommandContext(ctx, "git", args...)
	cmd.Dir, cmd.Env = g.Dir, g.environ()
	var stderr bytes.Buffer
	cmd.Stdin, cmd.Stderr = strings.NewReader(input), &stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return &Error{Args: args, ExitCode: -1, Err: err, git: g}
	}
	failed := eachLine(out, do)
	if failed != nil {
		cancel()
	}
	err = cmd.Wait()
	switch {
	case failed != nil:
		return failed
	case err != nil:
		return &Error{Args: args, ExitCode: cmd.ProcessState.ExitCode(), Stderr: stderr.String(), Err: err, git: g}
	}
	return nil
}

func eachLine(r io.Reader, do func(string) error) error {
	s := bufio.NewScanner(r)
	s.Buffer(nil, 1<<20)
	for s.Scan() {
		if err := do(s.Text()); err != nil {
			return err
		}
	}
	return s.Err()
}
