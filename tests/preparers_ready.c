/* tests/preparers_ready.c - what the preparers give in each kind of arm, and what they refuse. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "config_place.h"
#include "preparers_place.h"

#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

static struct asked asked;
static const char *variables[16];
static char texts[16][4200];

/* HOME is the place's; further variables may be given. */
static const char *const *environment(const char *const *more)
{
	size_t count = 0;
	snprintf(texts[0], sizeof(texts[0]), "HOME=%s", place_path("home"));
	variables[count++] = texts[0];
	for (; more && *more; more++)
		variables[count++] = *more;
	variables[count] = NULL;
	return variables;
}

static const char *wrapper = "wrapper";	/* as it is named */

static struct pinfold_wrapper_context context_of(uint32_t confined, const char *cache,
						 const char *const *more)
{
	return (struct pinfold_wrapper_context){
		.size = sizeof(struct pinfold_wrapper_context), .wrapper = wrapper,
		.directory = "/nowhere/tree", .environment = environment(more), .confined = confined,
		.cache = cache, .temporary = "/tmp/private",
	};
}

static int ask_as(const char *name, const struct pinfold_wrapper_context *context)
{
	char vendor[4200], site[4200];
	snprintf(vendor, sizeof(vendor), "%s", place_path("vendor"));
	snprintf(site, sizeof(site), "%s", place_path("site"));
	const struct config_sources sources = { .vendor = vendor, .site = site, .user = "" };
	preparers_forget(&asked);
	memset(&asked, 0, sizeof(asked));
	return preparers_ask(name, &sources, context, &asked);
}

static void ask(const char *name, uint32_t confined, const char *cache, const char *const *more)
{
	struct pinfold_wrapper_context context = context_of(confined, cache, more);
	int found = ask_as(name, &context);
	if (found < 0 || asked.result < 0)
		print_error("cannot %s: %s\n", asked.err.action, asked.err.subject);
	assert_int_equal(found, 0);
	assert_int_equal(asked.result, 0);
}

static int tear_down(void **state)
{
	preparers_forget(&asked);
	memset(&asked, 0, sizeof(asked));
	return place_tear_down(state);
}

static const char *value(const char *const *list, const char *name)
{
	size_t length = strlen(name);
	for (; list && *list; list++)
		if (strncmp(*list, name, length) == 0 && (*list)[length] == '=')
			return *list + length + 1;
	return NULL;
}

static size_t count_of(const char *const *list)
{
	size_t count = 0;
	while (list && list[count])
		count++;
	return count;
}

static const char *make_directory(const char *name)
{
	static char path[4200];
	char file[4200];
	snprintf(file, sizeof(file), "%s/file", name);
	place_write(file, "kept");
	snprintf(path, sizeof(path), "%s", place_path(name));
	return path;
}

/* Caches of ccache and sccache, and distcc's directory. */
static const struct {
	const char *wrapper, *variable, *usual;
} caches[] = {
	{ "ccache", "CCACHE_DIR", "home/.cache/ccache" },
	{ "ccache", "CCACHE_DIR", "home/.ccache" },
	{ "sccache", "SCCACHE_DIR", "home/.cache/sccache" },
	{ "distcc", "DISTCC_DIR", "home/.distcc" },
};
enum { CACHES = sizeof(caches) / sizeof(caches[0]) };

static void the_hosts_cache_lies_below_a_layer_in_an_arm_that_confines(void **state)
{
	(void)state;
	for (size_t i = 0; i < CACHES; i++) {
		const char *path = make_directory(caches[i].usual);
		ask(caches[i].wrapper, 1, "layered", NULL);
		assert_int_equal(count_of(asked.preparation.layers), 1);
		assert_string_equal(asked.preparation.layers[0], path);
		assert_null(asked.preparation.writable);
	}
}

