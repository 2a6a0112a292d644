/* tree/chain.c - the path of a directory, from its name and those of the directories above. */
#include "tree/chain.h"

void chain_path(const struct chain *chain, struct text *path)
{
	size_t bytes = 0;
	for (const struct chain *at = chain; at->above; at = at->above)
		bytes += strlen(at->name) + 1;
	path->length = 0;
	text_add(path, "");
	for (size_t i = 0; i < bytes; i++)
		text_add_bytes(path, "/", 1);
	if (path->failed || bytes == 0)
		return;
	char *end = path->data + bytes;
	for (const struct chain *at = chain; at->above; at = at->above) {
		size_t length = strlen(at->name);
		end -= length + 1;
		memcpy(end, at->name, length);
	}
	path->data[bytes - 1] = '\0';
	path->length = bytes - 1;
}
