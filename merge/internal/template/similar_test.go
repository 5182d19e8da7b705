package template_test

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/mergetest"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/template"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// TestParseSimilar checks that Parse returns the same tree, or the same error, with similar files as without, for all
// versions of the cases that may be templates.
func TestParseSimilar(t *testing.T) {
	for i, c := range mergetest.MergeVersions(t) {
		var similar []*syntax.Stream
		for _, b := range c {
			if !template.MayHaveActions(b) {
				break
			}
			want, wantErr := template.Parse(text.New(b))
			got, err := template.Parse(text.New(b), similar...)
			if fmt.Sprint(err) != fmt.Sprint(wantErr) {
				t.Fatalf("case %d: error %v, want %v, for\n%s", i, err, wantErr, b)
			}
			if err != nil {
				continue
			}
			if !reflect.DeepEqual(got.Stream.Docs, want.Stream.Docs) {
				t.Fatalf("case %d: another tree of\n%s", i, b)
			}
			similar = append(similar, got.Stream)
		}
	}
}
