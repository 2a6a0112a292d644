/* plugins/namespaces/below.h - what is mounted in a tree, which an overlay on it would not show. */
#ifndef BELOW_H
#define BELOW_H

#include <pinfold/plugin.h>
#include <stdbool.h>

/* The first of the mount points that lie below `tree`, and how many more there are, for a message; NULL
 * for none. `table` is the text of /proc/self/mountinfo, which is written into. */
const char *below_find(const struct pinfold_host *host, char *table, const char *tree);
/* The fields of a line of that table; it is written into. False where it is none. */
struct below_line {
	uint64_t id;
	const char *point, *type;
};
bool below_read_line(char *line, struct below_line *ret_line);
/* The whole text of a file of the kernel's, or NULL where it cannot be read to its end. */
char *below_read_table(const struct pinfold_host *host, const char *path);
/* The same, of this machine now. -1 where that cannot be read. */
int below_look(const struct pinfold_host *host, const char *tree, const char **ret_named);

#endif
