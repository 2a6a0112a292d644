/* tests/registry_load.c - modules: which are found and loaded, and why the others are not. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "config_place.h"
#include "registry_place.h"

#include "base/places.h"
#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* Each fake that cannot be used, and what its refusal says. */
static const struct {
	const char *name, *reason;
} refused[] = {
	{ "from-the-future", "it was built for interface 2.7; this pinfold has 1.7" },
	{ "no-symbol", "it exports no symbol pinfold_plugin" },
	{ "symbol-of-another", "it exports no symbol pinfold_plugin" },
	{ "symbol-is-a-function", "its symbol pinfold_plugin is not a structure" },
	{ "undefined-function", "undefined symbol: function_that_nobody_has" },
	{ "missing-library", "liblibrary.so: cannot open shared object file" },
	{ "claims-too-much", "its structure says that it is 4096 bytes long, but has " },
	{ "claims-too-little", "its structure says that it is 8 bytes long" },
	{ "name-differs", "it calls itself good" },
	{ "takes-a-name", "the arm good is taken by " FAKES "/good.so" },
	{ "without-enter", "its arm without-enter has no hook enter" },
	{ "absent", "no such module in " },
};

static void each_bad_module_is_refused_with_its_true_reason_and_the_others_load(void **state)
{
	(void)state;
	struct text names = { 0 };
	text_add(&names, "good");
	for (size_t i = 0; i < N_ELEMENTS(refused); i++)
		text_addf(&names, ", %s", refused[i].name);
	text_add(&names, ", older-and-smaller, newer-and-larger, jobobject");
	char *list = text_take(&names);
	struct registry *registry = modules_open(list, NULL);
	free(list);
	for (size_t i = 0; i < N_ELEMENTS(refused); i++)
		modules_expect_refusal(registry, refused[i].name, refused[i].reason);
	static const char *const loaded[] = { "good", "older-and-smaller", "newer-and-larger",
					      "jobobject" };
	for (size_t i = 0; i < N_ELEMENTS(loaded); i++) {
		const struct module *module = modules_find(registry, loaded[i]);
		assert_string_equal(module->refusal.subject, "");
		assert_int_equal(module->state, MODULE_LOADED);
		assert_string_equal(module->plugin->name, loaded[i]);
	}
}

static void an_older_and_smaller_plugin_works_and_its_later_members_are_absent(void **state)
{
	(void)state;
	const struct pinfold_arm *arm = NULL;
	struct registry *registry = modules_open("older-and-smaller", NULL);
	assert_int_equal(registry_arm(registry, "older-and-smaller", &arm, NULL), 0);
	assert_false(PINFOLD_HAS(arm, settle));
	assert_true(PINFOLD_HAS(arm, enter));
}

static void a_newer_plugin_works_with_keys_longer_than_ours(void **state)
{
	(void)state;
	const struct pinfold_arm *arm = NULL;
	struct pinfold_error err = { 0 };
	struct registry *registry =
		modules_open("newer-and-larger", "[arm:newer-and-larger]\nsecond = set\n");
	assert_int_equal(registry_arm(registry, "newer-and-larger", &arm, &err), 0);
	struct pinfold_host *host = registry_host(registry, "arm:newer-and-larger");
	assert_string_equal(host->setting(host, "first"), "1");
	assert_string_equal(host->setting(host, "second"), "set");
	registry_host_free(host);
}

static void a_run_loads_only_what_it_looks_up(void **state)
{
	(void)state;
	const struct pinfold_arm *arm = NULL;
	struct registry *registry = modules_open("newer-and-larger, good, older-and-smaller", NULL);
	for (size_t i = 0; i < registry_count(registry); i++)
		assert_int_equal(registry_module(registry, i)->state, MODULE_WAITING);
	assert_int_equal(registry_arm(registry, "good", &arm, NULL), 0);
	assert_string_equal(arm->name, "good");
	assert_int_equal(modules_find(registry, "good")->state, MODULE_LOADED);
	assert_int_equal(modules_find(registry, "newer-and-larger")->state, MODULE_WAITING);
	assert_int_equal(modules_find(registry, "older-and-smaller")->state, MODULE_WAITING);
}