static void where_there_are_no_layers_the_hosts_cache_is_read_and_nothing_stored(void **state)
{
	(void)state;
	struct pinfold_wrapper_context context = context_of(1, "layered", (const char *const[]){ NULL });
	context.bare = 1;
	make_directory("home/.cache/ccache");
	make_directory("home/.cache/sccache");
	make_directory("home/.distcc");
	assert_int_equal(ask_as("ccache", &context), 0);
	assert_int_equal(count_of(asked.preparation.layers), 1);
	assert_string_equal(value(asked.preparation.imposed, "CCACHE_READONLY"), "1");
	assert_non_null(strstr(asked.preparation.note, "only read"));
	assert_int_equal(ask_as("sccache", &context), 0);
	assert_string_equal(value(asked.preparation.imposed, "SCCACHE_LOCAL_RW_MODE"), "READ_ONLY");
	assert_non_null(strstr(asked.preparation.note, "only read"));
	assert_int_equal(ask_as("distcc", &context), 0);
	assert_string_equal(value(asked.preparation.imposed, "DISTCC_DIR"), "/tmp/private");
	assert_null(asked.preparation.layers);
	context.cache = "shared";
	assert_int_equal(ask_as("ccache", &context), 0);
	assert_null(value(asked.preparation.imposed, "CCACHE_READONLY"));
}

static void what_the_environment_or_the_section_names_is_the_cache(void **state)
{
	(void)state;
	for (size_t i = 0; i < CACHES; i++) {
		char named[4300], section[4300];
		make_directory(caches[i].usual);
		snprintf(named, sizeof(named), "%s=%s", caches[i].variable, make_directory("named"));
		ask(caches[i].wrapper, 1, "layered", (const char *const[]){ named, NULL });
		assert_string_equal(asked.preparation.layers[0], place_path("named"));
		snprintf(section, sizeof(section), "[wrapper:%s]\ndirectory = %s\n", caches[i].wrapper,
			 make_directory("section"));
		place_write("site/pinfold.conf", section);
		ask(caches[i].wrapper, 1, "layered", (const char *const[]){ named, NULL });
		assert_string_equal(asked.preparation.layers[0], place_path("section"));
		place_write("site/pinfold.conf", "");
	}
}

static void only_the_word_shared_makes_the_hosts_cache_writable(void **state)
{
	(void)state;
	for (size_t i = 0; i < 3; i++) {
		make_directory(caches[i].usual);
		ask(caches[i].wrapper, 1, "shared", NULL);
		assert_int_equal(count_of(asked.preparation.writable), 1);
		assert_null(asked.preparation.layers);
		assert_non_null(asked.preparation.note);
		ask(caches[i].wrapper, 1, "off", NULL);
		assert_null(asked.preparation.writable);
		assert_null(asked.preparation.layers);
	}
}

static void a_cache_that_is_not_there_is_replaced_by_one_that_ends_with_the_run(void **state)
{
	(void)state;
	for (size_t i = 0; i < CACHES; i++) {
		ask(caches[i].wrapper, 1, "layered", NULL);
		const char *fresh = value(asked.preparation.imposed, caches[i].variable);
		assert_non_null(fresh);
		assert_ptr_equal(strstr(fresh, "/tmp/private"), fresh);
		assert_null(asked.preparation.layers);
	}
}

static void off_reaches_no_cache_of_the_hosts_in_any_arm(void **state)
{
	(void)state;
	for (uint32_t confined = 0; confined < 2; confined++) {
		make_directory("home/.cache/ccache");
		make_directory("home/.cache/sccache");
		ask("ccache", confined, "off", NULL);
		assert_string_equal(value(asked.preparation.imposed, "CCACHE_DISABLE"), "1");
		ask("sccache", confined, "off", NULL);
		assert_string_equal(value(asked.preparation.imposed, "SCCACHE_DIR"), "/tmp/private/sccache");
		assert_null(asked.preparation.start);
		assert_non_null(value(asked.preparation.imposed, "SCCACHE_SERVER_PORT"));
	}
}

