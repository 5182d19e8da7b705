package preview

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/terminal"
)

// words are the states for people.
var words = map[State]string{
	Merged: "merged already", Clean: "clean", Driver: "clean with the driver, in conflict without", Conflict: "in conflict",
	Otherwise: "clean, and git's merge would be wrong", Failed: "cannot be merged",
}

// colours are those of the states.
var colours = map[State]terminal.Colour{Merged: terminal.Faint, Clean: terminal.Green, Driver: terminal.Green, Otherwise: terminal.Yellow,
	Conflict: terminal.Red, Failed: terminal.Red}

// WriteText writes a line per branch, with what is in conflict below it, and a summary.
func (p *Preview) WriteText(w *terminal.Painter) error {
	counts := map[State]int{}
	for _, b := range p.Branches {
		counts[b.State]++
		b.write(w)
	}
	for _, b := range p.Pairs {
		b.write(w)
	}
	w.Print(terminal.Plain, fmt.Sprintf("%s and %s: %d clean, %d more with the driver, %d in conflict",
		p.Base, strings.Replace(terminal.Count(len(p.Branches), "branch"), "branchs", "branches", 1), counts[Clean]+counts[Otherwise], counts[Driver], counts[Conflict]))
	for _, s := range []State{Merged, Failed} {
		if counts[s] > 0 {
			w.Print(terminal.Plain, fmt.Sprintf(", %d %s", counts[s], words[s]))
		}
	}
	if p.run.Pairs {
		w.Print(terminal.Plain, fmt.Sprintf("; pairs that touch one file: %d, in conflict: %d", p.Tried, len(p.Pairs)))
	}
	w.Line()
	return w.Err
}

func (b *Branch) write(w *terminal.Painter) {
	w.Print(terminal.Bold, b.Name)
	if b.With != "" {
		w.Print(terminal.Plain, " with ")
		w.Print(terminal.Bold, b.With)
	}
	w.Print(terminal.Plain, ": ")
	w.Print(colours[b.State], words[b.State])
	if b.Why != "" {
		w.Print(terminal.Plain, ": "+b.Why)
	}
	w.Line()
	for _, f := range b.Conflicts {
		if f.Why != "" {
			w.Print(terminal.Plain, "  "+f.Path+": "+f.Why)
			w.Line()
		}
		for _, c := range f.Fields {
			w.Print(terminal.Plain, "  "+f.Path+": "+c.Path+": "+c.Why)
			if c.Rule != "" {
				w.Print(terminal.Faint, "  [a rule for it: "+c.Rule+"]")
			}
			w.Line()
		}
	}
}

// jsonBranch is what docs/preview.schema.json says.
type jsonBranch struct {
	Type      string     `json:"type"`
	Name      string     `json:"name"`
	With      string     `json:"with,omitempty"`
	Commit    string     `json:"commit"`
	State     State      `json:"state"`
	Why       string     `json:"why,omitempty"`
	Tree      string     `json:"tree,omitempty"`
	Conflicts []jsonFile `json:"conflicts,omitempty"`
	Updated   string     `json:"updated,omitempty"`
	Left      string     `json:"left,omitempty"`
}

type jsonFile struct {
	Path   string      `json:"path"`
	Why    string      `json:"why,omitempty"`
	Fields []jsonField `json:"fields,omitempty"`
}

type jsonField struct {
	Path string `json:"path"`
	Why  string `json:"why"`
	Rule string `json:"rule,omitempty"`
}

func (b *Branch) json() jsonBranch {
	j := jsonBranch{Type: "branch", Name: b.Name, With: b.With, Commit: b.Commit.String(), State: b.State, Why: b.Why}
	if b.With != "" {
		j.Type = "pair"
	}
	if b.State.IsClean() {
		j.Tree = b.Tree.String()
	}
	for _, f := range b.Conflicts {
		file := jsonFile{Path: f.Path, Why: f.Why}
		for _, c := range f.Fields {
			file.Fields = append(file.Fields, jsonField(c))
		}
		j.Conflicts = append(j.Conflicts, file)
	}
	return j
}

// WriteJSON writes an object per branch, then one per pair that is in conflict.
func (p *Preview) WriteJSON(w io.Writer) error {
	e := terminal.NewEncoder(w)
	for _, all := range [][]*Branch{p.Branches, p.Pairs} {
		for _, b := range all {
			if err := e.Encode(b.json()); err != nil {
				return err
			}
		}
	}
	return nil
}

// WriteUpdated writes what became of a branch that was to be updated: the commit, or why
// it was left.
func (b *Branch) WriteUpdated(w io.Writer, commit, left string) error {
	j := b.json()
	j.Updated, j.Left = commit, left
	return terminal.NewEncoder(w).Encode(j)
}

//go:embed page.html
var pageText string

// WriteHTML writes a page with a table of all branches, and a matrix of those that are
// clean alone, if pairs were asked for.
func (p *Preview) WriteHTML(w io.Writer) error {
	page, err := template.New("page").Funcs(template.FuncMap{"words": func(s State) string { return words[s] }}).Parse(pageText)
	if err != nil {
		return err
	}
	bad := map[[2]string]*Branch{}
	for _, b := range p.Pairs {
		bad[[2]string{b.Name, b.With}], bad[[2]string{b.With, b.Name}] = b, b
	}
	type cell struct{ Class, Title string }
	type row struct {
		Name  string
		Cells []cell
	}
	var rows []row
	in := map[string]bool{} // branches that are in a pair in conflict
	for _, b := range p.Pairs {
		in[b.Name], in[b.With] = true, true
	}
	for _, b := range p.Branches {
		if !in[b.Name] {
			continue
		}
		r := row{Name: b.Name}
		for _, c := range p.Branches {
			if !in[c.Name] {
				continue
			}
			x := cell{"clean", b.Name + " with " + c.Name + ": clean"}
			if b == c {
				x = cell{}
			} else if k := bad[[2]string{b.Name, c.Name}]; k != nil {
				x = cell{"conflict", b.Name + " with " + c.Name + ": " + words[k.State]}
				for _, f := range k.Conflicts {
					x.Title += "\n" + f.Path
				}
			}
			r.Cells = append(r.Cells, x)
		}
		rows = append(rows, r)
	}
	return page.Execute(w, map[string]any{"Base": p.Base, "Branches": p.Branches, "Rows": rows, "Pairs": p.run.Pairs, "Tried": p.Tried})
}
