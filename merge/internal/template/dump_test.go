package template

import (
	"fmt"
	"os"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

func TestDumpX(t *testing.T) {
	f := os.Getenv("DUMP")
	if f == "" {
		t.Skip()
	}
	b, _ := os.ReadFile(f)
	r, err := read(text.New(b))
	if err != nil {
		fmt.Println(err)
		return
	}
	os.Stdout.Write(r.stream.Masked)
}