static void a_confined_client_never_gets_the_endpoint_of_a_server_outside(void **state)
{
	(void)state;
	char first[16];
	const char *const outside[] = { "SCCACHE_SERVER_PORT=4226", "SCCACHE_SERVER_UDS=/run/s", NULL };
	ask("sccache", 1, "layered", outside);
	assert_null(asked.preparation.start);
	assert_string_equal(value(asked.preparation.imposed, "SCCACHE_SERVER_UDS"),
			    "/tmp/private/sccache.socket");
	snprintf(first, sizeof(first), "%s", value(asked.preparation.imposed, "SCCACHE_SERVER_PORT"));
	assert_true(atoi(first) >= 20000 && atoi(first) < 32768);
	int different = 0;
	for (int i = 0; i < 8; i++) {
		ask("sccache", 1, "shared", outside);
		different += strcmp(first, value(asked.preparation.imposed, "SCCACHE_SERVER_PORT")) != 0;
	}
	assert_true(different > 0);
	struct pinfold_wrapper_context deep = context_of(1, "layered", outside);
	char temporary[300] = "/";
	memset(temporary + 1, 'x', 200);
	deep.temporary = temporary;
	assert_int_equal(ask_as("sccache", &deep), 0);
	assert_string_equal(value(asked.preparation.imposed, "SCCACHE_SERVER_UDS"), "");
	deep.environment = environment(NULL);
	assert_int_equal(ask_as("sccache", &deep), 0);
	assert_null(value(asked.preparation.imposed, "SCCACHE_SERVER_UDS"));
}

/* What its clients connect to is not where it listens, and of it there is nothing in the command's environment. */
static void a_server_inside_is_started_by_its_first_client_and_waits_for_nobodys_word(void **state)
{
	(void)state;
	for (int i = 0; i < 50; i++) {
		ask("sccache", 1, "layered", NULL);
		const struct pinfold_preparation *needs = &asked.preparation;
		assert_int_equal(count_of(needs->inside), 1);
		assert_string_equal(needs->inside[0], "wrapper");
		assert_int_equal(count_of(needs->behind), 2);
		assert_string_equal(value(needs->behind, "SCCACHE_SERVER_UDS"), "/tmp/private/sccache.server");
		assert_string_not_equal(value(needs->behind, "SCCACHE_SERVER_PORT"),
					value(needs->imposed, "SCCACHE_SERVER_PORT"));
		assert_string_equal(value(needs->inside_environment, "SCCACHE_START_SERVER"), "1");
		assert_string_equal(value(needs->inside_environment, "SCCACHE_NO_DAEMON"), "1");
		assert_null(value(needs->imposed, "SCCACHE_START_SERVER"));
		assert_null(value(needs->environment, "SCCACHE_START_SERVER"));
	}
	ask("sccache", 0, "layered", NULL);
	assert_null(asked.preparation.inside);
	assert_null(asked.preparation.behind);
}

enum { PORTS_FIRST = 20000, PORTS_PAST = 32000, TAKEN_MOST = 2000 };

/* With the network open, whoever listens at the port would be taken for the server. */
static void a_confined_client_never_gets_a_port_that_somebody_has(void **state)
{
	(void)state;
	struct rlimit before, room;
	static bool taken[PORTS_PAST];
	static int held[TAKEN_MOST];
	size_t count = 0;
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
	room = before;
	if (room.rlim_cur < TAKEN_MOST + 100)
		room.rlim_cur = room.rlim_max < TAKEN_MOST + 100 ? room.rlim_max : TAKEN_MOST + 100;
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &room), 0);
	memset(taken, 0, sizeof(taken));
	for (unsigned port = PORTS_FIRST; port < PORTS_PAST && count < TAKEN_MOST; port += 6) {
		struct sockaddr_in local = { .sin_family = AF_INET, .sin_port = htons((uint16_t)port),
					     .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
		int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
		if (fd < 0)
			break;
		held[count++] = fd;
		taken[port] = bind(fd, (const struct sockaddr *)&local, sizeof(local)) == 0;
	}
	assert_true(count > 500);
	for (int i = 0; i < 200; i++) {
		ask("sccache", 1, "layered", NULL);
		assert_false(taken[atoi(value(asked.preparation.imposed, "SCCACHE_SERVER_PORT"))]);
	}
	while (count > 0)
		close(held[--count]);
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
}