static void a_part_is_found_in_the_module_that_its_section_names(void **state)
{
	(void)state;
	const struct pinfold_arm *arm = NULL;
	struct pinfold_error err = { 0 };
	struct registry *registry =
		modules_open("good, takes-a-name", "[arm:good]\nplugin = takes-a-name\n");
	assert_int_equal(registry_arm(registry, "good", &arm, &err), 0);
	assert_int_equal(modules_find(registry, "takes-a-name")->state, MODULE_LOADED);
	modules_expect_refusal(registry, "good", "the arm good is taken by " FAKES "/takes-a-name.so");
}

static void a_section_cannot_load_what_plugins_does_not_list(void **state)
{
	(void)state;
	const struct pinfold_arm *arm = NULL;
	struct pinfold_error err = { 0 };
	struct registry *registry = modules_open("jobobject", "[arm:good]\nplugin = good\n");
	assert_int_equal(registry_arm(registry, "good", &arm, &err), -1);
	assert_int_equal(err.code, PINFOLD_E_CONFIG);
	assert_non_null(strstr(err.subject, "wants the module good"));
}

static void every_kind_of_part_is_found_by_its_name(void **state)
{
	(void)state;
	const struct pinfold_view *view = NULL;
	const struct pinfold_wrapper *wrapper = NULL;
	struct registry *registry = modules_open("older-and-smaller, good", NULL);
	assert_int_equal(registry_view(registry, "good", &view, NULL), 0);
	assert_string_equal(view->summary, "a view for tests");
	assert_int_equal(registry_wrapper(registry, "good", &wrapper, NULL), 0);
	assert_int_equal(wrapper->matches(NULL, "good"), 1);
}

static void an_unknown_part_is_an_error_that_names_the_nearest_or_the_modules_that_may_have_it(void **state)
{
	(void)state;
	const struct pinfold_arm *arm = NULL;
	const struct pinfold_view *view = NULL;
	struct pinfold_error err = { 0 };
	struct registry *registry = modules_open("good, jobobject", NULL);
	assert_int_equal(registry_arm(registry, "jobobjekt", &arm, &err), -1);
	assert_int_equal(err.code, PINFOLD_E_CONFIG);
	assert_string_equal(err.action, "find the arm");
	assert_string_equal(err.subject, "no module has the arm jobobjekt");
	assert_string_equal(err.recovery, "did you mean jobobject?");
	registry = modules_open("good, absent-one, absent-two", NULL);
	assert_int_equal(registry_view(registry, "xylophone", &view, &err), -1);
	assert_string_equal(err.subject, "no module has the view xylophone");
	assert_non_null(strstr(err.recovery, "what these lack, one of which may have it: absent-one, absent-two"));
	assert_int_equal(registry_view(registry, "../good", &view, &err), -1);
	assert_int_equal(err.code, PINFOLD_E_CONFIG);
	assert_null(arm);
	assert_null(view);
}

static void the_refusal_of_the_module_of_that_name_is_the_reason_for_a_missing_part(void **state)
{
	(void)state;
	const struct pinfold_arm *arm = NULL;
	struct pinfold_error err = { 0 };
	struct registry *registry = modules_open("good, from-the-future, absent", NULL);
	assert_int_equal(registry_arm(registry, "from-the-future", &arm, &err), -1);
	assert_int_equal(err.code, PINFOLD_E_PLUGIN);
	assert_non_null(strstr(err.subject, "interface 2.7"));
	assert_int_equal(registry_arm(registry, "absent", &arm, &err), -1);
	assert_int_equal(err.code, PINFOLD_E_PLUGIN);
	assert_non_null(strstr(err.subject, "absent: no such module in "));
	assert_non_null(strstr(err.subject, FAKES));
	assert_non_null(strstr(err.recovery, "install the package"));
}

