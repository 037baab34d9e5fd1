package reports

import (
	"io"
	"net/url"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"simulate/lint"
)

// The parts of SARIF 2.1.0 that LintSARIF writes.
// https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool        sarifTool         `json:"tool"`
		Invocations []sarifInvocation `json:"invocations"`
		ColumnKind  string            `json:"columnKind"`
		Results     []sarifResult     `json:"results"`
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct {
		Name  string      `json:"name"`
		Rules []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID      string      `json:"id"`
		Short   sarifText   `json:"shortDescription"`
		Full    sarifText   `json:"fullDescription"`
		Help    sarifText   `json:"help"`
		HelpURI string      `json:"helpUri,omitempty"`
		Default sarifConfig `json:"defaultConfiguration"`
	}
	sarifConfig struct {
		Level string `json:"level"`
	}
	sarifText struct {
		Text string `json:"text"`
	}
	sarifInvocation struct {
		Successful    bool                `json:"executionSuccessful"`
		Notifications []sarifNotification `json:"toolExecutionNotifications"`
	}
	sarifNotification struct {
		Level     string          `json:"level"`
		Message   sarifText       `json:"message"`
		Locations []sarifLocation `json:"locations"`
	}
	sarifResult struct {
		RuleID       string             `json:"ruleId"`
		RuleIndex    int                `json:"ruleIndex"`
		Level        string             `json:"level"`
		Message      sarifText          `json:"message"`
		Locations    []sarifLocation    `json:"locations"`
		Suppressions []sarifSuppression `json:"suppressions"`
	}
	sarifLocation struct {
		Physical sarifPhysical `json:"physicalLocation"`
	}
	sarifPhysical struct {
		Artifact sarifArtifact `json:"artifactLocation"`
		Region   *sarifRegion  `json:"region,omitempty"`
	}
	sarifArtifact struct {
		URI string `json:"uri"`
	}
	sarifRegion struct {
		Line   int `json:"startLine"`
		Column int `json:"startColumn"`
	}
	sarifSuppression struct {
		Kind          string `json:"kind"`
		Justification string `json:"justification"`
	}
)

const sarifSchema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

// LintSARIF writes the findings as SARIF 2.1.0, those that comments take back as suppressed, and the mistakes of files
// that could not be read as notifications.
func LintSARIF(w io.Writer, files []Linted) error {
	rules := lint.Rules()
	run := sarifRun{
		Tool:       sarifTool{sarifDriver{"simulate lint", each(rules, newSarifRule)}},
		ColumnKind: "unicodeCodePoints",
		Results:    []sarifResult{},
	}
	invocation := sarifInvocation{true, []sarifNotification{}}
	for _, f := range files {
		for _, m := range f.mistakes() {
			invocation.Successful = false
			invocation.Notifications = append(invocation.Notifications,
				sarifNotification{"error", sarifText{m.Text}, []sarifLocation{locationOf(f.File, m.Line, m.Column)}})
		}
		for _, found := range f.Findings {
			at := slices.IndexFunc(rules, func(r lint.Rule) bool { return r.ID == found.Rule.ID })
			run.Results = append(run.Results, newSarifResult(f.File, at, &found))
		}
	}
	run.Invocations = []sarifInvocation{invocation}
	return encode(w, sarifLog{sarifSchema, "2.1.0", []sarifRun{run}})
}

func newSarifRule(r *lint.Rule) sarifRule {
	rule := sarifRule{
		ID: r.ID, Short: sarifText{r.Summary}, Full: sarifText{r.Why}, Default: sarifConfig{r.Severity.String()},
		Help: sarifText{r.Why + " " + r.Instead + " Sources: " + strings.Join(r.Sources, "; ") + "."},
	}
	if strings.HasPrefix(r.Sources[0], "https://") {
		rule.HelpURI = r.Sources[0]
	}
	return rule
}

func newSarifResult(file string, rule int, f *lint.Finding) sarifResult {
	result := sarifResult{
		RuleID: f.Rule.ID, RuleIndex: rule, Level: f.Rule.Severity.String(), Message: sarifText{findingWords(f)},
		Locations:    []sarifLocation{locationOf(file, f.Line, f.Column)},
		Suppressions: []sarifSuppression{},
	}
	if f.Ignored != "" {
		result.Suppressions = append(result.Suppressions, sarifSuppression{"inSource", f.Ignored})
	}
	return result
}

// locationOf is a place in a file; line 0 is the file as a whole.
func locationOf(file string, line, column int) sarifLocation {
	l := sarifLocation{sarifPhysical{Artifact: sarifArtifact{fileURI(file)}}}
	if line > 0 {
		l.Physical.Region = &sarifRegion{line, column}
	}
	return l
}

// findingWords words a finding in one paragraph.
func findingWords(f *lint.Finding) string {
	text := f.Text + ". Instead: " + f.Instead + "."
	if f.Set != "" {
		text += " To try it: --set " + f.Set
	}
	return text
}

// fileURI writes a path as a URI: relative to where the command ran, unless it is absolute.
func fileURI(file string) string {
	u := url.URL{Path: path.Clean(filepath.ToSlash(file))}
	if path.IsAbs(u.Path) {
		u.Scheme = "file"
	}
	return u.String()
}
