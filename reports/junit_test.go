package reports

import (
	"encoding/xml"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// junitXSD is the schema of the Jenkins xunit plugin (MIT licence, as it says itself), which pytest keeps as well:
// https://github.com/jenkinsci/xunit-plugin, src/main/resources/org/jenkinsci/plugins/xunit/types/model/xsd.
const junitXSD = "testdata/junit-10.xsd"

// TestJUnitKeepsItsSchema validates what CheckJUnit writes against the published schema, with xmllint too where it is.
func TestJUnitKeepsItsSchema(t *testing.T) {
	schema := readXSD(t)
	xmllint, _ := exec.LookPath("xmllint")
	for name, c := range handMadeChecks() {
		text := rendered(t, CheckJUnit, c)
		if problems := schema.validate(text); len(problems) > 0 {
			t.Errorf("%s: %s", name, strings.Join(problems, "; "))
		}
		if xmllint == "" {
			continue
		}
		file := filepath.Join(t.TempDir(), "junit.xml")
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if out, err := exec.Command(xmllint, "--noout", "--schema", junitXSD, file).CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", name, err, out)
		}
	}
}

// TestJUnitSchemaRefuses holds that the validation above can fail.
func TestJUnitSchemaRefuses(t *testing.T) {
	schema := readXSD(t)
	good := rendered(t, CheckJUnit, checkedOf(evicts()))
	for name, change := range map[string][2]string{
		"unknown element":   {"<testcase", "<case></case><testcase"},
		"unknown attribute": {"<failure ", "<failure line=\"1\" "},
		"missing attribute": {` tests="3"`, ""},
		"misplaced element": {"<properties>", "<testcase name=\"a\"><property name=\"a\" value=\"b\"></property></testcase><properties>"},
		"stray text":        {"<properties>", "text<properties>"},
		"a time in words":   {"<testsuites ", "<testsuites time=\"soon\" "},
	} {
		bad := strings.ReplaceAll(good, change[0], change[1])
		if bad == good || len(schema.validate(bad)) == 0 {
			t.Errorf("%s: accepted", name)
		}
	}
}

// TestJUnitCounts holds that the counts are those of the elements.
func TestJUnitCounts(t *testing.T) {
	for name, c := range handMadeChecks() {
		text := rendered(t, CheckJUnit, c)
		want := fmt.Sprintf(`<testsuites name="simulate check" tests="%d" failures="%d" errors="%d">`,
			strings.Count(text, "<testcase "), strings.Count(text, "<failure "), strings.Count(text, "<error "))
		if !strings.Contains(text, want) {
			t.Errorf("%s: no %s in %s", name, want, strings.SplitN(text, "\n", 3)[1])
		}
	}
}

// xsd is a schema as far as the one of JUnit goes: elements by name, their attributes, and which elements and whether
// text may be inside. How often and in which order is not looked at.
type xsd struct {
	elements map[string]*xsdElement
	patterns map[string]*regexp.Regexp
}

type xsdElement struct {
	required, allowed []string // attributes
	types             map[string]string
	inside            []string
	text              bool
}

type xsdNode struct {
	XMLName xml.Name
	Attrs   []xml.Attr `xml:",any,attr"`
	Nodes   []xsdNode  `xml:",any"`
}

func (n *xsdNode) attr(name string) string {
	for _, a := range n.Attrs {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

func readXSD(t *testing.T) *xsd {
	t.Helper()
	text, err := os.ReadFile(junitXSD)
	if err != nil {
		t.Fatal(err)
	}
	var root xsdNode
	if err := xml.Unmarshal(text, &root); err != nil {
		t.Fatal(err)
	}
	s := &xsd{map[string]*xsdElement{}, map[string]*regexp.Regexp{}}
	for _, n := range root.Nodes {
		switch n.XMLName.Local {
		case "simpleType":
			s.patterns[n.attr("name")] = regexp.MustCompile("^(" + n.Nodes[0].Nodes[0].attr("value") + ")$")
		case "element":
			e := &xsdElement{types: map[string]string{}, text: n.attr("type") == "xs:string"}
			e.read(n)
			s.elements[n.attr("name")] = e
		}
	}
	return s
}

func (e *xsdElement) read(n xsdNode) {
	e.text = e.text || n.attr("mixed") == "true"
	for _, child := range n.Nodes {
		switch name := child.attr("name"); child.XMLName.Local {
		case "attribute":
			e.allowed = append(e.allowed, name)
			e.types[name] = child.attr("type")
			if child.attr("use") == "required" {
				e.required = append(e.required, name)
			}
		case "element":
			e.inside = append(e.inside, child.attr("ref"))
		default:
			e.read(child)
		}
	}
}

// validate lists what a document has that the schema does not allow.
func (s *xsd) validate(text string) []string {
	var problems []string
	wrong := func(format string, args ...any) { problems = append(problems, fmt.Sprintf(format, args...)) }
	d := xml.NewDecoder(strings.NewReader(text))
	var open []string
	for {
		token, err := d.Token()
		if token == nil {
			if err.Error() != "EOF" {
				wrong("%v", err)
			}
			return problems
		}
		switch token := token.(type) {
		case xml.StartElement:
			name := token.Name.Local
			e := s.elements[name]
			if e == nil || len(open) > 0 && !slices.Contains(s.elements[open[len(open)-1]].inside, name) {
				wrong("<%s> has no place in %q", name, open)
				return problems
			}
			s.attributes(name, token.Attr, wrong)
			open = append(open, name)
		case xml.EndElement:
			open = open[:len(open)-1]
		case xml.CharData:
			if len(open) > 0 && !s.elements[open[len(open)-1]].text && strings.TrimSpace(string(token)) != "" {
				wrong("text %q in <%s>", token, open[len(open)-1])
			}
		}
	}
}

func (s *xsd) attributes(element string, given []xml.Attr, wrong func(string, ...any)) {
	e := s.elements[element]
	missing := slices.Clone(e.required)
	for _, a := range given {
		name := a.Name.Local
		missing = slices.DeleteFunc(missing, func(m string) bool { return m == name })
		if !slices.Contains(e.allowed, name) {
			wrong("<%s> has no attribute %s", element, name)
		} else if p := s.patterns[e.types[name]]; p != nil && !p.MatchString(a.Value) {
			wrong("%s of <%s> is %q", name, element, a.Value)
		}
	}
	if len(missing) > 0 {
		wrong("<%s> lacks %v", element, missing)
	}
}
