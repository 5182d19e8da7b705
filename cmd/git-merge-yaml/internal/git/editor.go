package git

import (
	"fmt"
	"io"
	"os"
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
	cmd.Dir, cmd.Env = g.Dir, g.theirEnviron()
	cmd.Stdin, cmd.Stdout, cmd.Stderr = stdin, stdout, stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("the editor %s failed: %w", editor, err)
	}
	return nil
}

// Page shows text with the pager that git would take (GIT_PAGER, core.pager,
// PAGER, less), and waits until it is closed.
func (g Git) Page(text io.Reader, stdout, stderr io.Writer) error {
	pager, err := g.Line("var", "GIT_PAGER")
	if err != nil {
		return err
	}
	cmd := exec.Command("git", "-c", "alias.page-text=!"+pager, "page-text")
	cmd.Dir, cmd.Env = g.Dir, g.theirEnviron()
	for name, value := range map[string]string{"LESS": "FRX", "LV": "-c"} { // as git has it
		if _, ok := os.LookupEnv(name); !ok {
			cmd.Env = append(cmd.Env, name+"="+value)
		}
	}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = text, stdout, stderr
	return cmd.Run()
}
