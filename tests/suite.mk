EXTRA_DIST += tests/package.sh tests/package_inside
EXTRA_DIST += .ci/run tests/check.sh tests/lint/run tests/work.sh tests/distcheck tests/check-layers tests/check-rows tests/check-guide tests/wrappers.rows \
	tests/suite/run tests/suite/assertions tests/suite/terminal.py \
	tests/suite/copying.sh tests/suite/followed.sh tests/suite/forged.sh tests/suite/unasked.sh tests/suite/killed.sh tests/suite/reported.sh \
	tests/suite/conformance.sh tests/suite/denials.sh tests/suite/diff.sh tests/suite/embedding.sh tests/suite/endings.sh tests/suite/exec.sh tests/suite/own_terminal.sh tests/suite/git.sh tests/suite/git_apply.sh tests/suite/git_copies.sh \
	tests/suite/git_layers.sh tests/suite/git_review.sh tests/suite/inside.sh tests/suite/machine.sh tests/suite/overlay.sh tests/suite/policy.sh tests/suite/sessions.sh tests/suite/starting.sh \
	tests/suite/streams.sh \
	tests/suite/terminal.sh tests/suite/tree.sh tests/suite/verbs.sh tests/suite/wrappers.sh tests/suite/wrappers_caches.sh tests/suite/wrappers_hostile.sh tests/suite/wrapping tests/suite/two_hosts
EXTRA_DIST += tests/real/fetch tests/real/run tests/real/toolchains \
	tests/real/cargo.project tests/real/cjson.project tests/real/go.project \
	tests/real/jansson.project tests/real/node.project tests/real/python.project tests/real/projects

TESTS += tests/check-layers tests/check-rows tests/check-guide tests/check-abi
EXTRA_DIST += tests/check-abi tests/libpinfold.abi
EXTRA_DIST += tests/suite/apply.sh tests/suite/apply_layers.sh tests/suite/examples.sh tests/suite/packaging.sh tests/suite/learning.sh tests/suite/completing.py tests/suite/report.sh tests/suite/page.py tests/suite/forge_receipts.py tests/suite/first_pixel.py
EXTRA_DIST += tests/suite/handing_over.sh
EXTRA_DIST += tests/cages.rows tests/suite/grants.sh tests/suite/nesting.sh tests/suite/as_in_docker.py tests/suite/serve.sh
