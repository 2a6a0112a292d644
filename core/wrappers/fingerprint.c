/* wrappers/fingerprint.c - what stands for a content that is not to be kept itself. */
#include "wrappers/fingerprint.h"

#include <sodium.h>

void fingerprint_of(const void *bytes, size_t count, char room[FINGERPRINT_ROOM])
{
	unsigned char sum[FINGERPRINT_ROOM / 2];
	room[0] = '\0';
	if (sodium_init() < 0 ||
	    crypto_generichash(sum, sizeof(sum), bytes, count, NULL, 0) != 0)
		return;
	sodium_bin2hex(room, FINGERPRINT_ROOM, sum, sizeof(sum));
}