static void an_unknown_key_of_a_part_is_an_error_for_that_part_alone(void **state)
{
	(void)state;
	const struct pinfold_arm *arm = NULL;
	struct pinfold_error err = { 0 };
	struct registry *registry =
		modules_open("good, jobobject", "[arm:good]\nwort = kept\n");
	for (int twice = 0; twice < 2; twice++) {
		assert_int_equal(registry_arm(registry, "good", &arm, &err), -1);
		assert_int_equal(err.code, PINFOLD_E_CONFIG);
		assert_non_null(strstr(err.subject, "site/pinfold.conf:"));
		assert_non_null(strstr(err.recovery, "word"));
	}
	assert_int_equal(registry_arm(registry, "jobobject", &arm, &err), 0);
	assert_int_equal(modules_find(registry, "good")->state, MODULE_LOADED);
	struct pinfold_host *host = registry_host(registry, "arm:good");
	assert_null(host->setting(host, "word"));
	registry_host_free(host);
}

/* Long enough that the linker looks at it. */
static void write_garbage(const char *path)
{
	place_write(path, "this is no shared object, and longer than the header of one: it has more than enough bytes\n");
}

static void directory_in_place(const char *mode)
{
	char line[1024];
	snprintf(line, sizeof(line), "[pinfold]\nplugins = garbage\nplugin-directories = %s%s\n",
		 place_path("lib/modules"), mode);
	place_write("site/pinfold.conf", line);
}

static void a_file_that_is_no_object_is_refused(void **state)
{
	(void)state;
	write_garbage("lib/modules/garbage.so");
	directory_in_place("");
	modules_expect_refusal(modules_reopen(), "garbage", "garbage.so: ");
	assert_int_equal(unlink(place_path("lib/modules/garbage.so")), 0);
	assert_int_equal(mkdir(place_path("lib/modules/garbage.so"), 0755), 0);
	modules_expect_refusal(modules_reopen(), "garbage", "it is not a file");
	assert_int_equal(rmdir(place_path("lib/modules/garbage.so")), 0);
	assert_int_equal(mkfifo(place_path("lib/modules/garbage.so"), 0600), 0);
	modules_expect_refusal(modules_reopen(), "garbage", "it is not a file");
}

static void a_directory_that_others_can_write_is_refused(void **state)
{
	(void)state;
	static const mode_t modes[] = { 0775, 0757, 0777, 01777, 0772, 0720 };
	write_garbage("lib/modules/garbage.so");
	directory_in_place("");
	for (size_t i = 0; i < N_ELEMENTS(modes); i++) {
		assert_int_equal(chmod(place_path("lib/modules"), modes[i]), 0);
		modules_expect_refusal(modules_reopen(), "garbage", "can be written by others");
	}
	assert_int_equal(chmod(place_path("lib/modules"), 0755), 0);
	assert_int_equal(chmod(place_path("lib"), 0757), 0);
	modules_expect_refusal(modules_reopen(), "garbage", "can be written by others");
	assert_int_equal(chmod(place_path("lib"), 01777), 0);
	modules_expect_refusal(modules_reopen(), "garbage", "garbage.so: ");
	modules_expect_refusal(modules_reopen(), "garbage", "invalid ELF header");
}

static void a_module_that_others_can_write_is_refused(void **state)
{
	(void)state;
	static const mode_t modes[] = { 0664, 0646, 0666, 0620, 0602 };
	write_garbage("lib/modules/garbage.so");
	directory_in_place("");
	for (size_t i = 0; i < N_ELEMENTS(modes); i++) {
		assert_int_equal(chmod(place_path("lib/modules/garbage.so"), modes[i]), 0);
		modules_expect_refusal(modules_reopen(), "garbage", "it can be written by others");
	}
	assert_int_equal(chmod(place_path("lib/modules/garbage.so"), 0644), 0);
	modules_expect_refusal(modules_reopen(), "garbage", "invalid ELF header");
	if (geteuid() != 0) {
		print_message("not root: no module can be given to another user\n");
		return;
	}
	assert_int_equal(chown(place_path("lib/modules/garbage.so"), 12345, 0), 0);
	modules_expect_refusal(modules_reopen(), "garbage", "it belongs to another user");
}

