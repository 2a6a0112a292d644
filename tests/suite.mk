EXTRA_DIST += .ci/run tests/check.sh tests/distcheck \
	tests/suite/run tests/suite/assertions \
	tests/suite/endings.sh

TESTS += tests/check-layers
EXTRA_DIST += tests/check-layers
