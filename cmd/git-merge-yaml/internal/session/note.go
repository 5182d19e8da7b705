package session

import (
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

// read returns the text of the note, without the topic, which is at the start of the file. It returns "" if there is no
// note, if it is about another topic, or if it cannot be read.
func (n note) read() string {
	content, _ := os.ReadFile(n.file)
	text, isSameTopic := strings.CutPrefix(string(content), n.topic)
	if !isSameTopic {
		return ""
	}
	return text
}

// write replaces the note by text, and creates its folder if necessary. It does nothing if n.file is "". Errors are
// ignored, because a note only saves time or a repeated message. If the process is killed meanwhile, the file can have
// a part of the text, or the end of the old one after it.
func (n note) write(text string) {
	if n.file == "" || os.MkdirAll(filepath.Dir(n.file), 0o777) != nil {
		return
	}
	// Without os.O_TRUNC: ext4 writes a file that was emptied to the disk at once (auto_da_alloc).
	f, err := os.OpenFile(n.file, os.O_WRONLY|os.O_CREATE, 0o666)
	if err != nil {
		return
	}
	content := n.topic + text
	if _, err := f.WriteString(content); err == nil {
		_ = f.Truncate(int64(len(content)))
	}
	f.Close()
}
