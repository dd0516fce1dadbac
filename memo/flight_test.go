package memo_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/proviso-go/proviso"
	"github.com/proviso-go/proviso/memo"
)

func TestSharedCompilation(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		inner := &fake{before: func(ctx context.Context) error {
			select {
			case <-release:
				return nil
			case <-ctx.Done():
				return ctx.Err()
			}
		}}
		m := newMemo(t, inner, nil)
		var got [10]proviso.Validator
		var wg sync.WaitGroup
		leaver, leave := context.WithCancel(context.Background())
		for i := range got {
			ctx := context.Background()
			if i == 0 {
				ctx = leaver // the one that starts the compilation
			}
			wg.Go(func() { got[i], _ = m.Validator(ctx, proviso.JSON([]byte(`{"a":1}`))) })
			synctest.Wait()
		}
		leave()
		synctest.Wait()
		close(release)
		wg.Wait()
		if n := inner.compilations.Load(); n != 1 {
			t.Errorf("%d compilations", n)
		}
		if got[0] != nil {
			t.Error("the one that left got a validator")
		}
		for _, v := range got[1:] {
			if v == nil || v != got[1] {
				t.Error("the others did not get the same validator")
			}
		}
		if s := m.Stats(); s.Shared != 9 || s.Misses != 1 {
			t.Errorf("%+v", s)
		}
	})
}

func TestLastWaiterCancels(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		cancelled := false
		inner := &fake{}
		inner.before = func(ctx context.Context) error {
			if inner.compilations.Load() > 1 {
				return nil
			}
			<-ctx.Done()
			cancelled = true
			return ctx.Err()
		}
		m := newMemo(t, inner, nil)
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		_, err := m.Validator(ctx, proviso.JSON([]byte(`{"a":1}`)))
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%v", err)
		}
		synctest.Wait()
		if !cancelled {
			t.Error("the compilation goes on for nobody")
		}
		if _, err := m.Validator(context.Background(), proviso.JSON([]byte(`{"a":1}`))); err != nil {
			t.Errorf("the next request: %v", err)
		}
		done, end := context.WithCancel(context.Background())
		end()
		if _, err := m.Validator(done, proviso.JSON([]byte(`{"a":1}`))); !errors.Is(err, context.Canceled) {
			t.Errorf("a context that has ended: %v", err)
		}
	})
}

func TestForgetAndPurge(t *testing.T) {
	t.Parallel()
	for name, forget := range map[string]func(*memo.Memo) error{
		"Forget": func(m *memo.Memo) error { return m.Forget(proviso.Value(map[string]any{"a": 1})) },
		"Purge":  func(m *memo.Memo) error { m.Purge(); return nil },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				release := make(chan struct{}, 10)
				inner := &fake{before: func(context.Context) error { <-release; return nil }}
				m := newMemo(t, inner, nil)
				ask := func() proviso.Validator {
					v, err := m.Validator(context.Background(), proviso.JSON([]byte(`{"a":1}`)))
					if err != nil {
						t.Error(err)
					}
					return v
				}
				release <- struct{}{}
				held := ask()
				if ask() != held {
					t.Error("not memoised")
				}
				if err := forget(m); err != nil {
					t.Fatal(err)
				}
				var early, late proviso.Validator
				var wg sync.WaitGroup
				wg.Go(func() { early = ask() })
				synctest.Wait() // a compilation is under way
				if err := forget(m); err != nil {
					t.Fatal(err)
				}
				wg.Go(func() { late = ask() })
				synctest.Wait()
				release <- struct{}{}
				release <- struct{}{}
				wg.Wait()
				// Both get what was compiled after the forgetting.
				if early == held || late == held || early != late {
					t.Error("what was forgotten was handed out")
				}
				if ask() != late || inner.compilations.Load() != 3 {
					t.Error("what was compiled since is not kept")
				}
				runtime.KeepAlive(held)
			})
		})
	}
}

// TestForgottenStaysForgotten is about requests that found something just
// before it was forgotten.
func TestForgottenStaysForgotten(t *testing.T) {
	t.Parallel()
	for name, forget := range map[string]func(*memo.Memo) error{
		"Forget": func(m *memo.Memo) error { return m.Forget(proviso.JSON([]byte(` {"a":1}`))) },
		"Purge":  func(m *memo.Memo) error { m.Purge(); return nil },
	} {
		m := newMemo(t, &fake{}, nil)
		v, err := m.Validator(context.Background(), proviso.JSON([]byte(`{"a":1}`)))
		if err != nil {
			t.Fatal(err)
		}
		found := memo.Chains(m)
		if found() != 1 {
			t.Fatal("not found")
		}
		if err := forget(m); err != nil {
			t.Fatal(err)
		}
		memo.Late(m, v)
		if s := m.Stats(); s.Entries != 0 || found() != 0 {
			t.Errorf("%s: %d entries, %d found", name, s.Entries, found())
		}
		runtime.KeepAlive(v)
	}
	// A text without content is forgotten as well.
	m := newMemo(t, &fake{}, nil)
	broken := proviso.JSON([]byte(`{"a":`))
	if _, err := m.Validator(context.Background(), broken); err == nil || m.Stats().Entries != 1 {
		t.Fatalf("%v, %+v", err, m.Stats())
	}
	if err := m.Forget(broken); err == nil || m.Stats().Entries != 0 {
		t.Errorf("%v, %+v", err, m.Stats())
	}
}

