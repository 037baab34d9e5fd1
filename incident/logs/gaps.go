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

// cover is the time from the first to the last stamp of a source.
type cover struct {
	from, to Instant
	stream   *stream
}

// gaps are longer than a minute, and than twice the time that usually passes from one record to the next.
func gaps(covers []cover) (found []Gap) {
	slices.SortStableFunc(covers, func(a, b cover) int {
		return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.stream.index, b.stream.index))
	})
	var last cover
	for i, c := range covers {
		if i > 0 && c.from.Sub(last.to) > max(shortestGap, 2*last.spacing()) {
			found = append(found, Gap{last.to, c.from, last.stream.index, c.stream.index})
		}
		if i == 0 || c.to > last.to {
			last = c
		}
	}
	return found
}

func (c cover) spacing() time.Duration {
	return c.to.Sub(c.from) / time.Duration(max(1, c.stream.source.Records-1))
}
