package scenario

import (
	"bytes"
	"errors"
	"io/fs"
	"math"
	"math/rand/v2"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/BurntSushi/toml"
	"github.com/rogpeppe/go-internal/txtar"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"simulate/scenarios"
)

// unseen are the mistakes that no schema sees, by their texts. Every other one that Load finds, the schema finds too.
var unseen = []struct {
	text *regexp.Regexp
	why  string
}{
	{regexp.MustCompile(`^no (fleet|group|member|topic|broker)\b`), "who there is"},
	{regexp.MustCompile(`is a fleet$|is called like a member|names nobody|is not a glob`), "who there is"},
	{regexp.MustCompile(`^move-coordinator needs|^raw-join needs a fleet`), "who there is"},
	{regexp.MustCompile(`who must name one$|a \[fleet\.pod\]|to take the client\.id|members of one fleet|when one member is started`), "who there is"},
	{regexp.MustCompile(`(listed|there|given|pinned) twice|are without a name`), "what else there is"},
	{regexp.MustCompile(`the run ends (at|then)|; the event is at|must be after (from|the step)|must be at least 1s|must not be below|window is empty`), "arithmetic"},
	{regexp.MustCompile(`(is|are) 0s; |so short that|up to two decimals|no pod could be replaced`), "arithmetic"},
	{regexp.MustCompile(`longer than ten years|finer than a microsecond|whole milliseconds|in a unit of time$|can be at most \d+ ms`), "arithmetic"},
	{regexp.MustCompile(` requires (no )?(more|less) than|looked at in one instant|has no CloseOptions|has no assignor|assignors together$|has no group\.instance\.id|take a JoinGroup from version`), "other settings"},
	{regexp.MustCompile(`too long for a group\.instance\.id|^pattern .* cannot be used`), "the value itself, beyond its form"},
	{regexp.MustCompile(`^offsets-log `), "another file"},
	{regexp.MustCompile(`(is over replications, and there is one|replications would have one above)`), "other settings"},
	{regexp.MustCompile(`^a snapshot is one value|so it is no snapshot|take a snapshot of`), "other settings"},
	{regexp.MustCompile(`\.0; write`), "3.0 is a whole number to JSON"},
}

// isUnseen returns the number of what makes a mistake one of those, or -1.
func isUnseen(m Mistake) int {
	for i, u := range unseen {
		if u.text.MatchString(m.Text) {
			return i
		}
	}
	return -1
}

func compiledSchema(t testing.TB) *jsonschema.Schema {
	t.Helper()
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(Schema()))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("scenario.json", document); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("scenario.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// asJSON is what an editor makes of a value of TOML.
func asJSON(v any) any {
	switch v := v.(type) {
	case map[string]any:
		all := map[string]any{}
		for k, e := range v {
			all[k] = asJSON(e)
		}
		return all
	case []map[string]any:
		return asJSON(anys(v))
	case []any:
		all := make([]any, len(v))
		for i, e := range v {
			all[i] = asJSON(e)
		}
		return all
	case time.Time:
		return v.String()
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil
		}
	}
	return v
}

func anys(tables []map[string]any) []any {
	all := make([]any, len(tables))
	for i, t := range tables {
		all[i] = t
	}
	return all
}

// agree holds the schema and Load against each other on one file. It reports whether both took it.
func agree(t *testing.T, s *jsonschema.Schema, name string, text []byte) bool {
	t.Helper()
	_, _, err := Load(name, text)
	file, bad := decode(text)
	if bad != nil {
		if err == nil {
			t.Errorf("%s: loaded, and is not TOML", name)
		}
		return false // nor would an editor
	}
	refusal := s.Validate(asJSON(file.tree))
	var all *Errors
	errors.As(err, &all)
	switch {
	case err == nil && refusal != nil:
		t.Errorf("%s: Load takes it, the schema does not: %v\n%s", name, refusal, text)
	case err != nil && refusal == nil && slices.ContainsFunc(all.Mistakes, func(m Mistake) bool { return isUnseen(m) < 0 }):
		t.Errorf("%s: the schema takes it, Load does not, for a reason that a schema could see:\n%v", name, err)
	}
	return err == nil && refusal == nil
}

