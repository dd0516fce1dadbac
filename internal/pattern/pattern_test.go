package pattern_test

import (
	"errors"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/proviso-go/proviso"
	"github.com/proviso-go/proviso/internal/pattern"
)

func TestTranslateMatches(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		pattern  string
		yes, not []string
	}{
		{`^\d+$`, []string{"0", "42"}, []string{"", "a", "৪", "1\n"}},
		{`^\w$`, []string{"a", "_"}, []string{"é"}},
		{`^\s$`, []string{" ", "\t", "\v", "\f", "\u00a0", "\u2003", "\u2028", "\ufeff"}, []string{"a", "", "\u200b"}},
		{`^\S$`, []string{"a", "😀", "\u200b"}, []string{" ", "\v", "\u00a0", "\ufeff"}},
		{`^[\s]$`, []string{"\ufeff", "\v"}, []string{"s", `\`}},
		{`^[^\s]$`, []string{"a"}, []string{"\ufeff", "\v"}},
		{`^[\S ]$`, []string{"a", " "}, []string{"\v"}},
		{`^.$`, []string{"a", "😀", "\v"}, []string{"\n", "\r", "\u2028", "\u2029", ""}},
		{`a$`, []string{"a", "ba"}, []string{"a\n"}},
		{`^\cC$`, []string{"\x03"}, []string{"cC"}},
		{`^\x41\u0042\u{43}\u{1F600}\ud83d\ude00$`, []string{"ABC😀😀"}, nil},
		{`^[\u0041-\u{43}]$`, []string{"B"}, []string{"D"}},
		{`\ud800`, nil, []string{"", "\ufffd"}},
		{`^\/\-\_\"\@$`, []string{`/-_"@`}, nil},
		{`^[\w-.]$`, []string{"a", "-", "."}, []string{"/", " "}},
		{`^[a-]$`, []string{"a", "-"}, []string{"b"}},
		{`^[-a]$`, []string{"a", "-"}, []string{"b"}},
		{`^[[:alpha:]]$`, []string{":]", "a]"}, []string{"b"}},
		{`^[]$`, nil, []string{"", "a"}},
		{`^[^]$`, []string{"a", "\n"}, []string{""}},
		{`^[\b]$`, []string{"\b"}, []string{"b"}},
		{`^\0$`, []string{"\x00"}, []string{"0"}},
		{`^{a}$`, []string{"{a}"}, nil},
		{`^a{2,3}$`, []string{"aa", "aaa"}, []string{"a", "aaaa"}},
		{`^\p{Letter}\p{Lu}\p{gc=Nd}\p{Script=Greek}\P{L}$`, []string{"éA1α1"}, []string{"11111"}},
		{`^\p{ASCII}[\p{ASCII}]\P{ASCII}$`, []string{"abé"}, []string{"abc"}},
		{`^(?<year>\d{4})(?:-)(?P<month>\d\d)$`, []string{"2024-01"}, []string{"24-01"}},
		{`^(?i)ab$`, []string{"aB"}, []string{"c"}},
		{`^\bа`, nil, []string{"а"}}, // \b is about ASCII words
	} {
		m, err := pattern.Compile(c.pattern, false)
		if err != nil {
			t.Errorf("%s: %v", c.pattern, err)
			continue
		}
		for _, s := range c.yes {
			if ok, err := m.Match(s); err != nil || !ok {
				t.Errorf("%s does not match %q: %v", c.pattern, s, err)
			}
		}
		for _, s := range c.not {
			if ok, err := m.Match(s); err != nil || ok {
				t.Errorf("%s matches %q: %v", c.pattern, s, err)
			}
		}
	}
}

func TestNotRegularExpressions(t *testing.T) {
	t.Parallel()
	for _, p := range []string{
		`(`, `)`, `[a`, `*a`, `a**`, `a++`, `\`, `\A`, `\z`, `\Z`, `\Q`, `\a`, `\e`, `\c1`, `\x4`, `\u12`, `\u{110000}`, `[b-a]`, `a{2,1}`, `\p{L`, `(?x)a`, `(?#a)`, `\01`, "\xff", `\pL`,
	} {
		_, err := pattern.Compile(p, true)
		if _, ok := errors.AsType[*pattern.SyntaxError](err); !ok {
			t.Errorf("%s: %v; want a *SyntaxError", p, err)
		}
	}
}

func TestBacktracking(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ pattern, yes, not string }{
		{`^(?!foo)`, "bar", "foo"}, {`(?<=a)b`, "ab", "b"}, {`^(a|b)\1$`, "aa", "ab"}, {`^(?<q>.)\k<q>$`, "xx", "xy"}, {`^a{1001}$`, strings.Repeat("a", 1001), "a"},
	} {
		_, err := pattern.Compile(c.pattern, false)
		if _, ok := errors.AsType[*pattern.InexpressibleError](err); !ok {
			t.Errorf("%s without backtracking: %v; want an *InexpressibleError", c.pattern, err)
		}
		m, err := pattern.Compile(c.pattern, true)
		if err != nil {
			t.Errorf("%s: %v", c.pattern, err)
			continue
		}
		if ok, err := m.Match(c.yes); err != nil || !ok {
			t.Errorf("%s does not match %q: %v", c.pattern, c.yes, err)
		}
		if ok, err := m.Match(c.not); err != nil || ok {
			t.Errorf("%s matches %q: %v", c.pattern, c.not, err)
		}
	}
	m, err := pattern.Compile(`^(?=(a+)+$)`, true)
	if err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	_, err = m.Match(strings.Repeat("a", 50) + "!")
	if limit, ok := errors.AsType[*proviso.LimitError](err); !ok || limit.Limit != proviso.LimitPatternTime || strings.Contains(err.Error(), "aaa") {
		t.Errorf("a match that takes for ever: %v after %v; want a *LimitError without the string", err, time.Since(start))
	}
}

func FuzzTranslate(f *testing.F) {
	for _, seed := range []string{`^[\w-.]+\.(?:a|b){2,3}$`, `\p{Script=Greek}\u{1F600}`, `[^]`, `(?<n>a)\k<n>`, `\ud83d\ude00`, `{`, `[[:a:]]`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, p string) {
		translated, err := pattern.Translate(p)
		if err != nil {
			_ = err.Error()
			return
		}
		if _, err := regexp.Compile(translated); err != nil {
			t.Fatalf("%q became %q: %v", p, translated, err)
		}
	})
}
