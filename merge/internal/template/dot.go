package template

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"text/template/parse"
)

// A DotUse is a place in a Go template where the dot of text/template, or a field of it, is read, as in {{ .name }},
// {{ toYaml . }} and {{ if .name }}. Inside of {{ with .web }} and {{ range .ports }}, up to their {{ else }} or
// {{ end }}, the dot is another one than around the block.
type DotUse struct {
	// Pipeline is the text after the keyword, if there is one, with blanks normalized: ".name" for {{ .name }},
	// {{ if .name }} and {{ template "x" .name }}.
	Pipeline string
	Start    int // the byte offset of the pipeline in the file
	// dot names the dot by the blocks with and range that set it, one in each line, with the outermost first: "with
	// .Values.web". It is "" for the dot of the whole file, or of the block {{ define }} that contains the action.
	dot          string
	inDefinition bool // in a block {{ define }}
}

// isOverArgument reports whether block may be over an argument that is passed to a definition in a list or in a dict:
// "with index . 1" or "with .root". Helm's own values, such as .Values, start with a capital letter.
func isOverArgument(block string) bool {
	value, isWith := strings.CutPrefix(block, "with ")
	name, isField := strings.CutPrefix(value, ".")
	isLowerCaseField := isField && name == strings.ToLower(name) && !strings.ContainsAny(name, ". ")
	return isWith && (isLowerCaseField || strings.HasPrefix(value, "index . "))
}

// HasSameDot reports whether u and v probably read fields of the same value, so that v can be a new version of u. That
// is so if the innermost blocks with and range around them are equal, or if all of these blocks have the same kinds, as
// after a rename. The order of u and v can matter.
//
//	blocks around u       blocks around v    result
//	range .x, with .a     with .a            true
//	with .a               with .b            true
//	with .a               range .a           false
func (u DotUse) HasSameDot(v DotUse) bool {
	// the dot of the file may have been passed to the definition of u, which selects it with index . 1, for example
	if outermost, rest, _ := strings.Cut(u.dot, "\n"); u.inDefinition && !v.inDefinition && isOverArgument(outermost) {
		u.dot = rest
	}
	innermost := func(dot string) string { return dot[strings.LastIndexByte(dot, '\n')+1:] }
	kinds := func(dot string) (all []string) {
		for block := range strings.SplitSeq(dot, "\n") {
			kind, _, _ := strings.Cut(block, " ")
			all = append(all, kind)
		}
		return all
	}
	return innermost(u.dot) == innermost(v.dot) || slices.Equal(kinds(u.dot), kinds(v.dot))
}

// HasSameActions reports whether data and other contain the same actions of Go templates byte for byte, in the same
// order, so that the dot has the same meaning in each of them. It returns false if an action has no end.
//
//	{{ with .a }}x: {{ .b }}{{ end }}    {{ with .a }}y: {{ .b }}{{ end }}    true
//	{{ with .a }}x: {{ .b }}{{ end }}    {{ with .c }}x: {{ .b }}{{ end }}    false
func HasSameActions(data, other []byte) bool {
	actions, err := goEngine.parseActions(data)
	others, err2 := goEngine.parseActions(other)
	return err == nil && err2 == nil && slices.EqualFunc(actions, others, func(a, b action) bool {
		return bytes.Equal(data[a.Start:a.End], other[b.Start:b.End])
	})
}

// DotUses returns the places in the Go template data that read the dot or a field of it, in file order. It returns nil
// if data cannot be parsed. Functions and variables need not be defined.
func DotUses(data []byte) (all []DotUse) {
	definitions := defineVariables(data)
	trees, err := parseGo(append([]byte(definitions), data...))
	if err != nil {
		return nil
	}
	for name, t := range trees {
		r := dotReader{offset: len(definitions), isDefinition: name != fileTree, dotOf: map[string]string{"$": ""}}
		r.visit(t.Root, "")
		all = append(all, r.uses...)
	}
	slices.SortFunc(all, func(u, v DotUse) int { return u.Start - v.Start })
	return all
}

