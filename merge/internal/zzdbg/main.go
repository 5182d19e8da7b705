package main

import (
	"fmt"
	"os"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/template"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

func main() {
	b, _ := os.ReadFile(os.Args[1])
	st, err := template.Parse(text.New(b))
	if err != nil { fmt.Println("ERR", err); return }
	os.Stdout.Write(st.Masked)
}
