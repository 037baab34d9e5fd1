package conformance

import (
	"fmt"
	"reflect"
)

// difference finds where two values of the same type differ, and counts the fields it compared. Empty
// and missing lists are the same.
type difference struct {
	fields int
	found  []string // "path: got X, Kafka has Y"
}

func (d *difference) compare(path string, got, want any) {
	d.walk(path, reflect.ValueOf(got), reflect.ValueOf(want))
}

func (d *difference) walk(path string, got, want reflect.Value) {
	switch want.Kind() {
	case reflect.Struct:
		for i := range want.NumField() {
			d.walk(path+"."+want.Type().Field(i).Name, got.Field(i), want.Field(i))
		}
	case reflect.Slice:
		d.list(path, got, want)
	case reflect.Pointer:
		if got.IsNil() || want.IsNil() {
			d.leaf(path, got.IsNil() == want.IsNil(), got, want)
			return
		}
		d.walk(path, got.Elem(), want.Elem())
	default:
		d.leaf(path, got.Equal(want), got, want)
	}
}

func (d *difference) list(path string, got, want reflect.Value) {
	if got.Len() != want.Len() {
		d.fields++
		d.found = append(d.found, fmt.Sprintf("%s: got %d entries, Kafka has %d: got %s, Kafka has %s",
			path, got.Len(), want.Len(), show(got), show(want)))
		return
	}
	for i := range want.Len() {
		d.walk(fmt.Sprintf("%s[%d]", path, i), got.Index(i), want.Index(i))
	}
}

func (d *difference) leaf(path string, equal bool, got, want reflect.Value) {
	d.fields++
	if !equal {
		d.found = append(d.found, fmt.Sprintf("%s: got %s, Kafka has %s", path, show(got), show(want)))
	}
}

func show(v reflect.Value) string {
	if v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return "nothing"
		}
		v = v.Elem()
	}
	return fmt.Sprintf("%+v", v.Interface())
}