// A dotReader collects the uses of the dot in one tree of a template. A dot is named as in DotUse.dot.
type dotReader struct {
	offset       int // of the template in the text that was parsed
	isDefinition bool
	dotOf        map[string]string // by variable, the dot that it holds: $root after {{ with $root := .web }}
	uses         []DotUse
}

// visit adds the places in n, a part of a template, that read the dot to r.uses. dot is the name of the dot around n:
// the blocks with and range that set it, one a line. In {{ with .a }}{{ .b }}{{ end }}, these are .a with the dot "",
// and .b with the dot "with .a".
func (r *dotReader) visit(n parse.Node, dot string) {
	switch n := n.(type) {
	case *parse.ListNode:
		for _, k := range n.Nodes {
			r.visit(k, dot)
		}
	case *parse.ActionNode:
		r.visitPipeline("with", n.Pipe, dot)
	case *parse.TemplateNode:
		r.visitPipeline("with", n.Pipe, dot)
	case *parse.IfNode:
		r.visitPipeline("with", n.Pipe, dot)
		r.visitBranches(n.BranchNode, dot, dot)
	case *parse.WithNode:
		r.visitBranches(n.BranchNode, r.visitPipeline("with", n.Pipe, dot), dot)
	case *parse.RangeNode:
		r.visitBranches(n.BranchNode, r.visitPipeline("range", n.Pipe, dot), dot)
	}
}

// visitBranches adds the uses of the dot in both branches of the block b to r.uses. inside names the dot in the first
// branch, and dot the one in the else. The first branch is skipped if more than maxDepth blocks with and range are
// around it.
func (r *dotReader) visitBranches(b parse.BranchNode, inside, dot string) {
	if strings.Count(inside, "\n") < maxDepth {
		r.visit(b.List, inside)
	}
	if b.ElseList != nil {
		r.visit(b.ElseList, dot)
	}
}

// visitPipeline adds a use to r.uses if the pipeline p reads the dot, and records the dots of the variables that p
// sets. value is the name of the value of p, if it becomes the dot (nameValue). kind is range or with for the block
// that p belongs to; for any other action, it is with. dot names the dot around p. If p is nil, value is dot.
func (r *dotReader) visitPipeline(kind string, p *parse.PipeNode, dot string) (value string) {
	if p == nil {
		return dot
	}
	if readsDot(p) {
		r.uses = append(r.uses, DotUse{Pipeline: p.String(), Start: int(p.Position()) - r.offset, dot: dot, inDefinition: r.isDefinition})
	}
	value = r.nameValue(kind, p, dot)
	for _, v := range p.Decl {
		delete(r.dotOf, v.Ident[0])
	}
	if n := len(p.Decl); n > 0 { // of range $key, $value, the last one
		r.dotOf[p.Decl[n-1].Ident[0]] = value
	}
	return value
}

// nameValue returns the name of the dot in a block over p, which is also that of a variable that p sets. kind is with
// or range, dot the name around p. The name does not change if p is the dot or a converted dot. If p is only a
// variable, and kind is with, the name is that of the dot that the variable holds, if that is known.
//
//	kind     p           dot           result
//	range    .ports      "with .web"   "with .web\nrange .ports"
//	with     $x := .     "with .web"   "with .web"
func (r *dotReader) nameValue(kind string, p *parse.PipeNode, dot string) string {
	if name, isVariable := r.dotOf[soleVariable(p)]; isVariable && kind == "with" {
		return name
	}
	if kind == "with" && r.isDot(p, dot) || kind == "range" && r.isListOfDots(p, dot) {
		return dot
	}
	withoutVariables := *p
	withoutVariables.Decl = nil
	return strings.TrimPrefix(dot+"\n"+kind+" "+withoutVariables.String(), "\n")
}

