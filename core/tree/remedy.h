/* tree/remedy.h - what lifts a failure of a call on files, whatever was being done. */
#ifndef TREE_REMEDY_H
#define TREE_REMEDY_H

struct remedy {
	char text[640];
};

/* "make room on its disk"; `otherwise` where nothing is known that would lift it. */
const char *remedy_of(int failure, const char *otherwise);

/* The same between what is said `before` and `after` it. */
const char *remedy_write(struct remedy *remedy, const char *before, int failure, const char *otherwise,
			 const char *after);

/* The same of something in the directory `place`, which is named: whoever is to lift it has to find it. Without a
 * descriptor (-1) it is not. */
const char *remedy_in(struct remedy *remedy, int place, const char *before, int failure, const char *otherwise,
		      const char *after);

#endif
