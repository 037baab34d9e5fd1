package scenarios

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"simulate/check"
	"simulate/reports"
)

// leastIncidents is how many incidents the library has at least.
const leastIncidents = 40

// pair is an incident and what helps, as the first lines of the two files tell it.
type pair struct {
	number      string // in the catalogue from which it was taken
	name        string // of the first; the second has the suffix "-cured"
	said        string // the complaint, quoted
	source      string
	helps       string
	sick, cured check.Loaded
}

// The first lines of the two files.
var (
	complaint = regexp.MustCompile(`(?s)^# (I-\d\d): (".+?)\n# (https://\S+)`)
	cure      = regexp.MustCompile(`(?s)^# (I-\d\d), cured: (.+?)\n# (https://\S+)`)
)

// TestIncidentFiles holds that every incident says where it is from, and comes with what helps.
func TestIncidentFiles(t *testing.T) {
	names := In("incidents")
	for _, name := range names {
		if base, cured := strings.CutSuffix(name, "-cured"); cured && !slices.Contains(names, base) {
			t.Errorf("%s: there is no %s", name, base)
		}
	}
	known := sources(t)
	numbers := map[string]bool{}
	for _, p := range pairs(t) {
		if want := "incidents/" + strings.ToLower(p.number) + "-"; !strings.HasPrefix(p.name, want) {
			t.Errorf("%s is the incident %s, by its first line", p.name, p.number)
		}
		if !slices.Contains(known[p.number], p.source) {
			t.Errorf("%s: %s is no source of %s", p.name, p.source, p.number)
		}
		if sick, cured := p.sick.Scenario.Name, p.cured.Scenario.Name; cured != sick+", cured" {
			t.Errorf("%s: the names of the two are %q and %q", p.name, sick, cured)
		}
		numbers[p.number] = true
	}
	if len(numbers) < leastIncidents {
		t.Errorf("there are %d incidents, want %d", len(numbers), leastIncidents)
	}
}

// TestIncidentsPage holds that docs/incidents.md tells of all incidents, with the figures that are measured, finds each
// by what is seen, and says of all others of the catalogue why they are not here.
func TestIncidentsPage(t *testing.T) {
	prose, err := os.ReadFile("testdata/incidents-page.md")
	if err != nil {
		t.Fatal(err)
	}
	all := pairs(t)
	holdNumbers(t, string(prose), all)
	var table, page bytes.Buffer
	table.WriteString("| | scenario | what goes wrong | what helps |\n|---|---|---|---|\n")
	for _, p := range all {
		fmt.Fprintf(&table, "| %s | `%s` | %s | %s |\n", p.number, p.name, p.sick.Scenario.Description, p.cured.Scenario.Description)
	}
	page.WriteString(linked(strings.Replace(string(prose), "{{table}}\n", table.String()+"\n", 1), all))
	for _, p := range all {
		fmt.Fprintf(&page, "\n## %s\n\n", p.heading())
		fmt.Fprintf(&page, "%s ([source](%s))\n\nWhat helps: %s\n\n", p.said, p.source, p.helps)
		fmt.Fprintf(&page, "| | `%s` | cured |\n|---|---|---|\n", p.name)
		for _, f := range figures(t, p) {
			fmt.Fprintf(&page, "| `%s`%s | %s | %s |\n", f.metric, f.when, f.sick, f.cured)
		}
	}
	compareGolden(t, "../docs/incidents.md", page.String())
}

// holdNumbers holds that the page's prose names each incident of the library before its table, and none but the rest
// of the catalogue after it.
func holdNumbers(t *testing.T, prose string, all []pair) {
	t.Helper()
	seen, missing, _ := strings.Cut(prose, "{{table}}")
	rest := sources(t)
	for _, p := range all {
		delete(rest, p.number)
		if !strings.Contains(seen, p.number) {
			t.Errorf("nothing that is seen leads to %s", p.name)
		}
	}
	for _, n := range incidentNumber.FindAllString(seen, -1) {
		if !slices.ContainsFunc(all, func(p pair) bool { return p.number == n }) {
			t.Errorf("%s is to be seen and not in the library", n)
		}
	}
	want := slices.Sorted(maps.Keys(rest))
	if got := incidentNumber.FindAllString(missing, -1); !slices.Equal(got, want) {
		t.Errorf("the page says why %q are not in the library, want %q", got, want)
	}
	for _, n := range want {
		if !slices.ContainsFunc(rest[n], func(source string) bool { return strings.Contains(missing, "("+source+")") }) {
			t.Errorf("the page has no source of %s", n)
		}
	}
}

var (
	incidentNumber = regexp.MustCompile(`I-\d\d`)
	noAnchor       = regexp.MustCompile(`[^\w -]`)
)

