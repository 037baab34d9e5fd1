package scenario

import (
	"bytes"
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"simulate/sim/assignors"
	"simulate/sim/consumers"
	"simulate/sim/metrics"
)

// Schema returns the JSON Schema of a scenario file, as editors take it that read TOML as the JSON of the same
// structure. It is draft 7, of which taplo understands all that stands here. What it refuses, Load refuses too; Load
// alone knows names, rules across tables, and arithmetic.
func Schema() []byte {
	s := tableOf(scenarioKeys)()
	s["$schema"] = "http://json-schema.org/draft-07/schema#"
	s["title"] = "A scenario of simulate"
	s["definitions"] = definitions()
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	if err := e.Encode(s); err != nil {
		panic("scenario: the schema is no JSON: " + err.Error())
	}
	return b.Bytes()
}

// schema is a JSON Schema.
type schema map[string]any

// form returns what a value may look like, a new schema each time.
type form func() schema

// described is the form of a key with what the key means, for who points at it in an editor.
func (k *key) described() schema {
	s := k.form()
	text := k.means
	if k.more != "" && k.more != k.means {
		text += "\n\n" + k.more
	}
	if k.absent != "" {
		text += "\n\nDefault: " + k.absent
	}
	if about, ok := s["description"]; ok {
		text += "\n\n" + about.(string)
	}
	s["description"] = text
	return s
}

// tableOf is a table with some keys and no others.
func tableOf(keys []key) form {
	return func() schema {
		properties := schema{}
		var required []string
		for _, k := range keys {
			if k.refused != "" {
				continue
			}
			properties[k.name] = k.described()
			if k.must {
				required = append(required, k.name)
			}
		}
		s := schema{"type": "object", "properties": properties, "additionalProperties": false}
		if required != nil {
			s["required"] = required
		}
		return s
	}
}

func tablesOf(table form) form {
	return func() schema { return schema{"type": "array", "items": table(), "maxItems": mostTables} }
}

func aText() schema       { return schema{"type": "string"} }
func aTruth() schema      { return schema{"type": "boolean"} }
func aFilledText() schema { return schema{"type": "string", "minLength": 1} }
func aLine() schema       { return matching(`^[^\x00-\x1f\x7f-\x9f]*$`)() }
func aGroup() schema      { return matching(`^[^\s(),\x00-\x1f\x7f-\x9f]+$`)() }
func aDuration() schema   { return matching(durationForm.String())() }
func someTexts() schema   { return textsOf(aText()) }
func someTopics() schema  { return textsOf(matching(`\S`)()) }

func durations() schema {
	return schema{"type": "array", "items": aDuration(), "minItems": 1, "maxItems": mostValues}
}

// idsOfMembers has the ids of each member by its name.
func idsOfMembers() schema {
	ids := textsOf(matching(`^[^\x00-\x1f\x7f-\x9f]+$`)())
	delete(ids, "minItems")
	return schema{"type": "object", "additionalProperties": ids}
}

// aName is what checkName takes.
func aName() schema {
	s := matching(`^[A-Za-z0-9._-]{1,249}$`)()
	s["not"] = schema{"enum": []string{".", ".."}}
	return s
}

// anInstance is a name, or nothing.
func anInstance() schema { return schema{"anyOf": []schema{{"const": ""}, aName()}} }

func matching(pattern string) form {
	return func() schema { return schema{"type": "string", "pattern": pattern} }
}

func whole(least, most int64) form {
	return func() schema { return schema{"type": "integer", "minimum": least, "maximum": most} }
}

func oneOfWords(words ...string) form {
	return func() schema { return schema{"type": "string", "enum": words} }
}

// textsOf is a string, or a list of them.
func textsOf(one schema) schema {
	s := schema{"type": []string{"string", "array"}, "items": one, "minItems": 1}
	for _, only := range []string{"pattern", "anyOf"} { // of the string alone
		if patterns, ok := one[only]; ok {
			s[only] = patterns
		}
	}
	return s
}

