package metrics

import (
	"cmp"
	"strconv"
	"time"
)

// Thresholds are the limits beyond which something counts as an anomaly. What each means is in AnomalyDefinitions.
// The zero Thresholds stand for Defaults.
type Thresholds struct {
	Rebalancing    time.Duration
	Completing     time.Duration
	Empty          time.Duration
	FrequentCount  int
	FrequentWithin time.Duration
	StormCount     int
	StormInterval  time.Duration
	Ghost          time.Duration
	FlappingCount  int
	FlappingWithin time.Duration
	ChurnCount     int
	ChurnWithin    time.Duration
	LoopCount      int
	LoopRest       time.Duration
	ImbalanceFor   time.Duration
	ImbalanceRatio float64
	CircleCount    int
}

// Defaults returns the thresholds that reports use unless told otherwise.
func Defaults() Thresholds {
	return Thresholds{
		Rebalancing:    5 * time.Minute,
		Completing:     5 * time.Second,
		Empty:          7 * 24 * time.Hour,
		FrequentCount:  3,
		FrequentWithin: 5 * time.Minute,
		StormCount:     10,
		StormInterval:  time.Minute,
		Ghost:          30 * time.Second,
		FlappingCount:  3,
		FlappingWithin: 10 * time.Minute,
		ChurnCount:     3,
		ChurnWithin:    10 * time.Minute,
		LoopCount:      5,
		LoopRest:       10 * time.Second,
		ImbalanceFor:   5 * time.Minute,
		ImbalanceRatio: 2,
		CircleCount:    3,
	}
}

// Threshold is one of the Thresholds by its name, "KIND.WORD" with the name of an anomaly. One of the pointers is
// set, and changes the Thresholds.
type Threshold struct {
	Name  string
	Count *int // at least 2
	Time  *time.Duration
	Ratio *float64 // at least 1
}

// Each lists all thresholds, in the order of AnomalyDefinitions.
func (t *Thresholds) Each() []Threshold {
	return []Threshold{
		{Name: "rebalancing-too-long.limit", Time: &t.Rebalancing},
		{Name: "completing-too-long.limit", Time: &t.Completing},
		{Name: "empty-too-long.limit", Time: &t.Empty},
		{Name: "frequent-rebalances.count", Count: &t.FrequentCount},
		{Name: "frequent-rebalances.within", Time: &t.FrequentWithin},
		{Name: "rebalance-storm.count", Count: &t.StormCount},
		{Name: "rebalance-storm.interval", Time: &t.StormInterval},
		{Name: "ghost-members.limit", Time: &t.Ghost},
		{Name: "flapping-member.count", Count: &t.FlappingCount},
		{Name: "flapping-member.within", Time: &t.FlappingWithin},
		{Name: "leader-churn.count", Count: &t.ChurnCount},
		{Name: "leader-churn.within", Time: &t.ChurnWithin},
		{Name: "generation-loop.count", Count: &t.LoopCount},
		{Name: "generation-loop.rest", Time: &t.LoopRest},
		{Name: "assignment-imbalance.limit", Time: &t.ImbalanceFor},
		{Name: "assignment-imbalance.ratio", Ratio: &t.ImbalanceRatio},
		{Name: "vicious-circle.count", Count: &t.CircleCount},
	}
}

// Changed lists the thresholds that are not those of Defaults.
func (t Thresholds) Changed() []Threshold {
	defaults := Defaults()
	t = cmp.Or(t, defaults)
	var changed []Threshold
	for i, old := range defaults.Each() {
		if now := t.Each()[i]; now.Value() != old.Value() {
			changed = append(changed, now)
		}
	}
	return changed
}

// Value writes what the threshold is: "3", "5m", "2.5".
func (t Threshold) Value() string {
	switch {
	case t.Count != nil:
		return strconv.Itoa(*t.Count)
	case t.Time != nil:
		return Duration(*t.Time)
	}
	return strconv.FormatFloat(*t.Ratio, 'g', -1, 64)
}

// String writes the threshold as a flag takes it, "frequent-rebalances.count=3".
func (t Threshold) String() string { return t.Name + "=" + t.Value() }
