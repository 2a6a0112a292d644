/* tests/landlock_lower.c - what the arm landlock makes of a policy, seen from inside: rules where there are any, and
 * gaps by name where there are none. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/arena.h"
#include "base/text.h"
#include "namespaces_host.h"
#include "old_kernel.h"
#include "plugins/landlock/landlock.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static char base[64];
static struct test_host host;
static int abi;

static char *at(const char *name)
{
	char *path = arena_print(host.arena, "%s/%s", base, name);
	assert_non_null(path);
	return path;
}

static void put(const char *name, const char *text)
{
	char *path = at(name);
	FILE *file = fopen(path, "w");
	assert_non_null(file);
	fputs(text, file);
	fclose(file);
}

static void make_directory(const char *name)
{
	char *path = at(name);
	assert_int_equal(mkdir(path, 0700), 0);
}

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *where)
{
	(void)status;
	(void)kind;
	(void)where;
	return remove(path);
}

static int set_up(void **state)
{
	static const char *const directories[] = { "tree", "copy", "copy/in", "tmp", "scratch", "home", "home/keys",
						   "home/deep", "home/deep/er", "free" };
	static const char *const files[] = { "tree/one", "copy/one", "copy/in/hidden", "home/keys/id", "home/plain",
					     "home/deep/er/secret", "home/deep/er/plain", "home/deep/plain", "free/file" };
	char template[] = "/var/tmp/pinfold-lower-XXXXXX";
	(void)state;
	assert_non_null(mkdtemp(template));
	test_host_open(&host);
	snprintf(base, sizeof(base), "%s", template);
	for (size_t i = 0; i < N_ELEMENTS(directories); i++)
		make_directory(directories[i]);
	for (size_t i = 0; i < N_ELEMENTS(files); i++)
		put(files[i], files[i]);
	abi = wall_abi(&host.table);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	test_host_close(&host);
	return nftw(base, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

/* A policy in the making; paths are below the base, or absolute. */
struct scene {
	struct pinfold_path paths[8];
	struct pinfold_policy policy;
	struct pinfold_plan plan;
};

static void scene_path(struct scene *scene, uint32_t kind, const char *name)
{
	struct stat status = { 0 };
	char *path = name[0] == '/' ? arena_copy(host.arena, name) : at(name);
	stat(path, &status);
	scene->paths[scene->policy.path_count++] = (struct pinfold_path){
		.size = sizeof(struct pinfold_path), .kind = kind, .path = path, .device = status.st_dev,
		.inode = status.st_ino, .mode = status.st_mode,
	};
}

static int scene_prepare(struct scene *scene, struct pinfold_error *err)
{
	char *tree = at("tree"), *copy = at("copy"), *temporary = at("tmp"), *scratch = at("scratch");
	struct pinfold_shown shown = { .size = sizeof(shown), .tree = tree, .source = copy, .temporary = temporary };
	scene->policy.size = sizeof(scene->policy);
	scene->policy.paths = scene->paths;
	scene->policy.scratch = scratch;
	scene->plan = (struct pinfold_plan){ .size = sizeof(scene->plan) };
	return prepare_plan(&host.table, &scene->policy, &shown, &scene->plan, err);
}

static void scene_close(struct scene *scene)
{
	prepare_release(&host.table, &scene->plan);
}

/* Inside: bits by row for what could be done. */
struct deed {
	char what;	/* r read, l list, w write, x execute, c create */
	const char *name;
	bool expected;
};