// explained is a list of words of which each has an explanation of its own.
func explained(words, meanings []string) schema {
	s := oneOfWords(words...)()
	s["description"] = listedWords(words, meanings)
	s["x-taplo"] = schema{"docs": schema{"enumValues": meanings}}
	return s
}

func listedWords(words, meanings []string) string {
	var b strings.Builder
	for i, word := range words {
		b.WriteString("- `" + word + "`: " + meanings[i] + "\n")
	}
	return b.String()
}

func aClient() schema {
	var names, about []string
	for _, p := range consumers.Profiles() {
		names, about = append(names, p.Name), append(about, p.About)
	}
	return explained(names, about)
}

func aVerb() schema {
	var names, does []string
	for _, v := range verbSpecs {
		names, does = append(names, string(v.verb)), append(does, v.does)
	}
	return explained(names, does)
}

// aBroker is a number, or the coordinator of a group.
func aBroker() schema {
	return schema{"type": []string{"integer", "string"}, "minimum": 1, "maximum": mostBrokers, "pattern": `^\s*coordinator\s*\(.*\)$`}
}

// someAssignors are names or classes of assignors: one, a list, or a string with commas.
func someAssignors() schema {
	words := assignors.Names()
	for _, a := range assignorClasses {
		words = append(words, regexp.QuoteMeta(a[1]))
	}
	one := `\s*(` + strings.Join(words, "|") + `)\s*`
	return textsOf(matching("^" + one + "(," + one + ")*$")())
}

// distributionShapes are the sets of keys that a table for a distribution may have, but for cap.
var distributionShapes = [][]string{{"mean"}, {"p50", "p99"}, {"min", "max"}, {"values"}}

// aDistribution is a duration, or a table of one of the shapes.
func aDistribution() schema {
	s := tableOf(shapeKeys)()
	s["type"] = []string{"string", "object"}
	s["pattern"] = durationForm.String()
	rules := schema{}
	for _, shape := range distributionShapes {
		for _, key := range shape {
			rules[key] = refer(shapeRule(shape))
		}
	}
	s["dependencies"] = rules
	s["not"] = schema{"type": "object", "propertyNames": schema{"const": "cap"}}
	return s
}

// shapeRule is what the definition is called that a table has the keys of a shape, and of no other one.
func shapeRule(shape []string) string { return "only-" + strings.Join(shape, "-") }

// shapeRules are these definitions.
func shapeRules() schema {
	rules := schema{}
	for i, shape := range distributionShapes {
		rule := without(slices.Concat(slices.Delete(slices.Clone(distributionShapes), i, i+1)...)...)
		rule["required"] = shape
		rules[shapeRule(shape)] = rule
	}
	return rules
}

// distributionOf is a distribution under a key that presets may stand for.
func distributionOf(key string) form {
	return func() schema {
		names, about := presetsOf(key)
		s := aDistribution()
		s["pattern"] = orWords(s["pattern"].(string), names)
		s["description"] = listedWords(names, about)
		return s
	}
}

// orWords is a pattern of what another one takes, and of some words.
func orWords(pattern string, words []string) string {
	return "^(" + strings.Trim(pattern, "^$") + "|" + strings.Join(words, "|") + ")$"
}

// somePauses is one kind of pauses, or a list of them; a preset is one or several.
func somePauses() schema {
	return schema{
		"if":   schema{"type": "array"},
		"then": schema{"items": refer("pauses"), "minItems": 1, "maxItems": mostKinds},
		"else": refer("pauses"),
	}
}

func aKindOfPauses() schema {
	names, about := presetsOf("pauses")
	s := tableOf(pausesKeys)()
	s["type"] = []string{"string", "object"}
	s["pattern"] = "^(" + strings.Join(names, "|") + ")$"
	s["description"] = listedWords(names, about)
	return s
}

// listOf is a list of like values.
func listOf(one form) form {
	return func() schema { return schema{"type": "array", "items": one(), "minItems": 1, "maxItems": mostTables} }
}

