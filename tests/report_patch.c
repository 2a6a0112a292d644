/* tests/report_patch.c - patches are what git itself would have written, and git and patch take them. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/fd.h"
#include "report/gitname.h"
#include "report/patch.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define BYTES(text) text, sizeof(text) - 1

struct side {
	uint32_t mode;	/* 0: not there */
	const char *bytes;
	size_t count;
};

/* In the order of their paths. `from`: the path before; NULL: the same. */
static const struct one {
	const char *path, *from;
	struct side before, after;
} ones[] = {
	{ "added", NULL, { 0 }, { 0100644, BYTES("one\ntwo\n") } },
	{ "added open", NULL, { 0 }, { 0100755, BYTES("no newline") } },
	{ "added-empty", NULL, { 0 }, { 0100644, BYTES("") } },
	{ "blank name", NULL, { 0100644, BYTES("a\n") }, { 0100644, BYTES("b\n") } },
	{ "bytes\xff\xfe", NULL, { 0100644, BYTES("a\n") }, { 0100644, BYTES("b\n") } },
	{ "caf\xc3\xa9", NULL, { 0100644, BYTES("a\n") }, { 0100644, BYTES("b\n") } },
	{ "closes", NULL, { 0100644, BYTES("a\nb") }, { 0100644, BYTES("a\nb\n") } },
	{ "control\001\033[2J", NULL, { 0100644, BYTES("a\n") }, { 0100644, BYTES("b\n") } },
	{ "crlf", NULL, { 0100644, BYTES("a\r\nb\r\nc\r\n") }, { 0100644, BYTES("a\r\nB\r\nc\n") } },
	{ "dir/deep/er/file", NULL, { 0100644, BYTES("a\n") }, { 0100644, BYTES("b\n") } },
	{ "executable", NULL, { 0100644, BYTES("a\n") }, { 0100755, BYTES("a\n") } },
	{ "function.c", NULL,
	  { 0100644, BYTES("int main(void)\n{\n\ta();\n\tb();\n\tc();\n\td();\n\te();\n\tf();\n}\n") },
	  { 0100644, BYTES("int main(void)\n{\n\ta();\n\tb();\n\tc();\n\td();\n\te();\n\tg();\n}\n") } },
	{ "latin", NULL, { 0100644, BYTES("caf\xe9\n") }, { 0100644, BYTES("caf\xe9s\n") } },
	{ "link", NULL, { 0120000, BYTES("one") }, { 0120000, BYTES("two") } },
	{ "link gone", NULL, { 0120000, BYTES("one") }, { 0 } },
	{ "new\nline", NULL, { 0100644, BYTES("a\n") }, { 0100644, BYTES("b\n") } },
	{ "new-link", NULL, { 0 }, { 0120000, BYTES("/no/where") } },
	{ "opens", NULL, { 0100644, BYTES("a\nb\n") }, { 0100644, BYTES("a\nb") } },
	{ "quote\"back\\slash", NULL, { 0100644, BYTES("a\n") }, { 0100644, BYTES("b\n") } },
	{ "removed", NULL, { 0100644, BYTES("three\nfour\n") }, { 0 } },
	{ "renamed\tx", "renamed\tw", { 0100644, BYTES("another's\nown\n") }, { 0100755, BYTES("another's\nown\n") } },
	{ "renamed to", "renamed from", { 0100644, BYTES("its own\nlines\n") }, { 0100644, BYTES("its own\nlines\n") } },
	{ "rewritten", NULL, { 0100644, BYTES("a\nb\nc\n") }, { 0100755, BYTES("x\ny\n") } },
	{ "still open", NULL, { 0100644, BYTES("a\nb") }, { 0100644, BYTES("x\nb") } },
	{ "was a file", NULL, { 0100644, BYTES("content\n") }, { 0 } },
	{ "was a file", NULL, { 0 }, { 0120000, BYTES("target") } },
	{ "was a link", NULL, { 0120000, BYTES("target") }, { 0 } },
	{ "was a link", NULL, { 0 }, { 0100644, BYTES("content\n") } },
};

