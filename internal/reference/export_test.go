package reference

// SetMaxSteps makes the bound on evaluations a small one.
func (w *Walker) SetMaxSteps(n int) { w.maxSteps = n }
