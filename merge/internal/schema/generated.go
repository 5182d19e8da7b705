package schema

import (
	"slices"
	"strconv"

	"gopkg.in/yaml.v3"
)

// Generated says of some files that a program makes them. To merge, they are files as all
// others; whoever calls it may know better.
type Generated struct {
	// Files are the patterns of the files, From those of what they are made from; none is all
	// others.
	Files, From []string
	By          string // the command, "" if nobody said
	Source      string // file and line, for people

	files, from []glob
}

// Makes reports whether path is one of the files.
func (g *Generated) Makes(path string) bool { return matchAny(g.files, path) }

// Needs reports whether path is one of those that the files are made from.
func (g *Generated) Needs(path string) bool {
	return !g.Makes(path) && (len(g.from) == 0 || matchAny(g.from, path))
}

// Generated are the entries of the team's file about files that a program makes.
func (r *Rules) Generated() []*Generated {
	if r == nil {
		return nil
	}
	return r.generated
}

func matchAny(globs []glob, path string) bool {
	return slices.ContainsFunc(globs, func(g glob) bool { return g.match(path) })
}

// generated reads the list of files that programs make.
func (rd *reader) generated(n *yaml.Node) (all []*Generated) {
	if n.Kind != yaml.SequenceNode {
		rd.fail(n, "generated is "+kindOf(n), "a list of {files, from, by} is expected")
		return nil
	}
	for _, c := range n.Content {
		c = resolve(c)
		g := &Generated{Source: rd.source(strconv.Itoa(c.Line), "")}
		rd.mapping(c, "an entry of generated", []member{
			{"files", func(v *yaml.Node) { g.files, g.Files = rd.globs(v, "files") }},
			{"from", func(v *yaml.Node) { g.from, g.From = rd.globs(v, "from") }},
			{"by", func(v *yaml.Node) { g.By = rd.command(v) }},
		})
		if len(g.files) == 0 && c.Kind == yaml.MappingNode {
			rd.fail(c, "the entry names no files", "files: [PATTERN] is expected, and from and by")
		}
		all = append(all, g)
	}
	return all
}

// command reads a command, which may be left empty.
func (rd *reader) command(n *yaml.Node) string {
	if n.Tag == "!!null" {
		return ""
	}
	return rd.text(n, "by")
}
