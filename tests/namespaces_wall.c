/* tests/namespaces_wall.c - the second wall of the arm namespaces: what it closes that the view leaves open, that it
 * closes nothing else, and that without it the first stands alone. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/text.h"
#include "landlock/wall.h"
#include "namespaces_world.h"
#include "old_kernel.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *outside_pipe;

static int open_world(void **state)
{
	(void)state;
	world_open(&world, world_home());
	outside_pipe = world_path(&world, world.outside, "pipe");
	return mkfifo(outside_pipe, 0600);
}

static long result_of(int result)
{
	return result < 0 ? -errno : 0;
}

static long write_pipe(void *unused)
{
	(void)unused;
	int fd = open(outside_pipe, O_RDWR | O_NONBLOCK);
	if (fd >= 0)
		close(fd);
	return result_of(fd);
}

static long reach_abstract(void *unused)
{
	(void)unused;
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);
	int result = connect(fd, (struct sockaddr *)&world.by_name, world.by_name_length);
	int error = errno;
	close(fd);
	errno = error;
	return result_of(result);
}

static bool kernel_has(int abi)
{
	return wall_abi(&world.host.table) >= abi;
}

static void a_named_pipe_outside_is_closed_by_the_wall_alone(void **state)
{
	(void)state;
	if (!kernel_has(2))
		skip();
	assert_int_equal(world_inside(&world, write_pipe), EACCES);
	world.host.settings[0] = "landlock";
	world.host.settings[1] = "no";
	assert_int_equal(world_inside(&world, write_pipe), 0);
	world.host.settings[0] = NULL;
}

static void an_abstract_socket_of_the_hosts_network_is_closed_by_the_wall_alone(void **state)
{
	(void)state;
	if (!kernel_has(6))
		skip();
	world.policy.network = PINFOLD_NETWORK_HOST;
	assert_int_equal(world_inside(&world, reach_abstract), EPERM);
	world.host.settings[0] = "landlock";
	world.host.settings[1] = "no";
	assert_int_equal(world_inside(&world, reach_abstract), 0);
	world.host.settings[0] = NULL;
}

/* All that a command does in what it may write, on both sides of a rule. */
static long live(void *unused)
{
	char moved[200], other[200];
	(void)unused;
	snprintf(moved, sizeof(moved), "%s/d/moved", world.tree);
	snprintf(other, sizeof(other), "%s/linked", world.tree);
	if (world_create(world_path(&world, world.tree, "new")) < 0 || mkdir(world_path(&world, world.tree, "d"), 0700) < 0)
		return -1;
	if (rename(world_path(&world, world.tree, "new"), moved) < 0 || link(moved, other) < 0 || truncate(other, 5) < 0)
		return -2;
	if (world_create("/tmp/new") < 0 || world_create("/dev/shm/new") < 0 || mkdir("/run/d", 0700) < 0)
		return -3;
	if (mkfifo("/tmp/pipe", 0600) < 0 || symlink("x", "/tmp/link") < 0 || unlink("/tmp/new") < 0)
		return -4;
	static const char *const devices[] = { "/dev/null", "/dev/zero", "/dev/full", "/dev/ptmx" };
	for (size_t i = 0; i < N_ELEMENTS(devices); i++) {
		int fd = open(devices[i], O_RDWR);
		if (fd < 0)
			return -5;
		close(fd);
	}
	return 0;
}

static void the_wall_closes_nothing_that_the_view_makes_writable(void **state)
{
	(void)state;
	assert_int_equal(world_inside(&world, live), 0);
}

/* As a sandbox that the command makes itself does. */
static long lay_own_rules(void)
{
	const struct pinfold_host *host = &world.host.table;
	const struct wall_rights handled = { .files = WALL_REFER | WALL_MAKE_REG };
	int root = open("/", O_PATH);
	long ruleset = wall_open(host, &handled);
	if (ruleset < 0 || wall_allow(host, (int)ruleset, &handled, root, handled.files) < 0)
		return -1;
	return wall_close_in(host, (int)ruleset);
}

static long live_with_ports(void *unused)
{
	struct sockaddr_in address = { .sin_family = AF_INET, .sin_port = htons(9), .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	int fd = socket(AF_INET, SOCK_STREAM, 0);
	if (fd < 0 || connect(fd, (struct sockaddr *)&address, sizeof(address)) == 0 || errno != EACCES)
		return -6;
	close(fd);
	return lay_own_rules() < 0 ? -7 : live(unused);
}

static void named_ports_are_watched_and_files_move_between_directories_behind_the_wall_and_without_it(void **state)
{
	(void)state;
	if (!kernel_has(4))
		skip();
	static const uint16_t other = 10;
	world.policy.network = PINFOLD_NETWORK_PORTS;
	world.policy.connect_ports = &other;
	world.policy.connect_count = 1;
	assert_int_equal(world_inside(&world, live_with_ports), 0);
	world_tear_down(NULL);
	open_world(NULL);
	world.policy.network = PINFOLD_NETWORK_PORTS;
	world.policy.connect_ports = &other;
	world.policy.connect_count = 1;
	world.host.settings[0] = "landlock";
	world.host.settings[1] = "no";
	assert_int_equal(world_inside(&world, live_with_ports), 0);
	world.host.settings[0] = NULL;
}

static void what_is_named_writable_can_be_written_behind_the_wall(void **state)
{
	(void)state;
	world_name(&world, PINFOLD_PATH_WRITE, world.outside);
	assert_int_equal(world_inside(&world, write_pipe), 0);
}

static int live_without(void *unused)
{
	(void)unused;
	struct state *own;
	struct trial trial = world_try(&world, live);
	own = world.plan.state;
	return trial.step == TRIAL_DONE && !own->walled ? 7 : 1;
}

static void without_landlock_the_first_wall_stands_alone(void **state)
{
	(void)state;
	static const struct old_kernel kernels[] = { { .abi = 1 }, { .error = ENOSYS }, { .error = EOPNOTSUPP } };
	for (size_t i = 0; i < N_ELEMENTS(kernels); i++) {
		int ended = old_kernel_run(&kernels[i], live_without, NULL);
		if (ended < 0)
			skip();
		assert_int_equal(ended, 7);
		if (i + 1 < N_ELEMENTS(kernels)) {
			world_tear_down(NULL);
			open_world(NULL);
		}
	}
}

int main(void)
{
#define WALL_TEST(test) cmocka_unit_test_setup_teardown(test, open_world, world_tear_down)
	const struct CMUnitTest tests[] = {
		WALL_TEST(a_named_pipe_outside_is_closed_by_the_wall_alone),
		WALL_TEST(an_abstract_socket_of_the_hosts_network_is_closed_by_the_wall_alone),
		WALL_TEST(the_wall_closes_nothing_that_the_view_makes_writable),
		WALL_TEST(named_ports_are_watched_and_files_move_between_directories_behind_the_wall_and_without_it),
		WALL_TEST(what_is_named_writable_can_be_written_behind_the_wall),
		WALL_TEST(without_landlock_the_first_wall_stands_alone),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
