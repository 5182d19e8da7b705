package main

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
)

// table returns the text of kubernetes.txt; ../kubernetes.go says how it reads.
func (g *network) table() []byte {
	number := map[int]string{}
	var lines []string
	var visit func(n *node) string
	visit = func(n *node) string {
		if id, ok := number[n.class]; ok {
			return id
		}
		id := strconv.FormatInt(int64(len(lines)), 36)
		number[n.class] = id
		i := len(lines)
		lines = append(lines, "")
		lines[i] = n.text(visit)
		return id
	}
	var b bytes.Buffer
	previous := ""
	for _, r := range g.roots {
		if n := g.nodes[r.name]; len(n.fields) > 0 {
			if gv := r.apiVersion(); gv != previous {
				fmt.Fprintf(&b, "\n%s", gv)
				previous = gv
			}
			fmt.Fprintf(&b, " %s:%s", r.kind, visit(n))
		}
	}
	head := strings.TrimPrefix(b.String(), "\n")
	return []byte(head + "\n\n" + strings.Join(lines, "\n") + "\n")
}

// text returns a type's line, its targets written by id.
func (n *node) text(id func(*node) string) string {
	var parts []string
	for _, u := range n.unions {
		parts = append(parts, "^"+u)
	}
	if n.elem != nil {
		parts = append(parts, n.elem.text(id))
	}
	for _, e := range n.fields {
		parts = append(parts, e.text(id))
	}
	return strings.Join(parts, " ")
}

func (e edge) text(id func(*node) string) string {
	if e.to == nil {
		return e.name + e.list
	}
	return e.name + e.list + ":" + id(e.to)
}
