package coordinator

import (
	"iter"

	"simulate/sim/wire"
)

// javaMap is a map that is walked in the order of a java.util.HashMap with the same history.
//
// Kafka keeps members, pending ids and votes in HashMaps, and their order decides who leads next, which
// protocol wins a tie and who is answered first. With the real member ids this order is therefore
// behaviour (M-20), and nothing about it is left to chance. Not modelled: buckets that Java turns into
// trees, which needs eight ids in one bucket.
type javaMap[K ~string, V any] struct {
	byKey   map[K]*entry[K, V]
	buckets []*entry[K, V] // oldest entry first; never shrinks
}

type entry[K ~string, V any] struct {
	key   K
	value V
	hash  uint32
	next  *entry[K, V]
}

const initialCapacity = 16

func newJavaMap[K ~string, V any]() javaMap[K, V] {
	return javaMap[K, V]{byKey: map[K]*entry[K, V]{}, buckets: make([]*entry[K, V], initialCapacity)}
}

func (m *javaMap[K, V]) len() int { return len(m.byKey) }

func (m *javaMap[K, V]) get(k K) (V, bool) {
	if e := m.byKey[k]; e != nil {
		return e.value, true
	}
	var none V
	return none, false
}

func (m *javaMap[K, V]) has(k K) bool { return m.byKey[k] != nil }

// put keeps the place of a key that is already there.
func (m *javaMap[K, V]) put(k K, v V) {
	if e := m.byKey[k]; e != nil {
		e.value = v
		return
	}
	e := &entry[K, V]{key: k, value: v, hash: spread(uint32(wire.StringHash(string(k))))}
	m.byKey[k] = e
	m.link(e)
	if len(m.byKey)*4 > len(m.buckets)*3 {
		m.grow()
	}
}

func (m *javaMap[K, V]) remove(k K) {
	e := m.byKey[k]
	if e == nil {
		return
	}
	delete(m.byKey, k)
	at := m.bucket(e)
	for *at != e {
		at = &(*at).next
	}
	*at = e.next
}

// clear forgets the entries and keeps the table, as Java does.
func (m *javaMap[K, V]) clear() {
	clear(m.byKey)
	clear(m.buckets)
}

// all walks the entries in Java's order. The entry that was yielded last may be removed meanwhile.
func (m *javaMap[K, V]) all() iter.Seq2[K, V] {
	return func(yield func(K, V) bool) {
		for _, e := range m.buckets {
			for e != nil {
				next := e.next
				if !yield(e.key, e.value) {
					return
				}
				e = next
			}
		}
	}
}

// keys lists the keys in Java's order.
func (m *javaMap[K, V]) keys() []K {
	keys := make([]K, 0, len(m.byKey))
	for k := range m.all() {
		keys = append(keys, k)
	}
	return keys
}

func (m *javaMap[K, V]) bucket(e *entry[K, V]) **entry[K, V] {
	return &m.buckets[e.hash&uint32(len(m.buckets)-1)]
}

func (m *javaMap[K, V]) link(e *entry[K, V]) {
	at := m.bucket(e)
	for *at != nil {
		at = &(*at).next
	}
	*at = e
}

// grow doubles the table. Entries that stay together keep their relative order.
func (m *javaMap[K, V]) grow() {
	old := m.buckets
	m.buckets = make([]*entry[K, V], 2*len(old))
	for _, e := range old {
		for e != nil {
			next := e.next
			e.next = nil
			m.link(e)
			e = next
		}
	}
}

// spread is HashMap.hash.
func spread(h uint32) uint32 { return h ^ h>>16 }
