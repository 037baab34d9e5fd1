package reports

import (
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"simulate/incident"
	"simulate/incident/logs"
	"simulate/sim/metrics"
	"simulate/sim/trace"
)

// Of how many groups and how many rebalances a text tells, unless all are wanted.
const (
	mostRows       = 40 // of the overview
	mostTold       = 10 // groups with a section of their own
	lastRebalances = 12
)

// AnalysisText writes what logs say for people, at 80 columns: what is wrong first, then what supports it.
func AnalysisText(w io.Writer, a Analysis, o TextOptions) error {
	p := &page{color: o.Color}
	t := analysisText{groupText: groupText{page: p, all: o.All, stuckAfter: metrics.Duration(a.StuckAfter)}, a: &a, quoted: map[logs.Place]bool{}}
	t.para("", "  ", a.headline())
	a.notes(p)
	groups := a.urgent()
	if len(groups) > 1 {
		t.overview(groups)
	}
	told := groups
	if !o.All && len(groups) > 1 {
		told = told[:min(len(told), mostTold)]
		told = slices.DeleteFunc(slices.Clone(told), quiet)
	}
	for _, g := range told {
		t.g = g
		t.group()
	}
	if left := len(groups) - len(told); left > 0 {
		t.blank()
		t.para("", "  ", metrics.Plural(left, "more group")+" in no section of their own; --group NAME tells of one, --format json of all")
	}
	t.moves()
	p.list("Of the input", a.inputNotes())
	t.unparsed()
	_, err := w.Write(p.Bytes())
	return err
}

// analysisText writes what logs say of one group after the other.
type analysisText struct {
	groupText
	a      *Analysis
	g      *incident.Group
	quoted map[logs.Place]bool // what a reader has seen
}

// overview has a line for each group.
func (t *analysisText) overview(groups []*incident.Group) {
	t.blank()
	t.line(fmt.Sprintf("%-21s %-11s %6s %5s %5s %7s  %s", "group", "state", "rebal.", "evict", "stuck", "Stable", "likely cause"))
	for i, g := range groups {
		if i == mostRows && !t.all {
			t.para("", "", "... "+metrics.Plural(len(groups)-i, "more group")+" left out ...")
			return
		}
		first := fmt.Sprintf("%-21s %-11s %6d %5d %5d %7s  ",
			shorten(groupName(g), 21), stateColumns[g.State], g.Count, evictedCount(g), g.StuckCount, stableShare(g))
		t.line(first + leadingCause(g))
	}
}

// quiet reports whether there is nothing to tell of a group but its state.
func quiet(g *incident.Group) bool {
	return len(g.Rebalances) == 0 && g.EpochCount == 0 && g.Samples == nil && len(g.Causes) == 0 && wrongWords(g) == ""
}

// stateColumns are the states of the overview.
var stateColumns = [incident.NumStates]string{
	incident.Unknown: "unknown", incident.Elsewhere: "elsewhere", incident.Empty: "Empty", incident.PreparingRebalance: "Preparing",
	incident.CompletingRebalance: "Completing", incident.Stable: "Stable", incident.Dead: "Dead", incident.Reconciling: "reconciling",
}

// stableShare says for which part of the time that the log knows the group was Stable.
func stableShare(g *incident.Group) string {
	known := observed(g) - g.TimeIn[incident.Unknown]
	if known <= 0 {
		return noTime
	}
	return percent(float64(g.TimeIn[incident.Stable])/float64(known), 1) + " %"
}

// observed is the time that the spans of a group cover.
func observed(g *incident.Group) time.Duration {
	var sum time.Duration
	for _, d := range g.TimeIn {
		sum += d
	}
	return sum
}

func (t *analysisText) group() {
	t.blank()
	t.para("", "", t.a.verdict(t.g))
	if onlySampled(t.g) {
		t.facts(t.a.memberFacts(t.g))
		t.missing()
		return
	}
	wrong := wrongWords(t.g)
	if wrong == "" {
		t.fact("Wrong", t.good("nothing")+" that these logs would show")
	} else {
		t.fact("Wrong", t.bad(wrong))
	}
	t.causes()
	t.rebalances()
	t.epochs()
	t.times()
	t.facts(t.a.memberFacts(t.g))
	t.stays()
	t.anomalies()
	t.missing()
}

