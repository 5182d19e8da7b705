package session

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
)

// A note is a text that a process of this program leaves in git's directory for the processes that git starts after it,
// for example for the other files of a merge.
type note struct {
	file  string // its path; the folder need not exist; "" if there is no note, as outside of repositories
	topic string // the operation or commit that the text is about; it ends with a line feed
}

// read returns the text that an earlier process left in the note for this topic. It returns "" if the note is about
// another topic or incomplete, or if it cannot be read.
func (n note) read() string {
	content, _ := os.ReadFile(n.file)
	sum, rest, _ := strings.Cut(string(content), "\n")
	text, isSameTopic := strings.CutPrefix(rest, n.topic)
	if !isSameTopic || sum != checksum(rest) {
		return ""
	}
	return text
}

// write replaces the note by text, and creates its folder if necessary. It does nothing if n.file is "". Errors are
// ignored, because a note only saves time or a repeated message. If the process is killed meanwhile, the note is lost.
func (n note) write(text string) {
	if n.file == "" || os.MkdirAll(filepath.Dir(n.file), 0o777) != nil {
		return
	}
	// Without os.O_TRUNC: ext4 writes a file that was emptied to the disk at once (auto_da_alloc).
	f, err := os.OpenFile(n.file, os.O_WRONLY|os.O_CREATE, 0o666)
	if err != nil {
		return
	}
	content := checksum(n.topic+text) + "\n" + n.topic + text
	if _, err := f.WriteString(content); err == nil {
		_ = f.Truncate(int64(len(content)))
	}
	f.Close()
}

// checksum returns the first line of a note's file, for the topic and text after it. It shows that they belong together:
// the file can have the start of a new note and the end of an old one.
func checksum(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:])
}
