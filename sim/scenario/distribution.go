package scenario

import (
	"cmp"
	"strconv"
	"strings"
	"time"

	"simulate/sim/metrics"
	"simulate/sim/random"
)

// shapes is what a distribution can be written as.
const shapes = `a duration, { mean }, { p50, p99 }, { min, max } or { values }`

// distribution reads a duration, a table that describes a distribution, or the name of a preset.
func (l *loader) distribution(path, key string, v any) random.Distribution {
	values, isTable := v.(map[string]any)
	if !isTable {
		return l.timeOrPreset(path, key, v)
	}
	before := len(l.mistakes)
	t := &table{l: l, path: path, label: key, values: values, keys: shapeKeys}
	var shape random.Distribution
	given, whole := t.given("mean", "p50", "p99", "min", "max", "values"), true
	switch given {
	case "mean":
		shape = random.Exponential(t.positive("mean"))
	case "p50, p99":
		shape = t.ordered("p50", "p99", random.LogNormal)
	case "min, max":
		shape = t.ordered("min", "max", random.Uniform)
	case "values":
		shape = t.choice()
	default:
		whole = false
	}
	if t.has("cap") {
		shape.Cap = t.positive("cap")
	}
	t.done()
	switch wrong := len(l.mistakes) > before; {
	case wrong:
		l.bad[path] = true
	case !whole:
		l.wrong(path, "%s has %s; write %s", key, cmp.Or(given, "nothing"), shapes)
	}
	return shape
}

func (l *loader) timeOrPreset(path, key string, v any) random.Distribution {
	word, _ := v.(string)
	if p, ok := preset(key, word); ok {
		return p.Time
	}
	d, err := asDuration(v)
	if err == nil {
		return random.Constant(d)
	}
	if instead := noPreset(key, word); instead != "" {
		l.wrong(path, "%s", instead)
	} else {
		l.wrong(path, "%v", err)
	}
	return none
}

// given returns those of the keys that are present, separated by commas.
func (t *table) given(keys ...string) string {
	var present []string
	for _, k := range keys {
		if t.has(k) {
			present = append(present, k)
		}
	}
	return strings.Join(present, ", ")
}

// positive reads a duration above zero.
func (t *table) positive(key string) time.Duration {
	d := t.duration(key, 0)
	if d == 0 && !t.l.bad[t.at(key)] {
		t.l.wrong(t.at(key), "%s is 0s; it must be positive", key)
	}
	return d
}

// ordered reads two durations of which the second is not below the first. A log-normal distribution has a
// positive median.
func (t *table) ordered(low, high string, of func(a, b time.Duration) random.Distribution) random.Distribution {
	var a time.Duration
	if low == "p50" {
		a = t.positive(low)
	} else {
		a = t.duration(low, 0)
	}
	b := t.duration(high, a)
	if b < a && !t.l.bad[t.at(high)] {
		t.l.wrong(t.at(high), "%s is %s; it must not be below %s (%s)", high, metrics.Duration(b), low, metrics.Duration(a))
	}
	return of(a, b)
}

// mostValues bounds a choice.
const mostValues = 10_000

func (t *table) choice() random.Distribution {
	list, ok := t.values["values"].([]any)
	if !ok || len(list) == 0 || len(list) > mostValues {
		t.l.wrong(t.at("values"), "values must be a list of 1 to %d durations", mostValues)
		return random.Distribution{}
	}
	values := make([]time.Duration, len(list))
	for i, v := range list {
		d, err := asDuration(v)
		if err != nil {
			t.l.wrong(t.at("values")+"["+strconv.Itoa(i)+"]", "%v", err)
		}
		values[i] = d
	}
	return random.Choice(values...)
}
