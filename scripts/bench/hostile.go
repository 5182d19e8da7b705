package main

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
)

// A hostileInput is an input that an attacker could commit to make a merge slow.
type hostileInput struct {
	kind      string
	kilobytes float64                         // size of base with n = 1000, approximately
	write     func(w *bufio.Writer, n, v int) // writes version v (0 base, 1 ours, 2 theirs) with n parts
}

var hostileInputs = []hostileInput{
	{"ifs", 24.7, func(w *bufio.Writer, n, v int) { nestedIfs(w, n, min(v, 1), v/2) }},
	{"ifs, conflict", 24.7, func(w *bufio.Writer, n, v int) { nestedIfs(w, n, v, 0) }},
	{"else ifs", 28.8, func(w *bufio.Writer, n, v int) { elseIfs(w, n, min(v, 1), v/2) }},
	{"else ifs, conflict", 28.8, func(w *bufio.Writer, n, v int) { elseIfs(w, n, v, 0) }},
	{"documents, shuffled", 14, shuffledDocuments},
	{"documents, tiny", 9, tinyDocuments},
	{"items, alike", 13.8, unnamedItems},
	{"resources, renamed", 80, renamedResources},
}

// sizes are the sizes of base for which each hostile input is timed, in kilobytes.
var sizes = []float64{100, 300, 900}

// timeHostileInputs merges each hostile input once in each size, with git and with command, and prints a table.
// If only is not empty, it skips inputs of another kind. It writes files to the folder input.
func timeHostileInputs(command, only string) error {
	fmt.Printf("%s\n%-22s%8s%8s%8s%8s%6s\n", command, "input", "KB", "git s", "s", "MB", "exit")
	for _, h := range hostileInputs {
		if only != "" && h.kind != only {
			continue
		}
		for _, size := range sizes {
			n := int(size / h.kilobytes * 1000)
			in := input{kind: h.kind, custom: func(w *bufio.Writer, v int) { h.write(w, n, v) }}
			if err := in.write("input"); err != nil {
				return err
			}
			base, err := os.Stat(filepath.Join("input", "base"))
			if err != nil {
				return err
			}
			git, err := runCommand("input", gitCommand)
			if err != nil {
				return err
			}
			r, err := runCommand("input", command)
			if err != nil {
				return err
			}
			fmt.Printf("%-22s%8d%8.2f%8.2f%8.0f%6d\n", h.kind, base.Size()/1000, git.duration.Seconds(), r.duration.Seconds(), megabytes(r), r.code)
		}
	}
	return nil
}

// nestedIfs writes n nested blocks of a template.
func nestedIfs(w *bufio.Writer, n, ours, theirs int) {
	for i := range n {
		fmt.Fprintf(w, "{{ if .a%d }}\n", i)
	}
	fmt.Fprintf(w, "x: %d\ny: 1\nz: 1\nw: %d\n%s", ours, theirs, strings.Repeat("{{ end }}\n", n))
}

// elseIfs writes one block of a template with n branches.
func elseIfs(w *bufio.Writer, n, ours, theirs int) {
	w.WriteString("{{ if .a }}\nx: 0\n")
	for i := range n {
		fmt.Fprintf(w, "{{ else if .b%d }}\nx: %d\n", i, i)
	}
	fmt.Fprintf(w, "{{ end }}\ny: %d\nz: 1\nw: 1\nq: %d\n", ours, theirs)
}

// shuffledDocuments writes n documents without names, with only seven different contents. Each side has a
// different random order.
func shuffledDocuments(w *bufio.Writer, n, v int) {
	order := rand.New(rand.NewPCG(uint64(v), 1)).Perm(n)
	for i := range n {
		if v > 0 {
			i = order[i]
		}
		fmt.Fprintf(w, "---\na: %d\nb: x\n", i%7)
	}
}

// tinyDocuments writes n equal documents. Each side changes one of them.
func tinyDocuments(w *bufio.Writer, n, v int) {
	for i := range n {
		a := 1
		if v > 0 && i == n*v/3 {
			a += v
		}
		fmt.Fprintf(w, "---\na: %d\n", a)
	}
}

// unnamedItems writes a list of n items without names. Each side changes two of five items.
func unnamedItems(w *bufio.Writer, n, v int) {
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

// renamedResources writes n resources. Each has a different name in each version.
func renamedResources(w *bufio.Writer, n, v int) {
	for i := range n {
		fmt.Fprintf(w, "---\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: %c%d\ndata:\n  k: v%d\n  j: %d\n", 'a'+v, i, i, v/2)
	}
}
