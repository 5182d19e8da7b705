package app

import (
	"io"

	"github.com/urfave/cli/v2"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/repo"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/terminal"
)

// colourUI is what git is configured to.
const colourUI = "color.ui"

// colourFlag is the option of what writes in colours.
func (a *App) colourFlag() cli.Flag {
	return &cli.StringFlag{
		Name: "color", Usage: "write in colours `WHEN`: always, never or auto (on a terminal)", DefaultText: colourUI,
		Action: func(_ *cli.Context, when string) error {
			a.colours = when
			return oneOf("color", when, "always", "never", "auto")
		},
	}
}

// painter writes to w in colours as --color, or else git's configuration, has it.
func (a *App) painter(w io.Writer) *terminal.Painter { return a.painterFor(w, terminal.Is(w)) }

// painterFor is painter for what people see on a terminal or not.
func (a *App) painterFor(w io.Writer, seen bool) *terminal.Painter {
	p := &terminal.Painter{W: w, Colours: seen && terminal.Coloured()}
	when := a.colours
	if when == "" {
		when = repo.At(git.Git{}).Value(colourUI)
	}
	switch when {
	case "always":
		p.Colours = true
	case "never", "false", "no", "off", "0":
		p.Colours = false
	}
	return p
}
