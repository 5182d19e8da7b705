package sops

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
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

// run runs sops in f, and gives what it prints. What it says of errors is thrown away, as it may be of what was encrypted.
func (f folder) run(args ...string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, "sops", append([]string{"--config", config}, args...)...)
	cmd.Dir = string(f)
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
	return nil, fmt.Errorf("sops %s failed with exit code %d", args[0], exit.ExitCode())
}

// Version is that of the sops program.
func Version() (string, error) {
	out, err := folder("").run("--disable-version-check", "--version")
	line, _, _ := strings.Cut(string(out), "\n")
	version, _, _ := strings.Cut(strings.TrimPrefix(line, "sops "), " ")
	return version, err
}