static void nothing_is_started_outside_where_anything_is_confined(void **state)
{
	(void)state;
	static const char *const names[] = { "ccache", "sccache", "distcc", "mine" };
	static const char *const words[] = { "layered", "shared", "off" };
	place_write("site/pinfold.conf",
		    "[wrapper:mine]\nmatch = mine\nprepare = /bin/true\nwhere = outside\n");
	for (size_t i = 0; i < 4; i++)
		for (size_t j = 0; j < 3; j++) {
			ask(names[i], 1, words[j], NULL);
			assert_null(asked.preparation.start);
			assert_null(asked.preparation.stop);
		}
}

static void a_server_outside_is_the_configured_program_with_few_variables(void **state)
{
	(void)state;
	place_write("site/pinfold.conf", "[wrapper:sccache]\nprogram = /bin/true\n");
	wrapper = "true";
	ask("sccache", 0, "layered",
	    (const char *const[]){ "PATH=/evil:/usr/bin:/bin", "SCCACHE_ERROR_LOG=/etc/passwd", "SCCACHE_CONF=/evil",
				   "LD_PRELOAD=/evil", "SCCACHE_LOG=trace", "SCCACHE_DIR=/nowhere", NULL });
	assert_int_equal(count_of(asked.preparation.start), 2);
	assert_string_equal(asked.preparation.start[0], "/bin/true");
	assert_string_equal(asked.preparation.start[1], "--start-server");
	static const char *const kept[] = { "SCCACHE_ERROR_LOG", "SCCACHE_CONF", "LD_PRELOAD", "SCCACHE_LOG" };
	for (size_t i = 0; i < 4; i++)
		assert_null(value(asked.preparation.start_environment, kept[i]));
	assert_string_equal(value(asked.preparation.start_environment, "SCCACHE_DIR"), "/nowhere");
	assert_string_equal(asked.preparation.endpoint, "port 4226");
	assert_non_null(asked.preparation.note);
	ask("sccache", 0, "layered", (const char *const[]){ "SCCACHE_SERVER_PORT=77", NULL });
	assert_string_equal(asked.preparation.endpoint, "port 77");
	ask("sccache", 0, "layered",
	    (const char *const[]){ "SCCACHE_SERVER_PORT=77", "SCCACHE_SERVER_UDS=/run/s", NULL });
	assert_string_equal(asked.preparation.endpoint, "/run/s");
	wrapper = "wrapper";
}

static void no_server_is_started_outside_for_another_program_than_the_configured_one(void **state)
{
	static const char *const others[] = { "/bin/false", "false", "./true", "nowhere", "" };
	(void)state;
	place_write("site/pinfold.conf", "[wrapper:sccache]\nprogram = /bin/true\n");
	for (size_t i = 0; i < 5; i++) {
		wrapper = others[i];
		ask("sccache", 0, "layered", (const char *const[]){ "PATH=/usr/bin:/bin", NULL });
		assert_null(asked.preparation.start);
		assert_non_null(strstr(asked.preparation.note, "no server is started"));
	}
	char tree[4200];
	place_write("tree/true", "#!/bin/sh\n");
	assert_int_equal(chmod(place_path("tree/true"), 0755), 0);
	snprintf(tree, sizeof(tree), "%s", place_path("tree"));
	struct pinfold_wrapper_context context =
		context_of(0, "layered", (const char *const[]){ "PATH=.:/usr/bin", NULL });
	context.wrapper = "true";
	context.directory = tree;
	assert_int_equal(ask_as("sccache", &context), 0);
	assert_null(asked.preparation.start);
	wrapper = "wrapper";
}

