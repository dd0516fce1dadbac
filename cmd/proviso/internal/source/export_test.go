package source

// ReadWithin is Read with another bound than MaxBytes.
var ReadWithin = read
