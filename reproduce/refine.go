package reproduce

import (
	"context"
	"slices"
	"time"

	"simulate/sim/scenario"
)

// search looks for the draft that repeats a story best.
type search struct {
	ctx    context.Context
	story  *story
	budget int // of runs that are left
	runs   int
	best   *trial
	err    error // of the last draft that could not be run, which is refusedDraft

	refusedDraft *draft
}

// At least that much less must the stays of a run differ, all together, for it to be better than another one with as many
// differences.
const (
	atAll   = time.Millisecond
	clearly = 200 * time.Millisecond
)

// attempt runs a draft; nil when it cannot be run, or no run is left.
func (s *search) attempt(d *draft) *trial {
	if s.budget <= 0 || s.ctx.Err() != nil {
		return nil
	}
	s.budget--
	s.runs++
	t, err := d.try(s.ctx)
	switch {
	case s.ctx.Err() != nil: // the run ended early
		return nil
	case err != nil:
		s.err, s.refusedDraft = err, d
		return nil
	}
	return t
}

// consider runs a draft and keeps it if it is better than all before; it reports whether it is.
func (s *search) consider(d *draft, by time.Duration) bool { return s.keep(s.attempt(d), by) }

// keep keeps a run if it is better than all before; it reports whether it is.
func (s *search) keep(t *trial, by time.Duration) bool {
	if t == nil {
		return false
	}
	than := score{}
	if s.best != nil {
		than = s.best.score
		than.apart -= by
	}
	if s.best != nil && !t.score.less(than) {
		return false
	}
	s.best = t
	return true
}

// mostShifts is how often what happens is moved: mostly the second time nothing is left to move.
const mostShifts = 6

// settle moves what happens until that no longer makes the run more like the log.
func (s *search) settle() {
	for n := 0; n < mostShifts && s.consider(s.best.shifted(), atAll); n++ {
	}
}

// exact is how far an instant may be off without being moved.
const exact = 3 * time.Millisecond

// heldUp is from when on a member that leaves too late is taken for one whose JoinGroup the coordinator has not answered: it
// reads nothing else of that member meanwhile.
const heldUp = 20 * time.Millisecond

// shifted returns the draft with every act moved by as much as what it aims at came too early or too late.
func (t *trial) shifted() *draft {
	d := t.draft.clone()
	late := t.late()
	for i := range d.acts {
		a := &d.acts[i]
		if by, ok := late[a.aims]; ok && by.Abs() > exact {
			if a.do == scenario.Stop && by > heldUp {
				a.at = d.story.at(a.aims) - justTime
				continue
			}
			a.at -= by
			if a.ends >= 0 && a.lasts > 0 {
				a.lasts += by
			}
		}
		if by, ok := late[a.ends]; ok && a.lasts > 0 && by.Abs() > exact {
			a.lasts = max(a.lasts-by, time.Millisecond)
		}
	}
	return d
}

// late returns by how much each event of the story came too late in the run; those that did not come are missing.
func (t *trial) late() map[int]time.Duration {
	late := map[int]time.Duration{}
	for _, p := range t.lines {
		if p.Left >= 0 && p.Right >= 0 {
			late[t.observed[p.Left].event] = t.simulated[p.Right].at - t.observed[p.Left].at
		}
	}
	return late
}

// run tries what may be behind the story: the likeliest first, then what else the log leaves open, each with its part of the
// budget, and last the best of these with what is left.
func (s *search) run(c choices) {
	if s.branches(s.begin(c), s.branch); s.best == nil {
		return
	}
	from := s.best.draft.choices
	busy := from
	busy.busy = true
	if !s.done() && !s.best.score.near() {
		s.branches(ranked(s.first([][]choices{{busy}}), 1), s.branch)
	}
	if !s.done() && !s.best.score.near() {
		s.branches(s.others(from), s.follow)
	}
	s.improve()
	s.thin()
}

// thin drops what a draft can do without, as long as the run comes as near to the log without it.
func (s *search) thin() {
	for i := len(s.best.draft.acts) - 1; i >= 0; i-- {
		if a := &s.best.draft.acts[i]; a.aims >= 0 || !slices.Contains(spare, a.do) {
			continue
		}
		other := s.best.draft.clone()
		other.acts = slices.Delete(other.acts, i, i+1)
		s.consider(other, -clearly)
	}
}

// branches refine runs until one comes near.
func (s *search) branches(all []*trial, refine func(*trial) (spent bool)) {
	for _, t := range all {
		if refine(t); s.done() || s.best.score.near() {
			return
		}
	}
}

// part is a search of its own, with some of the budget.
func (s *search) part(budget int) *search {
	return &search{ctx: s.ctx, story: s.story, budget: min(s.budget, budget)}
}