static void expect_refusal(const char *name, const char *settings, const char *directory,
			   const char *reason)
{
	struct pinfold_wrapper_context context = context_of(0, "layered", NULL);
	place_write("site/pinfold.conf", settings);
	if (directory)
		context.directory = directory;
	int found = ask_as(name, &context);
	assert_true(found < 0 || asked.result < 0);
	assert_int_equal(asked.err.code, PINFOLD_E_CONFIG);
	if (!strstr(asked.err.subject, reason))
		fail_msg("\"%s\" does not say \"%s\"", asked.err.subject, reason);
	assert_string_not_equal(asked.err.recovery, "");
}

static void a_program_of_the_tree_or_of_others_or_by_name_is_refused(void **state)
{
	(void)state;
	char mine[4500], loose[4500], tree[4200];
	place_write("tree/helper", "#!/bin/sh\n");
	snprintf(tree, sizeof(tree), "%s", place_path("tree"));
	snprintf(mine, sizeof(mine), "[wrapper:sccache]\nprogram = %s/helper\n", tree);
	expect_refusal("sccache", mine, tree, "lies in the working tree");
	snprintf(mine, sizeof(mine),
		 "[wrapper:mine]\nmatch = mine\nwhere = outside\nprepare = %s/helper, -d\n", tree);
	expect_refusal("mine", mine, tree, "lies in the working tree");
	place_write("loose", "#!/bin/sh\n");
	assert_int_equal(chmod(place_path("loose"), 0777), 0);
	snprintf(loose, sizeof(loose), "[wrapper:sccache]\nprogram = %s\n", place_path("loose"));
	expect_refusal("sccache", loose, NULL, "others can write it");
	expect_refusal("mine", "[wrapper:mine]\nmatch = mine\nwhere = outside\nprepare = helper\n", NULL,
		       "helper");
	expect_refusal("sccache", "[wrapper:sccache]\nprogram = sccache\n", NULL, "sccache");
	expect_refusal("sccache", "[wrapper:sccache]\nprogram = /nowhere/sccache\n", NULL, "/nowhere/sccache");
	expect_refusal("sccache", "[wrapper:sccache]\nprogram = /usr\n", NULL, "it is no file");
}

static void a_section_alone_makes_a_wrapper(void **state)
{
	(void)state;
	const char *cache = make_directory("their");
	char text[4600];
	snprintf(text, sizeof(text),
		 "[wrapper:gradle]\nmatch = gradled, gradle-*\nprepare = /bin/true, --daemon, a b\n"
		 "where = outside\nendpoint = port 7\nenvironment = HOME, JAVA_HOME\n"
		 "set = GRADLE_X=1\ncache = %s\n[wrapper:other]\nmatch = other\nplugin = generic\n",
		 cache);
	place_write("site/pinfold.conf", text);
	ask("gradle", 0, "layered", (const char *const[]){ "JAVA_HOME=/j", "SECRET=x", NULL });
	assert_int_equal(count_of(asked.preparation.start), 3);
	assert_string_equal(asked.preparation.start[2], "a b");
	assert_int_equal(count_of(asked.preparation.start_environment), 2);
	assert_null(value(asked.preparation.start_environment, "SECRET"));
	assert_string_equal(asked.preparation.endpoint, "port 7");
	assert_int_equal(asked.wrapper->matches(asked.host, "gradle-8"), 1);
	assert_int_equal(asked.wrapper->matches(asked.host, "gradled"), 1);
	assert_int_equal(asked.wrapper->matches(asked.host, "other"), 0);
	assert_null(asked.preparation.layers);
	assert_null(asked.preparation.inside);
	ask("gradle", 1, "layered", NULL);
	assert_int_equal(count_of(asked.preparation.inside), 3);
	assert_string_equal(asked.preparation.inside[2], "a b");
	assert_string_equal(asked.preparation.layers[0], place_path("their"));
	assert_string_equal(value(asked.preparation.environment, "GRADLE_X"), "1");
	ask("other", 1, "layered", NULL);
	assert_int_equal(asked.wrapper->matches(asked.host, "other"), 1);
	assert_int_equal(asked.wrapper->matches(asked.host, "gradled"), 0);
	struct list names = { 0 };
	assert_int_equal(registry_wrapper_names(asked.registry, &names), 0);
	assert_int_equal(names.count, 5);
	for (size_t i = 0; i < names.count; i++)
		assert_non_null(strstr(" ccache distcc gradle other sccache ", names.items[i]));
	list_release(&names);
}