static const struct one packed_ones[] = {
	{ "bin added", NULL, { 0 }, { 0100644, BYTES("\0\1\2\3binary") } },
	{ "bin changed", NULL, { 0100644, BYTES("a\0b") }, { 0100755, BYTES("a\0c\0d") } },
	{ "bin removed", NULL, { 0100644, BYTES("\0") }, { 0 } },
	{ "empty removed", NULL, { 0100755, BYTES("") }, { 0 } },
	{ "bin text", NULL, { 0100644, BYTES("a\0b") }, { 0100644, BYTES("text\n") } },
};

/* --- trees ---------------------------------------------------------------------------------------- */
static char place[64];	/* holds before/ and after/ */

static int make_place(void **state)
{
	(void)state;
	snprintf(place, sizeof(place), "%s", "/tmp/pinfold-patch-XXXXXX");
	return mkdtemp(place) && chdir(place) == 0 ? 0 : -1;
}

__attribute__((format(printf, 1, 2))) static int shell(const char *format, ...)
{
	char command[1024];
	va_list list;
	va_start(list, format);
	vsnprintf(command, sizeof(command), format, list);
	va_end(list);
	return system(command);
}

static int remove_place(void **state)
{
	(void)state;
	return chdir("/") == 0 && shell("rm -rf -- %s", place) == 0 ? 0 : -1;
}

static void put(const char *tree, const char *path, const struct side *side)
{
	char name[256];
	snprintf(name, sizeof(name), "%s/%s", tree, path);
	for (char *at = strchr(name, '/'); at; at = strchr(at + 1, '/')) {
		*at = '\0';
		assert_true(mkdir(name, 0755) == 0 || errno == EEXIST);
		*at = '/';
	}
	if (side->mode == 0120000) {
		assert_int_equal(symlink(side->bytes, name), 0);
		return;
	}
	int fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	assert_true(fd >= 0);
	assert_int_equal(fd_write_all(fd, side->bytes, side->count), 0);
	assert_int_equal(fchmod(fd, side->mode & 0777), 0);
	close(fd);
}

static const char *before_path(const struct one *one)
{
	return one->from ? one->from : one->path;
}

static void put_all(const struct one *all, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (all[i].before.mode)
			put("before", before_path(&all[i]), &all[i].before);
		if (all[i].after.mode)
			put("after", all[i].path, &all[i].after);
	}
}

static struct patch_side side_of(const char *path, const struct side *side)
{
	return (struct patch_side){
		.path = path, .mode = side->mode,
		.content = {
			.kind = !side->mode ? CONTENT_NONE
				: memchr(side->bytes, 0, side->count) ? CONTENT_BINARY : CONTENT_TEXT,
			.data = (char *)(uintptr_t)side->bytes, .bytes = side->count,
		},
	};
}

static struct patch patch_of(const struct one *one)
{
	return (struct patch){
		.before = side_of(before_path(one), &one->before),
		.after = side_of(one->path, &one->after),
		.differs = !one->before.mode || !one->after.mode ||
			   one->before.count != one->after.count ||
			   memcmp(one->before.bytes, one->after.bytes, one->before.count) != 0,
	};
}

