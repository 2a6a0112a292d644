/* tests/snapshot.h - a directory as text: to see that it is, byte for byte and with its metadata, as it was. */
#ifndef TESTS_SNAPSHOT_H
#define TESTS_SNAPSHOT_H

enum snapshot_detail {
	SNAPSHOT_MEANING = 0,	/* names, kinds, modes, times of files, contents, targets, attributes, links */
	SNAPSHOT_ALL		/* also owners, inodes, all mtimes and ctimes: has nothing been touched? */
};

/* The caller's to free. Fails the test where something cannot be read. */
char *snapshot_of(const char *directory, enum snapshot_detail detail);
/* Fails the test and says in which line they differ. */
void snapshot_assert_equal(const char *expected, const char *found);

#endif