// variable matches a variable of a Go template, such as $labels.
var variable = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\$[\pL\p{Nd}_]+`) })

// defineVariables returns actions, such as {{$labels := 0}}, that define the variables of data, so that templates of
// other programs can be parsed, such as alerts of Prometheus. The result is "" for more than 1,000 names, because the
// parser would be slow.
func defineVariables(data []byte) string {
	const maxNames = 1000
	var definitions strings.Builder
	defined := map[string]bool{}
	for _, name := range variable().FindAll(data, -1) {
		if !defined[string(name)] {
			defined[string(name)] = true
			fmt.Fprintf(&definitions, "{{%s := 0}}", name)
		}
	}
	if len(defined) > maxNames {
		return ""
	}
	return definitions.String()
}

// readsDot reports whether n, a pipeline such as toYaml .web | indent 4 or an operand of it, reads the dot or a field
// of it. Variables and their fields, such as $ and $.Values, are not the dot.
func readsDot(n parse.Node) bool {
	switch n := n.(type) {
	case *parse.DotNode, *parse.FieldNode:
		return true
	case *parse.ChainNode: // the fields of a pipeline in parentheses
		return readsDot(n.Node)
	case *parse.PipeNode:
		return slices.ContainsFunc(n.Cmds, func(c *parse.CommandNode) bool { return slices.ContainsFunc(c.Args, readsDot) })
	}
	return false
}

// dotFunctions are the functions whose result has the fields of the dot if the dot is an argument.
var dotFunctions = map[string]bool{
	"merge": true, "mergeOverwrite": true, "mustMerge": true, "mustMergeOverwrite": true, "deepCopy": true, "mustDeepCopy": true,
	"set": true, "toYaml": true, "fromYaml": true, "toJson": true, "fromJson": true,
}

// soleVariable returns the name of the variable if the value of pipeline p is only a variable, as in {{ with $root }}
// and {{ with $a := $root }}, or "".
func soleVariable(p *parse.PipeNode) string {
	isSole := len(p.Cmds) == 1 && len(p.Cmds[0].Args) == 1
	if v, ok := p.Cmds[0].Args[0].(*parse.VariableNode); ok && isSole && len(v.Ident) == 1 {
		return v.Ident[0]
	}
	return ""
}

// isListOfDots reports whether the pipeline p is a list of values that are known to have the fields of the dot. The dot
// in a range over such a list is then the same as outside. dot names the dot around p.
//
//	{{ range tuple . (deepCopy .) }}
func (r *dotReader) isListOfDots(p *parse.PipeNode, dot string) bool {
	if len(p.Cmds) > 1 {
		return false
	}
	args := p.Cmds[0].Args
	switch first := args[0].(type) {
	case *parse.PipeNode: // in parentheses
		return len(args) == 1 && r.isListOfDots(first, dot)
	case *parse.IdentifierNode:
		hasOther := slices.ContainsFunc(args[1:], func(n parse.Node) bool { return !r.isDot(n, dot) })
		return (first.Ident == "tuple" || first.Ident == "list") && len(args) > 1 && !hasOther
	}
	return false
}

// isDot reports whether the operand n certainly has the fields of the dot: as the dot, a variable that holds it, or a
// pipeline that only converts one, such as tpl (toYaml .) $ | fromYaml. dot is the name of the dot around n.
func (r *dotReader) isDot(n parse.Node, dot string) bool {
	switch n := n.(type) {
	case *parse.DotNode:
		return true
	case *parse.VariableNode:
		name, isKnown := r.dotOf[n.Ident[0]]
		return len(n.Ident) == 1 && isKnown && name == dot
	case *parse.PipeNode:
		return r.passesDot(n, dot)
	}
	return false
}

// passesDot reports whether the result of the pipeline p is known to have the fields of the dot (see isDot): the dot
// goes into its first command, and each command keeps the fields.
func (r *dotReader) passesDot(p *parse.PipeNode, dot string) bool {
	for i, c := range p.Cmds {
		args := c.Args
		f, isFunction := args[0].(*parse.IdentifierNode)
		switch {
		case isFunction && f.Ident == "tpl" && i == 0 && len(args) > 1:
			args = args[:2] // the text that tpl renders; the argument after it only sets the dot of this text
		case isFunction && !dotFunctions[f.Ident]:
			return false
		}
		// further commands get the result of the one before
		if i == 0 && !slices.ContainsFunc(args, func(n parse.Node) bool { return r.isDot(n, dot) }) {
			return false
		}
	}
	return true
}
