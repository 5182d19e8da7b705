package diff3

import (
	"bytes"
	"fmt"
	"testing"
)

// manifests returns about n bytes of YAML. Some of its lines occur only once.
func manifests(n int) []byte {
	var b bytes.Buffer
	for i := 0; b.Len() < n; i++ {
		fmt.Fprintf(&b, "- name: service-%d\n  image: registry.example.com/app/service-%d:v1.2.%d\n  replicas: %d\n"+
			"  env:\n  - name: LEVEL\n    value: info\n\n", i, i%50, i%7, i%3)
	}
	return b.Bytes()
}

// editEveryNth returns a copy of data in which about n lines are edited at their end. They
// are evenly distributed, and the line with the index first is the first of them.
func editEveryNth(data []byte, first, n int) []byte {
	lines := bytes.SplitAfter(data, lf)
	step := max(len(lines)/n, 1)
	for i := first; i < len(lines); i += step {
		lines[i] = append(bytes.TrimSuffix(bytes.Clone(lines[i]), lf), "-edited\n"...)
	}
	return bytes.Join(lines, nil)
}

func BenchmarkMergeLines(b *testing.B) {
	for _, size := range []int{2 << 10, 100 << 10, 1 << 20, 5 << 20} {
		original := manifests(size)
		dest, updated := editEveryNth(original, 3, 10), editEveryNth(original, 8, 10)
		for as, name := range []string{"myers", "histogram"} {
			b.Run(fmt.Sprintf("%s/%dK", name, size>>10), func(b *testing.B) {
				b.SetBytes(int64(len(original)))
				b.ReportAllocs()
				for b.Loop() {
					if _, _, err := MergeLines(original, dest, updated, Options{As: As(as)}); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
