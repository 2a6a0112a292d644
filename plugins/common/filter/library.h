/* plugins/common/filter/library.h - libseccomp, opened only when a filter must be made: linking it would
 * cost every command more than all that is asked of a filter that is remembered. */
#ifndef FILTER_LIBRARY_H
#define FILTER_LIBRARY_H

#include <seccomp.h>
#include <stdbool.h>
#include <stdint.h>

/* Which file it is: part of what is remembered, so that another library makes another filter. */
struct library_file {
	uint64_t device, inode, bytes;
	int64_t seconds, nanoseconds;	/* when it was changed */
	char path[216];	/* "" where nobody can say */
};

struct library {
	void *object;
	struct library_file file;
	__typeof__(seccomp_init) *init;
	__typeof__(seccomp_release) *release;
	__typeof__(seccomp_attr_set) *attr_set;
	__typeof__(seccomp_rule_add_array) *rule_add_array;
	__typeof__(seccomp_export_bpf) *export_bpf;
};

/* NULL, or why it cannot be had. */
const char *library_open(struct library *ret_library);
void library_close(struct library *library);
/* Is the file still there, and the same? */
bool library_is_unchanged(const struct library_file *file);

#endif
