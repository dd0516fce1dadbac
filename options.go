package proviso

import (
	"context"
	"fmt"
	"net/url"
	"strings"
)

// EngineOptions is the one set of options that all engines take, so that
// switching engines is switching an import. The zero value and nil are safe:
// nothing is loaded and formats annotate.
type EngineOptions struct {
	// DefaultDialect is the dialect of schemas without $schema; the zero value
	// stands for [DefaultDialect].
	DefaultDialect Dialect
	// Format says whether the format keyword can make an instance invalid.
	Format FormatPolicy
	// AssertContent makes contentEncoding, contentMediaType and contentSchema
	// able to make an instance invalid. They only annotate otherwise. An engine
	// that cannot do so refuses schemas with these keywords.
	AssertContent bool
	// Resources are documents that $ref and $schema may name, by absolute URI
	// without a fragment. The meta-schemas of the known dialects are always
	// there.
	Resources map[string]*Document
	// Loader is asked for referenced documents that are not in Resources. Nil
	// loads nothing: then a reference to them is a *LoadError.
	Loader Loader
	// Regexp says what may serve to match the patterns of pattern and
	// patternProperties.
	Regexp RegexpPolicy
}

// FormatPolicy says what the format keyword does. It means the same on all
// engines and in all dialects.
type FormatPolicy uint8

const (
	// FormatAnnotate lets format make no instance invalid. It is the default,
	// as the specifications from 2019-09 on have it (2020-12 Validation, section
	// 7.2.1).
	FormatAnnotate FormatPolicy = iota
	// FormatAssert makes an instance invalid that is not of its format, for the
	// formats that the engine knows.
	FormatAssert
)

// RegexpPolicy says what may match patterns, which are ECMA-262 regular
// expressions (2020-12 Core, section 6.4).
type RegexpPolicy uint8

const (
	// RegexpAny takes Go's regexp, which runs in linear time, for the patterns
	// that it can express. Engines that have another matcher take it, with a bound on its
	// time, for the others (lookaround, backreferences), and engines that have
	// none refuse them. It is the default.
	RegexpAny RegexpPolicy = iota
	// RegexpLinear takes Go's regexp alone. Patterns that it cannot express are
	// refused.
	RegexpLinear
)

// A Loader returns the text of a document that a reference names, an absolute
// URI without a fragment. Whatever it reads, and whom it trusts, is the
// caller's decision: a schema from a stranger can name any URI.
type Loader interface {
	Load(ctx context.Context, uri string) ([]byte, error)
}

// LoaderFunc makes a Loader of a function.
type LoaderFunc func(ctx context.Context, uri string) ([]byte, error)

// Load calls f.
func (f LoaderFunc) Load(ctx context.Context, uri string) ([]byte, error) { return f(ctx, uri) }

// Checked returns a copy of o, with its defaults filled in, that shares no map
// with o. Providers call it at construction. A nil o gives the defaults. The error
// names the option that makes no sense.
func (o *EngineOptions) Checked() (*EngineOptions, error) {
	c := EngineOptions{}
	if o != nil {
		c = *o
	}
	if c.DefaultDialect == 0 {
		c.DefaultDialect = DefaultDialect
	}
	if !c.DefaultDialect.Known() {
		return nil, fmt.Errorf("EngineOptions.DefaultDialect: %d is not a dialect", c.DefaultDialect)
	}
	if c.Format > FormatAssert {
		return nil, fmt.Errorf("EngineOptions.Format: %d is not a policy", c.Format)
	}
	if c.Regexp > RegexpLinear {
		return nil, fmt.Errorf("EngineOptions.Regexp: %d is not a policy", c.Regexp)
	}
	resources := make(map[string]*Document, len(c.Resources))
	for uri, doc := range c.Resources {
		key := resourceKey(uri)
		if u, err := url.Parse(key); err != nil || !u.IsAbs() || u.Fragment != "" {
			return nil, fmt.Errorf("EngineOptions.Resources: %q is not an absolute URI without a fragment", uri)
		}
		if doc == nil {
			return nil, fmt.Errorf("EngineOptions.Resources: %q has no document", uri)
		}
		if _, ok := resources[key]; ok {
			return nil, fmt.Errorf("EngineOptions.Resources: %q is there twice, with and without #", key)
		}
		resources[key] = doc
	}
	c.Resources = resources
	return &c, nil
}

// Resource returns the document that a URI names among the Resources, with or
// without an empty fragment. A nil o has none.
func (o *EngineOptions) Resource(uri string) (*Document, bool) {
	if o == nil {
		return nil, false
	}
	doc, ok := o.Resources[resourceKey(uri)]
	return doc, ok
}

// resourceKey drops an empty fragment.
func resourceKey(uri string) string { return strings.TrimSuffix(uri, "#") }
