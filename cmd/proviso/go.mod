module github.com/proviso-go/proviso/cmd/proviso

go 1.26

require github.com/proviso-go/proviso v0.0.0

require (
	github.com/inconshreveable/mousetrap v1.1.0 // indirect
	github.com/spf13/cobra v1.10.2 // indirect
	github.com/spf13/pflag v1.0.9 // indirect
)

replace github.com/proviso-go/proviso => ../..
