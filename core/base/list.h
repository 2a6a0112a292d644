/* base/list.h - a list of strings that it owns, NULL-terminated so that it can be an argv or envp. */
#ifndef BASE_LIST_H
#define BASE_LIST_H

#include <stdbool.h>
#include <stddef.h>

struct list {
	char **items;	/* NULL while empty, else NULL-terminated */
	size_t count;
	size_t room;
};

/* Each returns 0, or -1 when memory is gone (the list is unchanged). */
int list_add(struct list *list, const char *item);
int list_add_taken(struct list *list, char *item);	/* frees the item on failure */
int list_addf(struct list *list, const char *format, ...) __attribute__((format(printf, 2, 3)));
bool list_has(const struct list *list, const char *item);
void list_release(struct list *list);

/* The items in another order, for many questions of what a list has; the list must stay as it is. */
struct list_index {
	const char **items;
	size_t count;
};

/* 0, or -1 when memory is gone. */
int list_index(const struct list *list, struct list_index *ret_index);
bool list_index_has(const struct list_index *index, const char *item);
void list_index_release(struct list_index *index);

#define auto_list __attribute__((cleanup(list_release)))

#endif
