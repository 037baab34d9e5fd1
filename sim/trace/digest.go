package trace

import (
	"fmt"
	"hash"
	"hash/fnv"
)

// Digest identifies a run: FNV-1a, 64 bits, over AppendJSON of every event that is not routine. Two runs
// with the same digest are the same run, whether or not their traces were written.
type Digest struct {
	hash hash.Hash64
	json []byte
}

// NewDigest returns the digest of no event.
func NewDigest() *Digest { return &Digest{hash: fnv.New64a()} }

// Record adds e.
func (d *Digest) Record(e Event) {
	if e.Kind.Routine() {
		return
	}
	d.json = AppendJSON(d.json[:0], e)
	d.hash.Write(d.json) // never fails (hash.Hash)
}

// IgnoresRoutine reports that routine events do not count.
func (d *Digest) IgnoresRoutine() bool { return true }

// Sum returns the digest of the events so far as 16 hexadecimal digits.
func (d *Digest) Sum() string { return fmt.Sprintf("%016x", d.hash.Sum64()) }