static bool can(const struct deed *deed)
{
	char path[200];
	int flags = deed->what == 'w' ? O_WRONLY : deed->what == 'c' ? O_WRONLY | O_CREAT : O_RDONLY;
	snprintf(path, sizeof(path), deed->name[0] == '/' ? "%s%s" : "%s/%s", deed->name[0] == '/' ? "" : base, deed->name);
	if (deed->what == 'x') {
		pid_t child = (pid_t)syscall(SYS_fork);
		int status;
		if (child == 0) {
			execl(path, path, NULL);
			_exit(99);
		}
		return waitpid(child, &status, 0) == child && status == 0;
	}
	if (deed->what == 'l')
		flags |= O_DIRECTORY;
	int fd = open(path, flags | O_CLOEXEC, 0600);
	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

/* From inside, what of the deeds is not as expected is written to the test's output. */
static int look(const struct scene *scene, const struct deed *deeds, size_t count)
{
	int wrong = 0;
	if (stage_enter(&scene->plan, PINFOLD_STAGE_APPLY) < 0 || stage_enter(&scene->plan, PINFOLD_STAGE_VERIFY) < 0) {
		dprintf(2, "cannot %s\n", *scene->plan.failed);
		return 100;
	}
	for (size_t i = 0; i < count; i++) {
		if (can(&deeds[i]) == deeds[i].expected)
			continue;
		dprintf(2, "%c %s should be %s\n", deeds[i].what, deeds[i].name, deeds[i].expected ? "possible" : "refused");
		wrong++;
	}
	return wrong;
}

static void check_inside(struct scene *scene, const struct deed *deeds, size_t count)
{
	struct pinfold_error err = { 0 };
	int status = 0;
	if (scene_prepare(scene, &err) < 0)
		fail_msg("cannot %s: %s", err.action, err.subject);
	pid_t child = fork();
	if (child == 0)
		_exit(look(scene, deeds, count));
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	scene_close(scene);
}
#define CHECK(scene, deeds) check_inside(scene, deeds, N_ELEMENTS(deeds))

static void what_is_hidden_is_shut_and_what_lies_beside_it_is_not(void **state)
{
	(void)state;
	static const struct deed deeds[] = {
		{ 'r', "home/keys/id", false }, { 'l', "home/keys", false }, { 'l', "home", false },
		{ 'r', "home/deep/er/secret", false }, { 'r', "home/deep/er/plain", true }, { 'l', "home/deep/er", true },
		{ 'r', "home/deep/plain", true }, { 'l', "home/deep", true }, { 'r', "home/plain", true },
		{ 'r', "free/file", true }, { 'w', "free/file", false }, { 'c', "free/new", false },
		{ 'l', "scratch", false }, { 'r', "tree/one", true }, { 'w', "tree/one", false },
		{ 'w', "copy/one", true }, { 'c', "copy/in/new", true }, { 'c', "tmp/new", true }, { 'l', "copy", true },
		{ 'r', "/proc/self/status", true }, { 'w', "/dev/null", true }, { 'l', "/dev", false }, { 'x', "/bin/true", true },
	};
	struct scene scene = { .policy = { 0 } };
	scene_path(&scene, PINFOLD_PATH_HIDE, "home/keys");
	scene_path(&scene, PINFOLD_PATH_HIDE, "home/deep/er/secret");
	CHECK(&scene, deeds);
}

static void a_directory_alone_is_not_listed_and_what_is_in_it_is_read(void **state)
{
	(void)state;
	static const struct deed deeds[] = {
		{ 'l', "home/deep", false }, { 'r', "home/deep/plain", true }, { 'l', "home/deep/er", true },
		{ 'r', "home/deep/er/secret", true },
	};
	struct scene scene = { .policy = { 0 } };
	scene_path(&scene, PINFOLD_PATH_HIDE, "home/deep");
	scene.paths[0].match = PINFOLD_MATCH_LITERAL;
	CHECK(&scene, deeds);
}

static void what_is_named_writable_is_and_nothing_beside_it(void **state)
{
	(void)state;
	static const struct deed deeds[] = {
		{ 'c', "free/new", true }, { 'w', "free/file", true }, { 'w', "home/plain", true }, { 'c', "home/new", false },
		{ 'w', "home/deep/plain", false },
	};
	struct scene scene = { .policy = { 0 } };
	scene_path(&scene, PINFOLD_PATH_WRITE, "free");
	scene_path(&scene, PINFOLD_PATH_WRITE, "home/plain");
	CHECK(&scene, deeds);
}

static void a_tree_that_is_protected_as_a_whole_has_a_copy_that_is_only_read(void **state)
{
	(void)state;
	static const char *const whole[] = { "tree", "copy", "" };
	static const struct deed deeds[] = {
		{ 'r', "copy/one", true }, { 'l', "copy", false }, { 'w', "copy/one", false }, { 'c', "copy/new", false },
		{ 'r', "copy/in/hidden", true }, { 'l', "copy/in", false }, { 'c', "tmp/new", true }, { 'w', "tree/one", false },
	};
	for (size_t i = 0; i < N_ELEMENTS(whole); i++) {
		struct scene scene = { .policy = { 0 } };
		scene_path(&scene, PINFOLD_PATH_PROTECT, whole[i][0] ? whole[i] : base);
		scene_path(&scene, PINFOLD_PATH_HIDE, "copy/in");
		scene.paths[1].match = PINFOLD_MATCH_LITERAL;
		CHECK(&scene, deeds);
	}
}

/* Where something is named readable, nothing else is but what every process needs. */
static void only_what_is_named_is_read_and_nothing_hidden_of_it(void **state)
{
	(void)state;
	static const struct deed deeds[] = {
		{ 'r', "home/plain", true }, { 'r', "home/keys/id", false }, { 'r', "free/file", false }, { 'l', "free", false },
		{ 'r', "tree/one", false }, { 'r', "copy/one", true }, { 'w', "copy/one", true }, { 'w', "/dev/null", true },
		{ 'r', "/proc/self/status", true }, { 'r', "/etc/passwd", false },
	};
	struct scene scene = { .policy = { 0 } };
	scene_path(&scene, PINFOLD_PATH_READ, "home");
	scene_path(&scene, PINFOLD_PATH_HIDE, "home/keys");
	CHECK(&scene, deeds);
}

static void only_what_is_named_is_executed(void **state)
{
	(void)state;
	struct stat usr;
	static const struct deed deeds[] = { { 'x', "/bin/true", true }, { 'x', "copy/program", false } };
	static const struct deed none[] = { { 'x', "/bin/true", false } };
	char *copy = at("copy/program"), *command;
	assert_non_null(command = arena_print(host.arena, "cp /bin/true %s", copy));
	assert_int_equal(system(command), 0);
	assert_int_equal(stat("/usr", &usr), 0);
	struct scene scene = { .policy = { 0 } }, other = { .policy = { 0 } };
	scene_path(&scene, PINFOLD_PATH_EXECUTE, "/usr");
	CHECK(&scene, deeds);
	scene_path(&other, PINFOLD_PATH_EXECUTE, "free");
	CHECK(&other, none);
}

struct expected_gap {
	uint32_t kind;
	const char *path, *construct, *name;
	bool hard;
};

static void what_lies_where_the_command_writes_cannot_be_hidden_or_protected(void **state)
{
	(void)state;
	static const struct expected_gap rows[] = {
		{ PINFOLD_PATH_HIDE, "copy/in/hidden", "hidden ", "secrets:", false },
		{ PINFOLD_PATH_HIDE, "tree/one", "hidden ", "secrets:", false },
		{ PINFOLD_PATH_HIDE, "free/file", "hidden ", "secrets:", true },
		{ PINFOLD_PATH_PROTECT, "copy/in", "protected ", "writes:", false },
		{ PINFOLD_PATH_PROTECT, "free/file", "protected ", "writes:", true },
	};
	for (size_t i = 0; i < N_ELEMENTS(rows); i++) {
		struct pinfold_error err = { 0 };
		struct scene scene = { .policy = { 0 } };
		scene_path(&scene, rows[i].kind, rows[i].path);
		scene.paths[0].hard = rows[i].hard;
		scene_path(&scene, PINFOLD_PATH_WRITE, "free");
		scene_path(&scene, PINFOLD_PATH_PROTECT, "home/plain");
		scene.policy.network = PINFOLD_NETWORK_HOST;
		assert_int_equal(scene_prepare(&scene, &err), 0);
		assert_int_equal(scene.plan.gap_count, 1);
		const struct pinfold_gap *gap = scene.plan.gaps;
		assert_true(starts_with(gap->construct, rows[i].construct));
		assert_true(starts_with(gap->name, rows[i].name));
		assert_int_equal(gap->firm, rows[i].hard);
		assert_non_null(gap->why);
		assert_non_null(gap->lift);
		scene_close(&scene);
	}
}

/* --- ports ------------------------------------------------------------------------------------------- */

static int listen_here(uint16_t *ret_port)
{
	struct sockaddr_in address = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t length = sizeof(address);
	int fd = socket(AF_INET, SOCK_STREAM, 0);
	assert_int_equal(bind(fd, (struct sockaddr *)&address, length), 0);
	assert_int_equal(listen(fd, 4), 0);
	assert_int_equal(getsockname(fd, (struct sockaddr *)&address, &length), 0);
	*ret_port = ntohs(address.sin_port);
	return fd;
}

static int reach(uint16_t port, int protocol)
{
	struct sockaddr_in address = { .sin_family = AF_INET, .sin_port = htons(port),
				       .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	int fd = socket(AF_INET, SOCK_STREAM, protocol);
	if (fd < 0)
		return errno;
	int result = connect(fd, (struct sockaddr *)&address, sizeof(address)) < 0 ? errno : 0;
	close(fd);
	return result;
}

static int look_at_ports(const struct scene *scene, uint16_t open_port, uint16_t closed_port)
{
	struct sockaddr_in address = { .sin_family = AF_INET, .sin_port = htons(closed_port),
				       .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	if (stage_enter(&scene->plan, PINFOLD_STAGE_APPLY) < 0 || stage_enter(&scene->plan, PINFOLD_STAGE_VERIFY) < 0)
		return 1;
	if (reach(open_port, 0) != 0 || reach(open_port, IPPROTO_TCP) != 0)
		return 2;
	if (reach(closed_port, 0) != EACCES)
		return 3;
	if (reach(closed_port, 262) != EPROTONOSUPPORT || reach(closed_port, 132) != EPROTONOSUPPORT)
		return 4;
	if (socket(AF_INET, SOCK_DGRAM, 0) >= 0 || socket(AF_INET6, SOCK_RAW, 58) >= 0)
		return 5;
	int fd = socket(AF_INET, SOCK_STREAM, 0);
	if (sendto(fd, "x", 1, MSG_FASTOPEN, (struct sockaddr *)&address, sizeof(address)) >= 0 || errno != EOPNOTSUPP)
		return 6;
	if (bind(fd, (struct sockaddr *)&address, sizeof(address)) == 0 || listen(fd, 1) == 0)
		return 7;
	return 0;
}

static void only_named_ports_are_reached_and_by_tcp_alone(void **state)
{
	(void)state;
	uint16_t named, other;
	struct pinfold_error err = { 0 };
	struct scene scene = { .policy = { .network = PINFOLD_NETWORK_PORTS } };
	int status = 0, first = listen_here(&named), second = listen_here(&other);
	if (abi < 4)
		skip();
	scene.policy.connect_ports = &named;
	scene.policy.connect_count = 1;
	assert_int_equal(scene_prepare(&scene, &err), 0);
	assert_int_equal(scene.plan.gap_count, 0);
	pid_t child = fork();
	if (child == 0)
		_exit(look_at_ports(&scene, named, other));
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	scene_close(&scene);
	close(first);
	close(second);
}

static int prepare_ports(void *unused)
{
	uint16_t port = 80;
	struct pinfold_error err = { 0 };
	struct scene scene = { .policy = { .network = PINFOLD_NETWORK_PORTS, .connect_ports = &port, .connect_count = 1 } };
	(void)unused;
	if (scene_prepare(&scene, &err) < 0)
		return 1;
	if (scene.plan.gap_count != 1 || strcmp(scene.plan.gaps[0].name, "network") != 0 || !strstr(scene.plan.gaps[0].lift, "6.7"))
		return 2;
	return stage_enter(&scene.plan, PINFOLD_STAGE_APPLY) == 0 && stage_enter(&scene.plan, PINFOLD_STAGE_VERIFY) == 0 &&
			       socket(AF_INET, SOCK_STREAM, 0) < 0 ? 7 : 3;
}

static void ports_without_rules_for_them_are_a_gap_and_the_network_is_closed(void **state)
{
	(void)state;
	const struct old_kernel kernel = { .abi = 3 };
	int ended = abi >= 3 ? old_kernel_run(&kernel, prepare_ports, NULL) : -1;
	if (ended < 0)
		skip();
	assert_int_equal(ended, 7);
}

static void a_loopback_of_its_own_is_a_gap(void **state)
{
	(void)state;
	struct pinfold_error err = { 0 };
	struct scene scene = { .policy = { .network = PINFOLD_NETWORK_LOOPBACK } };
	assert_int_equal(scene_prepare(&scene, &err), 0);
	assert_int_equal(scene.plan.gap_count, 1);
	assert_string_equal(scene.plan.gaps[0].name, "network");
	scene_close(&scene);
}

/* --- what is refused at once ---------------------------------------------------------------------------- */

static void too_many_neighbours_are_refused_with_what_to_do(void **state)
{
	(void)state;
	struct pinfold_error err = { 0 };
	struct scene scene = { .policy = { 0 } };
	char name[40];
	make_directory("many");
	put("many/hidden", "x");
	for (int i = 0; i < 4200; i++) {
		snprintf(name, sizeof(name), "many/%d", i);
		put(name, "");
	}
	scene_path(&scene, PINFOLD_PATH_HIDE, "many/hidden");
	assert_int_equal(scene_prepare(&scene, &err), -1);
	assert_int_equal(err.code, PINFOLD_E_SANDBOX_DENIED);
	assert_non_null(strstr(err.recovery, "hide the directory"));
	scene_close(&scene);
}

static void what_took_anothers_place_gets_no_rule(void **state)
{
	(void)state;
	struct pinfold_error err = { 0 };
	struct scene scene = { .policy = { 0 } };
	scene_path(&scene, PINFOLD_PATH_WRITE, "free");
	scene.paths[0].inode++;
	assert_int_equal(scene_prepare(&scene, &err), -1);
	assert_int_equal(err.sys, ESTALE);
	scene_close(&scene);
}

/* Another listener above leaves no room for the arm's. */
static int prepare_below_a_listener(void)
{
	struct sock_filter all[] = { BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW) };
	const struct sock_fprog filter = { 1, all };
	struct pinfold_error err = { 0 };
	struct scene scene = { .policy = { .network = PINFOLD_NETWORK_HOST } };
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 ||
	    syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, &filter) < 0)
		return 1;
	if (scene_prepare(&scene, &err) < 0 || scene.plan.gap_count != 1)
		return 2;
	return streq(scene.plan.gaps[0].name, "writes") && stage_enter(&scene.plan, PINFOLD_STAGE_APPLY) == 0 &&
			       stage_enter(&scene.plan, PINFOLD_STAGE_VERIFY) == 0 ? 7 : 3;
}

