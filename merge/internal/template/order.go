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
	return within(a, b, len(a)+len(b)-2*shared)
}

// within reports whether a becomes b in most insertions and deletions. It is Myers'
// greedy search: reach[k] is how far into a one comes on the diagonal k.
func within(a, b []string, most int) bool {
	if most*most > mostCompared {
		return false
	}
	reach := make([]int, 2*most+3)
	for d := range most + 1 {
		for k := -d; k <= d; k += 2 {
			at := &reach[k+most+1]
			if down := reach[k+most+2]; k == -d || k != d && reach[k+most] < down {
				*at = down
			} else {
				*at = reach[k+most] + 1
			}
			for *at < len(a) && *at-k < len(b) && a[*at] == b[*at-k] {
				*at++
			}
			if *at >= len(a) && *at-k >= len(b) {
				return true
			}
		}
	}
	return false
}

// mostCompared bounds what an order costs: no file that people write comes near.
const mostCompared = 1 << 24
