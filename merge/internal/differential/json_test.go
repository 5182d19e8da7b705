package differential

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/tailscale/hujson"

	"github.com/git-merge-yaml/git-merge-yaml/merge"
	source "github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// TestJSONDialect checks that hujson accepts every input that MaskJSON accepts, and that both agree on whether it has
// comments or trailing commas. Half of the inputs have some bytes removed.
func TestJSONDialect(t *testing.T) {
	taken, spoilt := 0, 0
	for seed := range uint64(20000) {
		g := &jsonMaker{rand.New(rand.NewPCG(seed, 1))}
		b := []byte(g.file())
		if seed%2 == 1 {
			at := g.IntN(len(b))
			b = append(b[:at:at], b[min(len(b), at+1+g.IntN(3)):]...)
		}
		_, has, ok := source.MaskJSON(b)
		switch {
		case ok:
			taken++
			compareJSON(t, b, has)
			comments := bytes.Contains(b, []byte("// c")) || bytes.Contains(b, []byte("/* c"))
			if seed%2 == 0 && (has&source.JSONComments != 0) != comments {
				t.Errorf("comments: %b in %q", has, b)
			}
		case seed%2 == 1:
			spoilt++
		}
	}
	if taken < 10000 || spoilt < 1000 {
		t.Errorf("%d taken, %d not", taken, spoilt)
	}
}

func compareJSON(t *testing.T, b []byte, has source.Dialect) {
	t.Helper()
	v, err := hujson.Parse(append(b[:len(b):len(b)], '\n')) // hujson requires a line break after a comment
	if err != nil {
		t.Errorf("hujson: %v in %q", err, b)
		return
	}
	if standard := has == 0; v.IsStandard() != standard {
		t.Errorf("hujson: standard %v, here %b in %q", v.IsStandard(), has, b)
	}
}

// TestJSONMerges checks that hujson can parse merges of JSON with comments, with either side chosen at the conflicts,
// and that clean merges have the edits of both sides.
func TestJSONMerges(t *testing.T) {
	clean := 0
	for seed := range uint64(3000) {
		g := &jsonMaker{rand.New(rand.NewPCG(seed, 2))}
		var raw [3][]byte
		fields := 2 + g.IntN(6)
		want := map[string]any{}
		var in [3][]string
		for i := range fields {
			key, was := fmt.Sprintf("k%d", i), g.IntN(100)
			for v := range in {
				in[v] = append(in[v], fmt.Sprintf("%q: %d", key, was))
			}
			want[key] = float64(was)
			if side := g.IntN(3); side > 0 {
				in[side][i], want[key] = fmt.Sprintf("%q: %d", key, was+100), float64(was+100)
			}
		}
		for v := range raw {
			raw[v] = []byte(g.lines(in[v], seed))
		}
		res, err := merge.Merge(raw[0], raw[1], raw[2], merge.Options{Path: "a.jsonc"})
		if err != nil {
			t.Fatal(err)
		}
		for _, side := range []int{0, 1} {
			var got map[string]any
			b, err := hujson.Standardize(taken(res.Bytes, side))
			if err == nil {
				err = json.Unmarshal(b, &got)
			}
			if err != nil || res.Clean() && !reflect.DeepEqual(got, want) {
				t.Fatalf("seed %d: %v, %v, want %v in\n%s", seed, err, got, want, res.Bytes)
			}
		}
		if res.Clean() {
			clean++
		}
	}
	if clean < 2500 {
		t.Errorf("only %d clean", clean)
	}
}

// taken returns a file with its conflicts resolved to one side: 0 for ours, 1 for theirs.
func taken(b []byte, side int) (out []byte) {
	at := -1
	for line := range bytes.Lines(b) {
		switch {
		case bytes.HasPrefix(line, []byte("<<<<<<<")):
			at = 0
		case bytes.HasPrefix(line, []byte("=======")):
			at = 1
		case bytes.HasPrefix(line, []byte(">>>>>>>")):
			at = -1
		case at < 0 || at == side:
			out = append(out, line...)
		}
	}
	return out
}

// A jsonMaker generates JSON files with comments.
type jsonMaker struct{ *rand.Rand }

// lines returns an object with each field on its own line. The same seed gives the same comments.
func (g *jsonMaker) lines(fields []string, seed uint64) string {
	same := rand.New(rand.NewPCG(seed, 3))
	var b strings.Builder
	b.WriteString("// c head\n{\n")
	for i, f := range fields {
		if same.IntN(3) == 0 {
			fmt.Fprintf(&b, "  /* c above\n     %d */\n", i)
		}
		fmt.Fprintf(&b, "  %s,", f)
		if same.IntN(3) == 0 {
			fmt.Fprintf(&b, " // c behind %d", i)
		}
		b.WriteByte('\n')
	}
	return b.String() + "}\n"
}

func (g *jsonMaker) file() string { return g.gap() + g.collection(3) + g.gap() }

// gap returns random white space between two tokens, or a comment.
func (g *jsonMaker) gap() string {
	return []string{"", "", "", " ", "\n", "\n  ", " // c x, ] \"\n", " /* c y */\n", "\n/* c\n * z\n */\n", "\r\n\t"}[g.IntN(10)]
}

func (g *jsonMaker) collection(depth int) string {
	brackets, n := "[]", g.IntN(4)
	object := g.IntN(2) == 0
	if object {
		brackets = "{}"
	}
	b := brackets[:1] + g.gap()
	for i := range n {
		if object {
			b += fmt.Sprintf("%q: ", fmt.Sprint("k", i))
		}
		b += g.value(depth-1) + []string{"", " ", "\n"}[g.IntN(3)]
		if i+1 < n || g.IntN(4) == 0 {
			b += "," + g.gap()
		}
	}
	return b + brackets[1:]
}

func (g *jsonMaker) value(depth int) string {
	if depth > 0 && g.IntN(2) == 0 {
		return g.collection(depth)
	}
	return []string{"1", "-2.50e+3", "true", "null", `"a // b"`, `"\ud83d\ude00"`, `"\"/* x */"`, `""`}[g.IntN(8)]
}
