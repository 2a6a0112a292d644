/* tree/remedy.h - what lifts a failure of a call on files, whatever was being done. */
#ifndef TREE_REMEDY_H
#define TREE_REMEDY_H

struct remedy {
	char text[512];
};

/* "make room on its disk"; `otherwise` where nothing is known that would lift it. */
const char *remedy_of(int failure, const char *otherwise);

/* The same between what is said `before` and `after` it. */
const char *remedy_write(struct remedy *remedy, const char *before, int failure, const char *otherwise,
			 const char *after);

#endif
