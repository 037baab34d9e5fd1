package bench

import (
	"fmt"
	"strings"
	"time"
	"unicode/utf8"
)

// table is what a comparison comes to.
type table struct {
	title string
	head  []string
	rows  [][]string
	notes []string // sentences below it
}

// show prints a table as the flags ask for.
func (t table) show() {
	if *markdown {
		fmt.Println(t.markdown())
		return
	}
	fmt.Println(t.text())
}

// text renders a table for a terminal.
func (t table) text() string {
	widths := make([]int, len(t.head))
	for _, row := range append([][]string{t.head}, t.rows...) {
		for i, cell := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	var b strings.Builder
	fmt.Fprintln(&b, t.title)
	for _, row := range append([][]string{t.head}, t.rows...) {
		fmt.Fprintf(&b, "  %-*s", widths[0], row[0])
		for i, cell := range row[1:] {
			fmt.Fprintf(&b, "  %*s", widths[i+1], cell)
		}
		fmt.Fprintln(&b)
	}
	for _, note := range t.notes {
		fmt.Fprintln(&b, "  "+note)
	}
	return b.String()
}

// markdown renders it for a page.
func (t table) markdown() string {
	var b strings.Builder
	line := func(cells []string) { fmt.Fprintln(&b, "|", strings.Join(cells, " | "), "|") }
	fmt.Fprintf(&b, "%s\n\n", t.title)
	line(t.head)
	fmt.Fprintln(&b, "|---|"+strings.Repeat("--:|", len(t.head)-1))
	for _, row := range t.rows {
		line(row)
	}
	for _, note := range t.notes {
		fmt.Fprintf(&b, "\n%s\n", note)
	}
	return b.String()
}

// span prints a time with three digits, and with the unit of its size.
func span(d time.Duration) string {
	switch {
	case d >= 100*time.Second:
		return fmt.Sprintf("%.0f s", d.Seconds())
	case d >= time.Second:
		return fmt.Sprintf("%.3g s", d.Seconds())
	case d >= time.Millisecond:
		return fmt.Sprintf("%.3g ms", float64(d)/float64(time.Millisecond))
	}
	return fmt.Sprintf("%.3g us", float64(d)/float64(time.Microsecond))
}

// times prints how many times as long a takes as b.
func times(a, b time.Duration) string {
	ratio := float64(a) / float64(b)
	if ratio >= 10 {
		return fmt.Sprintf("%.0f x", ratio)
	}
	return fmt.Sprintf("%.2f x", ratio)
}

// count prints a number with commas.
func count[N int | int64](n N) string {
	if n < 1000 {
		return fmt.Sprint(n)
	}
	return count(n/1000) + fmt.Sprintf(",%03d", n%1000)
}
