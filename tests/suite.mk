EXTRA_DIST += .ci/run tests/check.sh tests/distcheck tests/check-layers \
	tests/suite/run tests/suite/assertions tests/suite/terminal.py \
	tests/suite/endings.sh tests/suite/inside.sh tests/suite/starting.sh tests/suite/streams.sh \
	tests/suite/terminal.sh tests/suite/tree.sh tests/suite/verbs.sh

TESTS += tests/check-layers
