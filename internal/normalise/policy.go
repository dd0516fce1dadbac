package normalise

import "github.com/proviso-go/proviso"

// Annotating drops the keywords that only annotate under the options: format,
// and the content keywords. Where they would have to assert, they are
// refused: an engine whose own formats are used must see to them before.
func Annotating(s *Subschema, options *proviso.EngineOptions) error {
	if _, ok := s.Keywords["format"]; ok {
		if options.Format == proviso.FormatAssert || s.Node.Resource.Vocabularies.FormatAssertion {
			return s.Refuse("format", "formats are to be asserted, which this engine does in its own way, if at all")
		}
		delete(s.Keywords, "format")
	}
	for _, keyword := range []string{"contentEncoding", "contentMediaType", "contentSchema"} {
		if _, ok := s.Keywords[keyword]; !ok {
			continue
		}
		if options.AssertContent {
			return s.Refuse(keyword, "content is to be asserted, which this engine cannot do")
		}
		delete(s.Keywords, keyword)
	}
	return nil
}
