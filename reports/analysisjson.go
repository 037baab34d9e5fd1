package reports

import (
	"io"
	"time"

	"simulate/incident"
	"simulate/incident/logs"
	"simulate/sim/metrics"
	"simulate/sim/trace"
	"simulate/sim/wire"
)

// AnalysisSchema is the id of the form that AnalysisJSON writes; Schema("analysis") describes it.
const AnalysisSchema = "simulate.analysis/1"

// AnalysisJSON writes what logs say for programs, in the form of AnalysisSchema, followed by a line break.
func AnalysisJSON(w io.Writer, a Analysis) error {
	j := analysisJSON{
		Schema: AnalysisSchema, Interrupted: a.Cut, From: a.stamp(a.From), To: a.stamp(a.To), StuckAfterMs: millis(a.StuckAfter),
		Thresholds: thresholdsJSON(a.Thresholds), Sources: each(a.Sources, newLogSourceJSON), Records: a.Records,
		Moves: each(a.Moves, a.moveJSON), MoveCount: a.MoveCount, Groups: []analysedGroupJSON{}, GroupsLeftOut: a.LeftOut,
		Unparsed: each(a.Unparsed, func(l *logs.Line) lineJSON { return lineJSON{a.source(l.Place), l.Place.Line, &l.Text} }),
		Warnings: each(a.Warnings, func(w *string) string { return *w }),
	}
	if a.Location != nil {
		j.Zone = given(a.Location.String())
	}
	return encodeEach(w, j, "groups", a.Groups, a.groupJSON)
}

type analysisJSON struct {
	Schema        string              `json:"schema"`
	Interrupted   bool                `json:"interrupted"`
	From          *string             `json:"from"`
	To            *string             `json:"to"`
	Zone          *string             `json:"zone"`
	StuckAfterMs  millis              `json:"stuck_after_ms"`
	Thresholds    object[string]      `json:"anomaly_thresholds"`
	Sources       []logSourceJSON     `json:"sources"`
	Records       int                 `json:"records"`
	Groups        []analysedGroupJSON `json:"groups"`
	GroupsLeftOut int                 `json:"groups_left_out"`
	Moves         []moveJSON          `json:"moves"`
	MoveCount     int                 `json:"move_count"`
	Unparsed      []lineJSON          `json:"unparsed"`
	Warnings      []string            `json:"warnings"`
}

type logSourceJSON struct {
	Name       string  `json:"name"`
	Lines      int64   `json:"lines"`
	Records    int64   `json:"records"`
	Unparsed   int64   `json:"unparsed"`
	Duplicates int64   `json:"duplicates"`
	Cut        int64   `json:"cut"`
	CutAs      *string `json:"cut_taken_as"`
	Late       int64   `json:"late"`
	Reversed   bool    `json:"reversed"`
	Seconds    bool    `json:"whole_seconds"`
	JitterMs   millis  `json:"out_of_order_by_ms"`
	OutsideMs  millis  `json:"outer_stamps_ahead_ms"`
	Warning    *string `json:"warning"`
}

