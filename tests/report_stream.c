/* tests/report_stream.c - a long text is written whole, and a reader that goes away does no harm. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "report/stream.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

static void a_reader_that_went_away_raises_no_signal(void **state)
{
	(void)state;
	static struct stream stream;
	struct pinfold_error err = { 0 };
	sigset_t now;
	int ends[2];
	assert_int_equal(pipe(ends), 0);
	close(ends[0]);
	assert_int_equal((intptr_t)signal(SIGPIPE, SIG_DFL), (intptr_t)SIG_DFL);
	stream_open(&stream, ends[1]);
	for (int i = 0; i < 5000; i++)
		stream_put(&stream, "a line that nobody reads\n");
	assert_int_equal(stream_close(&stream, &err), -1);
	assert_int_equal(err.sys, EPIPE);
	close(ends[1]);
	sigpending(&now);
	assert_false(sigismember(&now, SIGPIPE));
	pthread_sigmask(SIG_SETMASK, NULL, &now);
	assert_false(sigismember(&now, SIGPIPE));
}

enum spool { SPOOL_NONE = 0, SPOOL_FILE, SPOOL_FULL, SPOOLS };

/* One that is full takes 32 KiB. */
static int make_spool(enum spool kind)
{
	if (kind == SPOOL_NONE)
		return -1;
	int fd = memfd_create("spool", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	assert_true(fd >= 0);
	if (kind == SPOOL_FULL) {
		assert_int_equal(ftruncate(fd, 32768), 0);
		assert_int_equal(fcntl(fd, F_ADD_SEALS, F_SEAL_GROW), 0);
	}
	return fd;
}

static void what_is_held_back_is_written_whole_and_in_order(void **state)
{
	static const size_t limits[] = { 0, 1, 16384, 20000, 100000, 1000000 };
	static struct stream stream;
	static char wanted[100000], found[sizeof(wanted) + 1];
	(void)state;
	for (size_t i = 0; i < sizeof(wanted); i++)
		wanted[i] = (char)('a' + i / 7 % 26);
	for (size_t i = 0; i < SPOOLS * N_ELEMENTS(limits); i++) {
		enum spool kind = (enum spool)(i % SPOOLS);
		size_t limit = limits[i / SPOOLS];
		bool held = limit >= sizeof(wanted) || (limit > 0 && kind == SPOOL_FILE);
		struct pinfold_error err = { 0 };
		int fd = memfd_create("written", MFD_CLOEXEC);
		stream_open(&stream, fd);
		stream_hold(&stream, limit, make_spool(kind));
		for (size_t at = 0; at < sizeof(wanted); at += 1000)
			stream_add(&stream, wanted + at, 1000);
		assert_int_equal(lseek(fd, 0, SEEK_END) == 0, held);
		assert_int_equal(stream_close(&stream, &err), 0);
		assert_int_equal(pread(fd, found, sizeof(found), 0), sizeof(wanted));
		assert_memory_equal(found, wanted, sizeof(wanted));
		close(fd);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_reader_that_went_away_raises_no_signal),
		cmocka_unit_test(what_is_held_back_is_written_whole_and_in_order),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