// aPortion is a number of members, or a percentage of them.
func aPortion() schema {
	return schema{"type": []string{"integer", "string"}, "minimum": 0, "maximum": mostMembers, "pattern": percentage.String()}
}

// anAutoscaler follows a demand, or the lag.
func anAutoscaler() schema { return either("lag", []string{"demand"}, tableOf(autoscalerKeys)()) }

func someMembers() schema {
	return schema{"type": "number", "minimum": 0, "maximum": mostMembers}
}

func fleetTable() schema {
	return either("pattern", []string{"topics"}, tableOf(fleetKeys)())
}

// either gives a table the rule that it has a key, or in its place some others.
func either(key string, or []string, table schema) schema {
	table["if"] = schema{"required": []string{key}}
	table["then"] = without(or...)
	table["else"] = schema{"required": or}
	return table
}

func expectTable() schema {
	s := tableOf(expectKeys)()
	s["dependencies"] = schema{"at": without("from", "to")}
	return s
}

// without is a table in which these keys do not stand.
func without(keys ...string) schema {
	var any []schema
	for _, key := range keys {
		any = append(any, schema{"required": []string{key}})
	}
	return schema{"not": schema{"anyOf": any}}
}

// eventTable is a table with the keys of all verbs, of which each event has those of its verb. The keys stand in a
// part of allOf because taplo offers nothing that stands beside one.
func eventTable() schema {
	all := []schema{tableOf(eventKeys)()}
	for _, v := range verbSpecs {
		all = append(all, when("do", string(v.verb), verbRules(&v)))
	}
	return schema{"allOf": all}
}

func when(key string, value any, then schema) schema {
	return schema{"if": schema{"properties": schema{key: schema{"const": value}}, "required": []string{key}}, "then": then}
}

// verbRules says which keys an event of the verb has. Those that it does not take are refused one by one, so that an
// editor marks them and not the event.
func verbRules(v *verbSpec) schema {
	properties := schema{}
	for _, k := range eventKeys {
		if !k.must && !slices.Contains(v.keys(), k.name) {
			properties[k.name] = false // which no value is
		}
	}
	s := schema{"properties": properties}
	if len(v.needs) > 0 {
		s["required"] = v.needs
	}
	if slices.Contains(v.takes, "every") {
		s["dependencies"] = schema{"times": []string{"every"}, "until": []string{"every"}}
	}
	switch v.verb {
	case Subscribe:
		return either("pattern", []string{"topics"}, s)
	case HoldLeaderSync:
		return either("who", []string{"group"}, s)
	case Commit:
		return either("who", []string{"group", "topics"}, s)
	case Rollout:
		s["allOf"] = []schema{when("kind", string(StatefulSet), without("max-surge", "max-unavailable"))}
	case CreateTopic:
		properties["topic"] = aName()
	case Restart, RollingRestart:
		s["allOf"] = []schema{when("graceful", false, without("timeout", "group-membership-operation"))}
	case RawJoin:
		holds := when("mode", string(HoldAfterJoin), schema{"required": []string{"hold"}})
		holds["else"] = without("hold")
		s["allOf"] = []schema{holds}
	}
	return s
}

// comparisonValues are the patterns of what metrics of a type are compared with.
var comparisonValues = map[metrics.Type]string{
	metrics.CountType:        `\+?[0-9]+|-0+`,
	metrics.DurationType:     strings.Trim(durationForm.String(), "^$"),
	metrics.PartitionSeconds: strings.Trim(durationForm.String(), "^$"),
	metrics.ShareType:        `(\+?0*(100(\.0*)?|[0-9]{0,2}(\.[0-9]*)?)|-0*(\.0*)?)\s*%`,
	metrics.StateType:        strings.Join(metrics.StateArgument.Values(), "|"),
	metrics.NameType:         `\S.*`,
	metrics.NumberType:       `[0-9]{1,15}(\.[0-9]{1,15})?`,
}