type analysedGroupJSON struct {
	Group              string            `json:"group"`
	Protocol           string            `json:"protocol"`
	View               string            `json:"view"`
	Brokers            []int32           `json:"brokers"`
	Partition          *int32            `json:"offsets_partition"`
	From               *string           `json:"from"`
	To                 *string           `json:"to"`
	Records            int               `json:"records"`
	First              *int32            `json:"generation_at_begin"`
	PeriodMs           *millis           `json:"period_ms"`
	Loaded             *loadedJSON       `json:"loaded"`
	State              string            `json:"state"`
	Generation         *int32            `json:"generation"`
	Members            *int              `json:"members"`
	Rebalances         int               `json:"rebalances"`
	Joined             int               `json:"joined"`
	Completed          int               `json:"completed"`
	Unseen             int               `json:"rebalances_not_logged"`
	RebalancesByReason object[int]       `json:"rebalances_by_reason"`
	TimeInStateMs      object[millis]    `json:"time_in_state_ms"`
	LongestMs          object[millis]    `json:"longest_ms"`
	Spans              []spanJSON        `json:"spans"`
	SpanCount          int               `json:"span_count"`
	RebalanceList      []loggedRebalance `json:"rebalance_list"`
	Gaps               []gapJSON         `json:"gaps"`
	Epochs             []epochJSON       `json:"epochs"`
	EpochCount         int               `json:"epoch_count"`
	Evictions          []loggedEviction  `json:"evictions"`
	EvictedBy          object[int]       `json:"evictions_by_cause"`
	Leaves             []leaveJSON       `json:"leaves"`
	LeaveCount         int               `json:"leave_count"`
	PendingExpired     int               `json:"pending_expired"`
	Fleet              []loggedMember    `json:"fleet"`
	FleetCount         int               `json:"fleet_count"`
	Clients            []clientJSON      `json:"clients"`
	Stuck              []loggedStay      `json:"stuck"`
	StuckCount         int               `json:"stuck_count"`
	Anomalies          []loggedAnomaly   `json:"anomalies"`
	AnomalyCounts      object[int]       `json:"anomaly_counts"`
	Causes             []causeJSON       `json:"causes"`
	Missing            []string          `json:"missing"`
	Samples            *samplesJSON      `json:"samples"`
	Sentence           string            `json:"sentence"`
}

type lineJSON struct {
	Source string  `json:"source"`
	Line   int64   `json:"line"`
	Text   *string `json:"text"`
}

type spanJSON struct {
	State      string  `json:"state"`
	Since      *string `json:"since"`
	Until      *string `json:"until"`
	ForMs      *millis `json:"for_ms"`
	Generation *int32  `json:"generation"`
	Open       bool    `json:"open"`
	Cut        bool    `json:"cut"`
	Lost       bool    `json:"end_not_logged"`
}

type loggedRebalance struct {
	At           *string    `json:"at"`
	JoinMs       *millis    `json:"join_ms"`
	SyncMs       *millis    `json:"sync_ms"`
	TotalMs      *millis    `json:"total_ms"`
	Ended        string     `json:"ended"`
	NoBegin      bool       `json:"begin_not_logged"`
	NoEnd        bool       `json:"end_not_logged"`
	Reason       *string    `json:"reason"`
	MemberID     *string    `json:"member_id"`
	Leavers      []string   `json:"leavers"`
	ClientReason *string    `json:"client_reason"`
	From         string     `json:"from"`
	Old          *int32     `json:"old_generation"`
	Generation   *int32     `json:"generation"`
	Members      *int       `json:"members"`
	Evicted      int        `json:"evicted"`
	Error        *string    `json:"error"`
	Unstored     *string    `json:"not_stored"`
	Requested    bool       `json:"requested"`
	LeftBefore   *string    `json:"left_before"`
	ToldFromMs   *millis    `json:"clients_told_from_ms"`
	ToldToMs     *millis    `json:"clients_told_to_ms"`
	Sentence     string     `json:"sentence"`
	Lines        []lineJSON `json:"lines"`
}

type loadedJSON struct {
	Members int   `json:"members"`
	From    int32 `json:"generation_from"`
	To      int32 `json:"generation_to"`
}

type gapJSON struct {
	Since      *string `json:"since"`
	Until      *string `json:"until"`
	Rebalances int     `json:"rebalances"`
}

type epochJSON struct {
	Epoch      int32      `json:"epoch"`
	At         *string    `json:"at"`
	Until      *string    `json:"until"`
	Assignor   *string    `json:"assignor"`
	ComputedMs *millis    `json:"computed_in_ms"`
	Members    int        `json:"members"`
	Reached    []reached  `json:"reached"`
	Superseded bool       `json:"superseded"`
	Open       bool       `json:"open"`
	Lines      []lineJSON `json:"lines"`
}

type reached struct {
	MemberID string  `json:"member_id"`
	AfterMs  *millis `json:"after_ms"`
}