// TestAbandonedIsNotJoined has a provider that takes no notice of its context.
func TestAbandonedIsNotJoined(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		inner := &fake{before: func(context.Context) error { time.Sleep(time.Minute); return nil }}
		m := newMemo(t, inner, nil)
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		if _, err := m.Validator(ctx, proviso.JSON([]byte(`{"a":1}`))); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%v", err)
		}
		time.Sleep(time.Second)
		if _, err := m.Validator(context.Background(), proviso.JSON([]byte(`{"a":1}`))); err != nil {
			t.Error(err)
		}
		if n := inner.compilations.Load(); n != 2 {
			t.Errorf("%d compilations", n)
		}
		time.Sleep(time.Hour)
		if s := m.Stats(); s.Entries != 1 {
			t.Errorf("%+v", s)
		}
	})
}

// TestCause has contexts with a cause of their own: what is promised is ctx.Err().
func TestCause(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		m := newMemo(t, &fake{before: func(ctx context.Context) error {
			if ctx.Value(t) != nil {
				t.Error("a caller's value reaches a compilation that others share")
			}
			<-ctx.Done()
			return ctx.Err()
		}}, nil)
		ctx, cancel := context.WithCancelCause(context.WithValue(context.Background(), t, "value"))
		go func() { time.Sleep(time.Second); cancel(errors.New("no more")) }()
		if _, err := m.Validator(ctx, proviso.JSON([]byte(`{"a":1}`))); !errors.Is(err, context.Canceled) {
			t.Errorf("%v", err)
		}
		if _, err := m.Validator(ctx, proviso.JSON([]byte(`{"a":1}`))); !errors.Is(err, context.Canceled) {
			t.Errorf("%v", err)
		}
	})
}

// TestNothingIsCompiledTwice lets requests meet compilations that land.
func TestNothingIsCompiledTwice(t *testing.T) {
	t.Parallel()
	inner := &fake{}
	m := newMemo(t, inner, nil)
	const contents = 3000
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for i := range contents {
				if _, err := m.Validator(context.Background(), proviso.JSON(fmt.Appendf(nil, `{"n":%d}`, i))); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	if n := inner.compilations.Load(); n != contents {
		t.Errorf("%d compilations of %d contents", n, contents)
	}
	if longest := memo.Longest(m); longest > 12 {
		t.Errorf("a chain of %d among %d contents", longest, contents)
	}
}

func TestContention(t *testing.T) {
	t.Parallel()
	for _, bits := range []int{0, 2, 63} {
		t.Run(fmt.Sprintf("%d bits", bits), func(t *testing.T) {
			t.Parallel()
			inner := &fake{}
			m := newMemo(t, inner, &memo.Options{MaxEntries: 50, Observer: func(memo.Event) {}})
			memo.Narrow(m, bits)
			var wg sync.WaitGroup
			for g := range 8 {
				wg.Go(func() { contend(t, m, g) })
			}
			wg.Wait()
			// Compilations that everybody left may still be ending.
			s := m.Stats()
			for i := 0; i < 1000 && s.Misses != s.Compilations; i++ {
				time.Sleep(time.Millisecond)
				s = m.Stats()
			}
			if s.Entries > 50 || s.Misses != s.Compilations {
				t.Errorf("%+v", s)
			}
			m.Purge()
			if s := m.Stats(); s.Entries != 0 || s.Bytes != 0 || s.Texts != 0 {
				t.Errorf("after Purge: %+v", s)
			}
		})
	}
}

func contend(t *testing.T, m *memo.Memo, g int) {
	for i := range 2000 {
		n := (i*7 + g) % 100
		want := fmt.Sprintf(`{"n":%d}`, n)
		s := proviso.JSON([]byte(want))
		if i%3 == 0 {
			s = proviso.Value(map[string]any{"n": n})
		}
		ctx, cancel := context.WithCancel(context.Background())
		if i%50 == 7 {
			go cancel()
		}
		v, err := m.Validator(ctx, s)
		cancel()
		if errors.Is(err, context.Canceled) && i%50 == 7 {
			continue
		}
		if err != nil {
			t.Error(err)
			return
		}
		if invalid, _ := errors.AsType[*proviso.ValidationError](v.Validate(nil)); invalid.Units[0].Message != want {
			t.Errorf("%s for %s", invalid.Units[0].Message, want)
			return
		}
		switch i % 500 {
		case 100:
			m.Purge()
		case 300:
			_ = m.Forget(s)
		case 400:
			m.Stats()
		}
	}
}