// take counts the runs of a part of the search, and keeps what came of it if that is the best.
func (s *search) take(part *search) {
	s.runs, s.budget = s.runs+part.runs, s.budget-part.runs
	if part.err != nil {
		s.err, s.refusedDraft = part.err, part.refusedDraft
	}
	if part.best != nil && (s.best == nil || part.best.score.less(s.best.score)) {
		s.best = part.best
	}
}

// begin returns the best runs of what silent members may use; those that rejoin at once may be cooperative, or not.
func (s *search) begin(c choices) []*trial {
	lists := []string{""}
	if s.story.followsUps() {
		lists = append(lists, eager)
	}
	var families [][]choices
	for _, c.assignors = range lists {
		var family []choices
		for _, c.silent = range s.story.candidates() {
			family = append(family, c)
		}
		families = append(families, family)
	}
	return ranked(s.first(families), 1)
}

// first runs the first draft of each choice, by family, and returns those of each family, the best first.
func (s *search) first(families [][]choices) [][]*trial {
	var all [][]*trial
	for _, family := range families {
		var tried []*trial
		for _, c := range family {
			if t := s.attempt(begin(s.story, c)); t != nil {
				s.keep(t, atAll)
				tried = append(tried, t)
			}
		}
		slices.SortStableFunc(tried, byScore)
		all = append(all, tried)
	}
	return all
}

// ranked returns the best run of each family, then the second best, and so on, up to most of each. Those that are not the best
// of their family are left out if another one came to the same.
func ranked(families [][]*trial, most int) []*trial {
	var all []*trial
	for n := range most {
		var level []*trial
		for _, f := range families {
			if n < len(f) && (n == 0 || !slices.ContainsFunc(all, func(t *trial) bool { return t.score == f[n].score })) {
				level = append(level, f[n])
			}
		}
		slices.SortStableFunc(level, byScore)
		all = append(all, level...)
	}
	return all
}

// byScore orders runs, the best first.
func byScore(a, b *trial) int {
	switch {
	case a.score.less(b.score):
		return -1
	case b.score.less(a.score):
		return 1
	}
	return 0
}

// branchRuns are the runs that refine one choice.
const branchRuns = 100

// branch refines a run, and keeps what comes of it if that is better than the best; it reports whether it has made all runs
// that it may.
func (s *search) branch(t *trial) (spent bool) {
	b := s.part(branchRuns)
	b.best = t
	b.improve()
	s.take(b)
	return b.budget <= 0
}

// follow refines a run like branch, and goes on with what comes of it as long as that is the best.
func (s *search) follow(t *trial) (spent bool) {
	for {
		before := s.best
		if spent = s.branch(t); !spent || s.best == before || s.done() || s.best.score.near() {
			return spent
		}
		t = s.best
	}
}

// improve changes the best draft as long as that helps.
func (s *search) improve() {
	s.settle()
	for !s.done() && s.repair() {
	}
}

// done reports whether nothing is left to improve, or no run left for it.
func (s *search) done() bool {
	return s.budget <= 0 || s.ctx.Err() != nil || s.best.score.right()
}

// otherPartitions are tried since cooperative members rejoin by what they have to give away.
var otherPartitions = []int{6, 3, 24, 8, 10}

// assignorLists are those that change how often a group rebalances.
var assignorLists = []string{eager, cooperative}

// fetchWaits are how long a fetch may wait for records, on which the rhythm of some libraries depends.
var fetchWaits = []time.Duration{500 * time.Millisecond, 2 * time.Second}

// others returns runs with another heartbeat, another number of partitions, and so on. How a first run compares says little,
// since one early difference moves every generation after it: so not only the best of each kind count.
func (s *search) others(from choices) []*trial {
	candidates := s.story.candidates()
	families := []struct {
		n      int
		change func(c *choices, i int)
	}{
		{len(usualHeartbeats), func(c *choices, i int) { c.heartbeat = usualHeartbeats[i] }},
		{len(otherPartitions), func(c *choices, i int) { c.partitions = otherPartitions[i] }},
		{len(fetchWaits), func(c *choices, i int) { c.fetchWait = fetchWaits[i] }},
		{len(assignorLists), func(c *choices, i int) { c.assignors = assignorLists[i] }},
		{len(candidates), func(c *choices, i int) { c.silent = candidates[i] }},
		{len(usualSessions), func(c *choices, i int) { c.session = usualSessions[i] }},
	}
	var all [][]choices
	for _, f := range families {
		family := slices.Repeat([]choices{from}, f.n)
		for i := range family {
			f.change(&family[i], i)
		}
		all = append(all, family)
	}
	return ranked(s.first(all), refined)
}

// refined is how many choices of a kind are refined.
const refined = 5

// candidates are the libraries that those members may use that do not say which.
func (s *story) candidates() []string {
	for _, p := range s.processes {
		if name, _ := s.library(p); name == "" && s.silent(p) {
			return silentLibraries
		}
	}
	return []string{""}
}
