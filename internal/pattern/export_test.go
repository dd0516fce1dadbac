package pattern

// CompileBacktracking compiles for the backtracking matcher what the linear one
// could express as well.
var CompileBacktracking = compileBacktracking
