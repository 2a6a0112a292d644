/* tree/digest.c - a number that stands for a content. */
#include "config.h"

#include "tree/digest.h"

#include <errno.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

_Static_assert(sizeof(XXH3_state_t) <= sizeof(struct digest) &&
	       _Alignof(struct digest) >= _Alignof(XXH3_state_t), "a digest has room for its state");

static XXH3_state_t *state_of(struct digest *digest)
{
	return (XXH3_state_t *)digest->state;
}

static uint64_t known(uint64_t number)
{
	return number ? number : 1;
}

void digest_begin(struct digest *digest)
{
	XXH3_64bits_reset(state_of(digest));
}

void digest_add(struct digest *digest, const void *bytes, size_t count)
{
	XXH3_64bits_update(state_of(digest), bytes, count);
}

uint64_t digest_end(const struct digest *digest)
{
	return known(XXH3_64bits_digest((const XXH3_state_t *)digest->state));
}

uint64_t digest_of(const void *bytes, size_t count)
{
	return known(XXH3_64bits(bytes, count));
}

int digest_file(int fd, uint64_t size, uint64_t *ret_digest)
{
	char room[16384];
	struct digest digest;
	digest_begin(&digest);
	for (uint64_t at = 0; at < size;) {
		size_t wanted = size - at < sizeof(room) ? (size_t)(size - at) : sizeof(room);
		ssize_t got = pread(fd, room, wanted, (off_t)at);
		if (got < 0 && errno == EINTR)
			continue;
		if (got == 0)
			errno = ENODATA;
		if (got <= 0)
			return -1;
		digest_add(&digest, room, (size_t)got);
		at += (uint64_t)got;
	}
	*ret_digest = digest_end(&digest);
	return 0;
}
