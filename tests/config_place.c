/* tests/config_place.c - a directory of configuration files for one test, and loading from it. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "config_place.h"

#include "base/fault.h"
#include "base/text.h"

#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static char root[256];

const char *place_path(const char *name)
{
	static char paths[8][768];
	static unsigned next;
	char *path = paths[next++ % 8];
	snprintf(path, sizeof(paths[0]), "%s/%s", root, name);
	return path;
}

void place_write_bytes(const char *name, const void *data, size_t bytes)
{
	char path[768];
	snprintf(path, sizeof(path), "%s", place_path(name));
	for (char *slash = strchr(path + strlen(root) + 1, '/'); slash; slash = strchr(slash + 1,
										       '/')) {
		*slash = '\0';
		mkdir(path, 0755);
		*slash = '/';
	}
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, data, bytes), bytes);
	close(fd);
}

void place_write(const char *name, const char *text)
{
	place_write_bytes(name, text, strlen(text));
}

int place_set_up(void **state)
{
	(void)state;
	umask(022);
	snprintf(root, sizeof(root), "%s/pinfold-config-XXXXXX",
		 getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp");
	if (!mkdtemp(root))
		return -1;
	/* As the kernel spells it: homes are compared with it. */
	char *real = realpath(root, NULL);
	snprintf(root, sizeof(root), "%s", real);
	free(real);
	place_write("vendor/presets/default.conf", "# nothing\n");
	mkdir(place_path("site"), 0755);
	mkdir(place_path("home"), 0755);
	setenv("HOME", place_path("home"), 1);
	unsetenv("XDG_CONFIG_HOME");
	return 0;
}

static int remove_one(const char *path, const struct stat *about, int kind, struct FTW *walk)
{
	(void)about;
	(void)kind;
	(void)walk;
	return remove(path);
}

int place_tear_down(void **state)
{
	(void)state;
	return nftw(root, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

int place_load_file(const char *file, const char *const *settings, struct config **ret_config,
		    struct pinfold_error *err)
{
	const struct config_sources sources = {
		.vendor = place_path("vendor"), .site = place_path("site"),
		.user = place_path("user.conf"), .file = file ? place_path(file) : NULL,
		.settings = settings,
	};
	return config_load(&sources, ret_config, err);
}

int place_load(const char *const *settings, struct config **ret_config, struct pinfold_error *err)
{
	return place_load_file(NULL, settings, ret_config, err);
}

struct config *place_expect(const char *const *settings)
{
	struct pinfold_error err = { 0 };
	struct config *config = NULL;
	if (place_load(settings, &config, &err) < 0)
		fail_msg("cannot %s: %s (%s)", err.action, err.subject, err.recovery);
	return config;
}

static void assert_holds(const char *text, const char *part)
{
	if (part && !strstr(text, part))
		fail_msg("\"%s\" does not hold \"%s\"", text, part);
}

void place_refuses_settings(const char *const *settings, const char *file, unsigned line,
			    const char *what, const char *recovery)
{
	struct pinfold_error err = { 0 };
	struct config *config = NULL;
	char start[1024];
	if (place_load(settings, &config, &err) == 0) {
		config_free(config);
		fail_msg("accepted: %s", what);
	}
	assert_null(config);
	assert_string_equal(fault_code_name(err.code), "E_CONFIG");
	assert_string_equal(err.action, "read the configuration");
	snprintf(start, sizeof(start), line ? "%s:%u: " : "%s: ",
		 file[0] == '-' ? file : place_path(file), line);
	if (!starts_with(err.subject, start))
		fail_msg("\"%s\" does not begin with \"%s\"", err.subject, start);
	assert_holds(err.subject, what);
	assert_holds(err.recovery, recovery);
}

void place_refuses(const char *file, unsigned line, const char *what, const char *recovery)
{
	place_refuses_settings(NULL, file, line, what, recovery);
}

const char *place_list(const struct config *config, const char *section, const char *key)
{
	static char joined[8192];
	const struct list *list = config_list(config, section, key);
	joined[0] = '\0';
	for (size_t i = 0; i < list->count; i++)
		snprintf(joined + strlen(joined), sizeof(joined) - strlen(joined), "%s%s",
			 i ? "|" : "", list->items[i]);
	if (list->count > 0)
		assert_null(list->items[list->count]);
	return joined;
}
