package cli

import (
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
