package regenerate

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/session"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// trustFile is the file, in the program's folder in git's, with the sums of the rules that
// this clone was told to trust. All work trees of the clone share it.
const trustFile = "trusted"

// A trust is the sums of the rules that are trusted.
type trust struct {
	file string
	sums []string
}

func readTrust(s *session.Session) (t trust, err error) {
	dir, err := s.SharedFolder()
	if err != nil {
		return t, err
	}
	t.file = filepath.Join(dir, trustFile)
	data, err := os.ReadFile(t.file)
	if errors.Is(err, os.ErrNotExist) {
		err = nil
	}
	for line := range strings.Lines(string(data)) {
		if sum, _, _ := strings.Cut(strings.TrimSpace(line), " "); len(sum) == 2*sha256.Size {
			t.sums = append(t.sums, sum)
		}
	}
	return t, err
}

// sum is what a rule is known by: all of its text but for its form.
func sum(g merge.Generated) string {
	text, _ := json.Marshal([]any{g.Files, g.From, g.By}) // texts can always be written
	h := sha256.Sum256(text)
	return hex.EncodeToString(h[:])
}

func (t trust) has(g merge.Generated) bool { return slices.Contains(t.sums, sum(g)) }

// Distrust takes all trust of this clone back.
func Distrust(s *session.Session, out io.Writer) error {
	t, err := readTrust(s)
	if err != nil {
		return err
	}
	if err := os.Remove(t.file); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	fmt.Fprintln(out, "no command is trusted in this clone now")
	return nil
}
