//go:build !js

// Command playground writes a static page for trying a merge without installing anything. The merge library is
// compiled to WebAssembly and runs in the browser; the page sends nothing to a server.
//
//	go run ./scripts/playground DIR
package main

import (
	"bytes"
	"compress/gzip"
	"embed"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

//go:embed page
var page embed.FS

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: go run ./scripts/playground DIR")
		os.Exit(2)
	}
	if err := writePage(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "playground:", err)
		os.Exit(1)
	}
	fmt.Printf("wrote %s; to open it, run: python3 -m http.server -d %[1]s\n", os.Args[1])
}

// writePage writes the files of the page, the compiled program, and Go's support file for WebAssembly to dir,
// which it creates if necessary.
func writePage(dir string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	files, err := page.ReadDir("page")
	if err != nil {
		return err
	}
	for _, f := range files {
		b, err := page.ReadFile("page/" + f.Name())
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, f.Name()), b, 0o666)
		}
		if err != nil {
			return err
		}
	}
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return err
	}
	glue, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(root)), "lib", "wasm", "wasm_exec.js"))
	if err != nil {
		return err
	}
	return errors.Join(os.WriteFile(filepath.Join(dir, "wasm_exec.js"), glue, 0o666), buildProgram(filepath.Join(dir, "merge.wasm.gz")))
}

// buildProgram compiles this package to WebAssembly and writes the program to path, compressed with gzip.
func buildProgram(path string) error {
	tmp, err := os.MkdirTemp("", "playground")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	wasm := filepath.Join(tmp, "merge.wasm")
	build := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", wasm, "github.com/git-merge-yaml/git-merge-yaml/scripts/playground")
	build.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0", "GOFLAGS=")
	build.Stderr = os.Stderr
	if err := build.Run(); err != nil {
		return fmt.Errorf("go build: %w", err)
	}
	b, err := os.ReadFile(wasm)
	if err != nil {
		return err
	}
	var out bytes.Buffer
	z, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return err
	}
	if _, err := z.Write(b); err != nil {
		return err
	}
	return errors.Join(z.Close(), os.WriteFile(path, out.Bytes(), 0o666))
}
