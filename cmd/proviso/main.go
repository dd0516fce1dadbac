// Command proviso validates JSON against JSON Schema.
package main

func main() {}
