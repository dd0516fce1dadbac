package report

import (
	"encoding/json"
	"fmt"
	"unicode"
	"unicode/utf16"

	"github.com/proviso-go/proviso"
	"github.com/proviso-go/proviso/cmd/proviso/internal/source"
)

// envelope names what an output document is about, or says why there is none.
type envelope struct {
	Document string          `json:"document"`
	Line     int             `json:"line,omitempty"`
	Output   *proviso.Output `json:"output,omitempty"`
	Error    string          `json:"error,omitempty"`
}

func (r *Reporter) output(d source.Document, verdict error) error {
	e := envelope{Document: d.Name, Line: d.Line}
	output, err := proviso.NewOutput(verdict, proviso.OutputFormat(r.options.Format))
	var text []byte
	switch {
	case err != nil:
		e.Error = outputMessage(d, err)
		text, err = json.Marshal(e)
	case r.options.Enveloped:
		e.Output = output
		text, err = json.Marshal(e)
	default:
		text, err = json.MarshalIndent(output, "", "  ")
	}
	if err != nil {
		return err
	}
	_, err = r.out.Write(append(escape(text), '\n'))
	return err
}

// outputMessage tells the line too where the envelope does not.
func outputMessage(d source.Document, err error) string {
	if d.Line > 0 {
		return Message(err, true)
	}
	return err.Error()
}

// escape writes what [Printable] does not let through as JSON escapes. Outside
// of strings a JSON text has nothing of the kind but line feeds.
func escape(text []byte) []byte {
	var escaped []byte
	for _, c := range string(text) {
		switch {
		case unicode.IsGraphic(c) || c == '\n':
			escaped = append(escaped, string(c)...)
		case c > 0xffff:
			high, low := utf16.EncodeRune(c)
			escaped = fmt.Appendf(escaped, `\u%04x\u%04x`, high, low)
		default:
			escaped = fmt.Appendf(escaped, `\u%04x`, c)
		}
	}
	return escaped
}
