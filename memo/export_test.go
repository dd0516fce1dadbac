package memo

import "github.com/proviso-go/proviso"

// Narrow leaves so few bits of each hash that contents collide.
func Narrow(m *Memo, bits int) { m.mask = 1<<bits - 1 }

// Indexed returns how many contents and texts lead to something.
func Indexed(m *Memo) (contents, texts int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.contents.count, m.texts.count
}

// Knows reports whether a text leads to something without decoding.
func Knows(m *Memo, text []byte) bool {
	e, _ := m.matchText(m.hasher.Text(text)&m.mask, text)
	return e != nil
}

// Late does what a request does that found a validator before it was forgotten.
func Late(m *Memo, v proviso.Validator) { m.store.admit(v.(*entry)) }

// Chains returns what a reader holds that has looked a content up already, as a
// function that follows it.
func Chains(m *Memo) (found func() int) {
	var all []*node
	m.contents.each(func(n *node) { all = append(all, n) })
	return func() (n int) {
		for _, node := range all {
			if node.record.find() != nil {
				n++
			}
		}
		return n
	}
}

// Longest returns the length of the longest chain of the contents.
func Longest(m *Memo) (longest int) {
	t := m.contents.table.Load()
	for i := range t.buckets {
		length := 0
		for n := t.buckets[i].Load(); n != nil; n = n.next {
			length++
		}
		longest = max(longest, length)
	}
	return longest
}
