package template

// inOrder reports whether the lines that a and b share stand in one order in
// both: whether they have a subsequence in common that is as long as what they
// share.
func inOrder(a, b []string) bool {
	shared := 0
	count := map[string]int{}
	for _, s := range a {
		count[s]++
	}
	for _, s := range b {
		if count[s]--; count[s] >= 0 {
			shared++
		}
	}
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		a, b, shared = a[1:], b[1:], shared-1
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b, shared = a[:len(a)-1], b[:len(b)-1], shared-1
	}
	if len(a)*len(b) > mostCompared {
		return false
	}
	return common(a, b) == shared
}

// mostCompared bounds what an order costs: no file that people write comes near.
const mostCompared = 1 << 24

// common is the length of the longest common subsequence of a and b.
func common(a, b []string) int {
	row := make([]int, len(b)+1)
	for _, x := range a {
		before := 0 // the row above, one to the left
		for j, y := range b {
			above := row[j+1]
			if x == y {
				row[j+1] = before + 1
			} else {
				row[j+1] = max(above, row[j])
			}
			before = above
		}
	}
	return row[len(b)]
}