func (t *analysisText) causes() {
	if len(t.g.Causes) == 0 {
		return
	}
	t.para("  ", "    ", "Likely causes")
	for i := range t.g.Causes {
		c := &t.g.Causes[i]
		t.para("    "+strconv.Itoa(i+1)+"  ", "       ", causeSentence(c, t.g.Count))
		t.quotes("       ", c.Lines)
	}
}

// mostQuotes is how many lines a text shows of those that say one thing.
const mostQuotes = 3

// quotes writes where lines are and what they say.
func (t *analysisText) quotes(margin string, lines []logs.Place) {
	for i, place := range lines {
		if i == mostQuotes && !t.all {
			t.para(margin, margin, "... and "+metrics.Plural(len(lines)-i, "more line")+", the last at "+t.a.place(lines[len(lines)-1]))
			return
		}
		t.quote(margin, place)
	}
}

// quote writes a line of a log in at most three lines, and of one that stands above only where it is.
func (t *analysisText) quote(margin string, place logs.Place) {
	at := t.a.place(place)
	if t.quoted[place] {
		t.para(margin, margin+"  ", at+"  (above)")
		return
	}
	t.quoted[place] = true
	text := spoken(t.a.Quotes[place])
	t.para(margin, margin+"  ", strings.TrimSpace(at+"  "+truncated(text, 3*(width-len(margin)-2)-columns(at)-12)))
}

// What a layout and Kafka's own prefix put before a message of the coordinator or of a client, and a logger behind it.
var (
	stamped  = regexp.MustCompile(`^\[?\d{4}-\d\d-\d\d[ T][\d:.,]+\]? [A-Z]+ +`)
	envelope = regexp.MustCompile(`^.*?\[(?:GroupCoordinator|GroupMetadataManager|Group Metadata Manager|Consumer|Worker) [^\]]*\]:? `)
	logger   = regexp.MustCompile(` \((?:kafka|org\.apache\.kafka)\.[\w.$:]+\).*$`)
	anyUUID  = regexp.MustCompile(`([0-9a-f]{8})-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`)
)

// spoken returns what a line says: without its envelope where that is Kafka's, and with short ids.
func spoken(line string) string {
	whole := clean(line)
	line = envelope.ReplaceAllString(whole, "")
	if line != whole && strings.HasPrefix(whole, "{") {
		line, _, _ = strings.Cut(line, `","`) // the next field
	}
	line = stamped.ReplaceAllString(line, "")
	line = logger.ReplaceAllString(line, "")
	return strings.Join(strings.Fields(anyUUID.ReplaceAllString(line, "$1…")), " ")
}

// truncated cuts the end off a long text.
func truncated(text string, most int) string {
	if runes := []rune(text); len(runes) > most {
		return string(runes[:max(0, most-1)]) + "…"
	}
	return text
}

func (t *analysisText) rebalances() {
	g := t.g
	if g.Consumer && g.Count == 0 {
		return // it has epochs
	}
	t.para("  ", "    ", rebalanceCounts(g)+unseenWords(g))
	if len(g.Rebalances) == 0 {
		return
	}
	if shown := len(g.Rebalances) - t.skipped(); shown < g.Count {
		t.para("    ", "    ", "the last "+strconv.Itoa(shown)+"; "+metrics.Plural(g.Count-shown, "earlier one")+" left out")
	}
	t.table(t.a.rebalanceRows(g, t.skipped()))
}

// epochs has a line for each of the last epochs of the consumer protocol.
func (t *analysisText) epochs() {
	g := t.g
	if g.EpochCount == 0 {
		return
	}
	t.para("  ", "    ", metrics.Plural(g.EpochCount, "epoch")+": members learn of one with their heartbeats, every 5s by default")
	first := 0
	if !t.all {
		first = max(0, len(g.Epochs)-lastRebalances)
	}
	if shown := len(g.Epochs) - first; shown < g.EpochCount {
		t.para("    ", "    ", "the last "+strconv.Itoa(shown)+"; "+metrics.Plural(g.EpochCount-shown, "earlier one")+" left out")
	}
	for i := first; i < len(g.Epochs); i++ {
		t.para("    "+t.a.when(g.Epochs[i].At)+" ", "      ", epochSaid(&g.Epochs[i]))
	}
}

