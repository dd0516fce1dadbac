package cli

import (
	"fmt"
	"testing"

	"github.com/proviso-go/proviso/cmd/proviso/internal/leak"
)

func TestJudge(t *testing.T) {
	t.Parallel()
	within := leak.Measurement{Engine: "a", Use: "provider", PerValidation: 204.8}
	naive := leak.Measurement{Engine: "b", Use: "naive", Naive: true, PerValidation: 9000}
	over := leak.Measurement{Engine: "c", Use: "provider", PerValidation: 204.9}
	if err := judge([]leak.Measurement{within, naive}); err != nil {
		t.Error(err)
	}
	err, ok := judge([]leak.Measurement{within, naive, over}).(*exit)
	if !ok || err.code != exitInvalid || err.Error() != "more than 0.2 KB for a validation: c, provider: 204.9 bytes" {
		t.Errorf("%v", err)
	}
}

func TestTenths(t *testing.T) {
	t.Parallel()
	for f, want := range map[float64]string{-0.04: "0.0", 0: "0.0", 0.06: "0.1", -0.06: "-0.1", 12328.34: "12328.3"} {
		if got := fmt.Sprintf("%.1f", tenths(f)); got != want {
			t.Errorf("%v: %s; want %s", f, got, want)
		}
	}
}
