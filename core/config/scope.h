/* config/scope.h - what a host table belongs to: a plugin's part, its section, its memory. */
#ifndef CONFIG_SCOPE_H
#define CONFIG_SCOPE_H

#include "base/arena.h"
#include "config/config.h"

struct pinfold_scope {
	const struct config *config;
	const char *section;	/* "arm:namespaces"; NULL for the host itself */
	const struct pinfold_key *keys;	/* of that section, or NULL */
	struct arena *arena;
	const char *identity;	/* of the module: path, device, inode, size, mtime; part of every stamp */
	void (*log)(void *context, uint32_t level, const char *text);
	void *log_context;
	/* How far copying is; nonzero gives it up. NULL: nobody waits for it. */
	int (*copying)(void *context, uint64_t files, uint64_t bytes);
	void *copying_context;
	/* What a view leaves out where its arm cannot hide it: canonical paths, sorted by strcmp. */
	const char *const *hidden;
	size_t hidden_count;
	bool quiet_records;	/* recall nothing, keep nothing */
};

#endif
