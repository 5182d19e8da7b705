package engine

import (
	"fmt"
	"strings"
)

// times returns the concatenation of block(0) to block(n-1).
func times(n int, block func(i int) string) string {
	var b strings.Builder
	for i := range sized(n) {
		b.WriteString(block(i))
	}
	return b.String()
}

// oddLists are inputs with large collections for which a merge could be slow.
var oddLists = []oddInput{
	{"no comments", func(v int) string {
		return times(4000, func(i int) string {
			if i%150 == 0 {
				return fmt.Sprintf("- stays %d\n", i)
			}
			return fmt.Sprintf("- [%d, %d, %d, %d]\n", i, i+v%2*7777777, i*3, i+v/2*9999999) + or(v > 0 && i%150 == 1, fmt.Sprintf("- by %d\n", v), "")
		})
	}},
	{"one comment everywhere in a list", func(v int) string {
		return times(1000, func(i int) string {
			return fmt.Sprintf("- %d # alike\n", i) + or(v > 0 && i == v*300, fmt.Sprintf("# by %d\n", v), "")
		}) + fmt.Sprintf("- %d\n- %d\n", v%2, v/2)
	}},
	{"a comment in every document", func(v int) string {
		return times(4000, func(i int) string {
			return fmt.Sprintf("---\n# of %d\nkind: A\nmetadata:\n  name: n%d\na: %d # x\nb: 1\nc: %d # y\n# by %d\n", i, i, v%2, v/2, v)
		})
	}},
	{"a long flow list", func(v int) string {
		return "a: [" + times(60000, func(i int) string { return fmt.Sprintf("%d, ", i+v*(i%2+v-1)*100000) }) + "]\n"
	}},
	{"fields with an anchor that one side has in another order", func(v int) string {
		field := func(i int) string { return fmt.Sprintf("  k%d: %d\n", i, i) }
		back := func(i int) string { return field(sized(20000) - 1 - i) }
		added := [...]string{"", "n:\n  x: &x 1\n  y: *x\n" + times(20000, field), "n:\n  y: &x 1\n  x: *x\n" + times(20000, back)}[v]
		return fmt.Sprintf("a: 1\nb: %d\nc: 1\n%sd: %d\n", v%2, added, v/2)
	}},
	{"items deleted by both among items changed by both", func(v int) string {
		return times(6000, func(i int) string {
			if i%100 == 0 {
				return fmt.Sprintf("- stays %d\n", i)
			}
			return or(v > 0 && i == 1, "", fmt.Sprintf("- {a: %d, b: %d, c: %d, d: %d}\n", i, i+v%2*7777777, i*3, i+v/2*9999999))
		})
	}},
	{"a list in each of many fields", func(v int) string {
		return times(12000, func(i int) string { return fmt.Sprintf("k%d: [s%d, %d, t, u, %d]\n", i, i, v%2, v/2) })
	}},
	{"items that both sides put before the last that is left", func(v int) string {
		name := func(by string) string {
			return times(60000, func(i int) string { return fmt.Sprintf("- %s %d\n", by, i) })
		}
		return [...]string{"- x\n" + name("a"), name("b") + "- x\n", name("b") + "- c\n- d\n- e\n"}[v]
	}},
	{"conflicts that touch", func(v int) string {
		return "- " + times(12000, func(i int) string { return fmt.Sprintf("k%d: %d\n  ", i, i+v) }) + "z: 1\n"
	}},
	{"items slightly changed by both, some moved and inserted", func(v int) string {
		return times(8000, func(i int) string {
			j := or(v > 0 && i%50 == v, fmt.Sprintf("- by %d of %d\n", v, i), "")
			if v > 0 && i%100 < 2 {
				i ^= 1
			}
			return j + fmt.Sprintf("- {a: %d, b: %d, c: %d, d: %d}\n", i, i*2, i+v%2*7777777, i+v/2*9999999)
		})
	}},
}
