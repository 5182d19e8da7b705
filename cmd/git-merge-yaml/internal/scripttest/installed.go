package scripttest

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"

	"github.com/rogpeppe/go-internal/testscript"
)

// installedHome returns a home folder in which "git-merge-yaml install" was run. It runs it once in a test run, because
// most scripts need the same, and it starts git several times.
var installedHome = sync.OnceValues(func() (string, error) {
	program, err := BuildProgram()
	if err != nil {
		return "", err
	}
	home := filepath.Join(filepath.Dir(program), "home")
	if err := os.Mkdir(home, 0o777); err != nil {
		return "", err
	}
	install := exec.Command(program, "install")
	install.Dir = home
	install.Env = append(os.Environ(), "PATH="+filepath.Dir(program)+string(os.PathListSeparator)+os.Getenv("PATH"),
		"HOME="+home, "USERPROFILE="+home, "XDG_CONFIG_HOME=", "GIT_CONFIG_NOSYSTEM=1")
	if out, err := install.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w: %s", err, out)
	}
	return home, nil
})

// copyInstalled implements "installed". It has the effect of "git-merge-yaml install" in a home folder without
// configuration.
func copyInstalled(ts *testscript.TestScript, _ bool, _ []string) {
	from, err := installedHome()
	ts.Check(err)
	to := ts.Getenv("HOME")
	ts.Check(os.CopyFS(to, os.DirFS(from))) // fails if a file exists
	settings := filepath.Join(to, ".gitconfig")
	text, err := os.ReadFile(settings)
	from, to = filepath.ToSlash(from), filepath.ToSlash(to)
	if err == nil && !strings.Contains(string(text), from) {
		err = errors.New("the driver does not name the fallback script")
	}
	ts.Check(err)
	ts.Check(os.WriteFile(settings, []byte(strings.ReplaceAll(string(text), from, to)), 0o666))
}
