/* tests/wrappers_cargo.c - what could name a wrapper of Cargo's, and what Cargo says of one. */
#include "config.h"

#include "wrappers/cargo_output.h"
#include "wrappers/compiles.h"
#include "wrappers/variables.h"
#include "wrappers_place.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#define ENVIRONMENT(...) ((const char *const[]){ "PATH=/usr/bin:/bin", __VA_ARGS__ __VA_OPT__(, ) NULL })

static const struct look *look_with(const char *entry)
{
	return place_look(&toolchain_cargo, ENVIRONMENT(entry));
}

static bool names_one(void)
{
	return place_look(&toolchain_cargo, ENVIRONMENT())->named;
}

/* --- H1, H9, H11, H31: settings ------------------------------------------------------------------- */
static void each_of_the_four_variables_names_a_wrapper_and_an_empty_one_does_not(void **state)
{
	(void)state;
	assert_false(names_one());
	assert_true(look_with("RUSTC_WRAPPER=/x/w")->named);
	assert_true(look_with("CARGO_BUILD_RUSTC_WRAPPER=w")->named);
	assert_true(look_with("RUSTC_WORKSPACE_WRAPPER=w")->named);
	assert_true(look_with("CARGO_BUILD_RUSTC_WORKSPACE_WRAPPER=w")->named);
	assert_string_equal(look_with("RUSTC_WRAPPER=/x/w")->candidates.items[0], "/x/w");
	assert_false(look_with("RUSTC_WRAPPER=")->named);
	assert_false(look_with("rustc_wrapper=w")->named);
}

static void a_file_of_any_ancestor_and_of_the_cargo_home_names_a_wrapper(void **state)
{
	(void)state;
	static const char *const files[] = { "tree/sub/.cargo/config", "tree/.cargo/config.toml",
					     ".cargo/config.toml", "tree/sub/.cargo/config.toml" };
	for (size_t i = 0; i < N_ELEMENTS(files); i++) {
		place_write(files[i], "[build]\nrustc-wrapper = \"w\"\n", 0644);
		assert_true(names_one());
		assert_string_equal(place_look(&toolchain_cargo, ENVIRONMENT())->candidates.items[0], "w");
		unlink(place(files[i]));
		assert_false(names_one());
	}
	char home[5000], own[5000];
	place_write("home/.cargo/config.toml", "build.rustc-wrapper = 'w'\n", 0644);
	snprintf(home, sizeof(home), "HOME=%s", place("home"));
	snprintf(own, sizeof(own), "CARGO_HOME=%s", place("elsewhere"));
	assert_true(place_look(&toolchain_cargo, ENVIRONMENT(home))->named);
	assert_false(place_look(&toolchain_cargo, ENVIRONMENT(home, own))->named);
	place_write("tree/sub/relative/config.toml", "[build]\nrustc-workspace-wrapper = 'w'\n", 0644);
	assert_true(place_look(&toolchain_cargo, ENVIRONMENT(home, "CARGO_HOME=relative"))->named);
}

static void a_file_that_mentions_neither_a_wrapper_nor_another_file_names_none(void **state)
{
	(void)state;
	place_write("tree/.cargo/config.toml", "[build]\njobs = 2\n", 0644);
	assert_false(names_one());
	place_write("tree/.cargo/config.toml", "include = 'more.toml'\n", 0644);
	assert_true(names_one());
	assert_true(place_look(&toolchain_cargo, ENVIRONMENT())->unknown);
	unlink(place("tree/.cargo/config.toml"));
}

/* H30: forms that cannot be told mean that it is measured each time. */
static void a_form_that_cannot_be_read_is_measured_each_time(void **state)
{
	(void)state;
	static const char *const forms[] = {
		"build = { rustc-wrapper = 'w' }\n", "[build]\nrustc-wrapper = 1\n",
		"[build]\n\"rustc-wr\\u0061pper\" = 'w'\n", "[build]\nrustc-wrapper = \"a\\\\b\"\n",
		"[build]\nrustc-wrapper = {\n path = 'x' }\n", "\"include\" = ['x']\n[build]\n",
	};
	for (size_t i = 0; i < N_ELEMENTS(forms); i++) {
		place_write("tree/.cargo/config.toml", forms[i], 0644);
		const struct look *look = place_look(&toolchain_cargo, ENVIRONMENT());
		assert_true(look->named);
		assert_true(look->unknown);
	}
	place_write("tree/.cargo/config.toml",
		    "# a wrapper\n[env]\nX = '/usr/include'\n[build]\n rustc-wrapper = \"w\"\n", 0644);
	assert_false(place_look(&toolchain_cargo, ENVIRONMENT())->unknown);
	unlink(place("tree/.cargo/config.toml"));
}

