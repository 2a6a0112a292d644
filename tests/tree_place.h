/* tests/tree_place.h - a working tree and a scratch root for one test, and syncing between them. */
#ifndef TESTS_TREE_PLACE_H
#define TESTS_TREE_PLACE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "config/config.h"

#include <pinfold/view.h>
#include <stdbool.h>
#include <sys/types.h>

/* Set up and torn down around every test; everything lies below place.base. */
struct place {
	char base[200], tree[256], scratch[256];
	const char *settings[16];	/* more of the configuration, set before place_open */
	struct pinfold_error err;
	struct pinfold_work work;
};
extern struct place place;

int place_set_up(void **state);
int place_tear_down(void **state);

/* "BASE/…" from a format; good until a few calls later. */
const char *place_path(const char *format, ...) __attribute__((format(printf, 1, 2)));

void place_write(const char *path, const char *content);
void place_directory(const char *path);
char *place_read(const char *path);	/* NULL where there is no such file */
void place_remove(const char *path);
void place_set_time(const char *path, long seconds, long nanoseconds);
/* Waits until stamps made now are older than any that were seen. */
void place_let_age(void);

/* 0 or -1 with place.err filled. */
int place_open(uint32_t follow_out, struct pinfold_copy **ret_copy);
int place_sync(struct pinfold_copy *copy);
/* As place_open, of any kind, and of a session; to be synced. */
int place_open_order(const struct pinfold_place_order *order, struct pinfold_copy **ret_copy);
/* The configuration and the host that copies are opened with. */
const struct config *place_config(void);
const struct pinfold_host *place_host(void);
void place_close(struct pinfold_copy *copy, uint32_t keep);
/* Opens, syncs, keeps; returns the copy's directory (until the next call), NULL on failure. */
const char *place_once(uint32_t follow_out);

/* Are both directories equal in names, kinds, contents, modes, times and links? Says what differs. */
void place_assert_equal(const char *tree, const char *copy);
/* How many names lie below a path, itself not counted. */
unsigned place_count(const char *path);

#endif
