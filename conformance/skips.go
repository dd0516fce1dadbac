package conformance

import (
	"maps"
	"slices"
)

// skips finds out which entries of Options.Skip are needed. An entry is stale
// if all that it is for was run and nothing of it failed; with go test -run,
// some of it may not have been.
type skips struct {
	reasons map[string]string
	// expected and seen count the cases of each entry, and failed those that its
	// reason excused.
	expected, seen, failed map[string]int
}

func newSkips(reasons map[string]string) *skips {
	return &skips{reasons: reasons, expected: make(map[string]int), seen: make(map[string]int), failed: make(map[string]int)}
}

// expect says that a case is about to be run; entries are its name and its
// group.
func (s *skips) expect(entries ...string) {
	for _, entry := range entries {
		s.expected[entry]++
	}
}

// done says that a case was run, and returns the reason why its failure counts
// as skipped, if there is one. The case's own reason goes first.
func (s *skips) done(failed bool, entries ...string) (reason string, skipped bool) {
	for _, entry := range entries {
		s.seen[entry]++
	}
	if !failed {
		return "", false
	}
	for _, entry := range entries {
		if reason, ok := s.reasons[entry]; ok {
			s.failed[entry]++
			return reason, true
		}
	}
	return "", false
}

// stale lists the entries that are not needed.
func (s *skips) stale() []string {
	var entries []string
	for _, entry := range slices.Sorted(maps.Keys(s.reasons)) {
		if s.seen[entry] == s.expected[entry] && s.failed[entry] == 0 {
			entries = append(entries, entry)
		}
	}
	return entries
}