// ordered reports whether values of the type can be less or greater than others.
func ordered(t metrics.Type) bool { return t != metrics.StateType && t != metrics.NameType }

// aComparison is METRIC OP VALUE for any of the metrics. Each form is a pattern of its own: an editor that shows the
// pattern which a text misses would fill the screen with one for all.
func aComparison() schema { return comparisonOf(metrics.Definitions) }

// aLimit is a comparison over all runs: one of numbers, or of states.
func aLimit() schema {
	return comparisonOf(slices.DeleteFunc(slices.Clone(metrics.Definitions), func(d metrics.Definition) bool {
		return d.Type == metrics.NameType
	}))
}

func comparisonOf(definitions []metrics.Definition) schema {
	var plain, aggregated []string
	var help strings.Builder
	for _, d := range definitions {
		plain = append(plain, metricForm(d)+comparedForm(d.Type, comparisonValues[d.Type]))
		if ordered(d.Type) {
			aggregated = append(aggregated, aggregatedForm(d)...)
		}
		help.WriteString("- `" + d.Name + "`: " + d.Help + "\n")
	}
	fraction := `fraction\s*\(\s*(` + strings.Join(plain, "|") + `)\s*\)\s*` + comparedForm(metrics.ShareType, comparisonValues[metrics.ShareType])
	var forms []schema
	for _, form := range slices.Concat(plain, aggregated, []string{fraction}) {
		forms = append(forms, schema{"pattern": `^\s*(` + form + `)\s*$`})
	}
	return schema{"type": "string", "anyOf": forms, "description": help.String()}
}

// someMetrics is METRIC, or what makes one value of those that it has in many replications, once or in a list.
func someMetrics() schema { return textsOf(metricOver("mean|" + rankForm)) }

// aMetric is METRIC, or its mean.
func aMetric() schema { return metricOver("mean") }

func metricOver(aggregations string) schema {
	var forms []schema
	for _, d := range metrics.Definitions {
		if ordered(d.Type) {
			inner := metricForm(d)
			forms = append(forms, schema{"pattern": `^\s*(` + inner + `|(` + aggregations + `)\s*\(\s*` + inner + `\)\s*)$`})
		}
	}
	return schema{"type": "string", "anyOf": forms}
}

// someLimits is what must hold over all runs, once or in a list.
func someLimits() schema {
	return schema{"anyOf": []schema{refer("limit"), {"type": "array", "minItems": 1, "items": refer("limit")}}}
}

// rankForm is the pattern of what picks one of the values in many replications.
const rankForm = `min|max|p(0?[1-9]|[1-9][0-9]|[0-9]{1,2}\.[0-9]{1,3})`

// aggregatedForm lists the patterns of what makes one value of those that a metric has in many replications.
func aggregatedForm(d metrics.Definition) []string {
	mean := d.Type
	if mean == metrics.CountType {
		mean = metrics.NumberType
	}
	inner := `\s*\(\s*` + metricForm(d) + `\)\s*`
	return []string{
		`(` + rankForm + `)` + inner + comparedForm(d.Type, comparisonValues[d.Type]),
		`mean` + inner + comparedForm(mean, comparisonValues[mean]),
	}
}

// metricForm is the pattern of a metric with its subject and what else it takes.
func metricForm(d metrics.Definition) string {
	call := d.Name + `\s*\(\s*[^,<>=!]+`
	if values := strings.Join(d.Argument.Values(), "|"); values != "" {
		argument := `,\s*(` + values + `)\s*`
		if d.Argument != metrics.StateArgument {
			argument = "(" + argument + ")?"
		}
		call += argument
	}
	return call + `\)\s*`
}

// comparedForm is the pattern of an operator that fits the type, and a value.
func comparedForm(t metrics.Type, value string) string {
	op := "(<|<=|==|!=|>=|>)"
	if !ordered(t) {
		op = "(==|!=)"
	}
	return op + `\s*(` + value + ")"
}
