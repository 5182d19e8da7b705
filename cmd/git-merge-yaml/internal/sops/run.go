package sops

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"time"
)

// What sops exits with.
const (
	macMismatch = 51
	noKey       = 128
)

// patience is how long sops may take: a key service far away may have to be asked.
const patience = time.Minute

// run runs sops in dir. What it prints is thrown away, as it may be what was encrypted.
func run(dir string, args ...string) error {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, "sops", args...)
	cmd.Dir = dir
	err := cmd.Run()
	var exit *exec.ExitError
	switch {
	case err == nil:
		return nil
	case errors.Is(err, exec.ErrNotFound), errors.Is(err, exec.ErrDot):
		return errors.New("there is no sops in PATH")
	case ctx.Err() != nil:
		return fmt.Errorf("sops took longer than %s", patience)
	case !errors.As(err, &exit):
		return errors.New("sops could not be run")
	}
	switch exit.ExitCode() {
	case macMismatch:
		return errors.New("its MAC is wrong")
	case noKey:
		return errors.New("sops has no key for it")
	}
	return fmt.Errorf("sops %s failed with exit code %d", args[0], exit.ExitCode())
}