static void where_another_listens_writes_have_a_gap(void **state)
{
	(void)state;
	int status = 0;
	pid_t child = fork();
	if (child == 0)
		_exit(prepare_below_a_listener());
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(WEXITSTATUS(status), 7);
}

/* Each step of the child's that lies is found by the look at the end. */
static void a_step_that_was_left_out_is_found(void **state)
{
	(void)state;
	static const long calls[] = { SYS_seccomp, 446 /* landlock_restrict_self */ };
	for (size_t i = 0; i < N_ELEMENTS(calls); i++) {
		struct pinfold_error err = { 0 };
		struct scene scene = { .policy = { 0 } };
		int status = 0;
		assert_int_equal(scene_prepare(&scene, &err), 0);
		((struct state *)scene.plan.state)->guarded = false;
		pid_t child = fork();
		if (child == 0) {
			test_host_swallow(calls[i], -1);
			int applied = stage_enter(&scene.plan, PINFOLD_STAGE_APPLY);
			_exit(applied == 0 && stage_enter(&scene.plan, PINFOLD_STAGE_VERIFY) == -EPERM ? 7 : 1);
		}
		assert_int_equal(waitpid(child, &status, 0), child);
		assert_int_equal(WEXITSTATUS(status), 7);
		scene_close(&scene);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_hidden_is_shut_and_what_lies_beside_it_is_not),
		cmocka_unit_test(a_directory_alone_is_not_listed_and_what_is_in_it_is_read),
		cmocka_unit_test(what_is_named_writable_is_and_nothing_beside_it),
		cmocka_unit_test(a_tree_that_is_protected_as_a_whole_has_a_copy_that_is_only_read),
		cmocka_unit_test(only_what_is_named_is_read_and_nothing_hidden_of_it),
		cmocka_unit_test(only_what_is_named_is_executed),
		cmocka_unit_test(what_lies_where_the_command_writes_cannot_be_hidden_or_protected),
		cmocka_unit_test(only_named_ports_are_reached_and_by_tcp_alone),
		cmocka_unit_test(ports_without_rules_for_them_are_a_gap_and_the_network_is_closed),
		cmocka_unit_test(a_loopback_of_its_own_is_a_gap),
		cmocka_unit_test(too_many_neighbours_are_refused_with_what_to_do),
		cmocka_unit_test(what_took_anothers_place_gets_no_rule),
		cmocka_unit_test(where_another_listens_writes_have_a_gap),
		cmocka_unit_test(a_step_that_was_left_out_is_found),
	};
	struct test_host early;
	test_host_open(&early);
	bool none = wall_abi(&early.table) < 1;
	test_host_close(&early);
	if (none) {
		print_message("this kernel has no Landlock\n");
		return 77;
	}
	return cmocka_run_group_tests(tests, set_up, tear_down);
}
