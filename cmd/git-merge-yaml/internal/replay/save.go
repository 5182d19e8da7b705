package replay

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// A Save writes each case as a folder of its versions.
type Save struct{ Dir string }

// Case writes c to Dir/NUMBER-MERGE-NAME: base.yaml, ours.yaml and so on as
// the case has them, and case.json.
func (s Save) Case(c *Case) error {
	dir := filepath.Join(s.Dir, fmt.Sprintf("%04d-%s-%s", c.Number, c.Merge.Short(), folderName(c.Path)))
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	for _, f := range c.Content.files() {
		if f.data == nil {
			continue
		}
		if err := os.WriteFile(filepath.Join(dir, f.name+".yaml"), f.data, 0o666); err != nil {
			return err
		}
	}
	out, err := os.Create(filepath.Join(dir, "case.json"))
	if err != nil {
		return err
	}
	if err := (JSON{out}).Case(c); err != nil {
		out.Close()
		return err
	}
	return out.Close()
}

// Summary writes nothing: a run that was interrupted leaves what it has saved.
func (s Save) Summary(Summary) error { return nil }

// folderName makes a path the name of one folder, on any system.
func folderName(path string) string {
	name := strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' || strings.ContainsRune(`/\:*?"<>|`, r) {
			return '_'
		}
		return r
	}, path)
	const enough = 80
	return name[max(0, len(name)-enough):]
}
