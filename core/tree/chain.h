/* tree/chain.h - the path of a directory, from its name and those of the directories above. */
#ifndef TREE_CHAIN_H
#define TREE_CHAIN_H

#include "base/text.h"

struct chain {
	const struct chain *above;	/* NULL: this is the top, whose path is "" */
	const char *name;
};

/* Makes `path` that of the chain, relative to the top. It is built from its end: a tree may be deep. */
void chain_path(const struct chain *chain, struct text *path);

#endif
