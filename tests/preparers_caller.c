/* tests/preparers_caller.c - preparers_caller NAME CACHE TEMPORARY [SETTING…]: what the preparer NAME wants for a
 * confined command in this directory and with this environment, as options of `pinfold run`, each ended
 * by a newline. */
#include "config.h"

#include "preparers_place.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void print_setting(const char *key, const char *mark, const char *value)
{
	printf("--set\n%s=%s", key, mark);
	for (; *value; value++)
		printf(*value == ',' ? "\\%c" : "%c", *value);
	putchar('\n');
}

static void print_list(const char *const *list, const char *key, const char *mark)
{
	for (; list && *list; list++)
		print_setting(key, mark, *list);
}

static void print_unset(const char *const *list)
{
	for (; list && *list; list++) {
		char name[256];
		snprintf(name, sizeof(name), "%.*s", (int)strcspn(*list, "="), *list);
		if (!getenv(name))
			print_setting("environment.set", "", *list);
	}
}

static int print(const struct asked *asked)
{
	const struct pinfold_preparation *preparation = &asked->preparation;
	if (asked->result < 0 || preparation->start) {
		fprintf(stderr, "cannot %s: %s\n", asked->err.action, asked->err.subject);
		return 1;
	}
	print_unset(preparation->environment);
	print_list(preparation->imposed, "environment.set", "");
	print_list(preparation->layers, "filesystem.layered", "-");
	print_list(preparation->writable, "filesystem.writable", "-");
	return 0;
}

int main(int argc, char **argv)
{
	struct asked asked = { 0 };
	char *directory = getcwd(NULL, 0);
	if (argc < 4 || !directory)
		return 2;
	const struct config_sources sources = { .settings = (const char *const *)argv + 4 };
	const struct pinfold_wrapper_context context = {
		.size = sizeof(context), .wrapper = argv[1], .directory = directory,
		.environment = (const char *const *)environ, .confined = 1, .home = getenv("HOME"),
		.cache = argv[2], .temporary = argv[3],
	};
	int result = 1;
	if (preparers_ask(argv[1], &sources, &context, &asked) < 0)
		fprintf(stderr, "cannot %s: %s\n", asked.err.action, asked.err.subject);
	else
		result = print(&asked);
	preparers_forget(&asked);
	free(directory);
	return result;
}
