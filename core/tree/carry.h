/* tree/carry.h - the content of one file: comparing it and carrying it over. */
#ifndef TREE_CARRY_H
#define TREE_CARRY_H

#include "tree/digest.h"
#include "tree/stamp.h"

#include <stddef.h>

enum { CARRY_ROOM = 65536 };

/* What one thread works with. */
struct carry {
	char left[CARRY_ROOM], right[CARRY_ROOM];
	uint64_t ranged, plain;	/* bytes carried by the kernel (copy_file_range); read and written */
};

struct carry *carry_new(void);	/* to be freed; NULL when memory is gone */

enum carry_result {
	CARRY_DONE = 0,
	CARRY_CHANGED,		/* the source is not what its stamp says: look again */
	CARRY_SOURCE_FAILED,	/* errno says why it cannot be read */
	CARRY_COPY_FAILED	/* errno says why it cannot be written */
};

/* Shares the bytes of `from` with `to` where the file system can. */
bool carry_clone(int from, int to);
/* Called with the bytes that were carried since it was called last. Nonzero, with errno, gives up. */
struct carry_pace {
	int (*carried)(void *context, uint64_t bytes);
	void *context;
};

/* Carries `stamp->size` bytes and leaves holes where the source has them. What passes through memory,
 * up to DIGEST_MOST bytes, gets a digest; else that is 0. `pace` may be NULL. */
enum carry_result carry_bytes(struct carry *carry, int from, int to, const struct stamp *stamp,
			      const struct carry_pace *pace, uint64_t *ret_digest);
/* Do both files have the same bytes, as many as `stamp` says? A failure to read is a difference. */
bool carry_is_same(struct carry *carry, int from, int to, const struct stamp *stamp,
		   uint64_t *ret_digest);
/* 1 or 0 likewise, and -1 with errno where one cannot be read. */
int carry_compare(struct carry *carry, int from, int to, const struct stamp *stamp,
		  uint64_t *ret_digest);
/* Makes the user's extended attributes of `to` those of `from`, where both file systems have them;
 * `fresh`: it has none yet. 0, or -1 with errno. */
int carry_attributes(int from, int to, bool fresh);
/* The same, and everything else that `to` has stays. */
int carry_user_attributes(int from, int to);
/* Has it any of these? 1 or 0, -1 with errno. */
int carry_has_any(int fd);
/* Have both the same of these? Where a file system has none at all, they do. */
bool carry_attributes_are_same(int a, int b);

#endif
