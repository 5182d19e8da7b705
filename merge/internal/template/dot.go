package template

import (
	"slices"
	"strings"
	"text/template/parse"
)

// A DotUse is an action of a Go template that reads a field of the dot, or the dot itself, as {{ .name }} and
// {{ toYaml . }} do. The blocks with and range change the dot for the actions in their first branch.
type DotUse struct {
	Action string // the action without its delimiters, with blanks normalized
	Start  int    // the offset of a character of the action
	// Dot has the blocks that set the dot, one in each line, with the outermost first: "with .Values.web". It is "" for
	// the dot of the whole file, or of the block define that contains the action.
	Dot string
}

// HasSameDot reports whether the dot of u and that of v are set by blocks with the same innermost opening action, or by
// the same kinds of blocks:
//
//	u                     v                     result
//	with .a               with .a               true
//	with .a               with .b               true, because .a can have been renamed
//	with .a               range .a              false
//	with .a               (no block)            false
//	range .x, with .a     with .a               true
func (u DotUse) HasSameDot(v DotUse) bool {
	innermost := func(dot string) string { return dot[strings.LastIndexByte(dot, '\n')+1:] }
	kinds := func(dot string) (all []string) {
		for block := range strings.SplitSeq(dot, "\n") {
			kind, _, _ := strings.Cut(block, " ")
			all = append(all, kind)
		}
		return all
	}
	return innermost(u.Dot) == innermost(v.Dot) || slices.Equal(kinds(u.Dot), kinds(v.Dot))
}

// ChangesDot reports whether data may be a Go template with a block that sets the dot: with or range.
func ChangesDot(data []byte) bool {
	actions, err := goEngine.parseActions(data)
	return err == nil && slices.ContainsFunc(actions, func(a action) bool {
		word := a.firstWord()
		return word == "with" || word == "range"
	})
}

// DotUses returns the actions of data that read the dot, in file order. It returns nil if data is not a valid Go template.
// Functions need not be defined. These actions are left out:
//
//   - actions in a block such as {{ with $root }} or {{ with merge . $defaults }}, which may keep the dot
//   - actions in more than 100 blocks (maxDepth) that set the dot
func DotUses(data []byte) (all []DotUse) {
	tree := parse.New("file")
	tree.Mode = parse.SkipFuncCheck
	trees := map[string]*parse.Tree{}
	if _, err := tree.Parse(string(data), "", "", trees); err != nil {
		return nil
	}
	add := func(p *parse.PipeNode, dot string) {
		if readsDot(p) {
			all = append(all, DotUse{Action: p.String(), Start: int(p.Position()), Dot: dot})
		}
	}
	var visit func(n parse.Node, dot string)
	visitBranches := func(kind string, b *parse.BranchNode, dot string) { // kind is "" for a block that does not set the dot
		add(b.Pipe, dot)
		switch {
		case kind == "":
			visit(b.List, dot)
		case (kind != "with" || !mayKeepDot(b.Pipe)) && strings.Count(dot, "\n") < maxDepth:
			visit(b.List, strings.TrimPrefix(dot+"\n"+kind+" "+b.Pipe.String(), "\n"))
		}
		if b.ElseList != nil {
			visit(b.ElseList, dot)
		}
	}
	visit = func(n parse.Node, dot string) {
		switch n := n.(type) {
		case *parse.ListNode:
			for _, k := range n.Nodes {
				visit(k, dot)
			}
		case *parse.ActionNode:
			add(n.Pipe, dot)
		case *parse.TemplateNode:
			add(n.Pipe, dot)
		case *parse.IfNode:
			visitBranches("", &n.BranchNode, dot)
		case *parse.WithNode:
			visitBranches("with", &n.BranchNode, dot)
		case *parse.RangeNode:
			visitBranches("range", &n.BranchNode, dot)
		}
	}
	for _, t := range trees {
		visit(t.Root, "")
	}
	slices.SortFunc(all, func(u, v DotUse) int { return u.Start - v.Start })
	return all
}

// readsDot reports whether p reads the dot or a field of it. Variables, such as $ and $.Values, do not. It returns
// false if p is nil.
func readsDot(p *parse.PipeNode) bool {
	return containsOperand(p, func(n parse.Node) bool { return n.Type() == parse.NodeDot || n.Type() == parse.NodeField })
}

// mayKeepDot reports whether a block {{ with p }} may set a dot with the fields that the dot around it has: p is a
// variable without a field, such as $root, or reads the whole dot, as toYaml . | fromYaml does.
func mayKeepDot(p *parse.PipeNode) bool {
	if len(p.Cmds) == 1 && len(p.Cmds[0].Args) == 1 {
		if v, ok := p.Cmds[0].Args[0].(*parse.VariableNode); ok && len(v.Ident) == 1 {
			return true
		}
	}
	return containsOperand(p, func(n parse.Node) bool { return n.Type() == parse.NodeDot })
}

// containsOperand reports whether is returns true for an operand of p, such as .a or $b in {{ f .a (g $b) }}. Of
// {{ (f .a).b }}, only .a is an operand. It returns false if p is nil.
func containsOperand(p *parse.PipeNode, is func(parse.Node) bool) bool {
	if p == nil {
		return false
	}
	var contains func(n parse.Node) bool
	contains = func(n parse.Node) bool {
		switch n := n.(type) {
		case *parse.ChainNode:
			return contains(n.Node)
		case *parse.PipeNode:
			return containsOperand(n, is)
		}
		return is(n)
	}
	return slices.ContainsFunc(p.Cmds, func(c *parse.CommandNode) bool { return slices.ContainsFunc(c.Args, contains) })
}
