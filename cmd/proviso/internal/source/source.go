// Package source reads documents: a JSON file is one, and a file of JSON Lines
// has one a line.
package source

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// MaxBytes bounds one document, whether a file or a line, so that an endless
// one ends.
const MaxBytes = 256 << 20

// Stdin is the name for standard input.
const Stdin = "-"

// Format says how an input is divided into documents.
type Format string

// The formats. Auto goes by the file's name, and takes standard input for one
// document.
const (
	Auto  Format = "auto"
	JSON  Format = "json"
	Lines Format = "jsonl"
)

// ParseFormat checks a format's name.
func ParseFormat(name string) (Format, error) {
	switch f := Format(name); f {
	case Auto, JSON, Lines:
		return f, nil
	}
	return "", fmt.Errorf("unknown input format %q; there are auto, json and jsonl", name)
}

// IsLines reports whether the file is read a document a line.
func IsLines(name string, format Format) bool {
	if format != Auto {
		return format == Lines
	}
	extension := strings.ToLower(filepath.Ext(name))
	return extension == ".jsonl" || extension == ".ndjson"
}

// A Document is one text to validate, or the reason why there is none.
type Document struct {
	// Name is the file as it was named, Line its line, 0 if the file is one
	// document.
	Name string
	Line int
	Text []byte
	Err  error
}

// Read calls yield with each document of a file, until yield returns false.
// What cannot be read, or is larger than MaxBytes, is a Document with Err.
func Read(name string, format Format, stdin io.Reader, yield func(Document) bool) {
	read(name, format, stdin, MaxBytes, yield)
}

// ReadOne returns the text of a file that is one document.
func ReadOne(name string, stdin io.Reader) (text []byte, err error) {
	Read(name, JSON, stdin, func(d Document) bool {
		text, err = d.Text, d.Err
		return false
	})
	return text, err
}

func read(name string, format Format, stdin io.Reader, limit int, yield func(Document) bool) {
	input := stdin
	if name != Stdin {
		file, err := os.Open(name)
		if err != nil {
			yield(Document{Name: name, Err: explain(err)})
			return
		}
		defer file.Close()
		if info, err := file.Stat(); err == nil && info.IsDir() {
			yield(Document{Name: name, Err: fmt.Errorf("is a directory; name the files in it, as in %s", filepath.Join(name, "*.json"))})
			return
		}
		input = file
	}
	if IsLines(name, format) {
		readLines(name, input, limit, yield)
		return
	}
	text, err := readAll(input, limit)
	yield(Document{Name: name, Text: text, Err: err})
}

// explain drops what the caller says anyway: the operation and the name.
func explain(err error) error {
	if errors.Is(err, errTooLong) {
		return err
	}
	if path, ok := errors.AsType[*os.PathError](err); ok {
		err = path.Err
	}
	return fmt.Errorf("cannot be read: %w", err)
}

func readAll(r io.Reader, limit int) ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(r, int64(limit)+1))
	if err != nil {
		return nil, explain(err)
	}
	if len(text) > limit {
		return nil, errTooLong
	}
	return text, nil
}

var errTooLong = fmt.Errorf("is larger than %d MiB", MaxBytes>>20)

// readLines yields the lines that are not blank. One that is too long is
// passed over and the next ones are still read.
func readLines(name string, r io.Reader, limit int, yield func(Document) bool) {
	reader := bufio.NewReaderSize(r, 64<<10)
	for line := 1; ; line++ {
		text, err := readLine(reader, limit)
		last := err != nil && !errors.Is(err, errTooLong)
		document := Document{Name: name, Line: line, Text: text}
		if err != nil && !errors.Is(err, io.EOF) {
			document.Text, document.Err = nil, explain(err)
		}
		// Blank is what JSON has for white space, and no more: a line of other
		// spaces is a document that is not JSON.
		if document.Err == nil && len(bytes.Trim(text, " \t\r")) == 0 {
			if last {
				return
			}
			continue
		}
		if !yield(document) || last {
			return
		}
	}
}

// readLine reads up to a line feed, which it drops. A line that is too long is
// read to its end and given up.
func readLine(r *bufio.Reader, limit int) ([]byte, error) {
	var line []byte
	long := false
	for {
		part, err := r.ReadSlice('\n')
		end := err == nil
		if end {
			part = part[:len(part)-1]
		}
		if long = long || len(line)+len(part) > limit; long {
			line = nil
		} else {
			line = append(line, part...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
		case long && (end || errors.Is(err, io.EOF)):
			return nil, errTooLong
		default:
			return line, err
		}
	}
}
