// Package dialect routes each schema to an engine for its dialect, and creates
// an engine when the first schema needs it.
//
// The dialect is the one that $schema names, by any of its spellings; see
// proviso.Document.Dialect. Different dialects may go to different engines.
package dialect
