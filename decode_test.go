package proviso_test

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/proviso-go/proviso"
)

func TestDecode(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]any{
		` null `:                        nil,
		"\ttrue\r\n":                    true,
		`false`:                         false,
		`0`:                             json.Number("0"),
		`-0`:                            json.Number("-0"),
		`1.50e+07`:                      json.Number("1.50e+07"),
		`9007199254740993`:              json.Number("9007199254740993"),
		`1e1000000000`:                  json.Number("1e1000000000"),
		`""`:                            "",
		`"a\"\\\/\b\f\n\r\t"`:           "a\"\\/\b\f\n\r\t",
		`"\u00e9é"`:                     "éé",
		`"\ud83d\ude00😀"`:               "😀😀",
		`"\u0000"`:                      "\x00",
		`[]`:                            []any{},
		`[1,[],{}]`:                     []any{json.Number("1"), []any{}, map[string]any{}},
		`{}`:                            map[string]any{},
		`{"a":{"a":1},"":null, "b":[]}`: map[string]any{"a": map[string]any{"a": json.Number("1")}, "": nil, "b": []any{}},
	} {
		got, err := proviso.Decode([]byte(text))
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("Decode(%q) = %#v, %v; want %#v", text, got, err, want)
		}
	}
}

func TestDecodeRefuses(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text         string
		line, column int
		location     string
		reason       string
	}{
		{"", 1, 1, "", "empty"},
		{"  \n ", 2, 2, "", "ends where a JSON value"},
		{"\ufeff{}", 1, 1, "", "byte order mark"},
		{"\x7fELF\x02\x01", 1, 1, "", "unexpected character"},
		{"\xff\xfe", 1, 1, "", "not valid UTF-8"},
		{"nul", 1, 1, "", "a word"},
		{"True", 1, 1, "", "unexpected character 'T'"},
		{"NaN", 1, 1, "", "unexpected character 'N'"},
		{"1 2", 1, 3, "", "after the JSON value"},
		{"{}\n{}", 2, 1, "", "after the JSON value"},
		{"[1,]", 1, 4, "/1", "unexpected character ']'"},
		{"[1 2]", 1, 4, "", "a comma or ]"},
		{"[1", 1, 3, "", "ends where a comma or ]"},
		{`{"a":1,}`, 1, 8, "", "member name"},
		{`{a:1}`, 1, 2, "", "member name"},
		{`{"a" 1}`, 1, 6, "/a", "a colon"},
		{`{"a":1 "b":2}`, 1, 8, "", "a comma or }"},
		{`{"a":`, 1, 6, "/a", "ends where a JSON value"},
		{"{\"a\":1,\n \"b\":{\"x\":1,\"x\":2}}", 2, 13, "/b/x", `duplicate member name "x"`},
		{`{"a":1,"\u0061":2}`, 1, 8, "/a", `duplicate member name "a"`},
		{`{"~/":[0,tru]}`, 1, 10, "/~0~1/1", "a word"},
		{"01", 1, 1, "", "leading zero"},
		{"-", 1, 1, "", "number"},
		{"+1", 1, 1, "", "unexpected character '+'"},
		{".5", 1, 1, "", "unexpected character '.'"},
		{"1.", 1, 2, "", "end of a number"},
		{"1e", 1, 2, "", "end of a number"},
		{"1.5.2", 1, 4, "", "end of a number"},
		{"0x10", 1, 2, "", "end of a number"},
		{`"a`, 1, 3, "", "within a string"},
		{`"a\`, 1, 3, "", "within a string"},
		{`"é` + "\n" + `"`, 1, 3, "", "control character"},
		{`"\x"`, 1, 2, "", "backslash"},
		{`"\u12g4"`, 1, 2, "", "hexadecimal"},
		{`"\ud800"`, 1, 2, "", "lone surrogate"},
		{`"\udc00\ud800"`, 1, 2, "", "lone surrogate"},
		{`"\ud800\u0061"`, 1, 2, "", "lone surrogate"},
		{"\"a\xffb\"", 1, 3, "", "not valid UTF-8"},
		{"\"\xed\xa0\x80\"", 1, 2, "", "not valid UTF-8"},
		{"\"\xc0\xaf\"", 1, 2, "", "not valid UTF-8"},
	} {
		got, err := proviso.Decode([]byte(c.text))
		decode, ok := errors.AsType[*proviso.DecodeError](err)
		if !ok {
			t.Errorf("Decode(%q) = %#v, %v; want a *DecodeError", c.text, got, err)
			continue
		}
		if decode.Line != c.line || decode.Column != c.column || decode.Location != c.location || !strings.Contains(decode.Reason, c.reason) {
			t.Errorf("Decode(%q): %d:%d %q %q; want %d:%d %q ...%q...", c.text,
				decode.Line, decode.Column, decode.Location, decode.Reason, c.line, c.column, c.location, c.reason)
		}
	}
}

func TestDecodeDepth(t *testing.T) {
	t.Parallel()
	nested := func(n int) []byte { return []byte(strings.Repeat("[", n) + strings.Repeat("]", n)) }
	if _, err := proviso.Decode(nested(proviso.MaxDepth)); err != nil {
		t.Errorf("%d levels: %v", proviso.MaxDepth, err)
	}
	for _, text := range [][]byte{nested(proviso.MaxDepth + 1), []byte(strings.Repeat(`{"a":[`, 1_000_000))} {
		_, err := proviso.Decode(text)
		limit, ok := errors.AsType[*proviso.LimitError](err)
		if !ok || limit.Limit != proviso.LimitDepth || limit.Max != proviso.MaxDepth {
			t.Errorf("too deep: %v", err)
		}
		if err != nil && len(err.Error()) > 600 {
			t.Errorf("the error is %d bytes long", len(err.Error()))
		}
	}
}

// TestDecodeAgrees compares with encoding/json, which takes more but decodes
// what both take to the same value.
func TestDecodeAgrees(t *testing.T) {
	t.Parallel()
	fragments := rapid.SampledFrom([]string{
		"{", "}", "[", "]", ",", ":", `"a"`, `"b"`, `"\u0041"`, `"\ud83d\ude00"`, `"é"`, "1", "-0.5e3", "true", "null", " ", "\n", `"`, "0", "\\",
	})
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(fragments, 0, 30).Draw(t, "text"), "")
		got, err := proviso.Decode([]byte(text))
		var want any
		d := json.NewDecoder(strings.NewReader(text))
		d.UseNumber()
		wantErr := d.Decode(&want)
		if wantErr != nil && err == nil {
			t.Fatalf("Decode(%q) = %v; encoding/json: %v", text, got, wantErr)
		}
		if err == nil && !reflect.DeepEqual(got, want) {
			t.Fatalf("Decode(%q) = %#v; want %#v", text, got, want)
		}
	})
}

