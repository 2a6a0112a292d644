/* tests/tree_applied.h - applying what differs in the copy of a test's tree. */
#ifndef TESTS_TREE_APPLIED_H
#define TESTS_TREE_APPLIED_H

#include "tree_found.h"

#include "tree/apply.h"

/* What the next apply is asked for; zero by default. Its parts are filled in. */
extern struct apply_order applied_order;
/* What came out of it; released by the next and by applied_release. */
extern struct apply_result applied;

/* Makes a copy or a layer, in which a command can work. */
void applied_start(enum found_view view);
/* A script of the shell as the command, in the copy or through the overlay; and one in the tree. */
void applied_command(const char *script);
void applied_meanwhile(const char *script);
/* Finds the changes and opens what an apply of them needs. */
void applied_find(void);
/* Applies them; what apply_run returned; place.err on failure. */
int applied_apply(void);
/* Both. */
int applied_run(void);
int applied_recover(void);
/* "state path" of each item that is not ready, one line each; "" for none. */
const char *applied_left(void);
void applied_release(void);
/* A path in the copy, and one in the tree. */
const char *applied_in(const char *format, ...) __attribute__((format(printf, 1, 2)));
const char *applied_at(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Is there any of pinfold's own names in the tree, or a journal left? */
bool applied_left_something(void);

#endif