static void a_directory_of_another_user_is_refused(void **state)
{
	(void)state;
	if (geteuid() != 0) {
		print_message("not root: no directory can be given to another user\n");
		skip();
	}
	write_garbage("lib/modules/garbage.so");
	directory_in_place("");
	assert_int_equal(chown(place_path("lib/modules"), 12345, 0), 0);
	modules_expect_refusal(modules_reopen(), "garbage", "belongs to another user");
	assert_int_equal(chown(place_path("lib/modules"), 0, 0), 0);
	assert_int_equal(chown(place_path("lib"), 12345, 0), 0);
	modules_expect_refusal(modules_reopen(), "garbage", "belongs to another user");
	assert_int_equal(rename(place_path("lib/modules"), place_path("real")), 0);
	assert_int_equal(chown(place_path("lib"), 0, 0), 0);
	assert_int_equal(symlink(place_path("real"), place_path("lib/modules")), 0);
	modules_expect_refusal(modules_reopen(), "garbage", "invalid ELF header");
	assert_int_equal(lchown(place_path("lib/modules"), 12345, 0), 0);
	modules_expect_refusal(modules_reopen(), "garbage", "belongs to another user");
}

static void the_first_directory_that_has_a_name_has_it(void **state)
{
	(void)state;
	char path[1024];
	write_garbage("lib/modules/jobobject.so");
	directory_in_place("\nplugins = jobobject");
	struct registry *registry = modules_reopen();
	registry_load_all(registry);
	const struct module *module = modules_find(registry, "jobobject");
	snprintf(path, sizeof(path), "%s/jobobject.so", places_plugins());
	assert_string_equal(module->refusal.subject, "");
	assert_string_equal(module->path, path);
	assert_int_equal(module->state, MODULE_LOADED);
	bool told = false;
	for (size_t i = 0; i < registry_count(registry); i++) {
		module = registry_module(registry, i);
		if (module->state == MODULE_REFUSED)
			told = strstr(module->refusal.subject, "jobobject.so: the name is taken by") != NULL;
	}
	assert_true(told);
}

/* In a process of its own: is the evil module loaded where the environment, the working directory and
 * names point at it? */
static void provoke(const char *names)
{
	struct registry *registry = modules_open(names, NULL);
	const struct pinfold_arm *arm;
	registry_load_all(registry);
	registry_arm(registry, "good", &arm, NULL);
	registry_arm(registry, EVIL "/good", &arm, NULL);
}

static void nothing_is_loaded_from_search_paths_or_by_path(void **state)
{
	(void)state;
	static const char *const names[] = { "good", "absent" };
	setenv("PINFOLD_TEST_CONFESSION", place_path("confession"), 1);
	setenv("LTDL_LIBRARY_PATH", EVIL, 1);
	setenv("LD_LIBRARY_PATH", EVIL, 1);
	char *before = getcwd(NULL, 0);
	assert_int_equal(chdir(EVIL), 0);
	for (size_t i = 0; i < N_ELEMENTS(names); i++)
		provoke(names[i]);
	assert_int_equal(chdir(before), 0);
	free(before);
	unsetenv("LTDL_LIBRARY_PATH");
	unsetenv("LD_LIBRARY_PATH");
	unsetenv("PINFOLD_TEST_CONFESSION");
	assert_int_equal(access(place_path("confession"), F_OK), -1);
}

/* The module that must not be loaded above confesses when it is: the test can fail. */
static void the_evil_module_confesses_when_it_is_loaded(void **state)
{
	(void)state;
	char line[1024];
	pid_t pid = fork();
	if (pid == 0) {
		setenv("PINFOLD_TEST_CONFESSION", place_path("confession"), 1);
		snprintf(line, sizeof(line),
			 "[pinfold]\nplugins = good\nplugin-directories = %s\n", EVIL);
		place_write("site/pinfold.conf", line);
		registry_load_all(modules_reopen());
		_exit(0);
	}
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	assert_int_equal(access(place_path("confession"), F_OK), 0);
}

