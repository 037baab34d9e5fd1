package fidelity

import "time"

// spanKey names a span across the repetitions of an experiment: the two events that bound it, and how
// often that pair has occurred in the run.
type spanKey struct {
	from, to   Key
	occurrence int
}

// ranges tells how long each span was in the repetitions of an experiment, at least and at most.
type ranges map[spanKey]struct{ least, most time.Duration }

func rangesOf(repetitions []*Observed) ranges {
	all := ranges{}
	for _, r := range repetitions {
		keys := spanKeys(r.Events)
		for i, span := range spans(r.Events) {
			known, ok := all[keys[i]]
			if !ok {
				known.least, known.most = span, span
			}
			known.least, known.most = min(known.least, span), max(known.most, span)
			all[keys[i]] = known
		}
	}
	return all
}

// contain reports whether span lies between the shortest and the longest that was recorded.
func (r ranges) contain(key spanKey, span time.Duration) bool {
	known, ok := r[key]
	return ok && known.least <= span && span <= known.most
}

// spanKeys names the span that ends with each event.
func spanKeys(events []Event) []spanKey {
	all := make([]spanKey, len(events))
	seen := map[spanKey]int{}
	var before Key
	for i, e := range events {
		key := spanKey{from: before, to: e.Key}
		seen[key]++
		key.occurrence = seen[key]
		all[i] = key
		before = e.Key
	}
	return all
}
