package wire

import "testing"

// The values are those of java.lang.String.hashCode.
func TestStringHash(t *testing.T) {
	for text, want := range map[string]int32{
		"": 0, "g": 103, "orders": -1008770331, "Aa": 2112, "BB": 2112, "ä": 228, "😀": 1772899,
	} {
		if got := StringHash(text); got != want {
			t.Errorf("StringHash(%q) = %d, want %d", text, got, want)
		}
	}
}