static void a_module_is_never_named_by_a_path(void **state)
{
	(void)state;
	static const char *const names[] = { "../evil/good", EVIL "/good", "./good", "good.so",
					     "fakes/good", "..", "Good" };
	for (size_t i = 0; i < N_ELEMENTS(names); i++) {
		char setting[512];
		struct config *config = NULL;
		struct registry *registry = NULL;
		struct pinfold_error err = { 0 };
		snprintf(setting, sizeof(setting), "pinfold.plugins=%s", names[i]);
		if (place_load(SETTINGS(setting), &config, &err) < 0) {
			assert_int_equal(err.code, PINFOLD_E_CONFIG);
			continue;
		}
		assert_int_equal(registry_new(config, NULL, &registry, &err), 0);
		registry_load_all(registry);
		assert_int_equal(registry_module(registry, 0)->state, MODULE_REFUSED);
		registry_free(registry);
		config_free(config);
	}
}

/* What the copy of this program does that runs with more privileges than its caller. */
static int run_as_secure(void)
{
	struct pinfold_error err = { 0 };
	struct registry *registry = NULL;
	if (!getauxval(AT_SECURE))
		return 44;
	int refused_secure = registry_new(NULL, NULL, &registry, &err) < 0 &&
			     err.code == PINFOLD_E_PLUGIN &&
			     strstr(err.subject, "more privileges than its caller");
	return refused_secure ? 42 : 43;
}

static void copy_program(const char *to)
{
	char command[1024];
	struct stat status;
	snprintf(command, sizeof(command), "cp /proc/%d/exe %s", (int)getpid(), to);
	assert_int_equal(system(command), 0);
	assert_int_equal(chmod(to, 04755), 0);
	assert_int_equal(stat(to, &status), 0);
	assert_true(status.st_mode & S_ISUID);
}

static void a_set_user_id_process_loads_nothing(void **state)
{
	(void)state;
	int status;
	if (geteuid() != 0) {
		print_message("not root: no set-user-ID program can be made\n");
		skip();
	}
	const char *program = place_path("secure");
	copy_program(program);
	assert_int_equal(chmod(place_path(""), 0755), 0);
	pid_t pid = fork();
	if (pid == 0) {
		if (setgid(65534) == 0 && setuid(65534) == 0)
			execl(program, program, "--secure", (char *)NULL);
		_exit(45);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	if (WEXITSTATUS(status) == 44) {
		print_message("set-user-ID programs do not work where the temporary directory is\n");
		skip();
	}
	assert_int_equal(WEXITSTATUS(status), 42);
}

#define MODULES_TEST(name) cmocka_unit_test_setup_teardown(name, modules_set_up, modules_tear_down)

int main(int argc, char **argv)
{
	if (argc == 2 && streq(argv[1], "--secure"))
		return run_as_secure();
	const struct CMUnitTest tests[] = {
		MODULES_TEST(each_bad_module_is_refused_with_its_true_reason_and_the_others_load),
		MODULES_TEST(an_older_and_smaller_plugin_works_and_its_later_members_are_absent),
		MODULES_TEST(a_newer_plugin_works_with_keys_longer_than_ours),
		MODULES_TEST(a_run_loads_only_what_it_looks_up),
		MODULES_TEST(a_part_is_found_in_the_module_that_its_section_names),
		MODULES_TEST(a_section_cannot_load_what_plugins_does_not_list),
		MODULES_TEST(every_kind_of_part_is_found_by_its_name),
		MODULES_TEST(an_unknown_part_is_an_error_that_names_the_nearest_or_the_modules_that_may_have_it),
		MODULES_TEST(the_refusal_of_the_module_of_that_name_is_the_reason_for_a_missing_part),
		MODULES_TEST(an_unknown_key_of_a_part_is_an_error_for_that_part_alone),
		MODULES_TEST(a_file_that_is_no_object_is_refused),
		MODULES_TEST(a_directory_that_others_can_write_is_refused),
		MODULES_TEST(a_module_that_others_can_write_is_refused),
		MODULES_TEST(a_directory_of_another_user_is_refused),
		MODULES_TEST(the_first_directory_that_has_a_name_has_it),
		MODULES_TEST(nothing_is_loaded_from_search_paths_or_by_path),
		MODULES_TEST(the_evil_module_confesses_when_it_is_loaded),
		MODULES_TEST(a_module_is_never_named_by_a_path),
		MODULES_TEST(a_set_user_id_process_loads_nothing),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