// skipped is how many of the rebalances that are kept the table leaves out.
func (t *analysisText) skipped() int {
	if t.all {
		return 0
	}
	return max(0, len(t.g.Rebalances)-lastRebalances)
}

func (t *analysisText) times() {
	rows := statesOf(t.g)
	if len(rows) == 0 {
		return
	}
	t.para("  ", "    ", fmt.Sprintf("%-21s %14s  %8s  %14s", "Time in state", "total", "share", "longest stay"))
	for _, row := range rows {
		t.para("    ", "    ", fmt.Sprintf("%-19s %14s  %8s  %14s", row.State, row.Total, row.Share, row.Longest))
	}
}

// stateTitles are the states of the table of times, in its order.
var stateTitles = []struct {
	state incident.State
	title string
}{
	{incident.Empty, "Empty"}, {incident.PreparingRebalance, "PreparingRebalance"}, {incident.CompletingRebalance, "CompletingRebalance"},
	{incident.Reconciling, "reconciling"}, {incident.Stable, "Stable"}, {incident.Dead, "Dead"}, {incident.Elsewhere, "at no broker here"},
	{incident.Unknown, "unknown"},
}

// statesOf has a row for each state in which the group was.
func statesOf(g *incident.Group) []timeRow {
	var rows []timeRow
	for _, s := range stateTitles {
		if total := g.TimeIn[s.state]; total > 0 {
			rows = append(rows, timeRow{s.title, timed(total), percent(g.Share(s.state), 1) + " %", timed(g.Longest[s.state])})
		}
	}
	return rows
}

func (t *analysisText) stays() {
	list := t.g.Stuck
	if len(list) == 0 {
		t.fact("Stuck", "never longer than "+t.stuckAfter)
		return
	}
	if t.g.StuckCount > 0 {
		t.fact("Stuck", t.bad(metrics.Plural(t.g.StuckCount, "stay"))+" longer than "+t.stuckAfter)
	} else {
		t.fact("Stuck", "never longer than "+t.stuckAfter+", but somebody was waited for in vain")
	}
	t.long(len(list), "stay", func(int) int { return 1 }, func(i int) {
		for n, line := range t.a.stuckStory(t.g, &list[i]) {
			t.para(indent(4+2*min(n, 1)), indent(6+2*min(n, 1)), line)
		}
		t.quotes("      ", list[i].Lines)
	})
}

func (t *analysisText) anomalies() {
	name := "Anomalies"
	for _, line := range t.a.anomalyLines(t.g, t.all) {
		t.fact(name, line)
		name = ""
	}
}

func (t *analysisText) missing() {
	name := "To be sure"
	for _, text := range t.g.Missing {
		t.fact(name, clean(text))
		name = ""
	}
}

func (t *analysisText) moves() {
	list := t.a.Moves
	if len(list) == 0 {
		return
	}
	t.blank()
	t.para("", "", metrics.Plural(t.a.MoveCount, "line")+" about coordinators")
	t.long(len(list), "line", func(int) int { return 1 }, func(i int) {
		t.para("  ", "    ", t.a.when(list[i].At)+"  "+moveWords(&list[i])+"  "+t.a.place(list[i].Line))
	})
}

func (t *analysisText) unparsed() {
	if len(t.a.Unparsed) == 0 {
		return
	}
	t.blank()
	t.para("", "", "Not understood")
	for _, q := range t.a.Unparsed {
		t.para("  ", "    ", t.a.place(q.Place)+"  "+truncated(spoken(q.Text), 400))
	}
}

// reasonsWords lists the reasons of rebalances with their numbers.
func reasonsWords(by map[trace.Reason]int) string {
	var words []string
	for _, c := range reasonCounts(by) {
		words = append(words, strconv.Itoa(c.n)+" "+c.name())
	}
	return strings.Join(words, ", ")
}
