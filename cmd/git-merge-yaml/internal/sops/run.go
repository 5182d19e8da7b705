package sops

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/disk"
)

// A folder is where sops reads and writes ciphertext.
type folder string

const (
	file   = "file.yaml"
	config = "config.yaml" // of sops, in place of a .sops.yaml in a folder above
)

func newFolder() (folder, error) {
	dir, err := disk.TempFolder()
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, config), []byte("creation_rules: []\n"), 0o600)
	}
	return folder(dir), err
}

func (f folder) remove() { _ = os.RemoveAll(string(f)) }

// decrypt is what a file says, if its MAC is right.
func (f folder) decrypt(content []byte) ([]byte, error) {
	if err := os.WriteFile(filepath.Join(string(f), file), content, 0o600); err != nil {
		return nil, err
	}
	return f.run("decrypt", file)
}

// reseal is a file with another MAC: a field that is set and unset again makes sops write it.
func (f folder) reseal(content []byte) ([]byte, error) {
	const field = `["git-merge-yaml-seals-this-file"]`
	path := filepath.Join(string(f), file)
	err := os.WriteFile(path, content, 0o600)
	if err == nil {
		_, err = f.run("set", "--ignore-mac", file, field, "0")
	}
	if err == nil {
		_, err = f.run("unset", file, field)
	}
	if err != nil {
		return nil, err
	}
	return os.ReadFile(path)
}

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
	case 51:
		return nil, errors.New("its MAC is wrong")
	case 128:
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
