package logs

import (
	"cmp"
	"slices"
	"time"
)

// Gap is a time between two sources that none of them covers, as between files of which one in the middle is missing: what
// lasts over it was perhaps not logged, and need not have lasted.
type Gap struct {
	From, To      Instant
	Before, After int32 // the sources
}

// shortestGap is not worth telling when it is shorter.
const shortestGap = time.Minute

// gaps are longer than a minute, and than twice the time that usually passes from one record to the next.
func gaps(streams []*stream) (found []Gap) {
	slices.SortFunc(streams, func(a, b *stream) int {
		return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.index, b.index))
	})
	var last *stream
	for _, s := range streams {
		if last != nil && s.from.Sub(last.to) > max(shortestGap, 2*last.spacing()) {
			found = append(found, Gap{last.to, s.from, last.index, s.index})
		}
		if last == nil || s.to > last.to {
			last = s
		}
	}
	return found
}

// spacing is how far its records are apart, on average.
func (s *stream) spacing() time.Duration {
	return s.to.Sub(s.from) / time.Duration(max(1, s.source.Records-1))
}
