package git

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"fmt"
	"os/exec"
	"strconv"
	"strings"
	"time"
)

// A Commit is one of a history.
type Commit struct {
	ID      ID
	Tree    ID
	Parents []ID
	Time    time.Time
	Subject string
}

// Commits gives the commits that git rev-list names for args to each, in its order, until
// that returns false. What refs/replace says is not followed: history is told as it is.
func (g Git) Commits(args []string, each func(Commit) bool) error {
	ctx, cancel := context.WithCancel(cmp.Or(g.Context, context.Background()))
	defer cancel()
	args = append([]string{"rev-list", "--no-commit-header", "--format=%ct %H %T %P%x00%s"}, args...)
	cmd := exec.CommandContext(ctx, "git", args...)
	var stderr bytes.Buffer
	cmd.Dir, cmd.Env, cmd.Stderr = g.Dir, g.asIs().environ(), &stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return &Error{Args: args, ExitCode: -1, Err: err, git: g}
	}
	lines, more := bufio.NewReader(out), true
	for more {
		line, failed := lines.ReadString('\n')
		if failed != nil {
			break
		}
		c, failed := parseCommit(line)
		if failed != nil {
			return failed
		}
		more = each(c)
	}
	cancel()
	if err = cmd.Wait(); err != nil && more && stderr.Len() > 0 {
		return &Error{Args: args, ExitCode: cmd.ProcessState.ExitCode(), Stderr: stderr.String(), Err: err, git: g}
	}
	return cmp.Or(g.Context, context.Background()).Err()
}

// parseCommit reads `time id tree parents... NUL subject`.
func parseCommit(line string) (c Commit, err error) {
	about, subject, _ := strings.Cut(strings.TrimRight(line, "\r\n"), "\x00")
	f := strings.Fields(about)
	if len(f) < 3 {
		return c, fmt.Errorf("git rev-list: unexpected line %q", line)
	}
	seconds, err := strconv.ParseInt(f[0], 10, 64)
	if err != nil {
		return c, err
	}
	ids, err := parseIDs(strings.Join(f[1:], " "))
	if err != nil {
		return c, err
	}
	return Commit{ids[0], ids[1], ids[2:], time.Unix(seconds, 0).UTC(), subject}, nil
}

// MergeBases returns the best common ancestors of pairs of commits, the newest first, in
// one process.
func (g Git) MergeBases(pairs [][2]ID) ([][]ID, error) {
	if len(pairs) == 0 {
		return nil, nil
	}
	args := []string{"rev-parse"}
	for _, p := range pairs {
		args = append(args, p[0].String()+"..."+p[1].String())
	}
	out, err := g.asIs().Run(args...)
	if err != nil {
		return nil, err
	}
	var all [][]ID
	sides := 0
	for hex := range strings.FieldsSeq(string(out)) { // both sides, and behind them, with a ^, their bases
		base, isBase := strings.CutPrefix(hex, "^")
		id, err := ParseID(base)
		switch {
		case err != nil:
			return nil, err
		case isBase:
			all[len(all)-1] = append(all[len(all)-1], id)
		default:
			if sides++; sides%2 == 1 {
				all = append(all, nil)
			}
		}
	}
	if len(all) != len(pairs) {
		return nil, errFormat
	}
	return all, nil
}

// FirstParents returns commits, their first parents, the first parents of these, and
// so on; none where refs name nothing.
func (g Git) FirstParents(refs ...string) []ID {
	out, err := g.asIs().Run(append([]string{"rev-list", "--first-parent", "--end-of-options"}, refs...)...)
	if err != nil {
		return nil
	}
	ids, _ := parseIDs(string(out))
	return ids
}
