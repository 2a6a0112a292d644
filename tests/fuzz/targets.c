/* tests/fuzz/targets.c - all that is tried. */
#include "config.h"

#include "fuzz.h"

const struct fuzz_target fuzz_targets[] = {
	{ "configuration", fuzz_configuration },
	{ "git-files", fuzz_git_files },
	{ "git-index", fuzz_git_index },
	{ "cargo", fuzz_cargo },
	{ "pattern", fuzz_pattern },
	{ "index", fuzz_index },
	{ "journal", fuzz_journal },
	{ "offer", fuzz_offer },
	{ "requests", fuzz_requests },
	{ "receipt", fuzz_receipt },
	{ NULL, NULL },
};
