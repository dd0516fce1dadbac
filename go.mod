module github.com/proviso-go/proviso

go 1.26
