package pattern

// CompileBacktracking compiles for the backtracking matcher what the linear one
// could express as well.
var CompileBacktracking = compileBacktracking

// NewBacktracker makes a Matcher of what regexp2 would do.
func NewBacktracker(match func(string) (bool, error)) Matcher { return &backtracker{match, "p"} }
