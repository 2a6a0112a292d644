/* tests/face_hard.c - nothing runs where the vendor's hard tier is not there. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/places.h"
#include "face_place.h"

#include <pinfold/pinfold.h>

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char vendor[PATH_MAX];

/* This program's own, in place of those that other tests share. */
const char *places_vendor(void)
{
	return vendor;
}

const char *places_site(void)
{
	return "/nonexistent/pinfold";
}

const char *places_plugins(void)
{
	return TEST_BUILD "/tests/modules";
}

const char *places_init(void)
{
	return TEST_BUILD "/pinfold-init";
}

static const char *hard_file(void)
{
	static char path[PATH_MAX + 16];
	snprintf(path, sizeof(path), "%s/hard.conf", vendor);
	return path;
}

static void write_at(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	assert_true(fd >= 0);
	assert_int_equal(dprintf(fd, "%s", text), (int)strlen(text));
	close(fd);
}

static int make_vendor(void **state)
{
	char path[PATH_MAX + 32];
	if (face_place_make(state) < 0)
		return -1;
	umask(022);
	snprintf(vendor, sizeof(vendor), "%.4000s/vendor", face_place_home());
	snprintf(path, sizeof(path), "%s/presets", vendor);
	if (mkdir(vendor, 0755) < 0 || mkdir(path, 0755) < 0)
		return -1;
	snprintf(path, sizeof(path), "%s/presets/default.conf", vendor);
	write_at(path, "[filesystem]\nhidden = -/nonexistent/keys\n");
	return 0;
}

/* What a start comes to, by itself and in a cage, in either placement, and what explaining it does. */
static void each_way(uint32_t code, const char *named)
{
	static const char *const argv[] = { "true", NULL };
	static const char *const settings[] = { "placement.host=always", "hard.hidden=/mnt", "hard.protected=/mnt",
						NULL };
	struct pinfold_options options = { .size = sizeof(options), .settings = settings };
	struct pinfold_cage_order order = { .size = sizeof(order) };
	struct pinfold_error errors[4] = { 0 };
	struct pinfold *pinfold;
	struct pinfold_cage *cage;
	struct pinfold_run *run[3] = { 0 };
	char *document = NULL;
	assert_int_equal(pinfold_new(&options, &pinfold, &errors[0]), 0);
	struct pinfold_command command = { .size = sizeof(command), .argv = argv, .streams = { -1, -1, -1 } };
	int result[4] = { pinfold_run_start(pinfold, &command, &run[0], &errors[0]) };
	command.where = PINFOLD_WHERE_HOST;
	result[1] = pinfold_run_start(pinfold, &command, &run[1], &errors[1]);
	assert_int_equal(pinfold_cage_open(pinfold, &order, &cage, &errors[2]), 0);
	result[2] = pinfold_cage_start(cage, &command, &run[2], &errors[2]);
	result[3] = pinfold_describe_run(pinfold, &command, PINFOLD_FORM_TEXT, &document, &errors[3]);
	for (int i = 0; i < 4; i++) {
		assert_int_equal(result[i], code ? -1 : 0);
		assert_int_equal(errors[i].code, code);
		assert_true(!code || (strstr(errors[i].subject, named) && *errors[i].action && *errors[i].recovery));
	}
	for (int i = 0; i < 3; i++)
		pinfold_run_free(run[i]);
	free(document);
	pinfold_cage_close(cage);
	pinfold_free(pinfold);
}

static void without_the_hard_tier_every_run_is_refused_and_named(void **state)
{
	(void)state;
	static const struct {
		const char *text, *what;
	} files[] = {
		{ NULL, "hard.conf: it is not there" },
		{ "", "hard.conf: it names no [hard] hidden path" },
		{ "# nothing\n[hard]\n", "hard.conf: it names no [hard] hidden path" },
		{ "[hard]\nhidden =\nprotected = /mnt\n", "hard.conf: it names no [hard] hidden path" },
		{ "[hard]\nhidden = /mnt\n", "hard.conf: it names no [hard] protected path" },
	};
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		if (files[i].text)
			write_at(hard_file(), files[i].text);
		each_way(PINFOLD_E_CONFIG, files[i].what);
	}
	write_at(hard_file(), "[hard]\nhidden = /mnt\nprotected = /mnt\n");
	each_way(0, "");
}

static void a_hard_tier_that_cannot_be_read_refuses_everything(void **state)
{
	(void)state;
	struct pinfold_error err = { 0 };
	struct pinfold *pinfold = NULL;
	unlink(hard_file());
	assert_int_equal(symlink("/nonexistent/hard.conf", hard_file()), 0);
	assert_int_equal(pinfold_new(NULL, &pinfold, &err), -1);
	assert_int_equal(err.code, PINFOLD_E_CONFIG);
	assert_non_null(strstr(err.subject, "hard.conf"));
	unlink(hard_file());
	write_at(hard_file(), "[hard]\nhidden = /mnt\nprotected = /mnt\n");
	assert_int_equal(chmod(hard_file(), geteuid() ? 0 : 0666), 0);
	assert_int_equal(pinfold_new(NULL, &pinfold, &err), -1);
	assert_non_null(strstr(err.subject, "hard.conf"));
	assert_true(*err.recovery);
}

#define TEST(name) cmocka_unit_test(name)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(without_the_hard_tier_every_run_is_refused_and_named),
		TEST(a_hard_tier_that_cannot_be_read_refuses_everything),
	};
	return cmocka_run_group_tests(tests, make_vendor, face_place_remove);
}