static void a_name_with_a_slash_is_taken_from_beside_the_directory_of_the_file(void **state)
{
	(void)state;
	place_write("tree/.cargo/config.toml", "[build]\nrustc-wrapper = \"tools/w\"\n", 0644);
	assert_string_equal(place_look(&toolchain_cargo, ENVIRONMENT())->candidates.items[0],
			    place("tree/tools/w"));
	unlink(place("tree/.cargo/config.toml"));
}

static void a_file_that_is_no_file_or_too_large_is_not_waited_for_nor_believed(void **state)
{
	(void)state;
	mkdir(place("tree/.cargo"), 0755);
	assert_int_equal(mkfifo(place("tree/.cargo/config.toml"), 0644), 0);
	assert_true(place_look(&toolchain_cargo, ENVIRONMENT())->unknown);
	unlink(place("tree/.cargo/config.toml"));
	place_write("tree/.cargo/config.toml", "x", 0644);
	assert_int_equal(truncate(place("tree/.cargo/config.toml"), 1 << 30), 0);
	assert_true(place_look(&toolchain_cargo, ENVIRONMENT())->unknown);
	unlink(place("tree/.cargo/config.toml"));
}

/* W11: what counts is what the command will see. */
static void settings_are_read_from_the_copy_and_from_a_layer_over_it(void **state)
{
	(void)state;
	static char copy[5000], upper[5000];
	snprintf(copy, sizeof(copy), "%s", place("copy"));
	snprintf(upper, sizeof(upper), "%s", place("upper"));
	place_write("copy/.cargo/config.toml", "[build]\nrustc-wrapper = 'w'\n", 0644);
	assert_false(names_one());
	place_behind(copy, NULL);
	assert_true(names_one());
	place_write("upper/.cargo/config.toml", "[build]\njobs = 1\n", 0644);
	place_behind(copy, upper);
	assert_false(names_one());
	place_behind(NULL, NULL);
}

static void a_name_in_other_letters_is_another_variable(void **state)
{
	const char *const environment[] = { "Rustc_Wrapper=w", "rustc_wrapper=w", "RUSTC_WRAPPERS=w", NULL };
	struct list variables = { 0 };
	(void)state;
	assert_false(place_look(&toolchain_cargo, environment)->named);
	list_add(&variables, "Rustc_Wrapper=w");
	assert_int_equal(toolchain_cargo.switch_off(NULL, &variables), 0);
	assert_true(list_has(&variables, "Rustc_Wrapper=w"));
	assert_int_equal(variables.count, 5);
	list_release(&variables);
}

static bool has_pair(const struct list *argv, const char *option, const char *value)
{
	for (size_t i = 0; i + 1 < argv->count; i++)
		if (strcmp(argv->items[i], option) == 0 && strcmp(argv->items[i + 1], value) == 0)
			return true;
	return false;
}

static void a_throwaway_crate_is_nobodys_member_and_is_built_apart_without_colours_or_network(void **state)
{
	struct list argv = { 0 }, variables = { 0 };
	bool alone = false, library = false;
	(void)state;
	for (const struct toolchain_file *file = toolchain_cargo.files; file->path; file++) {
		alone = alone || strstr(file->content, "\n[workspace]\n");
		library = library || (strcmp(file->path, "src/lib.rs") == 0 && strchr(file->content, TOOLCHAIN_MARK));
	}
	assert_true(alone && library);
	assert_int_equal(toolchain_cargo.arguments(NULL, 0, true, "/p", &argv), 0);
	assert_true(has_pair(&argv, "--color", "never"));
	assert_true(has_pair(&argv, "--manifest-path", "/p/Cargo.toml"));
	assert_true(has_pair(&argv, "--target-dir", "/p/target"));
	assert_true(list_has(&argv, "--offline"));
	list_add(&variables, "CARGO_BUILD_BUILD_DIR=/elsewhere");
	assert_int_equal(toolchain_cargo.surround("/p", &variables), 0);
	assert_true(list_has(&variables, "CARGO_BUILD_BUILD_DIR=/p/target"));
	assert_false(list_has(&variables, "CARGO_BUILD_BUILD_DIR=/elsewhere"));
	list_release(&argv);
	list_release(&variables);
}

