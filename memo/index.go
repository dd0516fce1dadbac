package memo

import "sync/atomic"

// An index finds records by a hash. Reading takes no lock and changes nothing,
// so that hits on many cores do not wait for each other; writing is for one goroutine at a
// time (Memo.mu). The nodes of a bucket are immutable: a change makes a new
// chain and puts it in the place of the old one.
//
// Hashes are keyed by a secret seed, so that chains stay short whatever the
// schemas are.
type index struct {
	table atomic.Pointer[table]
	count int // of nodes; guarded by Memo.mu
}

type table struct {
	mask    uint64
	buckets []atomic.Pointer[node]
}

type node struct {
	hash   uint64
	record *record
	next   *node
}

const smallestTable = 16

func newTable(size int) *table {
	return &table{mask: uint64(size - 1), buckets: make([]atomic.Pointer[node], size)}
}

func newIndex() *index {
	x := &index{}
	x.clear()
	return x
}

func (t *table) bucket(hash uint64) *atomic.Pointer[node] { return &t.buckets[hash&t.mask] }

// find returns the chain that has the nodes with the hash among others. It stays
// the same as long as the chain does not change.
func (x *index) find(hash uint64) *node { return x.table.Load().bucket(hash).Load() }

// add makes a record found by the hash.
func (x *index) add(hash uint64, r *record) {
	t := x.table.Load()
	if x.count >= len(t.buckets) {
		t = x.resize(2 * len(t.buckets))
	}
	b := t.bucket(hash)
	b.Store(&node{hash, r, b.Load()})
	x.count++
}

// remove undoes add.
func (x *index) remove(hash uint64, r *record) {
	t := x.table.Load()
	b := t.bucket(hash)
	chain, removed := without(b.Load(), hash, r)
	if !removed {
		return
	}
	b.Store(chain)
	x.count--
	if size := len(t.buckets); size > smallestTable && x.count < size/8 {
		x.resize(size / 2)
	}
}

// without returns the chain without the first node of a hash and a record.
func without(n *node, hash uint64, r *record) (*node, bool) {
	if n == nil {
		return nil, false
	}
	if n.hash == hash && n.record == r {
		return n.next, true
	}
	rest, removed := without(n.next, hash, r)
	if !removed {
		return n, false
	}
	return &node{n.hash, n.record, rest}, true
}

func (x *index) resize(size int) *table {
	t := newTable(size)
	x.each(func(n *node) {
		b := t.bucket(n.hash)
		b.Store(&node{n.hash, n.record, b.Load()})
	})
	x.table.Store(t)
	return t
}

func (x *index) each(do func(*node)) {
	old := x.table.Load()
	for i := range old.buckets {
		for n := old.buckets[i].Load(); n != nil; n = n.next {
			do(n)
		}
	}
}

func (x *index) clear() {
	x.count = 0
	x.table.Store(newTable(smallestTable))
}
