package doctor

import (
	"fmt"
	"io"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/terminal"
)

// A doctor looks at everything between git and this program.
type doctor struct {
	out     io.Writer // keeps its errors
	json    bool
	git     git.Git
	tree    *git.WorkTree // nil outside of work trees
	bare    bool
	self    string           // how to call this program
	drivers []*checkedDriver // the default one first
	errors  int
}

// ok, warning and failure say how a check ended: what it is about, and what
// there is. Of trouble they say what to do.
func (d *doctor) ok(about, format string, args ...any) {
	d.say(said{"ok", about, fmt.Sprintf(format, args...), "", ""})
}

func (d *doctor) warning(about, fix, format string, args ...any) {
	d.say(said{"warning", about, fmt.Sprintf(format, args...), fix, ""})
}

func (d *doctor) failure(about, fix, format string, args ...any) {
	d.errors++
	d.say(said{"error", about, fmt.Sprintf(format, args...), fix, ""})
}

// hint says what could be better: what there is, and how.
func (d *doctor) hint(about, how, format string, args ...any) {
	d.say(said{"hint", about, fmt.Sprintf(format, args...), "", how})
}

// said is how a check ended, as docs/doctor.schema.json has it.
type said struct {
	Level string `json:"level"`
	About string `json:"about"`
	Text  string `json:"text"`
	Fix   string `json:"fix,omitempty"`
	How   string `json:"how,omitempty"`
}

func (d *doctor) say(s said) {
	if d.json {
		_ = terminal.NewEncoder(d.out).Encode(s) // out keeps its errors
		return
	}
	fmt.Fprintf(d.out, "%-8s %s: %s\n", s.Level, s.About, terminal.Printable(s.Text))
	for _, next := range [][2]string{{"fix", s.Fix}, {"how", s.How}} {
		if next[1] != "" {
			fmt.Fprintf(d.out, "%-8s %s: %s\n", "", next[0], terminal.Printable(next[1]))
		}
	}
}
