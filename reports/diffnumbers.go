package reports

import (
	"fmt"
	"strconv"
	"strings"

	"simulate/diff"
	"simulate/sim/metrics"
)

func (t *diffText) numbers() {
	list := t.diff.Numbers
	if len(list) == 0 {
		t.para("  ", "    ", "No number differs")
		return
	}
	t.para("  ", "    ", fmt.Sprintf("%-32s %13s  %13s  %14s", "What differs", "A", "B", "difference"))
	var ofMembers []*diff.Number // there may be thousands
	for i := range list {
		if list[i].Metric.Subject == metrics.OfMember {
			ofMembers = append(ofMembers, &list[i])
			continue
		}
		t.number(&list[i])
	}
	t.long(len(ofMembers), "number", func(int) int { return 1 }, func(i int) { t.number(ofMembers[i]) })
}

func (t *diffText) number(n *diff.Number) {
	const name, value, change = 30, 13, 14
	label := n.Query.Name
	if n.Metric.Subject == metrics.OfMember {
		label += " " + short(n.Query.Subject)
	}
	if n.Query.Arg != "" {
		label += " " + n.Query.Arg
	}
	a, b, by := numberWords(n)
	if columns(label) <= name && columns(a) <= value && columns(b) <= value && columns(by) <= change {
		t.para("    ", "      ", fmt.Sprintf("%-*s %*s  %*s  %*s", name, label, value, a, value, b, change, by))
		return
	}
	t.para("    ", "      ", label+": "+a+" in A, "+b+" in B"+optional(", ", by))
}

func optional(before, text string) string {
	if text == "" {
		return ""
	}
	return before + text
}

// numberWords are the two values and the difference, as short as tells them apart.
func numberWords(n *diff.Number) (a, b, by string) {
	a, b = valueWords(n.A, briefly), valueWords(n.B, briefly)
	write := briefly
	if a == b {
		write = apart(n)
		a, b = valueWords(n.A, write), valueWords(n.B, write)
	}
	if !n.HasChange() {
		return a, b, ""
	}
	return a, b, changeWords(n.Change, write)
}

// changeWords writes a difference with its sign; one of shares in percentage points.
func changeWords(v metrics.Value, write func(metrics.Value) string) string {
	sign := "+"
	if v.Count < 0 || v.Duration < 0 || v.Share < 0 {
		sign, v.Count, v.Duration, v.Share = "-", -v.Count, -v.Duration, -v.Share
	}
	text := write(v)
	if v.Type != metrics.ShareType {
		return sign + text
	}
	if strings.Trim(text, "0.") == "" {
		text = "<" + text[:len(text)-1] + "1"
	}
	return sign + text + " points"
}

func valueWords(m diff.Measured, write func(metrics.Value) string) string {
	switch {
	case m.Problem != "":
		return "none"
	case m.Value.Type == metrics.ShareType:
		return write(m.Value) + " %"
	}
	return write(m.Value)
}

// briefly writes a value for people; a share without its unit.
func briefly(v metrics.Value) string {
	switch v.Type {
	case metrics.DurationType, metrics.PartitionSeconds:
		return metrics.Brief(v.Duration)
	case metrics.ShareType:
		return percent(v.Share, 1)
	case metrics.NameType:
		return short(v.Name)
	}
	return v.String()
}

// apart returns a longer way to write values, in which the two are not the same.
func apart(n *diff.Number) func(metrics.Value) string {
	const most = 12
	digits := 1
	for digits < most && percent(n.A.Value.Share, digits) == percent(n.B.Value.Share, digits) {
		digits++
	}
	return func(v metrics.Value) string {
		if v.Type == metrics.ShareType {
			return percent(v.Share, digits)
		}
		return clean(v.String())
	}
}

func percent(share float64, digits int) string {
	return strconv.FormatFloat(100*share, 'f', digits, 64)
}
