package scenario

import (
	"slices"
	"time"

	"simulate/sim/random"
)

// checkRepetition makes sure that a repetition ends, and soon enough.
func (v *validator) checkRepetition(path string, e *Event) {
	every := path + ".every"
	if e.Every == nil {
		for _, key := range []string{"times", "until"} {
			if v.given(path+"."+key) && e.Do != CrashLoop && !v.bad[every] && verbTakes(e.Do, "every") {
				v.wrongKey(path+"."+key, "%s needs every: %s", key, meaning("every"))
			}
		}
		return
	}
	if v.bad[every] {
		return
	}
	if neverAdvances(*e.Every) {
		v.wrong(every, "every is 0s; the event would repeat forever")
	} else if e.Times == 0 {
		v.checkBounded(every, "every is", e, typical(*e.Every))
	}
}

// checkBounded reports an event that happens too often: about once in each period, until its end.
func (v *validator) checkBounded(path, subject string, e *Event, period time.Duration) {
	end := v.s.Duration
	if e.Until > 0 {
		end = min(end, e.Until)
	}
	if n := (end - e.At) / max(period, 1); n > mostTimes {
		v.wrong(path, "%s so short that the event happens about %d times; at most %d are allowed", subject, n, mostTimes)
	}
}

func (v *validator) checkLoop(up, down string, e *Event) {
	switch {
	case v.bad[up] || v.bad[down] || !v.given(up):
	case neverAdvances(e.Up) && neverAdvances(e.Down):
		v.wrong(up, "up and down are 0s; the loop would never move on")
	default:
		v.checkBounded(up, "up and down are", e, typical(e.Up)+typical(e.Down))
	}
}

func verbTakes(verb Verb, key string) bool {
	spec := verbNamed(string(verb))
	return spec != nil && slices.Contains(spec.takes, key)
}

// neverAdvances reports whether every variate of d is 0.
func neverAdvances(d random.Distribution) bool {
	switch d.Kind {
	case random.UniformKind:
		return d.B == 0
	case random.ChoiceKind:
		return slices.Max(d.Values) == 0
	}
	return d.A == 0
}

// typical is about how long d takes, for sizing.
func typical(d random.Distribution) time.Duration {
	typical := d.A
	switch d.Kind {
	case random.UniformKind:
		typical = (d.A + d.B) / 2
	case random.ChoiceKind:
		for _, v := range d.Values {
			typical += v / time.Duration(len(d.Values))
		}
	}
	if d.Cap > 0 {
		typical = min(typical, d.Cap)
	}
	return typical
}
