package reference

import (
	"encoding/base64"
	"errors"

	"github.com/proviso-go/proviso"
)

// content judges what a string holds: base64 and JSON, the encoding and the
// media type that the specification names (2020-12 Validation, section 8). What is
// encoded in another way, or of another type, is not looked at. JSON is what
// proviso.Decode takes.
func (r *run) content(n *node, v string, at, path *place) bool {
	decoded := []byte(v)
	encoding, encoded := n.known("contentEncoding")
	if encoding == "base64" {
		var err error
		if decoded, err = base64.StdEncoding.DecodeString(v); err != nil {
			r.fail(n, "contentEncoding", at, path, "want base64")
			return false
		}
	} else if encoded {
		return true
	}
	if media, _ := n.known("contentMediaType"); media != "application/json" {
		return true
	}
	value, err := proviso.Decode(decoded)
	if limit, ok := errors.AsType[*proviso.LimitError](err); ok {
		if r.err == nil {
			limit.Location, limit.Instance, limit.Reason = at.String(), true, "the content of a string"
			r.err = limit
		}
		return false
	}
	if err != nil {
		r.fail(n, "contentMediaType", at, path, "want JSON")
		return false
	}
	schema := n.one["contentSchema"]
	return schema == nil || r.apply(schema, value, nil, at, path.child("contentSchema"))
}
