package sops

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"time"
)

// What sops exits with.
const (
	macMismatch = 51
	noKey       = 128
)

// patience is how long sops may take: a key service far away may have to be asked.
const patience = time.Minute

// run runs sops in f with its input through a pipe, and gives what it prints. What it says of errors is
// thrown away, as it may be of what was encrypted; so are the names of entries.
func (f folder) run(input string, args ...string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, "sops", args...)
	cmd.Dir, cmd.Stdin = string(f), strings.NewReader(input)
	out, err := cmd.Output()
	var exit *exec.ExitError
	switch {
	case err == nil:
		return out, nil
	case errors.Is(err, exec.ErrNotFound), errors.Is(err, exec.ErrDot):
		return nil, errors.New("there is no sops in PATH")
	case ctx.Err() != nil:
		return nil, fmt.Errorf("sops took longer than %s", patience)
	case !errors.As(err, &exit):
		return nil, errors.New("sops could not be run")
	}
	switch exit.ExitCode() {
	case macMismatch:
		return nil, errors.New("its MAC is wrong")
	case noKey:
		return nil, errors.New("sops has no key for it")
	}
	if slices.Contains(args, "--value-stdin") {
		return nil, fmt.Errorf("sops set --value-stdin, of sops 3.11, failed with exit code %d", exit.ExitCode())
	}
	return nil, fmt.Errorf("sops %s failed with exit code %d", args[0], exit.ExitCode())
}

// Version is that of the sops program, and whether it takes values through a pipe, as 3.11 does.
func Version() (version string, new bool, err error) {
	out, err := folder("").run("", "--version", "--disable-version-check")
	if err != nil { // older ones do not know the option
		if out, err = folder("").run("", "--version"); err != nil {
			return "", false, err
		}
	}
	line, _, _ := strings.Cut(string(out), "\n")
	version = strings.TrimPrefix(line, "sops ")
	version, _, _ = strings.Cut(version, " ")
	var major, minor int
	_, _ = fmt.Sscanf(version, "%d.%d", &major, &minor)
	return version, 1000*major+minor >= 3011, nil
}
