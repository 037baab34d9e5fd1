package reports

import (
	"embed"
	"slices"
)

//go:embed schema
var schemas embed.FS

// Schemas lists the names that Schema knows.
func Schemas() []string {
	return []string{"analysis", "check", "diff", "lint", "reproduction", "run", "runs", "sweep", "tune"}
}

// Schema returns the JSON Schema (draft 2020-12) of a form of output: "run" is what JSON writes, "runs" what
// RunsJSON writes, "diff" what DiffJSON writes, "check" what CheckJSON writes, "lint" what LintJSON writes,
// "sweep" what SweepJSON writes, "tune" what TuneJSON writes, "analysis" what AnalysisJSON writes, "reproduction" what
// ReproductionJSON writes.
func Schema(name string) (text []byte, ok bool) {
	if !slices.Contains(Schemas(), name) {
		return nil, false
	}
	text, err := schemas.ReadFile("schema/" + name + ".json")
	return text, err == nil
}
