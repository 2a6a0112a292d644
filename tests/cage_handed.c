/* tests/cage_handed.c - files that a command is handed for reading only. */
#include "config.h"

#include "cage_scene.h"

static void a_file_that_is_handed_over_for_reading_stays_as_it_is(void **state)
{
	(void)state;
	char path[] = "/var/tmp/pinfold-handed.XXXXXX";
	int made = mkostemp(path, O_CLOEXEC);
	assert_true(made >= 0);
	assert_int_equal(write(made, "one\ntwo\n", 8), 8);
	close(made);
	static const char script[] =
		"read word; echo $word; cat <&9; echo x 2>/dev/null >/proc/self/fd/0; echo x 2>/dev/null >>/proc/self/fd/9;"
		" chmod 777 /proc/self/fd/0; chmod 777 /proc/self/fd/9; true";
	struct scene scene;
	char *output = NULL;
	scene_open(&scene, ALL_NAMESPACES, script);
	scene.state.read_only = true;
	int null = scene.launch.streams[0], kept[] = { 9, -1 };
	scene.launch.streams[2] = null;
	scene.launch.streams[0] = open(path, O_RDONLY | O_CLOEXEC);
	int spare = open(path, O_RDONLY | O_CLOEXEC);
	assert_int_equal(lseek(spare, 4, SEEK_SET), 4);
	assert_int_equal(dup3(spare, 9, O_CLOEXEC), 9);
	close(spare);
	scene.launch.kept = kept;
	struct child_event event = play(&scene, &output);
	assert_int_equal(event.value, 0);
	assert_string_equal(output, "one\ntwo\n");
	struct stat after;
	assert_int_equal(stat(path, &after), 0);
	assert_int_equal(after.st_mode & 07777, 0600);
	assert_int_equal(after.st_size, 8);
	unlink(path);
	free(output);
	close(null);
	close(9);
	scene_close(&scene);
}

static void a_file_that_could_be_written_and_has_another_name_now_is_refused(void **state)
{
	(void)state;
	char path[] = "/var/tmp/pinfold-handed.XXXXXX", other[sizeof(path) + 2];
	struct scene scene;
	struct child *child = NULL;
	struct pinfold_error err = { 0 };
	scene_open(&scene, ALL_NAMESPACES, "true");
	int null = scene.launch.streams[0];
	scene.launch.streams[0] = mkostemp(path, O_CLOEXEC);
	close(scene.launch.streams[0]);
	scene.launch.streams[0] = open(path, O_RDONLY | O_CLOEXEC);
	snprintf(other, sizeof(other), "%s.2", path);
	assert_int_equal(link(path, other), 0);
	assert_int_equal(unlink(path), 0);
	assert_int_equal(child_start(&scene.launch, NULL, &child, NULL, &err), -1);
	assert_int_equal(err.code, PINFOLD_E_POLICY);
	assert_non_null(strstr(err.subject, path));
	assert_int_equal(unlink(other), 0);
	close(null);
	scene_close(&scene);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_file_that_is_handed_over_for_reading_stays_as_it_is),
		cmocka_unit_test(a_file_that_could_be_written_and_has_another_name_now_is_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
