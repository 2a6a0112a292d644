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
