/* base/list.c - a list of strings that it owns. */
#include "base/list.h"

#include "base/text.h"

#include <stdlib.h>

int list_add_taken(struct list *list, char *item)
{
	if (!item)
		return -1;
	if (list->count + 2 > list->room) {
		size_t room = list->room ? list->room * 2 : 8;
		char **items = realloc(list->items, room * sizeof(*items));
		if (!items) {
			free(item);
			return -1;
		}
		list->items = items;
		list->room = room;
	}
	list->items[list->count++] = item;
	list->items[list->count] = NULL;
	return 0;
}

int list_add(struct list *list, const char *item)
{
	return list_add_taken(list, strdup(item));
}

int list_addf(struct list *list, const char *format, ...)
{
	struct text text = { 0 };
	va_list arguments;
	va_start(arguments, format);
	text_addv(&text, format, arguments);
	va_end(arguments);
	return list_add_taken(list, text_take(&text));
}

bool list_has(const struct list *list, const char *item)
{
	for (size_t i = 0; i < list->count; i++)
		if (streq(list->items[i], item))
			return true;
	return false;
}

void list_release(struct list *list)
{
	for (size_t i = 0; i < list->count; i++)
		free(list->items[i]);
	free(list->items);
	*list = (struct list){ 0 };
}

static int compare_items(const void *left, const void *right)
{
	return strcmp(*(const char *const *)left, *(const char *const *)right);
}

int list_index(const struct list *list, struct list_index *ret_index)
{
	*ret_index = (struct list_index){ malloc((list->count + 1) * sizeof(*ret_index->items)), list->count };
	if (!ret_index->items)
		return -1;
	for (size_t i = 0; i < list->count; i++)
		ret_index->items[i] = list->items[i];
	qsort(ret_index->items, list->count, sizeof(*ret_index->items), compare_items);
	return 0;
}

bool list_index_has(const struct list_index *index, const char *item)
{
	return bsearch(&item, index->items, index->count, sizeof(*index->items), compare_items) != NULL;
}

void list_index_release(struct list_index *index)
{
	free(index->items);
	*index = (struct list_index){ 0 };
}
