package git

import (
	"fmt"
	"io"
	"os/exec"
)

// Edit opens a file in the editor that git would open for a message
// (GIT_EDITOR, core.editor, VISUAL, EDITOR) and waits until it is closed.
func (g Git) Edit(file string, stdin io.Reader, stdout, stderr io.Writer) error {
	editor, err := g.Line("var", "GIT_EDITOR")
	if err != nil {
		return err
	}
	// Git runs it as it runs its own: by the shell that it came with.
	cmd := exec.Command("git", "-c", "alias.edit-conflict=!"+editor, "edit-conflict", file)
	cmd.Dir, cmd.Env = g.Dir, g.environ()
	cmd.Stdin, cmd.Stdout, cmd.Stderr = stdin, stdout, stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("the editor %s failed: %w", editor, err)
	}
	return nil
}
