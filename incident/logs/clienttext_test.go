package logs

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// clientRecords makes records of lines as a reader does: of objects the text and the fields; what begins with a bar belongs
// to the line before.
func clientRecords(text string) []record {
	var records []record
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		if more, ok := strings.CutPrefix(line, "| "); ok && len(records) > 0 {
			last := &records[len(records)-1]
			last.more = append(last.more, []byte(more))
			continue
		}
		records = append(records, clientRecord(line))
	}
	return records
}

func clientRecord(line string) record {
	r := record{text: []byte(line)}
	head, object, ok := strings.Cut(line, `{"`)
	if !ok {
		return r
	}
	decoder := json.NewDecoder(strings.NewReader(`{"` + object))
	decoder.UseNumber()
	var members map[string]any
	if decoder.Decode(&members) != nil {
		return r
	}
	r.fields = flat(nil, "", members)
	r.text = []byte(strings.TrimRight(head, " \t"))
	m := message{fields: r.fields}
	if own := m.value("message", "msg"); own != "" {
		r.text = []byte(own)
	}
	return r
}

func flat(fields []field, prefix string, members map[string]any) []field {
	for _, key := range slices.Sorted(maps.Keys(members)) {
		switch value := members[key].(type) {
		case map[string]any:
			fields = flat(fields, prefix+key+".", value)
		case string:
			fields = append(fields, field{prefix + key, value})
		default:
			var text bytes.Buffer
			_ = json.NewEncoder(&text).Encode(value)
			fields = append(fields, field{prefix + key, strings.TrimSpace(text.String())})
		}
	}
	return fields
}