static void a_wrong_key_of_such_a_section_is_refused_with_its_line(void **state)
{
	(void)state;
	expect_refusal("gradle", "[wrapper:gradle]\nmatsch = x\n", NULL, "matsch");
	expect_refusal("gradle", "[wrapper:gradle]\nwhere = here\n", NULL, "here");
	expect_refusal("gradle", "[wrapper:gradle]\nset = FOO\n", NULL, "FOO");
	expect_refusal("gradel", "[wrapper:gradle]\nmatch = gradle\n", NULL, "gradel");
}

static void only_the_known_program_matches(void **state)
{
	(void)state;
	static const struct {
		const char *wrapper, *file;
		int matches;
	} cases[] = {
		{ "sccache", "sccache", 1 }, { "sccache", "sccache-0.8", 1 }, { "sccache", "sccache-dist", 0 },
		{ "sccache", "sccached", 0 }, { "sccache", "my-sccache", 0 }, { "ccache", "ccache", 1 },
		{ "ccache", "sccache", 0 }, { "distcc", "distcc", 1 }, { "distcc", "distccd", 0 },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		ask(cases[i].wrapper, 1, "layered", NULL);
		if (asked.wrapper->matches(asked.host, cases[i].file) != cases[i].matches)
			fail_msg("%s: %s", cases[i].wrapper, cases[i].file);
	}
}

static void distcc_compiles_inside_unless_its_servers_are_allowed(void **state)
{
	(void)state;
	const char *const hosts[] = { "DISTCC_HOSTS=far", NULL };
	ask("distcc", 1, "layered", hosts);
	assert_string_equal(value(asked.preparation.imposed, "DISTCC_HOSTS"), "localhost");
	place_write("site/pinfold.conf", "[wrapper:distcc]\nremote = yes\n");
	ask("distcc", 1, "layered", hosts);
	assert_null(value(asked.preparation.imposed, "DISTCC_HOSTS"));
	assert_non_null(asked.preparation.note);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, place_set_up, tear_down)
int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(the_hosts_cache_lies_below_a_layer_in_an_arm_that_confines),
		TEST(where_there_are_no_layers_the_hosts_cache_is_read_and_nothing_stored),
		TEST(what_the_environment_or_the_section_names_is_the_cache),
		TEST(only_the_word_shared_makes_the_hosts_cache_writable),
		TEST(a_cache_that_is_not_there_is_replaced_by_one_that_ends_with_the_run),
		TEST(off_reaches_no_cache_of_the_hosts_in_any_arm),
		TEST(a_confined_client_never_gets_the_endpoint_of_a_server_outside),
		TEST(a_server_inside_is_started_by_its_first_client_and_waits_for_nobodys_word),
		TEST(a_confined_client_never_gets_a_port_that_somebody_has),
		TEST(nothing_is_started_outside_where_anything_is_confined),
		TEST(a_server_outside_is_the_configured_program_with_few_variables),
		TEST(no_server_is_started_outside_for_another_program_than_the_configured_one),
		TEST(a_program_of_the_tree_or_of_others_or_by_name_is_refused),
		TEST(a_section_alone_makes_a_wrapper),
		TEST(a_wrong_key_of_such_a_section_is_refused_with_its_line),
		TEST(only_the_known_program_matches),
		TEST(distcc_compiles_inside_unless_its_servers_are_allowed),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
