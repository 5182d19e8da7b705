package team

import (
	"math"
	"slices"
	"strings"
)

// ClosestWord returns the word of words that was probably meant by a misspelled word, or "" if none is similar. Case is
// ignored. The word with the fewest changed letters is preferred. Of the words highest, fields and helm, it returns:
//
//	higest     highest
//	helmet     helm
//	newest     ""
func ClosestWord(word string, words []string) string {
	const longest = 64 // the time grows with the square of the length
	if len(word) > longest {
		return ""
	}
	closest, fewest := "", math.MaxInt
	for _, w := range words {
		a, b := strings.ToLower(word), strings.ToLower(w)
		d := editDistance(a, b)
		isNear := d <= max(1, len(w)/3) && shareStart(a, b)
		isBeginning := min(len(a), len(b)) > 2 && (strings.HasPrefix(a, b) || strings.HasPrefix(b, a))
		if d < fewest && (isNear || isBeginning) {
			closest, fewest = w, d
		}
	}
	return closest
}

// shareStart reports whether the first two letters of a and the first two letters of b have a letter in common, so that
// newest is not taken for lowest. It returns false if a or b has only one letter.
func shareStart(a, b string) bool {
	return len(a) > 1 && len(b) > 1 && strings.ContainsAny(a[:2], b[:2])
}

// editDistance returns the smallest number of changes that turn a into b. A change adds, deletes or replaces one byte,
// or swaps two neighboring bytes.
func editDistance(a, b string) int {
	rows := [3][]int{make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)} // two rows above, one above, this
	for j := range rows[1] {
		rows[1][j] = j
	}
	for i := range len(a) {
		above2, above, row := rows[0], rows[1], rows[2]
		row[0] = i + 1
		for j := range len(b) {
			replaced := above[j]
			if a[i] != b[j] {
				replaced++
			}
			row[j+1] = slices.Min([]int{replaced, above[j+1] + 1, row[j] + 1})
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], above2[j-1]+1)
			}
		}
		rows[0], rows[1], rows[2] = above, row, above2
	}
	return rows[1][len(b)]
}