static int new_file(const char *name)
{
	int fd = open(name, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	assert_true(fd >= 0);
	return fd;
}

static void write_all(const struct one *all, size_t count, int fd, bool packed)
{
	struct stream stream;
	struct hunks *hunks = NULL;
	struct pinfold_error err = { 0 };
	const struct patch_style style = { .around = 3, .packed = packed };
	stream_open(&stream, fd);
	for (size_t i = 0; i < count; i++) {
		struct patch patch = patch_of(&all[i]);
		assert_int_equal(patch_write(&stream, &hunks, &patch, &style, &err), 0);
	}
	hunks_close(hunks);
	assert_int_equal(stream_close(&stream, &err), 0);
}

#define GIT "git -c core.fileMode=true -c user.name=t -c user.email=t@localhost -c init.defaultBranch=main "

static void needs(const char *program)
{
	if (shell("command -v %s >/dev/null", program) == 0)
		return;
	print_message("%s is missing\n", program);
	skip();
}

static void begin(const struct one *all, size_t count, bool packed)
{
	setenv("HOME", place, 1);
	setenv("GIT_CONFIG_NOSYSTEM", "1", 1);
	assert_int_equal(shell("rm -rf before after want patch && mkdir before after"), 0);
	put_all(all, count);
	int fd = new_file("patch");
	write_all(all, count, fd, packed);
	close(fd);
}

static void expect_equal_trees(void)
{
	assert_int_equal(shell("rm -rf before/.git after/.git; diff -r --no-dereference before after >&2"), 0);
	assert_int_equal(shell("for t in before after; do (cd $t && find . -type f -printf '%%p %%m\\n' | LC_ALL=C sort >../$t.modes); done;"
			       "cmp before.modes after.modes"), 0);
}

/* --- tests ---------------------------------------------------------------------------------------- */
static void compare_with_git(void)
{
	assert_int_equal(shell("cd before && " GIT "init -q && " GIT "add -A && " GIT "commit -qm before && cd .. && "
			       "mv before/.git after/ && cd after && " GIT "add -A && " GIT
			       "diff --cached --no-color --no-ext-diff -M100%% HEAD >../want"), 0);
	assert_int_equal(shell("diff -a want patch >&2"), 0);
}

static void patches_are_what_git_writes(void **state)
{
	(void)state;
	needs("git");
	begin(ones, N_ELEMENTS(ones), false);
	compare_with_git();
}

static void git_apply_makes_one_tree_of_the_other(void **state)
{
	(void)state;
	needs("git");
	begin(ones, N_ELEMENTS(ones), false);
	assert_int_equal(shell("cd before && git apply --check ../patch && git apply ../patch"), 0);
	expect_equal_trees();
}

static void git_apply_in_a_repository_takes_it_too(void **state)
{
	(void)state;
	needs("git");
	begin(ones, N_ELEMENTS(ones), false);
	assert_int_equal(shell("cd before && " GIT "init -q && " GIT "add -A && " GIT "commit -qm before && "
			       GIT "apply --index ../patch"), 0);
	expect_equal_trees();
}

static void the_reverse_of_a_patch_undoes_it(void **state)
{
	(void)state;
	needs("git");
	begin(ones, N_ELEMENTS(ones), false);
	assert_int_equal(shell("cd after && git apply -R ../patch"), 0);
	expect_equal_trees();
}

static void binary_content_is_packed_as_git_packs_it(void **state)
{
	(void)state;
	needs("git");
	begin(packed_ones, N_ELEMENTS(packed_ones), true);
	assert_int_equal(shell("cd before && git apply ../patch"), 0);
	expect_equal_trees();
	begin(packed_ones, N_ELEMENTS(packed_ones), true);
	assert_int_equal(shell("cd after && git apply -R ../patch"), 0);
	expect_equal_trees();
}

/* What patch(1) does not do: links, what became something else, names with a newline, and names with a
 * blank where they are in the first line alone. */
static void patch_takes_it(void **state)
{
	(void)state;
	needs("patch");
	struct one simple[N_ELEMENTS(ones)];
	size_t count = 0;
	for (size_t i = 0; i < N_ELEMENTS(ones); i++)
		if (!strstr(ones[i].path, "link") && !strstr(ones[i].path, "was a") &&
		    !strstr(ones[i].path, "renamed to") && !strchr(ones[i].path, '\n'))
			simple[count++] = ones[i];
	begin(simple, count, false);
	assert_int_equal(shell("cd before && patch -s -p1 --binary <../patch >&2"), 0);
	expect_equal_trees();
}

static char *written(bool escaped, bool colour, const struct patch *patch)
{
	struct stream stream;
	struct hunks *hunks = NULL;
	struct pinfold_error err = { 0 };
	const struct patch_style style = { .around = 3 };
	int fd = new_file("written");
	char *text;
	size_t bytes;
	stream_open(&stream, fd);
	stream.escaped = escaped;
	stream.colour = colour;
	assert_int_equal(patch_write(&stream, &hunks, patch, &style, &err), 0);
	assert_int_equal(stream_close(&stream, &err), 0);
	hunks_close(hunks);
	assert_int_equal(lseek(fd, 0, SEEK_SET), 0);
	assert_int_equal(fd_read_all(fd, 1 << 20, &text, &bytes), 0);
	close(fd);
	return text;
}

static void binary_and_large_content_is_noted(void **state)
{
	(void)state;
	struct patch patch = patch_of(&packed_ones[1]);
	char *text = written(false, false, &patch);
	assert_string_equal(text, "diff --git a/bin changed b/bin changed\nold mode 100644\nnew mode 100755\n"
				  "index 20b5be9..57e6c15\n"
				  "Binary files a/bin changed and b/bin changed differ\n");
	free(text);
	patch = (struct patch){ .before = { .path = "x" }, .differs = true,
				.after = { .path = "x", .mode = 0100644, .content.kind = CONTENT_LARGE } };
	text = written(false, false, &patch);
	assert_string_equal(text, "diff --git a/x b/x\nnew file mode 100644\n"
				  "Binary files /dev/null and b/x differ\n");
	free(text);
}

static void a_terminal_obeys_nothing_of_what_it_is_shown(void **state)
{
	(void)state;
	static const struct one hostile = {
		"\033]0;x\a", NULL,
		{ 0100644, BYTES("int \033[2Jf()\n{\n\n\n\nsame\r\nold\t\xe2\x80\xae\n") },
		{ 0100644, BYTES("int \033[2Jf()\n{\n\n\n\nsame\r\nnew\xff\r") },
	};
	struct patch patch = patch_of(&hostile);
	char *text = written(true, false, &patch);
	for (const char *at = text; *at; at++)
		assert_true((*at >= 0x20 && *at < 0x7f) || *at == '\n' || *at == '\t');
	assert_non_null(strstr(text, "\n same\n"));
	assert_non_null(strstr(text, "\n-old\t\\xe2\\x80\\xae\n"));
	assert_non_null(strstr(text, "\n+new\\xff\\x0d\n\\ No newline at end of file\n"));
	assert_non_null(strstr(text, "int \\x1b[2Jf()"));
	free(text);
	text = written(false, false, &patch);
	assert_non_null(strstr(text, "+new\xff\r\n"));
	free(text);
}

static void lines_have_the_colours_of_git(void **state)
{
	(void)state;
	struct patch patch = patch_of(&ones[3]);
	char *text = written(true, true, &patch);
	assert_string_equal(text, "\033[1mdiff --git a/blank name b/blank name\033[0m\n"
				  "\033[1mindex 7898192..6178079 100644\033[0m\n"
				  "\033[1m--- a/blank name\t\033[0m\n\033[1m+++ b/blank name\t\033[0m\n"
				  "\033[36m@@ -1 +1 @@\033[0m\n\033[31m-a\033[0m\n\033[32m+b\033[0m\n");
	free(text);
}

static void names_are_quoted_as_git_quotes_them(void **state)
{
	(void)state;
	static const char *const names[][2] = {
		{ "plain name", "a/plain name" }, { "tab\t", "\"a/tab\\t\"" }, { "\"", "\"a/\\\"\"" },
		{ "\\", "\"a/\\\\\"" }, { "\x7f", "\"a/\\177\"" }, { "\xc3\xa9", "\"a/\\303\\251\"" },
		{ "\a\b\v\f\r\n", "\"a/\\a\\b\\v\\f\\r\\n\"" }, { "\001", "\"a/\\001\"" },
	};
	for (size_t i = 0; i < N_ELEMENTS(names); i++) {
		char *name = gitname_of("a/", names[i][0]);
		assert_string_equal(name, names[i][1]);
		free(name);
	}
}

static void modes_are_those_that_git_has(void **state)
{
	(void)state;
	assert_int_equal(patch_mode(S_IFREG | 0600), 0100644);
	assert_int_equal(patch_mode(S_IFREG | 04711), 0100755);
	assert_int_equal(patch_mode(S_IFREG | 0011), 0100644);
	assert_int_equal(patch_mode(S_IFLNK | 0777), 0120000);
	assert_int_equal(patch_mode(S_IFDIR | 0755), 0);
	assert_int_equal(patch_mode(S_IFIFO | 0755), 0);
}

static void content_is_told_apart(void **state)
{
	(void)state;
	struct content content;
	int fd = new_file("content");
	assert_int_equal(content_read(fd, 10, &content), 0);
	assert_int_equal(content.kind, CONTENT_TEXT);
	assert_int_equal(content.bytes, 0);
	content_release(&content);
	assert_int_equal(fd_write_all(fd, "123456789\0", 10), 0);
	assert_int_equal(lseek(fd, 0, SEEK_SET), 0);
	assert_int_equal(content_read(fd, 10, &content), 0);
	assert_int_equal(content.kind, CONTENT_BINARY);
	content_release(&content);
	assert_int_equal(content_read(fd, 9, &content), 0);
	assert_int_equal(content.kind, CONTENT_LARGE);
	assert_null(content.data);
	assert_int_equal(ftruncate(fd, INT64_C(1) << 40), 0);
	assert_int_equal(content_read(fd, 1 << 20, &content), 0);
	assert_int_equal(content.kind, CONTENT_LARGE);
	close(fd);
	assert_int_equal(mkfifo("fifo", 0600), 0);
	fd = open("fifo", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	assert_int_equal(content_read(fd, 1 << 20, &content), -1);
	assert_int_equal(errno, ESTALE);
	close(fd);
	assert_int_equal(unlink("fifo"), 0);
}

static void lines_are_counted(void **state)
{
	(void)state;
	struct hunks *hunks = NULL;
	struct patch_count count;
	struct pinfold_error err = { 0 };
	const struct side a = { 0100644, BYTES("a\nb\nc\n") }, b = { 0100644, BYTES("a\nx\ny\nc") };
	struct patch_side before = side_of("", &a), after = side_of("", &b);
	assert_int_equal(patch_count(&hunks, &before.content, &after.content, &count, &err), 0);
	assert_int_equal(count.added, 3);
	assert_int_equal(count.removed, 2);
	const struct content none = { 0 };
	assert_int_equal(patch_count(&hunks, &none, &after.content, &count, &err), 0);
	assert_int_equal(count.added, 4);
	assert_int_equal(count.removed, 0);
	hunks_close(hunks);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(patches_are_what_git_writes),
		cmocka_unit_test(git_apply_makes_one_tree_of_the_other),
		cmocka_unit_test(git_apply_in_a_repository_takes_it_too),
		cmocka_unit_test(the_reverse_of_a_patch_undoes_it),
		cmocka_unit_test(binary_content_is_packed_as_git_packs_it),
		cmocka_unit_test(patch_takes_it),
		cmocka_unit_test(binary_and_large_content_is_noted),
		cmocka_unit_test(a_terminal_obeys_nothing_of_what_it_is_shown),
		cmocka_unit_test(lines_have_the_colours_of_git),
		cmocka_unit_test(names_are_quoted_as_git_quotes_them),
		cmocka_unit_test(modes_are_those_that_git_has),
		cmocka_unit_test(content_is_told_apart),
		cmocka_unit_test(lines_are_counted),
	};
	return cmocka_run_group_tests(tests, make_place, remove_place);
}