type loggedEviction struct {
	At       *string  `json:"at"`
	MemberID *string  `json:"member_id"`
	Cause    string   `json:"cause"`
	SilentMs *millis  `json:"silent_at_most_ms"`
	Line     lineJSON `json:"line"`
}

type leaveJSON struct {
	At           *string  `json:"at"`
	MemberID     *string  `json:"member_id"`
	ClientReason *string  `json:"client_reason"`
	StayedMs     *millis  `json:"stayed_ms"`
	PollTimeout  bool     `json:"poll_timeout"`
	Line         lineJSON `json:"line"`
}

type loggedMember struct {
	MemberID           string   `json:"member_id"`
	InstanceID         *string  `json:"instance_id"`
	Joined             *string  `json:"joined"`
	Left               *string  `json:"left"`
	Evicted            bool     `json:"evicted"`
	ClientID           *string  `json:"client_id"`
	ClientHost         *string  `json:"client_host"`
	SessionTimeoutMs   *millis  `json:"session_timeout_ms"`
	RebalanceTimeoutMs *millis  `json:"rebalance_timeout_ms"`
	Assignors          []string `json:"assignors"`
}

type offsetJSON struct {
	AtLeastMs millis `json:"at_least_ms"`
	AtMostMs  millis `json:"at_most_ms"`
	ZoneMs    millis `json:"zone_ms"`
	Drifts    bool   `json:"drifts"`
}

type loggedStay struct {
	spanJSON
	Evident bool       `json:"in_vain_before_the_limit"`
	Missing []string   `json:"missing"`
	Lines   []lineJSON `json:"lines"`
}

type loggedAnomaly struct {
	Kind   string     `json:"kind"`
	Since  *string    `json:"since"`
	Until  *string    `json:"until"`
	Count  int        `json:"count"`
	Client *string    `json:"client"`
	Lines  []lineJSON `json:"lines"`
}

type causeJSON struct {
	Kind       string     `json:"kind"`
	Rebalances int        `json:"rebalances"`
	MemberID   *string    `json:"member_id"`
	Sentence   string     `json:"sentence"`
	Lines      []lineJSON `json:"lines"`
}

type moveJSON struct {
	At        *string  `json:"at"`
	Broker    *int32   `json:"broker"`
	Partition *int32   `json:"offsets_partition"`
	Kind      string   `json:"kind"`
	ForMs     *millis  `json:"for_ms"`
	Line      lineJSON `json:"line"`
}

// stampLayout is RFC 3339 with the milliseconds of a broker's log and no zone: that is Zone's, or whatever the writer had.
const stampLayout = "2006-01-02T15:04:05.999999999"

// stamp writes an instant; null when it is not known.
func (a *Analysis) stamp(t logs.Instant) *string {
	if t == logs.NoTime {
		return nil
	}
	text := a.time(t).Format(stampLayout)
	return &text
}

// knownNumber turns what is Unknown into null.
func knownNumber[N int | int32](n N) *N {
	if n == logs.Unknown {
		return nil
	}
	return &n
}

// measured turns a time that is not known into null.
func measured(d time.Duration, ok bool) *millis {
	if !ok {
		return nil
	}
	ms := millis(d)
	return &ms
}

func between(since, until logs.Instant) *millis {
	if since == logs.NoTime || until == logs.NoTime {
		return nil
	}
	return measured(until.Sub(since), true)
}

func memberIDs(list []wire.MemberID) []string {
	return each(list, func(id *wire.MemberID) string { return string(*id) })
}

func (a *Analysis) lineJSON(p *logs.Place) lineJSON {
	return lineJSON{a.source(*p), p.Line, given(a.Quotes[*p])}
}

func newLogSourceJSON(of **logs.Source) logSourceJSON {
	s := *of
	return logSourceJSON{
		s.Name, s.Lines, s.Events, s.Unparsed, s.Duplicates, s.Cut, given(s.CutAs), s.Late, s.Reversed, s.Seconds, millis(s.Jitter), millis(s.Outside),
		given(s.Warning),
	}
}

