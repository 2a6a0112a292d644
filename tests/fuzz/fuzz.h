/* tests/fuzz/fuzz.h - what reads bytes that somebody else may have written, as targets for bytes made by chance.
 *
 * A target reads the bytes as the program would, and aborts where what came of it is not sound. It leaves nothing
 * behind: the same bytes do the same each time. */
#ifndef FUZZ_H
#define FUZZ_H

#include <stddef.h>
#include <stdint.h>

struct fuzz_target {
	const char *name;	/* of its directory in the corpus, too */
	void (*run)(const uint8_t *data, size_t bytes);
};
extern const struct fuzz_target fuzz_targets[];	/* ends with a row without a name */

/* One input for a target, over what such a file would hold: sums that guard it against accidents are put right. */
void fuzz_configuration(const uint8_t *data, size_t bytes);
void fuzz_git_files(const uint8_t *data, size_t bytes);
void fuzz_cargo(const uint8_t *data, size_t bytes);
void fuzz_pattern(const uint8_t *data, size_t bytes);
void fuzz_index(const uint8_t *data, size_t bytes);
void fuzz_journal(const uint8_t *data, size_t bytes);
void fuzz_git_index(const uint8_t *data, size_t bytes);
void fuzz_offer(const uint8_t *data, size_t bytes);
void fuzz_requests(const uint8_t *data, size_t bytes);
void fuzz_receipt(const uint8_t *data, size_t bytes);

/* A directory of this process, made when first asked for and removed by fuzz_clean: for what is read by name. */
int fuzz_directory(void);
void fuzz_put(const char *name, const void *data, size_t bytes);
void fuzz_clean(void);

/* A copy that ends in a NUL; never NULL. */
char *fuzz_text(const uint8_t *data, size_t bytes);

#define FUZZ_HOLDS(what)                                                                           \
	do {                                                                                       \
		if (!(what))                                                                       \
			fuzz_fail(#what, __FILE__, __LINE__);                                      \
	} while (0)
_Noreturn void fuzz_fail(const char *what, const char *file, int line);

#endif
