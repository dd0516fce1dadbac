package memo

// Narrow leaves so few bits of each hash that contents collide.
func Narrow(m *Memo, bits int) { m.mask = 1<<bits - 1 }

// Indexed returns how many contents and texts lead to something.
func Indexed(m *Memo) (contents, texts int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.contents.count, m.texts.count
}