func FuzzDecode(f *testing.F) {
	for _, seed := range []string{`{"a":[1,2.5e-3,"\ud83d\ude00",null,true]}`, `{"a":1,"a":2}`, "\"\xff\"", `"\ud800"`, "[[[[", "1e999999999", ""} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		got, err := proviso.Decode(text)
		if err != nil {
			_ = err.Error()
			return
		}
		if !json.Valid(text) {
			t.Fatalf("Decode takes %q, which encoding/json does not", text)
		}
		again, err := json.Marshal(got)
		if err != nil {
			t.Fatal(err)
		}
		if second, err := proviso.Decode(again); err != nil || !reflect.DeepEqual(got, second) {
			t.Fatalf("%q decodes to %#v, and its JSON %q to %#v, %v", text, got, again, second, err)
		}
	})
}

func BenchmarkDecode(b *testing.B) {
	text := []byte(`{"type":"object","properties":{"temperature":{"type":"number","minimum":-90.5},"conditions":{"type":"string"},"hours":{"type":"array","items":{"type":"object","properties":{"at":{"type":"string"},"rain":{"type":"number"}},"required":["at"]}}},"required":["temperature","conditions"]}`)
	b.Run("Decode", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		b.ReportAllocs()
		for b.Loop() {
			if _, err := proviso.Decode(text); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("encoding-json", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		b.ReportAllocs()
		for b.Loop() {
			var v any
			if err := json.Unmarshal(text, &v); err != nil {
				b.Fatal(err)
			}
		}
	})
}