static void switching_off_sets_all_four_to_empty_exactly_once(void **state)
{
	(void)state;
	struct list variables = { 0 };
	list_add(&variables, "RUSTC_WRAPPER=a");
	list_add(&variables, "X=1");
	list_add(&variables, "RUSTC_WRAPPER=b");
	list_add(&variables, "RUSTC_WORKSPACE_WRAPPER=");
	assert_int_equal(toolchain_cargo.switch_off(NULL, &variables), 0);
	assert_int_equal(variables.count, 5);
	assert_true(list_has(&variables, "RUSTC_WRAPPER="));
	assert_true(list_has(&variables, "CARGO_BUILD_RUSTC_WRAPPER="));
	assert_true(list_has(&variables, "RUSTC_WORKSPACE_WRAPPER="));
	assert_true(list_has(&variables, "CARGO_BUILD_RUSTC_WORKSPACE_WRAPPER="));
	assert_true(list_has(&variables, "X=1"));
	assert_null(variables.items[5]);
	list_release(&variables);
}

/* --- H30: what would change the answer ------------------------------------------------------------- */
static void a_changed_file_or_program_or_a_new_one_changes_the_stamps(void **state)
{
	(void)state;
	char path[5100];
	snprintf(path, sizeof(path), "PATH=%s:%s", place("bin"), place("bin2"));
	const char *const environment[] = { path, "RUSTC_WRAPPER=w", NULL };
	place_write("bin2/w", "#!/bin/sh\n", 0755);
	const char *first = place_stamps(&toolchain_cargo, environment);
	assert_string_equal(first, place_stamps(&toolchain_cargo, environment));
	place_write("bin/w", "#!/bin/sh\n", 0755);
	const char *second = place_stamps(&toolchain_cargo, environment);
	assert_string_not_equal(first, second);
	place_write("bin/cargo", "#!/bin/sh\n", 0755);
	const char *third = place_stamps(&toolchain_cargo, environment);
	assert_string_not_equal(second, third);
	place_write("tree/rust-toolchain.toml", "[toolchain]\nchannel = 'x'\n", 0644);
	assert_string_not_equal(third, place_stamps(&toolchain_cargo, environment));
	unlink(place("tree/rust-toolchain.toml"));
	unlink(place("bin/cargo"));
	assert_string_equal(second, place_stamps(&toolchain_cargo, environment));
	place_write("tree/.cargo/config.toml", "[build]\nrustc-wrapper = 'w'\n", 0644);
	assert_string_not_equal(second, place_stamps(&toolchain_cargo, environment));
	unlink(place("tree/.cargo/config.toml"));
}

/* --- H32 -------------------------------------------------------------------------------------------- */
#define CAN(...) compiles_can((const char *const[]){ __VA_ARGS__, NULL })
static void only_a_command_that_can_compile_is_measured(void **state)
{
	(void)state;
	assert_false(CAN("git", "status"));
	assert_false(CAN("/usr/bin/git", "-C", "commit", "log"));
	assert_false(CAN("cargo", "--version"));
	assert_false(CAN("cargo", "+nightly", "--color", "always", "metadata"));
	assert_false(CAN("true"));
	assert_false(CAN("cargo"));
	assert_true(CAN("cargo", "build"));
	assert_true(CAN("/x/cargo", "+nightly", "-Z", "add", "test"));
	assert_true(CAN("cargo", "nextest", "run"));
	assert_true(CAN("git", "commit"));
	assert_true(CAN("make"));
	assert_true(CAN("sh", "-c", "cargo build"));
	assert_true(CAN("./true"));
}

/* --- H14, H15, H16: what Cargo says ----------------------------------------------------------------- */
static void used_is(const char *output, const char *wanted)
{
	char *used = cargo_used(output);
	if (wanted)
		assert_string_equal(used, wanted);
	else
		assert_null(used);
	free(used);
}

static void tried_is(const char *output, const char *wanted)
{
	char *tried = cargo_tried(output);
	if (wanted)
		assert_string_equal(tried, wanted);
	else
		assert_null(tried);
	free(tried);
}

