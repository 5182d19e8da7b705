package regenerate

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/repo"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/session"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/terminal"
)

// run runs a command in a folder by sh, number i of n, and says on out that it does, with what
// the command says. Where ctx is done before, the command is killed with all that it started.
func run(ctx context.Context, out io.Writer, dir, by string, i, n int, env []string) error {
	fmt.Fprintln(out, terminal.Printable(fmt.Sprintf("[%d/%d] %s ...", i, n, by)))
	start := time.Now()
	cmd := exec.CommandContext(ctx, "sh", "-c", by)
	cmd.Dir, cmd.Env = dir, env
	cmd.Stdout, cmd.Stderr = out, out
	cmd.WaitDelay = 5 * time.Second
	asGroup(cmd)
	err := cmd.Run()
	switch {
	case ctx.Err() != nil:
		fmt.Fprintln(out, "ended; nothing was staged")
		return terminal.ErrInterrupted
	case err != nil:
		return fmt.Errorf("`%s` failed: %w; nothing was staged", by, err)
	}
	fmt.Fprintf(out, "[%d/%d] done in %.1f s\n", i, n, time.Since(start).Seconds())
	return nil
}

// EnvironmentKey names, in git's configuration, variables that the commands see beside those
// that they always do.
const EnvironmentKey = "merge.yaml.environment"

// passed are the variables that a command sees. What git, a hook or a job sets is none of
// them, and no token.
var passed = []string{
	"PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LANGUAGE", "TZ", "TMPDIR", "TMP", "TEMP",
	"SSL_CERT_FILE", "SSL_CERT_DIR", "http_proxy", "https_proxy", "no_proxy", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY",
	"SystemRoot", "SystemDrive", "ComSpec", "PATHEXT", "USERPROFILE", "APPDATA", "LOCALAPPDATA", "ProgramData", "ProgramFiles",
}

// environment is the environment of a command.
func environment(s *session.Session) (env []string) {
	more := strings.FieldsFunc(repo.At(s.Git).Value(EnvironmentKey), func(r rune) bool { return r == ',' || r == ' ' })
	for _, v := range os.Environ() {
		name, _, _ := strings.Cut(v, "=")
		if slices.Contains(passed, name) || strings.HasPrefix(name, "LC_") || strings.HasPrefix(name, "XDG_") || slices.Contains(more, name) {
			env = append(env, v)
		}
	}
	return append(env, "TERM=dumb")
}
