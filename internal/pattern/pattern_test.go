package pattern_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/proviso-go/proviso"
	"github.com/proviso-go/proviso/internal/pattern"
)

// matches are the patterns that Go's regexp can express, with strings that they
// match and do not match. The verdicts are those of ECMA-262 with the u flag.
var matches = []struct {
	pattern  string
	yes, not []string
}{
	{``, []string{"", "a"}, nil},
	{`^\d+$`, []string{"0", "42"}, []string{"", "a", "৪", "1\n"}},
	{`^\D$`, []string{"a", "৪"}, []string{"0"}},
	{`^\w$`, []string{"a", "_"}, []string{"é"}},
	{`^\W$`, []string{"é", "-"}, []string{"a"}},
	{`^\s$`, []string{" ", "\t", "\v", "\f", "\u00a0", "\u2003", "\u2028", "\ufeff"}, []string{"a", "", "\u200b", "\u0085"}},
	{`^\S$`, []string{"a", "😀", "\u200b", "\u0085"}, []string{" ", "\v", "\u00a0", "\ufeff"}},
	{`^[\s]$`, []string{"\ufeff", "\v"}, []string{"s", `\`}},
	{`^[^\s]$`, []string{"a"}, []string{"\ufeff", "\v"}},
	{`^[\S ]$`, []string{"a", " "}, []string{"\v"}},
	{`^.$`, []string{"a", "😀", "\v", "\u0085"}, []string{"\n", "\r", "\u2028", "\u2029", ""}},
	{`a$`, []string{"a", "ba"}, []string{"a\n"}},
	{`^\cC\cz$`, []string{"\x03\x1a"}, []string{"cCcz"}},
	{`^\x41\u0042\u{43}\u{1F600}\ud83d\ude00$`, []string{"ABC😀😀"}, nil},
	{`^[\u0041-\u{43}]$`, []string{"B"}, []string{"D"}},
	{`\ud800`, nil, []string{"", "\ufffd"}},
	{`[\ud800]`, nil, []string{"", "\ufffd", "-"}},
	{`^[\ud800-\udfff]$`, nil, []string{"-", "a", "\ufffd"}},
	{`^[^\ud800-\udfff]$`, []string{"-", "a", "\ufffd", "😀"}, []string{""}},
	{`^[a-\ud800]$`, []string{"a", "b", "\ud7ff"}, []string{"-", "A", "\ue000"}},
	{`^[\ud800-\uffff]$`, []string{"\ue000", "\uff00"}, []string{"-", "\ud7ff", "😀"}},
	{`^[\ud83d\ude00-\ud83d\ude02]$`, []string{"😀", "😁"}, []string{"😄", "-"}},
	{`^\/\-\_\"\@$`, []string{`/-_"@`}, nil},
	{`^[\w-.]$`, []string{"a", "-", "."}, []string{"/", " "}},
	{`^[a-\d]$`, []string{"a", "-", "5"}, []string{"b"}},
	{`^[a-]$`, []string{"a", "-"}, []string{"b"}},
	{`^[-a]$`, []string{"a", "-"}, []string{"b"}},
	{`^[a-z-[b]$`, []string{"b", "-", "["}, []string{"]"}},
	{`^[a-z&&[b]$`, []string{"z", "&", "["}, []string{"]"}},
	{`^[[:alpha:]]$`, []string{":]", "a]"}, []string{"b"}},
	{`^[]$`, nil, []string{"", "a"}},
	{`^[^]$`, []string{"a", "\n"}, []string{""}},
	{`^[\b]$`, []string{"\b"}, []string{"b"}},
	{`^\0$`, []string{"\x00"}, []string{"0"}},
	{`^{a}$`, []string{"{a}"}, nil},
	{`^a{,2}$`, []string{"a{,2}"}, []string{"aa"}},
	{`^a{2,3}?$`, []string{"aa", "aaa"}, []string{"a", "aaaa"}},
	{`^a{00}b{01,02}$`, []string{"b", "bb"}, []string{"ab", "bbb"}},
	{`^a{2,}$`, []string{"aaaa"}, []string{"a"}},
	{`^(a|bc)*?d$`, []string{"d", "abcd"}, []string{"abd"}},
	{`^\p{Letter}\p{Lu}\p{gc=Nd}\p{Script=Greek}\P{L}$`, []string{"éA1α1"}, []string{"11111"}},
	{`^\p{ASCII}[\p{ASCII}]\P{ASCII}$`, []string{"abé"}, []string{"abc"}},
	{`^\p{Any}\P{Any}?$`, []string{"a", "\n"}, []string{"", "ab"}},
	{`^\p{White_Space}\P{White_Space}$`, []string{"\u0085a"}, []string{"a\u0085", "\ufeffa"}},
	{`^\p{Alphabetic}[^\P{Uppercase}]$`, []string{"ⓐⒶ", "éÉ"}, []string{"1A", "aa"}},
	{`^\p{LC}\p{Cn}$`, []string{"a\u0378"}, []string{"ªa"}},
	{`^(?<year>\d{4})(?:-)(?P<month>\d\d)$`, []string{"2024-01"}, []string{"24-01"}},
	{`^(?i)ab$`, []string{"aB"}, []string{"c"}},
	{`^(?i:k)k$`, []string{"Kk", "\u212ak"}, []string{"kK"}},
	{`^(?i:[^k])$`, []string{"i"}, []string{"k", "K", "\u212a"}},
	{`^(?i:i)$`, []string{"I"}, []string{"İ", "ı"}},
	{`^(?i:a(?-i:b))c$`, []string{"Abc"}, []string{"ABc", "AbC"}},
	{`^(a(?i)b)c$`, []string{"aBc"}, []string{"ABc", "aBC"}},
	{`(?s)^.$`, []string{"\n", "\u2028"}, []string{""}},
	{`^(?s:.)(?-s:.)$`, []string{"\na"}, []string{"a\n"}},
	{`^a(?s:b)$`, []string{"ab"}, nil},
	{`^\bа`, nil, []string{"а"}}, // \b is about ASCII words
	{`a\b`, []string{"aé", "a-", "a"}, []string{"ab"}},
	{`é\B`, []string{"é", "éé", "é-"}, []string{"éa"}},
	{`^[.*+?(){}|^$\\]+$`, []string{`.*+?(){}|^$\`}, []string{"a"}},
	{`^(?:)*$`, []string{""}, []string{"a"}},
}

// TestMatches puts each pattern to both matchers.
func TestMatches(t *testing.T) {
	t.Parallel()
	keys := make(map[pattern.Matcher]bool)
	for name, compile := range map[string]func(string) (pattern.Matcher, error){
		"linear":       func(p string) (pattern.Matcher, error) { return pattern.Compile(p, false) },
		"backtracking": pattern.CompileBacktracking,
	} {
		for _, c := range matches {
			m, err := compile(c.pattern)
			if err != nil {
				t.Errorf("%s: %s: %v", name, c.pattern, err)
				continue
			}
			keys[m] = true // must not panic
			check(t, name+": "+c.pattern, m, c.yes, c.not)
		}
	}
}

func check(t *testing.T, name string, m pattern.Matcher, yes, not []string) {
	t.Helper()
	for _, s := range yes {
		if ok, err := m.Match(s); err != nil || !ok {
			t.Errorf("%s does not match %q: %v", name, s, err)
		}
	}
	for _, s := range not {
		if ok, err := m.Match(s); err != nil || ok {
			t.Errorf("%s matches %q: %v", name, s, err)
		}
	}
}

func TestNotRegularExpressions(t *testing.T) {
	t.Parallel()
	for _, p := range []string{
		`(`, `)`, `[a`, `*a`, `a**`, `a++`, `a{2}{3}`, `a???`, `^*`, `a|*`, `(*a)`, `\b+`, `(?=a)*`, `\`, `[\`, `\A`, `\z`, `\Z`, `\Q`, `\a`, `\e`, `\c1`,
		`\x4`, `\u12`, `\u{110000}`, `\u{}`, `[b-a]`, `[\B]`, `[\1]`, `a{2,1}`, `\p{L`, `\pL`, `(?x)a`, `(?)`, `(?#a)`, `(?>a)`, `(?P=a)`, `(?<1>a)`, `\01`, "\xff",
		`\1`, `(a)\2`, `\k<a>`, `(?<a>b)\k`, `(?<a>b)\k<c>`,
		// What follows something that Go cannot express is read as well.
		`(?=a)\A`, `(?!x)(?#a)`, `(?!x)[b-a]`, `(?<=a`, `(?<!x)a**`, `\p{Emoji}(`,
	} {
		_, err := pattern.Compile(p, true)
		if e, ok := errors.AsType[*pattern.SyntaxError](err); !ok || e.Error() == "" {
			t.Errorf("%s: %v; want a *SyntaxError", p, err)
		}
	}
}

func TestBacktracking(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		pattern  string
		yes, not []string
	}{
		{`^(?!foo)`, []string{"bar"}, []string{"foo"}},
		{`^(?!foo)bar$`, []string{"bar"}, []string{"bar\n", "foobar"}},
		{`(?<=a)b`, []string{"ab"}, []string{"b"}},
		{`(?<!a)b`, []string{"b"}, []string{"ab"}},
		{`^(a|b)\1$`, []string{"aa"}, []string{"ab"}},
		{`^(?<q>.)\k<q>$`, []string{"xx"}, []string{"xy"}},
		{`^(?P<q>.)\k<q>$`, []string{"xx"}, []string{"xy"}},
		{`^(?<a>a)(b)\1$`, []string{"aba"}, []string{"abb"}}, // names do not change the numbers
		{`^(?<a>a)(b)\2\k<a>$`, []string{"abba"}, []string{"abab"}},
		{`^(a)?b\1$`, []string{"b", "aba"}, []string{"ab"}}, // not matched: an empty string
		{`^\1(a)$`, []string{"a"}, []string{"aa"}},          // not matched yet
		{`^(a\1)$`, []string{"a"}, []string{"aa"}},
		{`^(?:\1(a))*$`, []string{"aa"}, []string{"b"}}, // nor in a second round
		{`^(?:(a\1))*$`, []string{"aa"}, []string{"b"}},
		{`^(a)\10?$`, nil, nil}, // refers to no group: see below
		{`^(a)(?:\1)0$`, []string{"aa0"}, []string{"a0"}},
		{`^(a)\1{2}$`, []string{"aaa"}, []string{"aa"}},
		{`^(?:(["'])[a-z]*\1,?)*$`, []string{`"a",'b'`}, []string{`"a'`}},
		{`^(?=(a+)b)\1b$`, []string{"aab"}, []string{"ab "}},
		{`^a{1001}$`, []string{strings.Repeat("a", 1001)}, []string{"a"}},
		{`^(?!x).$`, []string{"a", "😀"}, []string{"\n", "\r", "\u2028"}},
		{`^(?!x)\ud83d\ude00[\ud83d\ude00]$`, []string{"😀😀"}, []string{"x"}},
		{`^(?!x)\p{Letter}\p{Script=Greek}\p{ASCII}$`, []string{"éαa"}, []string{"1αa"}},
		{`^(?=\b)(?!x)a\b`, []string{"aé"}, []string{"ab"}},
		{`(?m)^a$`, []string{"a", "b\na\u2028c", "\ra"}, []string{"ba", "a\v"}},
		{`(?m:^b)$`, []string{"a\nb"}, []string{"a\nb\n"}},
	} {
		_, err := pattern.Compile(c.pattern, false)
		if _, ok := errors.AsType[*pattern.InexpressibleError](err); !ok && c.yes != nil {
			t.Errorf("%s without backtracking: %v; want an *InexpressibleError", c.pattern, err)
		}
		m, err := pattern.Compile(c.pattern, true)
		if c.yes == nil {
			if err == nil {
				t.Errorf("%s: no error", c.pattern)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", c.pattern, err)
			continue
		}
		check(t, c.pattern, m, c.yes, c.not)
	}
}

// TestInexpressible has what neither matcher does as ECMA-262 wants it.
func TestInexpressible(t *testing.T) {
	t.Parallel()
	for _, p := range []string{
		`\p{Emoji}`, `\p{Script_Extensions=Greek}`, `\p{Script=Grek}`, `[\p{RGI_Emoji}]`, `\p{Other_Alphabetic}`,
		`a{100000}`, `a{99999999999999999999}`,
		strings.Repeat("(", 1001) + strings.Repeat(")", 1001),
		// ECMA-262 forgets captures where a group repeats; the matcher does not.
		`^(?:(a)|b)*\1$`, `^(?:(a)?b\1)*$`, `^(?:(a)|b\1)*$`, `^(a*)*\1$`, `^(?:(a))+\1$`,
		`(?!(a))\1`, `(?<=(a)\1)`, `(?<=(a))\1`, `(?i)(a)\1`, `(?:(?<n>a)|(?<n>b))\k<n>`,
	} {
		for _, backtracking := range []bool{false, true} {
			_, err := pattern.Compile(p, backtracking)
			if e, ok := errors.AsType[*pattern.InexpressibleError](err); !ok || len(e.Error()) > 500 {
				t.Errorf("%.60s: %v; want an *InexpressibleError", p, err)
			}
		}
	}
}

func TestMatchTime(t *testing.T) {
	t.Parallel()
	for _, p := range []string{`^(?=(a+)+$)`, `(?=(?:(?:a|a|aa)*){60000}b)`} {
		m, err := pattern.Compile(p, true)
		if err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		_, err = m.Match(strings.Repeat("a", 50) + "!")
		limit, ok := errors.AsType[*proviso.LimitError](err)
		if !ok || limit.Limit != proviso.LimitPatternTime || limit.Max != pattern.MaxTime.Milliseconds() || strings.Contains(err.Error(), "aaaa") {
			t.Errorf("%s: %v after %v; want a *LimitError without the string", p, err, time.Since(start))
		}
		if took := time.Since(start); took > 20*pattern.MaxTime {
			t.Errorf("%s: gave up after %v", p, took)
		}
	}
}

// TestLeapingClock holds that a match which seems to take long, but does not,
// still gets its answer.
func TestLeapingClock(t *testing.T) {
	t.Parallel()
	calls := 0
	m := pattern.NewBacktracker(func(string) (bool, error) {
		if calls++; calls < 3 {
			return false, errors.New("match timeout")
		}
		return true, nil
	})
	if ok, err := m.Match("a"); !ok || err != nil || calls != 3 {
		t.Errorf("%v, %v after %d calls", ok, err, calls)
	}
}

func TestTranslateIsReadable(t *testing.T) {
	t.Parallel()
	got, err := pattern.Translate(`^[a-z]+/\d{2}\.é\/$`)
	if want := `^[\x{61}-\x{7a}]+/[\d]{2}\.é/$`; err != nil || got != want {
		t.Errorf("%s, %v; want %s", got, err, want)
	}
}
