package main

import (
	"net"
	"os"
	"path/filepath"
	"testing"
)

func TestANameIsTheSameEveryTime(t *testing.T) {
	if name("a") != name("a") || name("a") == name("b") {
		t.Fail()
	}
}

func TestASocketInTheTemporaryDirectoryWorks(t *testing.T) {
	directory, err := os.MkdirTemp("", "n")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(directory)
	listener, err := net.Listen("unix", filepath.Join(directory, "s"))
	if err != nil {
		t.Fatal(err)
	}
	listener.Close()
}
