//go:build !js

// Command playground writes a static page in which anybody can try a merge
// without installing anything: the library runs in the browser, and nothing is
// sent anywhere.
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
	if err := write(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "playground:", err)
		os.Exit(1)
	}
	fmt.Printf("wrote %s; browsers run it over http only: python3 -m http.server -d %[1]s\n", os.Args[1])
}

// write writes the page, the program and what Go needs to run it into dir.
func write(dir string) error {
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
	return errors.Join(os.WriteFile(filepath.Join(dir, "wasm_exec.js"), glue, 0o666), program(filepath.Join(dir, "merge.wasm.gz")))
}

// program builds this command for browsers.
func program(path string) error {
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