static void the_running_line_names_the_words_before_the_compiler(void **state)
{
	(void)state;
	used_is("   Compiling pinfold_probe v0.0.0 (/tmp/p)\n     Running `/u/bin/w /x/bin/rustc --crate-name "
		"pinfold_probe --edition=2021 src/main.rs`\n    Finished\n", "/u/bin/w");
	used_is("     Running `rustc --crate-name pinfold_probe src/main.rs`\n", NULL);
	used_is("     Running `w rustc --crate-name other src/main.rs`\n", NULL);
	used_is("     Running `a b rustc --crate-name pinfold_probe x`\n", "a b");
	used_is("nothing\n", NULL);
	used_is("     Running `w", NULL);
}

static void a_wrapper_with_blanks_or_a_compiler_of_any_name_is_told_apart(void **state)
{
	(void)state;
	used_is("     Running `'/u/my  tools/w' rustc --crate-name pinfold_probe x`\n", "/u/my  tools/w");
	used_is("     Running `'/u/my tools/w' w2 rustc --crate-name pinfold_probe x`\n",
		"'/u/my tools/w' w2");
	used_is("     Running `'it'\\''s `odd`' rustc --crate-name pinfold_probe x`\n", "it's `odd`");
	used_is("     Running `w /x/my-compiler --crate-name pinfold_probe x`\n", "w");
	tried_is("error: could not execute process `'/a b/w' rustc -vV` (never executed)\n", "/a b/w");
}

static void a_failing_line_names_what_could_not_be_run_or_failed(void **state)
{
	(void)state;
	tried_is("error: could not execute process `/missing/w /x/rustc -vV` (never executed)\n",
		 "/missing/w");
	tried_is("x\nerror: process didn't exit successfully: `w rustc - --crate-name ___` (exit status: 1)\n",
		 "w");
	tried_is("error: process didn't exit successfully: `rustc -vV` (exit status: 1)\n", NULL);
	tried_is("error: linker not found\n", NULL);
}

static void an_error_is_one_short_line_that_no_terminal_obeys(void **state)
{
	(void)state;
	char *line = output_error("   Compiling x\n  error: it \033[2J broke\nmore\n");
	assert_string_equal(line, "error: it \\x1b[2J broke");
	free(line);
	line = output_error("first\nlast\n\n");
	assert_string_equal(line, "last");
	free(line);
	line = output_error("error: process didn't exit successfully: `w rustc -vV` (exit status: 2)\n--- stdout\nx\n"
			    "--- stderr\nw: error: no server\nw: more\n");
	assert_string_equal(line, "error: process didn't exit successfully: `w rustc -vV` (exit status: 2): "
				  "w: error: no server");
	free(line);
	line = output_error("error: w failed\n--- stderr\n");
	assert_string_equal(line, "error: w failed");
	free(line);
	line = output_error("");
	assert_string_equal(line, "it said nothing");
	free(line);
	char *endless = calloc(1, 100000);
	memset(endless, 'e', 99999);
	line = output_error(endless);
	assert_int_equal(strlen(line), 400);
	free(line);
	free(endless);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_of_the_four_variables_names_a_wrapper_and_an_empty_one_does_not),
		cmocka_unit_test(a_file_of_any_ancestor_and_of_the_cargo_home_names_a_wrapper),
		cmocka_unit_test(a_file_that_mentions_neither_a_wrapper_nor_another_file_names_none),
		cmocka_unit_test(a_form_that_cannot_be_read_is_measured_each_time),
		cmocka_unit_test(a_name_with_a_slash_is_taken_from_beside_the_directory_of_the_file),
		cmocka_unit_test(a_file_that_is_no_file_or_too_large_is_not_waited_for_nor_believed),
		cmocka_unit_test(settings_are_read_from_the_copy_and_from_a_layer_over_it),
		cmocka_unit_test(a_name_in_other_letters_is_another_variable),
		cmocka_unit_test(a_throwaway_crate_is_nobodys_member_and_is_built_apart_without_colours_or_network),
		cmocka_unit_test(switching_off_sets_all_four_to_empty_exactly_once),
		cmocka_unit_test(a_changed_file_or_program_or_a_new_one_changes_the_stamps),
		cmocka_unit_test(only_a_command_that_can_compile_is_measured),
		cmocka_unit_test(the_running_line_names_the_words_before_the_compiler),
		cmocka_unit_test(a_wrapper_with_blanks_or_a_compiler_of_any_name_is_told_apart),
		cmocka_unit_test(a_failing_line_names_what_could_not_be_run_or_failed),
		cmocka_unit_test(an_error_is_one_short_line_that_no_terminal_obeys),
	};
	return cmocka_run_group_tests(tests, place_make, place_remove);
}
