package scenario

import (
	"regexp"
	"strconv"
	"time"

	"simulate/sim/records"
)

// rateForm is how a rate is written: so many records in a unit of time.
var rateForm = regexp.MustCompile(`^([0-9]{1,10})/(s|min|h)$`)

// rateUnits are the units of a rate, the short ones first.
var rateUnits = []struct {
	name string
	per  time.Duration
}{{"s", time.Second}, {"min", time.Minute}, {"h", time.Hour}}

// rate reads how many records arrive; none when the key is not there.
func (t *table) rate(key string) records.Rate {
	if !t.has(key) {
		return records.Rate{}
	}
	text, _ := t.values[key].(string)
	parts := rateForm.FindStringSubmatch(text)
	if parts == nil {
		t.l.wrong(t.at(key), `%s is %s; write a whole number of records in a second, a minute or an hour, such as "200/s", "30/min" or "5/h"`, key, show(t.values[key]))
		return records.Rate{}
	}
	n, _ := strconv.ParseInt(parts[1], 10, 64)
	if n > records.MostRecords {
		t.l.wrong(t.at(key), "%s is %s; there can be at most %d records in a unit of time", key, text, records.MostRecords)
	}
	for _, unit := range rateUnits {
		if unit.name == parts[2] && n > 0 {
			return records.Rate{Records: n, Per: unit.per}
		}
	}
	return records.Rate{}
}

// rate writes a rate.
func rate(r records.Rate) string {
	text := strconv.FormatInt(r.Records, 10) + "/"
	for _, unit := range rateUnits {
		if unit.per == r.Per {
			text += unit.name
		}
	}
	return text
}