// TestSchemaFiles holds the schema and Load against each other on every scenario of the repository, good or bad:
// those that are shipped, files of tests, what Load writes, and those inside of scripts.
func TestSchemaFiles(t *testing.T) {
	s := compiledSchema(t)
	taken, refused := 0, 0
	file := func(name string, text []byte) {
		if agree(t, s, name, text) {
			taken++
		} else {
			refused++
		}
	}
	err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		switch filepath.Ext(path) {
		case ".toml":
			file(path, read(t, path))
		case ".golden":
			if strings.HasPrefix(path, "testdata") {
				file(path, read(t, path))
			}
		case ".txtar":
			for _, f := range txtar.Parse(read(t, path)).Files {
				if filepath.Ext(f.Name) == ".toml" {
					file(path+"/"+f.Name, f.Data)
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("both took %d files, one or both refused %d", taken, refused)
	if taken < 70 || refused < 70 {
		t.Errorf("%d files taken and %d refused are too few", taken, refused)
	}
}

// TestSchemaBad holds, for every mistake in the bad files but those that no schema sees, that the schema refuses what
// stands there, or the table around it; and that there is an example of each that no schema sees.
func TestSchemaBad(t *testing.T) {
	s := compiledSchema(t)
	examples := make([]int, len(unseen))
	files, _ := filepath.Glob("testdata/bad/*.toml")
	for _, name := range files {
		file, bad := decode(read(t, name))
		if bad != nil {
			continue
		}
		var refusal *jsonschema.ValidationError
		errors.As(s.Validate(asJSON(file.tree)), &refusal)
		refused := map[string]bool{}
		locations(refusal, refused)
		seen := func(path string) bool {
			for !refused[path] && (strings.Contains(path, "].config.") || strings.HasPrefix(path, "broker.")) {
				path = parent(path) // of a key with dots, a part may be wrong
			}
			return refused[path] || refused[parent(path)] || refused[path+"[0]"]
		}
		_, _, err := Load(name, read(t, name))
		var all *Errors
		errors.As(err, &all)
		for _, m := range all.Mistakes {
			if slices.ContainsFunc(file.places.pathsAt(m), seen) {
				continue
			}
			if i := isUnseen(m); i >= 0 {
				examples[i]++
			} else {
				t.Errorf("%s:%d:%d: the schema does not see: %s", name, m.Line, m.Column, m.Text)
			}
		}
	}
	for i, n := range examples {
		if n == 0 {
			t.Errorf("no bad file has a mistake as %q (%s)", unseen[i].text, unseen[i].why)
		}
	}
}

// locations notes the paths of what was refused.
func locations(e *jsonschema.ValidationError, paths map[string]bool) {
	if e == nil {
		return
	}
	if len(e.Causes) == 0 {
		var way []step
		for _, part := range e.InstanceLocation {
			if n, err := strconv.Atoi(part); err == nil && len(way) > 0 {
				way[len(way)-1].index = n
				continue
			}
			way = append(way, step{part, -1})
		}
		paths[pathOf(way)] = true
	}
	for _, cause := range e.Causes {
		locations(cause, paths)
	}
}

// pathsAt returns the paths of what stands at a mistake.
func (p *positions) pathsAt(m Mistake) []string {
	var paths []string
	if m.Line == 1 && m.Column == 1 {
		paths = append(paths, "")
	}
	for _, path := range sortedKeys(p.spots) {
		for _, s := range p.spots[path] {
			for _, offset := range []int{s.key, s.value} {
				if line, column := p.at(offset); line == m.Line && column == m.Column {
					paths = append(paths, path)
				}
			}
		}
	}
	return paths
}

// TestSchemaMutations changes the shipped scenarios in one place each, in every way that a slip of the pen might, and
// holds that Load and the schema agree on what comes out.
func TestSchemaMutations(t *testing.T) {
	names := append(scenarios.Names(), scenarios.In("bench")...)
	each := max(5, 1000/len(names))
	s := compiledSchema(t)
	chance := rand.New(rand.NewPCG(1, 2))
	both, refused := 0, 0
	for _, name := range names {
		text, _ := scenarios.Read(name)
		count := len(mutations(parsed(t, text)))
		for range each {
			tree := parsed(t, text)
			m := mutations(tree)[chance.IntN(count)]
			m.change()
			var changed bytes.Buffer
			if err := toml.NewEncoder(&changed).Encode(tree); err != nil {
				continue // a list of strings and numbers cannot be written
			}
			if agree(t, s, name+" with "+m.what, changed.Bytes()) {
				both++
			} else {
				refused++
			}
		}
	}
	t.Logf("of the changed scenarios both took %d, one or both refused %d", both, refused)
	if refused < both {
		t.Errorf("only %d of %d changes matter", refused, refused+both)
	}
}

func parsed(t *testing.T, text []byte) map[string]any {
	t.Helper()
	var tree map[string]any
	if _, err := toml.Decode(string(text), &tree); err != nil {
		t.Fatal(err)
	}
	return tree
}

// mutation is one change of a tree.
type mutation struct {
	what   string
	change func()
}

// mutations lists the changes of everything in a table: gone, called otherwise, of another type, another word.
func mutations(t map[string]any) []mutation {
	var all []mutation
	for _, k := range sortedKeys(t) {
		v := t[k]
		all = append(all,
			mutation{"no " + k, func() { delete(t, k) }},
			mutation{k + " misspelt", func() { delete(t, k); t[k+"x"] = v }},
		)
		for _, other := range []any{"x", int64(7), int64(-1), 0.5, true, "10s", []any{}, []any{"x"}, map[string]any{}, map[string]any{"x": "1s"}} {
			all = append(all, mutation{k + " is " + show(other), func() { t[k] = other }})
		}
		switch v := v.(type) {
		case string:
			all = append(all, mutation{k + " is another word", func() { t[k] = v + "-x" }})
		case map[string]any:
			all = append(all, mutations(v)...)
		case []map[string]any:
			for _, e := range v {
				all = append(all, mutations(e)...)
			}
		}
	}
	return all
}

// TestSchemaDescribes holds that every key that an editor offers says what it means, and that no pattern fills the screen.
func TestSchemaDescribes(t *testing.T) {
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(Schema()))
	if err != nil {
		t.Fatal(err)
	}
	definitions := document.(map[string]any)["definitions"].(map[string]any)
	keys := 0
	var walk func(where string, v any)
	walk = func(where string, v any) {
		table, _ := v.(map[string]any)
		properties, _ := table["properties"].(map[string]any)
		for k, p := range properties {
			p := p.(map[string]any)
			if ref, ok := p["$ref"].(string); ok {
				p = definitions[strings.TrimPrefix(ref, "#/definitions/")].(map[string]any)
			}
			keys++
			if text, _ := p["description"].(string); text == "" {
				t.Errorf("%s: %s has no description", where, k)
			}
			if pattern, _ := p["pattern"].(string); len(pattern) > 1000 {
				t.Errorf("%s: an editor shows the pattern that %s misses, and it has %d characters", where, k, len(pattern))
			}
			walk(where+"."+k, p)
		}
		walk := func(v any) {
			if v != nil {
				walk(where, v)
			}
		}
		walk(table["items"])
		if all, ok := table["allOf"].([]any); ok {
			walk(all[0])
		}
	}
	walk("", document)
	if keys < 200 {
		t.Errorf("the schema has %d keys, too few", keys)
	}
}

// TestSchemaBytes holds that the schema is the same each time, and no more than an editor can read at once.
func TestSchemaBytes(t *testing.T) {
	text := Schema()
	if len(text) > 512<<10 {
		t.Errorf("the schema has %d bytes", len(text))
	}
	if !bytes.Equal(text, Schema()) {
		t.Error("the schema is not the same twice")
	}
}
