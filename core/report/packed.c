/* report/packed.c - binary content spelled out in a patch, as `git diff --binary` does. */
#include "config.h"

#include "report/packed.h"

enum { LINE_BYTES = 52, GROUP_BYTES = 4, GROUP_DIGITS = 5 };

static void put_group(char *to, const unsigned char *from, size_t count)
{
	static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
				     "!#$%&()*+-;<=>?@^_`{|}~";
	uint32_t number = 0;
	for (size_t i = 0; i < GROUP_BYTES; i++)
		number = number << 8 | (i < count ? from[i] : 0);
	for (size_t i = GROUP_DIGITS; i-- > 0; number /= 85)
		to[i] = digits[number % 85];
}

/* A line begins with a letter for how many bytes it holds: A to Z for 1 to 26, a to z for those above. */
static void put_line(struct stream *stream, const unsigned char *bytes, size_t count)
{
	char line[1 + LINE_BYTES / GROUP_BYTES * GROUP_DIGITS + 1];
	size_t length = 0;
	line[length++] = (char)(count <= 26 ? 'A' + count - 1 : 'a' + count - 27);
	for (size_t at = 0; at < count; at += GROUP_BYTES, length += GROUP_DIGITS)
		put_group(line + length, bytes + at, count - at < GROUP_BYTES ? count - at : GROUP_BYTES);
	line[length++] = '\n';
	stream_add(stream, line, length);
}

static void put_packed(struct stream *stream, const struct hunks_packed *packed)
{
	const unsigned char *bytes = (const unsigned char *)packed->data;
	stream_putf(stream, "%s %zu\n", packed->delta ? "delta" : "literal", packed->unpacked_bytes);
	for (size_t at = 0; at < packed->bytes; at += LINE_BYTES)
		put_line(stream, bytes + at,
			 packed->bytes - at < LINE_BYTES ? packed->bytes - at : LINE_BYTES);
	stream_put(stream, "\n");
}

static void put_binary(void *context, const struct hunks_binary *binary)
{
	struct stream *stream = context;
	stream_put(stream, "GIT binary patch\n");
	put_packed(stream, &binary->forward);
	put_packed(stream, &binary->reverse);
}

int packed_write(struct stream *stream, struct hunks *hunks, const struct content *before,
		 const struct content *after, struct pinfold_error *err)
{
	return hunks_pack(hunks, before, after, put_binary, stream, err);
}