// linked makes links to their headings of the numbers of the library.
func linked(text string, all []pair) string {
	return incidentNumber.ReplaceAllStringFunc(text, func(number string) string {
		for _, p := range all {
			if p.number == number {
				return fmt.Sprintf("[%s](#%s)", number, anchor(p.heading()))
			}
		}
		return number
	})
}

// anchor returns what a heading is linked by.
func anchor(heading string) string {
	return strings.ReplaceAll(noAnchor.ReplaceAllString(strings.ToLower(heading), ""), " ", "-")
}

func (p *pair) heading() string { return p.number + ": " + p.sick.Scenario.Name }

// TestIncidentsNeedTheirEvents holds that what an incident expects does not hold without any one of its events.
func TestIncidentsNeedTheirEvents(t *testing.T) {
	for _, p := range pairs(t) {
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			for i := range p.sick.Scenario.Events {
				without, changed := p.sick, *p.sick.Scenario
				changed.Events = slices.Clone(changed.Events)
				changed.Events[i].At = changed.Duration + time.Second // the others keep their numbers
				without.Scenario = &changed
				if !slices.ContainsFunc(expectations(t, without), func(e reports.Expectation) bool { return !e.Pass }) {
					t.Errorf("without event %d (%s) all that is expected holds", i+1, changed.Events[i].Do)
				}
			}
		})
	}
}

// pairs returns all incidents, by number.
func pairs(t *testing.T) []pair {
	t.Helper()
	var all []pair
	for _, name := range In("incidents") {
		if strings.HasSuffix(name, "-cured") {
			continue
		}
		sick, first := readIncident(t, name, complaint)
		cured, second := readIncident(t, name+"-cured", cure)
		if first == nil || second == nil {
			continue
		}
		if second[0] != first[0] || second[2] != first[2] {
			t.Errorf("%s and the cured one differ in number or source", name)
		}
		all = append(all, pair{number: first[0], name: name, said: first[1], source: first[2], helps: second[1], sick: sick, cured: cured})
	}
	return all
}

// readIncident loads a scenario, and takes number, text and address from its first lines.
func readIncident(t *testing.T, name string, form *regexp.Regexp) (check.Loaded, []string) {
	t.Helper()
	text, ok := Read(name)
	if !ok {
		t.Errorf("there is no %s", name)
		return check.Loaded{}, nil
	}
	loaded, err := check.Source{Name: name, Text: text}.Load()
	if err != nil {
		t.Fatal(err)
	}
	parts := form.FindStringSubmatch(string(text))
	if parts == nil || strings.Contains(parts[2], "\n#\n") {
		t.Errorf("%s does not begin with number, text and, on a line of its own, the address of the source", name)
		return loaded, nil
	}
	parts[2] = strings.ReplaceAll(parts[2], "\n# ", " ")
	return loaded, parts[1:]
}

// sources returns the addresses of each incident.
func sources(t *testing.T) map[string][]string {
	t.Helper()
	text, err := os.ReadFile("testdata/incident-sources.txt")
	if err != nil {
		t.Fatal(err)
	}
	known := map[string][]string{}
	for line := range strings.Lines(string(text)) {
		number, address, _ := strings.Cut(strings.TrimSpace(line), " ")
		known[number] = append(known[number], address)
	}
	return known
}

// figure is what a metric is in both runs of a pair.
type figure struct{ metric, when, sick, cured string }

var comparison = regexp.MustCompile(`^(.*?) (?:<=|>=|==|!=|<|>) \S+(.*)$`)

// figures returns what the first file expects and does not hold any more with the cure.
func figures(t *testing.T, p pair) []figure {
	t.Helper()
	cured := p.cured
	changed := *p.cured.Scenario
	changed.Expectations = p.sick.Scenario.Expectations
	cured.Scenario = &changed
	before, after := expectations(t, p.sick), expectations(t, cured)
	var all []figure
	for i, e := range before {
		parts := comparison.FindStringSubmatch(e.That)
		f := figure{parts[1], parts[2], shown(e), shown(after[i])}
		if !after[i].Pass && !slices.Contains(all, f) {
			all = append(all, f)
		}
	}
	if len(all) == 0 {
		t.Errorf("%s: with the cure everything that is expected holds, too", p.name)
	}
	return all
}

func expectations(t *testing.T, l check.Loaded) []reports.Expectation {
	t.Helper()
	report, err := check.Run(context.Background(), l)
	if err != nil {
		t.Fatal(err)
	}
	return report.Expectations
}

func shown(e reports.Expectation) string {
	return cmp.Or(e.Short, e.Got, "none")
}
