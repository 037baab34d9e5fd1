package scenario

import "strings"

// didYouMean returns `; did you mean "x"?` for the known name that is nearest to the wrong one, or "" when
// none is near.
func didYouMean(wrong string, known []string) string {
	if best := nearest(wrong, known); best != "" {
		return "; did you mean " + quote(best) + "?"
	}
	return ""
}

// meantOrAll is didYouMean, or else the list of what there is.
func meantOrAll(wrong string, known, all []string) string {
	if hint := didYouMean(wrong, known); hint != "" {
		return hint
	}
	return "; there are " + strings.Join(all, ", ")
}

// nearest returns the first of the known names that takes the fewest edits, at most a third of its length.
// A name that only lacks its end counts as near too.
func nearest(wrong string, known []string) string {
	best, least := "", len(wrong)+1
	wrong = strings.ToLower(wrong)
	for _, k := range known {
		limit := min(least-1, max(1, len(k)/3))
		if d := edits(wrong, strings.ToLower(k), limit); d <= limit {
			best, least = k, d
		}
	}
	if best != "" || len(wrong) < 3 {
		return best
	}
	for _, k := range known {
		if strings.HasPrefix(k, wrong) {
			return k
		}
	}
	return ""
}

// edits counts the insertions, deletions, replacements and swaps of neighbours that turn a into b; beyond
// the limit any number above it.
func edits(a, b string, limit int) int {
	if d := len(a) - len(b); d > limit || -d > limit {
		return limit + 1
	}
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		before, last, row = last, row, before
		row[0] = i + 1
		for j := range len(b) {
			row[j+1] = min(last[j+1]+1, row[j]+1, last[j]+differ(a[i], b[j]))
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
	}
	return row[len(b)]
}

func differ(a, b byte) int {
	if a == b {
		return 0
	}
	return 1
}
