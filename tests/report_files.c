/* tests/report_files.c - a receipt's file is whole or not there, and nobody else's business. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/cleanup.h"
#include "base/fd.h"
#include "base/text.h"
#include "report/receipt_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

static char root[64];
static bool without_nameless;	/* act as a file system that has no files without a name */

int __real_openat(int dir, const char *path, int flags, mode_t mode);
int __wrap_openat(int dir, const char *path, int flags, mode_t mode);

int __wrap_openat(int dir, const char *path, int flags, mode_t mode)
{
	if (without_nameless && (flags & O_TMPFILE) == O_TMPFILE) {
		errno = EOPNOTSUPP;
		return -1;
	}
	return __real_openat(dir, path, flags, mode);
}

static int make_root(void **state)
{
	(void)state;
	char template[] = "/tmp/report-files-XXXXXX";
	snprintf(root, sizeof(root), "%s", mkdtemp(template));
	return chdir(root);
}

static int remove_root(void **state)
{
	(void)state;
	char command[256];
	snprintf(command, sizeof(command), "chmod -R u+rwx %s; rm -rf %s", root, root);
	return chdir("/") || system(command);
}

static size_t count_entries(void)
{
	auto_closedir DIR *dir = opendir(root);
	size_t count = 0;
	for (struct dirent *entry; (entry = readdir(dir));)
		count += !streq(entry->d_name, ".") && !streq(entry->d_name, "..");
	return count;
}

static void write_file(const char *name, const char *text)
{
	auto_close int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	assert_true(fd >= 0);
	assert_int_equal(fd_write_all(fd, text, strlen(text)), 0);
}

static void assert_content(const char *name, const char *expected)
{
	auto_close int fd = open(name, O_RDONLY | O_CLOEXEC);
	auto_free char *data = NULL;
	size_t bytes;
	assert_true(fd >= 0);
	assert_int_equal(fd_read_all(fd, 100000, &data, &bytes), 0);
	assert_string_equal(data, expected);
}

static struct receipt_file *opened(const char *path)
{
	struct receipt_file *file = NULL;
	struct pinfold_error err = { 0 };
	if (receipt_file_open(path, &file, &err) < 0)
		fail_msg("%s: %s", err.action, err.subject);
	return file;
}

static void a_committed_file_is_whole_and_for_its_owner_alone(void **state)
{
	(void)state;
	umask(0);
	assert_int_equal(receipt_file_commit(opened("r.json"), "text\n", NULL), 0);
	struct stat status;
	assert_int_equal(stat("r.json", &status), 0);
	assert_int_equal(status.st_mode & 07777, 0600);
	assert_content("r.json", "text\n");
	assert_int_equal(count_entries(), 1);
}

static void what_was_there_stays_until_the_commit_and_is_then_replaced(void **state)
{
	(void)state;
	write_file("r.json", "old and longer than the new");
	assert_int_equal(link("r.json", "elsewhere"), 0);
	struct receipt_file *file = opened("r.json");
	assert_content("r.json", "old and longer than the new");
	assert_int_equal(receipt_file_commit(file, "new", NULL), 0);
	assert_content("r.json", "new");
	assert_content("elsewhere", "old and longer than the new");
}

static void an_abandoned_file_leaves_everything_as_it_was(void **state)
{
	(void)state;
	receipt_file_abandon(opened("r.json"));
	assert_int_equal(count_entries(), 0);
	write_file("r.json", "old");
	receipt_file_abandon(opened("r.json"));
	assert_content("r.json", "old");
	assert_int_equal(count_entries(), 1);
	receipt_file_abandon(NULL);
}