func (a *Analysis) moveJSON(m *incident.Move) moveJSON {
	return moveJSON{a.stamp(m.At), knownNumber(m.Broker), knownNumber(m.Partition), m.Kind.String(), measured(m.For, m.For > 0), a.lineJSON(&m.Line)}
}

func (a *Analysis) groupJSON(g *incident.Group) analysedGroupJSON {
	j := analysedGroupJSON{
		Group: g.Name, Protocol: "classic", View: "broker", Brokers: each(g.Brokers, func(b *int32) int32 { return *b }),
		Partition: knownNumber(g.Partition), From: a.stamp(g.From), To: a.stamp(g.To), Records: g.Records, First: knownNumber(g.First),
		PeriodMs: measured(g.Period, g.Period > 0), State: g.State.String(),
		Generation: knownNumber(g.Generation), Members: knownNumber(g.Members), Rebalances: g.Count, Joined: g.Joined, Completed: g.Completed,
		Unseen: g.UnseenCount, Spans: each(g.Spans, a.spanJSON), SpanCount: g.SpanCount, RebalanceList: each(g.Rebalances, a.rebalanceJSON),
		Gaps: each(g.Unseen, func(gap *incident.Gap) gapJSON {
			return gapJSON{a.stamp(gap.Since), a.stamp(gap.Until), gap.Rebalances}
		}),
		Epochs: each(g.Epochs, a.epochJSON), EpochCount: g.EpochCount, Evictions: each(g.Evictions, a.evictionJSON),
		Leaves: each(g.Leaves, a.leaveJSON), LeaveCount: g.LeaveCount, PendingExpired: g.PendingExpired,
		Fleet: each(g.Fleet, a.memberJSON), FleetCount: g.FleetCount, Clients: each(g.Clients, a.clientJSON),
		Stuck: each(g.Stuck, a.stayJSON), StuckCount: g.StuckCount, Anomalies: each(g.Anomalies, a.anomalyJSON),
		Causes: each(g.Causes, func(c *incident.Cause) causeJSON {
			return causeJSON{c.Kind.String(), c.Rebalances, given(string(c.Member)), causeSentence(c, g.Count), each(c.Lines, a.lineJSON)}
		}),
		Missing: each(g.Missing, func(m *string) string { return *m }), Samples: a.samplesJSON(g.Samples), Sentence: a.verdict(g),
	}
	if r := g.Replayed; r != nil {
		j.Loaded = &loadedJSON{r.Members, r.Low, r.High}
	}
	if g.Consumer {
		j.Protocol = "consumer"
	}
	if g.ClientView {
		j.View = "clients"
	}
	j.counts(g)
	return j
}

// counts fills in the numbers by state, reason and kind.
func (j *analysedGroupJSON) counts(g *incident.Group) {
	j.RebalancesByReason, j.EvictedBy, j.AnomalyCounts = object[int]{}, object[int]{}, object[int]{}
	for _, c := range reasonCounts(g.ByReason) {
		j.RebalancesByReason = append(j.RebalancesByReason, entry[int]{c.name(), c.n})
	}
	for s, d := range g.TimeIn {
		if d > 0 {
			name := incident.State(s).String()
			j.TimeInStateMs = append(j.TimeInStateMs, entry[millis]{name, millis(d)})
			j.LongestMs = append(j.LongestMs, entry[millis]{name, millis(g.Longest[s])})
		}
	}
	for _, cause := range metrics.EvictionCauses() {
		if n := g.Evicted[cause]; n > 0 {
			j.EvictedBy = append(j.EvictedBy, entry[int]{cause.String(), n})
		}
	}
	for kind, n := range g.AnomalyCount {
		if n > 0 {
			j.AnomalyCounts = append(j.AnomalyCounts, entry[int]{metrics.AnomalyKind(kind).String(), n})
		}
	}
}

