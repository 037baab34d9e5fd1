package random

import (
	"math"
	"slices"
	"time"
)

// Quantile returns the duration that a share p of the variates of d does not exceed, 0 < p < 1, to the
// microsecond: Quantile(0.999) is exceeded once in a thousand draws.
func (d Distribution) Quantile(p float64) time.Duration {
	v := d.A
	switch d.Kind {
	case ExponentialKind:
		v = micros(-float64(d.A) * ln(1-p))
	case LogNormalKind:
		if d.A > 0 {
			v = micros(float64(d.A) * exp(ln(float64(d.B)/float64(d.A))/z99*normQuantile(p)))
		}
	case UniformKind:
		v = d.A + micros(float64(d.B-d.A)*p)
	case ChoiceKind:
		values := slices.Sorted(slices.Values(d.Values))
		v = values[max(int(math.Ceil(p*float64(len(values))))-1, 0)]
	}
	if d.Cap > 0 {
		v = min(v, d.Cap)
	}
	return v
}
