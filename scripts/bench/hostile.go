package main

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
)

// A hostile input is what somebody could push to make a merge slow. Its version v has n parts; of
// thousand parts, about, its base has kilobytes.
type hostile struct {
	kind      string
	kilobytes float64
	version   func(w *bufio.Writer, n, v int)
}

var hostiles = []hostile{
	{"ifs", 24.7, func(w *bufio.Writer, n, v int) { nestedIfs(w, n, min(v, 1), v/2) }},
	{"ifs, conflict", 24.7, func(w *bufio.Writer, n, v int) { nestedIfs(w, n, v, 0) }},
	{"else ifs", 28.8, func(w *bufio.Writer, n, v int) { elseIfs(w, n, min(v, 1), v/2) }},
	{"else ifs, conflict", 28.8, func(w *bufio.Writer, n, v int) { elseIfs(w, n, v, 0) }},
	{"documents, shuffled", 14, shuffledDocuments},
	{"documents, tiny", 9, tinyDocuments},
	{"items, alike", 13.8, alikeItems},
	{"resources, renamed", 80, renamedResources},
}

// sizes are those of the tables, in kilobytes of base.
var sizes = []float64{100, 300, 900}

// compareHostile times a hostile input of each size once with git and with the command.
func compareHostile(command, only string) error {
	fmt.Printf("%s\n%-22s%8s%8s%8s%8s%6s\n", command, "input", "KB", "git s", "s", "MB", "exit")
	for _, h := range hostiles {
		if only != "" && h.kind != only {
			continue
		}
		for _, size := range sizes {
			n := int(size / h.kilobytes * 1000)
			in := input{kind: h.kind, version: func(w *bufio.Writer, v int) { h.version(w, n, v) }}
			if err := in.write("input"); err != nil {
				return err
			}
			base, err := os.Stat(filepath.Join("input", "base"))
			if err != nil {
				return err
			}
			git, err := start("input", gitCommand)
			if err != nil {
				return err
			}
			r, err := start("input", command)
			if err != nil {
				return err
			}
			fmt.Printf("%-22s%8d%8.2f%8.2f%8.0f%6d\n", h.kind, base.Size()/1000, git.took.Seconds(), r.took.Seconds(), megabytes(r), r.code)
		}
	}
	return nil
}

// nestedIfs is n blocks of a template, each in the other one.
func nestedIfs(w *bufio.Writer, n, ours, theirs int) {
	for i := range n {
		fmt.Fprintf(w, "{{ if .a%d }}\n", i)
	}
	fmt.Fprintf(w, "x: %d\ny: 1\nz: 1\nw: %d\n%s", ours, theirs, strings.Repeat("{{ end }}\n", n))
}

// elseIfs is one block with n branches.
func elseIfs(w *bufio.Writer, n, ours, theirs int) {
	w.WriteString("{{ if .a }}\nx: 0\n")
	for i := range n {
		fmt.Fprintf(w, "{{ else if .b%d }}\nx: %d\n", i, i)
	}
	fmt.Fprintf(w, "{{ end }}\ny: %d\nz: 1\nw: 1\nq: %d\n", ours, theirs)
}

// shuffledDocuments is n of them without a name, of seven kinds, in an order of each version's own.
func shuffledDocuments(w *bufio.Writer, n, v int) {
	order := rand.New(rand.NewPCG(uint64(v), 1)).Perm(n)
	for i := range n {
		if v > 0 {
			i = order[i]
		}
		fmt.Fprintf(w, "---\na: %d\nb: x\n", i%7)
	}
}

// tinyDocuments is n of them, all alike but for one of each side.
func tinyDocuments(w *bufio.Writer, n, v int) {
	for i := range n {
		a := 1
		if v > 0 && i == n*v/3 {
			a += v
		}
		fmt.Fprintf(w, "---\na: %d\n", a)
	}
}

// alikeItems is a list of n without names, two of five changed by each side.
func alikeItems(w *bufio.Writer, n, v int) {
	r := rand.New(rand.NewPCG(uint64(v), 2))
	w.WriteString("l:\n")
	for i := range n {
		a, b := i%5, i%3
		if v > 0 && r.IntN(5) < 2 {
			a, b = r.IntN(5), r.IntN(9)
		}
		fmt.Fprintf(w, "- a: %d\n  b: %d\n", a, b)
	}
}

// renamedResources is n of them, each with another name in each version.
func renamedResources(w *bufio.Writer, n, v int) {
	for i := range n {
		fmt.Fprintf(w, "---\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: %c%d\ndata:\n  k: v%d\n  j: %d\n", 'a'+v, i, i, v/2)
	}
}
