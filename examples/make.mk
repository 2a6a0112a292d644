# make.mk - include this first in a Makefile, or: make -f Makefile SHELL=/path/to/make-shell
SHELL := $(dir $(abspath $(lastword $(MAKEFILE_LIST))))make-shell
