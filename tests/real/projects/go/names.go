// Command names prints a name that is the same every time.
package main

import (
	"fmt"

	"github.com/google/uuid"
)

func name(text string) string {
	return uuid.NewSHA1(uuid.NameSpaceDNS, []byte(text)).String()
}

func main() {
	fmt.Println(name("example.org"))
}
