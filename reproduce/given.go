package reproduce

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"simulate/sim/consumers"
	"simulate/sim/scenario"
	"simulate/starter"
)

// choices checks what the options say.
func (o *Options) choices() (choices, error) {
	c := choices{client: o.Client}
	if _, ok := consumers.FindProfile(o.Client); !ok {
		return c, fmt.Errorf("--client %s: there are %s", scenario.Brief(o.Client), strings.Join(starter.Clients(), ", "))
	}
	for _, s := range o.Set {
		value, err := s.written()
		if err != nil {
			return c, err
		}
		c.set = append(c.set, setting{s.Key, value, given, "by --set"})
	}
	return c, nil
}

// written returns the value as TOML: a number, a truth, or a text.
func (s *Set) written() (string, error) {
	if s.Key == "" {
		return "", fmt.Errorf("--set %s: write KEY=VALUE, such as session.timeout.ms=30000", scenario.Brief(s.Value))
	}
	if _, err := strconv.ParseInt(s.Value, 10, 64); err == nil || s.Value == "true" || s.Value == "false" {
		return s.Value, nil
	}
	return quoted(s.Value), nil
}

// flag is how the user gave a setting.
func (s *setting) flag() string {
	return "--set " + scenario.Brief(s.key+"="+strings.Trim(s.value, `"`))
}

// unused complains of what was set and no client of the group has.
func (d *draft) unused() error {
	var clients []string
	for _, f := range d.fleets {
		if !slices.Contains(clients, f.client.value) {
			clients = append(clients, f.client.value)
		}
	}
	var wrong []error
	for _, s := range d.choices.set {
		if ofBroker(s.key) || slices.ContainsFunc(clients, func(name string) bool {
			profile, _ := consumers.FindProfile(name)
			return profile.Has(s.key)
		}) {
			continue
		}
		wrong = append(wrong, fmt.Errorf("%s: %s has no such setting", s.flag(), strings.Join(clients, " or ")))
	}
	return errors.Join(wrong...)
}

// refused says why there is no draft that runs: the flag where one is to blame, since nobody sees the lines of the draft.
func (s *search) refused(group string) error {
	var bad *scenario.Errors
	var wrong []error
	if errors.As(s.err, &bad) {
		lines := strings.Split(string(s.refusedDraft.text()), "\n")
		for _, m := range bad.Mistakes {
			for _, v := range s.refusedDraft.choices.set {
				if m.Line > 0 && strings.HasPrefix(lines[m.Line-1], v.key+" = ") {
					wrong = append(wrong, fmt.Errorf("%s: %s", v.flag(), m.Text))
				}
			}
		}
	}
	if len(wrong) > 0 {
		return errors.Join(slices.CompactFunc(wrong, func(a, b error) bool { return a.Error() == b.Error() })...)
	}
	return fmt.Errorf("group %s: no scenario could be made of it: %w", scenario.Brief(group), s.err)
}
