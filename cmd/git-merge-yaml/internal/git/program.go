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
	cmd := g.shown(editor, file)
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
	cmd := g.shown(pager)
	for name, value := range map[string]string{"LESS": "FRX", "LV": "-c"} { // as git has it
		if _, ok := os.LookupEnv(name); !ok {
			cmd.Env = append(cmd.Env, name+"="+value)
		}
	}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = text, stdout, stderr
	return cmd.Run()
}

// shown is a program that people see, in their language. Git runs it as it runs its own: by the
// shell that it came with.
func (g Git) shown(program string, args ...string) *exec.Cmd {
	cmd := exec.Command("git", append([]string{"-c", "alias.shown-program=!" + program, "shown-program"}, args...)...)
	cmd.Dir, cmd.Env = g.Dir, append(os.Environ(), g.Env...)
	return cmd
}
