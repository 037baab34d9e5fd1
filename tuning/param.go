package tuning

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"simulate/check"
	"simulate/sim/scenario"
)

// Param is what a study varies.
type Param struct {
	Key    string   // as written: a KEY of --set, or a key of Kafka alone for all fleets
	Paths  []string // what it sets, each a KEY of --set
	Values []string // a list's, or the steps of a range; none for a range that does not say how many
	Range  *Range   // nil for a list

	place string // how messages about it begin
}

// mostValues bounds the values of one parameter.
const mostValues = 1000

// ParseParams reads the parameters of a study:
//
//	PARAM  = KEY "=" ( VALUE { "," VALUE } | LOW ".." HIGH [ "/" N ] [ "/log" ] )
//
// The error is a *scenario.Errors with all that is wrong.
func ParseParams(l check.Loaded, texts []scenario.ParamText) ([]Param, error) {
	var all []Param
	var mistakes []scenario.Mistake
	seen := map[string]string{} // path -> key of the parameter that sets it
	for _, text := range texts {
		p, problem := parseParam(l.Scenario, text)
		for _, path := range p.Paths {
			if other, twice := seen[path]; twice && problem == "" {
				problem = fmt.Sprintf("%s is varied twice, as %s and as %s", path, other, p.Key)
			}
			seen[path] = p.Key
		}
		if problem != "" {
			mistakes = append(mistakes, scenario.Mistake{Flag: text.Place, Text: problem})
		}
		all = append(all, p)
	}
	if mistakes != nil {
		return nil, scenario.NewErrors(l.Name, mistakes)
	}
	return all, nil
}

func parseParam(s *scenario.Scenario, text scenario.ParamText) (p Param, problem string) {
	key, values, found := strings.Cut(text.Text, "=")
	p = Param{Key: strings.TrimSpace(key), place: text.Place}
	if !utf8.ValidString(text.Text) {
		return p, "the text is not UTF-8"
	}
	if !found || p.Key == "" {
		return p, "write KEY=VALUES, such as session.timeout.ms=6s,10s,45s or session.timeout.ms=6s..60s/10"
	}
	if p.Paths, problem = s.Paths(p.Key); problem != "" {
		return p, problem
	}
	values = strings.TrimSpace(values)
	if low, high, isRange := strings.Cut(values, ".."); isRange && !strings.ContainsAny(values, `"'[{,`) {
		p.Range, p.Values, problem = parseRange(low, high, p.grain())
		return p, problem
	}
	p.Values = split(values)
	return p, listProblem(p.Values)
}

// grain is what durations of a range are multiples of: Kafka's keys take whole milliseconds.
func (p *Param) grain() time.Duration {
	ofKafka := func(path string) bool {
		return strings.Contains(path, ".config.") || strings.HasPrefix(path, "broker.")
	}
	if slices.ContainsFunc(p.Paths, ofKafka) {
		return time.Millisecond
	}
	return time.Microsecond
}

func listProblem(values []string) (problem string) {
	for i, v := range values {
		switch {
		case v == "":
			return "a value is missing; write KEY=A,B,C"
		case slices.Contains(values[:i], v):
			return "the value " + scenario.Brief(v) + " is there twice"
		}
	}
	if len(values) > mostValues {
		return fmt.Sprintf("there are %d values; at most %d are allowed", len(values), mostValues)
	}
	return ""
}

// split splits at commas outside of quotes and brackets, so that a value may be a list of TOML.
func split(text string) []string {
	var all []string
	var quote rune
	depth, start := 0, 0
	for i, c := range text {
		switch {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"', c == '\'':
			quote = c
		case c == '[', c == '{':
			depth++
		case c == ']', c == '}':
			depth--
		case c == ',' && depth == 0:
			all = append(all, strings.TrimSpace(text[start:i]))
			start = i + 1
		}
	}
	return append(all, strings.TrimSpace(text[start:]))
}

// set returns the overrides that give the parameter a value.
func (p *Param) set(value string) ([]scenario.Override, error) {
	flag := p.place
	if name, _, isFlag := strings.Cut(p.place, " "); isFlag && strings.HasPrefix(name, "--") {
		flag = name
	}
	var all []scenario.Override
	for _, path := range p.Paths {
		o, err := scenario.ParseOverrideOf(flag, path+"="+value)
		if err != nil {
			return nil, err
		}
		all = append(all, o)
	}
	return all, nil
}

// parseCount reads how many values a range has.
func parseCount(text string) (n int, problem string) {
	n, err := strconv.Atoi(text)
	if err != nil || n < 2 || n > mostValues {
		return 0, fmt.Sprintf("%s is not how many values there are: write a whole number from 2 to %d, such as 6s..60s/10", scenario.Quote(text), mostValues)
	}
	return n, ""
}
