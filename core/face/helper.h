/* face/helper.h - a wrapper's helper outside, in arms that confine nothing. */
#ifndef FACE_HELPER_H
#define FACE_HELPER_H

#include <pinfold/error.h>
#include <stdbool.h>

enum helper_found { HELPER_ABSENT = 0, HELPER_OURS, HELPER_FOREIGN };

/* Who listens at an endpoint: the absolute path of a socket, or what ends with a port of this machine
 * ("4226", "localhost:4226", "port 4226")? What cannot be shown to be the caller's is foreign. */
enum helper_found helper_find(const char *endpoint);
/* The same, once somebody listens there, or nobody does within a second. */
enum helper_found helper_await(const char *endpoint);
/* Runs a program with exactly this environment and waits until it ends, for fifteen seconds at most: 1 where it
 * was ended then. Its status counts for nothing: it may say that it runs already. Refused is what others could have written
 * or what lies in the tree or in the scratch directory. */
int helper_run(const char *const *argv, const char *const *environment, const char *tree,
	       const char *scratch, struct pinfold_error *err);

#endif
