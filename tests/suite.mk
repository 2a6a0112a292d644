# All of the directory: a test is a file beside the others, and nothing is made there.
EXTRA_DIST += tests/suite
EXTRA_DIST += tests/soak
EXTRA_DIST += tests/package.sh tests/package_inside tests/package_stranger
EXTRA_DIST += tests/machine
EXTRA_DIST += .ci/run tests/check.sh tests/lint/run tests/work.sh tests/distcheck
EXTRA_DIST += tests/check-layers tests/check-rows tests/check-guide tests/check-comparison tests/check-abi tests/check-parts tests/libpinfold.abi tests/wrappers.rows tests/cages.rows
EXTRA_DIST += tests/real/fetch tests/real/run tests/real/toolchains \
	tests/real/cargo.project tests/real/cjson.project tests/real/go.project \
	tests/real/jansson.project tests/real/node.project tests/real/python.project tests/real/projects

TESTS += tests/check-layers tests/check-rows tests/check-guide tests/check-comparison tests/check-abi tests/check-parts