static void nothing_has_a_name_before_the_commit(void **state)
{
	(void)state;
	struct receipt_file *file = opened("r.json");
	size_t named = count_entries();
	receipt_file_abandon(file);
	auto_close int fd = open(".", O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
	if (fd < 0) {
		print_message("skipped: this file system has no files without a name\n");
		skip();
	}
	assert_int_equal(named, 0);
}

static void a_file_system_without_nameless_files_will_do(void **state)
{
	(void)state;
	without_nameless = true;
	struct receipt_file *file = opened("r.json");
	assert_int_equal(count_entries(), 1);
	assert_int_equal(access("r.json", F_OK), -1);
	receipt_file_abandon(file);
	assert_int_equal(count_entries(), 0);
	assert_int_equal(receipt_file_commit(opened("r.json"), "text", NULL), 0);
	assert_content("r.json", "text");
	assert_int_equal(count_entries(), 1);
	file = opened("other");
	assert_int_equal(mkdir("other", 0700), 0);
	assert_int_equal(receipt_file_commit(file, "text", NULL), -1);
	assert_int_equal(count_entries(), 2);
	without_nameless = false;
}

static void make_link_to_file(const char *name)
{
	write_file("target", "precious");
	assert_int_equal(symlink("target", name), 0);
}

static void make_broken_link(const char *name)
{
	assert_int_equal(symlink("nowhere", name), 0);
}

static void make_socket(const char *name)
{
	auto_close int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	snprintf(address.sun_path, sizeof(address.sun_path), "%s", name);
	assert_int_equal(bind(fd, (struct sockaddr *)&address, sizeof(address)), 0);
}

static void make_fifo(const char *name)
{
	assert_int_equal(mkfifo(name, 0600), 0);
}

static void make_directory(const char *name)
{
	assert_int_equal(mkdir(name, 0700), 0);
}

static void (*const makers[])(const char *) = {
	make_link_to_file, make_broken_link, make_socket, make_fifo, make_directory,
};

static void only_a_regular_file_is_written_over(void **state)
{
	(void)state;
	for (size_t i = 0; i < N_ELEMENTS(makers); i++) {
		char name[16];
		snprintf(name, sizeof(name), "at%zu", i);
		makers[i](name);
		struct receipt_file *file = NULL;
		struct pinfold_error err = { 0 };
		assert_int_equal(receipt_file_open(name, &file, &err), -1);
		assert_null(file);
		assert_int_equal(err.code, PINFOLD_E_USAGE);
		assert_string_equal(err.subject, name);
		assert_true(err.recovery[0]);
	}
	assert_content("target", "precious");
	assert_int_equal(access("nowhere", F_OK), -1);
	struct receipt_file *file = NULL;
	assert_int_equal(receipt_file_open("/dev/null", &file, NULL), -1);
}

static void what_came_in_the_way_meanwhile_is_not_followed(void **state)
{
	(void)state;
	for (size_t i = 0; i < N_ELEMENTS(makers); i++) {
		char name[16];
		struct pinfold_error err = { 0 };
		snprintf(name, sizeof(name), "at%zu", i);
		struct receipt_file *file = opened(name);
		makers[i](name);
		size_t before = count_entries();
		assert_int_equal(receipt_file_commit(file, "text", &err), -1);
		assert_string_equal(err.action, "write the receipt");
		assert_int_equal(count_entries(), before);
	}
	assert_content("target", "precious");
	assert_int_equal(access("nowhere", F_OK), -1);
}

static void a_name_that_is_none_is_refused(void **state)
{
	(void)state;
	static const char *const names[] = { "", "/", ".", "..", "absent/r", "./", "a/../", "/dev/fd/" };
	for (size_t i = 0; i < N_ELEMENTS(names); i++) {
		struct receipt_file *file = NULL;
		struct pinfold_error err = { 0 };
		assert_int_equal(receipt_file_open(names[i], &file, &err), -1);
		assert_int_equal(err.code, PINFOLD_E_USAGE);
		assert_null(file);
	}
	assert_int_equal(count_entries(), 0);
}

static void a_place_that_cannot_be_written_is_told_before_the_command(void **state)
{
	(void)state;
	struct receipt_file *file = NULL;
	struct pinfold_error err = { 0 };
	assert_int_equal(receipt_file_open("/proc/r.json", &file, &err), -1);
	assert_int_equal(err.code, PINFOLD_E_SYSTEM);
	if (geteuid() == 0)
		return;
	make_directory("closed");
	assert_int_equal(chmod("closed", 0500), 0);
	assert_int_equal(receipt_file_open("closed/r.json", &file, &err), -1);
	assert_int_equal(err.sys, EACCES);
}

static void a_long_name_is_no_trouble(void **state)
{
	(void)state;
	char name[256];
	memset(name, 'n', 255);
	name[255] = '\0';
	assert_int_equal(receipt_file_commit(opened(name), "text", NULL), 0);
	assert_content(name, "text");
	struct receipt_file *file = NULL;
	char longer[300];
	memset(longer, 'n', 299);
	longer[299] = '\0';
	assert_int_equal(receipt_file_open(longer, &file, NULL), -1);
}

static void a_directory_that_moves_meanwhile_takes_the_receipt_with_it(void **state)
{
	(void)state;
	make_directory("one");
	struct receipt_file *file = opened("one/r.json");
	assert_int_equal(rename("one", "two"), 0);
	make_directory("three");
	assert_int_equal(symlink("three", "one"), 0);
	assert_int_equal(receipt_file_commit(file, "text", NULL), 0);
	assert_content("two/r.json", "text");
	assert_int_equal(access("three/r.json", F_OK), -1);
}

#define in_a_root(test) cmocka_unit_test_setup_teardown(test, make_root, remove_root)

int main(void)
{
	const struct CMUnitTest tests[] = {
		in_a_root(a_committed_file_is_whole_and_for_its_owner_alone),
		in_a_root(what_was_there_stays_until_the_commit_and_is_then_replaced),
		in_a_root(an_abandoned_file_leaves_everything_as_it_was),
		in_a_root(nothing_has_a_name_before_the_commit),
		in_a_root(a_file_system_without_nameless_files_will_do),
		in_a_root(only_a_regular_file_is_written_over),
		in_a_root(what_came_in_the_way_meanwhile_is_not_followed),
		in_a_root(a_name_that_is_none_is_refused),
		in_a_root(a_place_that_cannot_be_written_is_told_before_the_command),
		in_a_root(a_long_name_is_no_trouble),
		in_a_root(a_directory_that_moves_meanwhile_takes_the_receipt_with_it),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
