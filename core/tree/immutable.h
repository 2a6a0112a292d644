/* tree/immutable.h - what a mark forbids to change (chattr +i, +a), and its removal all the same. */
#ifndef TREE_IMMUTABLE_H
#define TREE_IMMUTABLE_H

/* Takes the marks from the directory `dir` and from `name` in it, where that is a directory, or a file
 * without further names. 0, or -1 with errno where there was none, or where the caller may not. */
int immutable_free(int dir, const char *name);
/* Removes the file `name` of `dir` although it, or `dir`, is marked. Its further names keep the mark.
 * 0, or -1 with errno. */
int immutable_unlink(int dir, const char *name);
/* Takes the marks from the directory, where it has any and the caller may. */
void immutable_lift(int dir);

#endif
