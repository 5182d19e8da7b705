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
// a part of the text.
func (n note) write(text string) {
	if n.file != "" && os.MkdirAll(filepath.Dir(n.file), 0o777) == nil {
		_ = os.WriteFile(n.file, []byte(n.topic+text), 0o666)
	}
}
