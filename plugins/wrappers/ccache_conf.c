/* wrappers/ccache_conf.c - where ccache's own configuration files put its cache. */
#include "config.h"

#include "ccache_conf.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LINES_MOST = 1000, LINE_ROOM = 4096 };

/* --- values --------------------------------------------------------------------------------------- */
/* The value of "$NAME" or "${NAME}" at `at`, and where it ends; NULL for any other form. */
static const char *variable(const struct pinfold_host *host, const struct pinfold_wrapper_context *context,
			    const char *at, const char **ret_end)
{
	static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_";
	bool braces = at[1] == '{';
	const char *begin = at + 1 + braces;
	size_t length = strspn(begin, letters);
	if (length == 0 || (braces && begin[length] != '}'))
		return NULL;
	const char *name = host->print(host, "%.*s", (int)length, begin);
	*ret_end = begin + length + braces;
	return name ? words_value(context->environment, name) : NULL;
}

/* As ccache expands it; NULL where that is no absolute path. */
static const char *expand(const struct pinfold_host *host, const struct pinfold_wrapper_context *context,
			  const char *value)
{
	const char *made = "";
	while (made && *value) {
		const char *end = value + strcspn(value, "$"), *inserted = "";
		int plain = (int)(end - value);
		if (*end && !(inserted = variable(host, context, end, &end)))
			return NULL;
		made = host->print(host, "%s%.*s%s", made, plain, value, inserted);
		value = end;
	}
	return made && made[0] == '/' ? made : NULL;
}

/* The value of a line "cache_dir = value", without the blanks around it; NULL for any other line. */
static char *value_of(char *line)
{
	static const char blanks[] = " \t\r\n", key[] = "cache_dir";
	line += strspn(line, blanks);
	if (strncmp(line, key, strlen(key)) != 0)
		return NULL;
	line += strlen(key);
	line += strspn(line, blanks);
	if (*line++ != '=')
		return NULL;
	line += strspn(line, blanks);
	for (size_t end = strlen(line); end > 0 && strchr(blanks, line[end - 1]); end--)
		line[end - 1] = '\0';
	return line;
}

/* --- files ---------------------------------------------------------------------------------------- */
static FILE *open_plain(const char *path)
{
	struct stat about;
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (fd >= 0 && fstat(fd, &about) == 0 && S_ISREG(about.st_mode))
		return fdopen(fd, "r");
	if (fd >= 0)
		close(fd);
	return NULL;
}

/* The last line of a file counts. */
static const char *read_file(const struct pinfold_host *host, const struct pinfold_wrapper_context *context,
			     const char *path)
{
	char line[LINE_ROOM], *value;
	const char *found = NULL;
	FILE *file = path ? open_plain(path) : NULL;
	for (int i = 0; file && i < LINES_MOST && fgets(line, sizeof(line), file); i++)
		if ((value = value_of(line)))
			found = expand(host, context, value);
	if (file)
		fclose(file);
	return found;
}

static bool is_in_tree(const struct pinfold_wrapper_context *context, const char *path)
{
	char *canonical = realpath(path, NULL);
	size_t length = context->directory ? strlen(context->directory) : 0;
	bool inside = canonical && length > 0 && strncmp(canonical, context->directory, length) == 0 &&
		      (canonical[length] == '/' || canonical[length] == '\0');
	free(canonical);
	return inside;
}

/* The person's file; the one that CCACHE_CONFIGPATH names is the only one. */
static const char *own_file(const struct pinfold_host *host, const struct pinfold_wrapper_context *context)
{
	const char *named = words_value(context->environment, "CCACHE_CONFIGPATH");
	const char *base = words_value(context->environment, "XDG_CONFIG_HOME");
	const char *home = words_value(context->environment, "HOME");
	if (named)
		return named;
	if (!home)
		home = context->home;
	const char *legacy = home ? host->print(host, "%s/.ccache", home) : NULL;
	if (legacy && access(legacy, F_OK) == 0)
		return host->print(host, "%s/ccache.conf", legacy);
	if (base)
		return host->print(host, "%s/ccache/ccache.conf", base);
	return home ? host->print(host, "%s/.config/ccache/ccache.conf", home) : NULL;
}

const char *ccache_conf_directory(const struct pinfold_host *host,
				  const struct pinfold_wrapper_context *context)
{
	const char *own = own_file(host, context);
	const char *found = own && own[0] == '/' && !is_in_tree(context, own) ? read_file(host, context, own) : NULL;
	return found || words_value(context->environment, "CCACHE_CONFIGPATH") ?
		       found : read_file(host, context, "/etc/ccache.conf");
}
