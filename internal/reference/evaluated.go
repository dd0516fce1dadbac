package reference

// evaluated is what the annotations of a schema and its in-place applicators
// say about one object or array (2020-12 Core, sections 10.3 and 11). Nil
// where no unevaluatedItems or unevaluatedProperties asks.
type evaluated struct {
	allProperties bool
	properties    map[string]bool
	// items is how many from the first on are evaluated; allItems, that all are;
	// single are others (those that contains of 2020-12 has matched).
	items    int
	allItems bool
	single   map[int]bool
}

func (e *evaluated) property(name string) {
	if e == nil {
		return
	}
	if e.properties == nil {
		e.properties = make(map[string]bool)
	}
	e.properties[name] = true
}

func (e *evaluated) firstItems(n int) {
	if e != nil {
		e.items = max(e.items, n)
	}
}

func (e *evaluated) item(i int) {
	if e == nil {
		return
	}
	if e.single == nil {
		e.single = make(map[int]bool)
	}
	e.single[i] = true
}

func (e *evaluated) everyProperty() {
	if e != nil {
		e.allProperties = true
	}
}

func (e *evaluated) everyItem() {
	if e != nil {
		e.allItems = true
	}
}

func (e *evaluated) hasProperty(name string) bool { return e.allProperties || e.properties[name] }

func (e *evaluated) hasItem(i int) bool { return e.allItems || i < e.items || e.single[i] }

// add takes over what a subschema has evaluated.
func (e *evaluated) add(other *evaluated) {
	if e == nil || other == nil {
		return
	}
	e.allProperties = e.allProperties || other.allProperties
	e.allItems = e.allItems || other.allItems
	e.items = max(e.items, other.items)
	for name := range other.properties {
		e.property(name)
	}
	for i := range other.single {
		e.item(i)
	}
}
