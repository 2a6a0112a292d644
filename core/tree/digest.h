/* tree/digest.h - a number that stands for a content: XXH3, 64 bits, and 0 where it is not known.
 *
 * It answers whether a file was merely touched. It is no proof against somebody who wants two contents
 * to have one number.
 */
#ifndef TREE_DIGEST_H
#define TREE_DIGEST_H

#include <stddef.h>
#include <stdint.h>

/* A longer content has none: reading it only for this would cost more than it brings. */
enum { DIGEST_MOST = 1 << 20 };
/* The same of one that is so young that its times would not tell it from another: there are few. */
enum { DIGEST_MOST_YOUNG = 64 << 20 };

struct digest {
	_Alignas(64) unsigned char state[576];
};

void digest_begin(struct digest *digest);
void digest_add(struct digest *digest, const void *bytes, size_t count);
uint64_t digest_end(const struct digest *digest);	/* never 0 */

/* All at once. */
uint64_t digest_of(const void *bytes, size_t count);
/* Of the first `size` bytes of a file. 0, or -1 with errno, ENODATA where it is shorter. */
int digest_file(int fd, uint64_t size, uint64_t *ret_digest);

#endif