func (a *Analysis) spanJSON(s *incident.Span) spanJSON {
	return spanJSON{s.State.String(), a.stamp(s.Since), a.stamp(s.Until), between(s.Since, s.Until), knownNumber(s.Generation), s.Open, s.Cut, s.Lost}
}

func (a *Analysis) rebalanceJSON(r *incident.Rebalance) loggedRebalance {
	rare := r.Rarely()
	join, joined := r.Join()
	sync, synced := r.Sync()
	j := loggedRebalance{
		At: a.stamp(r.At), JoinMs: measured(join, joined), SyncMs: measured(sync, synced), Ended: r.Ended.String(), NoBegin: r.Headless, NoEnd: r.Lost,
		MemberID: given(string(r.Member)), Leavers: memberIDs(r.Leavers), ClientReason: given(r.ClientReason), From: r.From.String(),
		Old: knownNumber(r.Old), Generation: knownNumber(r.Generation), Members: knownNumber(r.Members), Evicted: r.Evicted,
		Error: given(rare.Error), Unstored: given(rare.Unstored), Requested: rare.Requested, LeftBefore: given(string(rare.LeftBefore)),
		ToldFromMs: measured(rare.ToldFrom, rare.ToldTo > 0), ToldToMs: measured(rare.ToldTo, rare.ToldTo > 0), Sentence: rebalanceSaid(r),
		Lines: each(r.Lines, a.lineJSON),
	}
	if !r.Headless && !r.Lost {
		j.TotalMs = between(r.At, r.Until)
	}
	if r.Reason != trace.NoReason {
		j.Reason = given(r.Reason.String())
	}
	return j
}

func (a *Analysis) epochJSON(e *incident.Epoch) epochJSON {
	return epochJSON{
		e.Epoch, a.stamp(e.At), a.stamp(e.Until), given(e.Assignor), measured(e.ComputedIn, e.ComputedIn > 0), e.Members,
		each(e.Reached, func(r *incident.Reached) reached { return reached{string(r.Member), between(e.At, r.At)} }),
		e.Superseded, e.Open, each(e.Lines, a.lineJSON),
	}
}

func (a *Analysis) evictionJSON(e *incident.Eviction) loggedEviction {
	return loggedEviction{a.stamp(e.At), given(string(e.Member)), e.Cause.String(), measured(e.Silent, e.Silent > 0), a.lineJSON(&e.Line)}
}

func (a *Analysis) leaveJSON(l *incident.Leave) leaveJSON {
	return leaveJSON{a.stamp(l.At), given(string(l.Member)), given(l.ClientReason), measured(l.Stayed, l.Stayed > 0), l.PollTimeout, a.lineJSON(&l.Line)}
}

func (a *Analysis) memberJSON(m *incident.Member) loggedMember {
	j := loggedMember{
		MemberID: string(m.ID), InstanceID: given(string(m.Instance)), Joined: a.stamp(m.Joined), Left: a.stamp(m.Left), Evicted: m.Evicted,
		Assignors: []string{},
	}
	if d := m.Details; d != nil {
		j.ClientID, j.ClientHost = given(d.ClientID), given(d.ClientHost)
		j.SessionTimeoutMs, j.RebalanceTimeoutMs = measured(d.SessionTimeout, d.SessionTimeout > 0), measured(d.RebalanceTimeout, d.RebalanceTimeout > 0)
		j.Assignors = append(j.Assignors, d.Protocols...)
	}
	return j
}

func (a *Analysis) stayJSON(s *incident.Stuck) loggedStay {
	return loggedStay{a.spanJSON(&s.Span), s.Evident, memberIDs(s.Missing), each(s.Lines, a.lineJSON)}
}

func (a *Analysis) anomalyJSON(n *incident.Anomaly) loggedAnomaly {
	return loggedAnomaly{n.Kind.String(), a.stamp(n.Since), a.stamp(n.Until), n.Count, given(n.Who), each(n.Lines, a.lineJSON)}
}
