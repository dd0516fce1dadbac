package reference

import (
	"strings"

	"github.com/proviso-go/proviso"
)

// place is a location, as a list from its end to the root; nil where nobody
// will ask for it.
type place struct {
	parent  *place
	token   string
	index   int // instead of token, if isIndex
	isIndex bool
}

func (p *place) child(token string) *place {
	if p == nil {
		return nil
	}
	return &place{parent: p, token: token}
}

func (p *place) element(i int) *place {
	if p == nil {
		return nil
	}
	return &place{parent: p, index: i, isIndex: true}
}

// String returns the location as a JSON Pointer, in time linear in its length.
func (p *place) String() string {
	var tokens []string // innermost first
	length := 0
	for ; p != nil && p.parent != nil; p = p.parent {
		token := ""
		if p.isIndex {
			token = proviso.AppendPointerIndex("", p.index)
		} else {
			token = proviso.AppendPointer("", p.token)
		}
		tokens = append(tokens, token)
		length += len(token)
	}
	var b strings.Builder
	b.Grow(length)
	for i := len(tokens) - 1; i >= 0; i-- {
		b.WriteString(tokens[i])
	}
	return b.String()
}

// failure is a unit whose locations have not been written yet: most failures are
// those of a branch beside one that matches.
type failure struct {
	node     *node
	keyword  string
	at, path *place
	message  string
}

// units writes the failures, the first in any case and then as many as
// maxLocationBytes has room for.
func (r *run) units() (units []proviso.Unit, truncated bool) {
	length := 0
	for i, f := range r.failures {
		u := f.unit()
		length += len(u.InstanceLocation) + len(u.KeywordLocation) + len(u.AbsoluteKeywordLocation)
		if i > 0 && length > maxLocationBytes {
			return units, true
		}
		units = append(units, u)
	}
	return units, r.truncated
}

func (f failure) unit() proviso.Unit {
	u := proviso.Unit{
		InstanceLocation: f.at.String(), KeywordLocation: f.path.String(), AbsoluteKeywordLocation: f.node.Absolute(),
		Keyword: f.keyword, Message: f.message,
	}
	if f.keyword != "" {
		u.KeywordLocation = proviso.AppendPointer(u.KeywordLocation, f.keyword)
		u.AbsoluteKeywordLocation = proviso.AppendPointer(u.AbsoluteKeywordLocation, f.keyword)
	} else if f.path.parent != nil {
		u.Keyword = lastKeyword(f.path)
	}
	return u
}

// lastKeyword names the keyword that a false subschema stands under:
// properties rather than the property's name.
func lastKeyword(path *place) string {
	if path.isIndex || namesMembers(path.parent) {
		return path.parent.token
	}
	return path.token
}

// namesMembers reports whether the token that follows is the name of a
// subschema and not a keyword.
func namesMembers(p *place) bool {
	if p.parent == nil || p.isIndex {
		return false
	}
	switch p.token {
	case "properties", "patternProperties", "dependentSchemas", "dependencies":
		// Unless it is itself such a name.
		return !namesMembers(p.parent)
	}
	return false
}
