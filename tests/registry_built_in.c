/* tests/registry_built_in.c - a module's file and a part of the program: of one build, or not. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "config_place.h"

#include "built_in.h"
#include "base/text.h"
#include "registry/modules.h"

#include <elf.h>
#include <link.h>
#include <stdio.h>
#include <unistd.h>

static const unsigned char id[] = { 0x0a, 0xb0, 0xff, 0x00, 0x77 };
static const struct pinfold_plugin part = {
	.size = sizeof(part), .major = PINFOLD_PLUGIN_MAJOR, .minor = PINFOLD_PLUGIN_MINOR,
	.name = "good", .version = "1", .summary = "a part of this program",
};
static const struct pinfold_built_in rows[] = {
	{ "other", &part, "0ab0ff0077" }, { "good", &part, "0ab0ff0077" }, { NULL, NULL, NULL },
};

/* What a linker writes of a module before its code, and no code: it cannot be loaded. */
struct image {
	ElfW(Ehdr) head;
	ElfW(Phdr) parts[2];
	ElfW(Nhdr) first;
	char first_name[4], first_content[4];
	ElfW(Nhdr) note;
	char name[4];
	unsigned char content[8];
};

static struct image image_make(void)
{
	struct image image = {
		.head = { .e_phoff = offsetof(struct image, parts), .e_phnum = 2, .e_phentsize = sizeof(ElfW(Phdr)) },
		.parts = { { .p_type = PT_LOAD },
			   { .p_type = PT_NOTE, .p_offset = offsetof(struct image, first),
			     .p_filesz = sizeof(image) - offsetof(struct image, first) } },
		.first = { .n_namesz = 4, .n_descsz = 4, .n_type = NT_GNU_ABI_TAG },
		.first_name = "GNU",
		.note = { .n_namesz = 4, .n_descsz = sizeof(id), .n_type = NT_GNU_BUILD_ID },
		.name = "GNU",
	};
	memcpy(image.head.e_ident, ELFMAG, SELFMAG);
	memcpy(image.content, id, sizeof(id));
	return image;
}

static const struct pinfold_plugin *find(const void *image, size_t bytes, const struct pinfold_built_in *among)
{
	place_write_bytes("good.so", image, bytes);
	const struct module module = { .name = "good", .path = place_path("good.so") };
	return built_in_find(among, &module);
}

static void a_file_with_the_id_of_a_part_is_of_its_build(void **state)
{
	(void)state;
	struct image image = image_make();
	assert_ptr_equal(find(&image, sizeof(image), rows), &part);
	assert_null(find(&image, sizeof(image), rows + 2));
	assert_null(find(&image, sizeof(image), NULL));
}

static void a_file_with_another_id_or_none_is_not(void **state)
{
	(void)state;
	static const char *const others[] = { "", "0ab0ff00", "0ab0ff007700", "0ab0ff0078", "0AB0FF0077" };
	struct image image = image_make();
	for (size_t i = 0; i < N_ELEMENTS(others); i++) {
		const struct pinfold_built_in among[] = { { "good", &part, others[i] }, { NULL, NULL, NULL } };
		assert_null(find(&image, sizeof(image), among));
	}
	image.note.n_type = NT_GNU_HWCAP;
	assert_null(find(&image, sizeof(image), rows));
	image = image_make();
	image.name[0] = 'g';
	assert_null(find(&image, sizeof(image), rows));
	image = image_make();
	image.parts[1].p_type = PT_LOAD;
	assert_null(find(&image, sizeof(image), rows));
}

static void a_file_that_is_cut_anywhere_or_is_no_module_is_not(void **state)
{
	(void)state;
	struct image image = image_make();
	for (size_t bytes = 0; bytes < sizeof(image); bytes++)
		assert_null(find(&image, bytes, rows));
	image.head.e_ident[0] = 'E';
	assert_null(find(&image, sizeof(image), rows));
	const struct module module = { .name = "good", .path = place_path("absent.so") };
	assert_null(built_in_find(rows, &module));
}

static void numbers_that_lead_out_of_the_file_are_not_followed(void **state)
{
	(void)state;
	struct image image = image_make();
	image.head.e_phoff = UINT64_MAX - 8;
	assert_null(find(&image, sizeof(image), rows));
	image = image_make();
	image.parts[1].p_offset = UINT64_MAX - 4;
	assert_null(find(&image, sizeof(image), rows));
	image = image_make();
	image.parts[1].p_filesz = UINT64_MAX;
	assert_null(find(&image, sizeof(image), rows));
	image = image_make();
	image.first.n_namesz = UINT32_MAX;
	assert_null(find(&image, sizeof(image), rows));
	image = image_make();
	image.first.n_descsz = UINT32_MAX - 2;
	assert_null(find(&image, sizeof(image), rows));
	image = image_make();
	image.head.e_phnum = UINT16_MAX;
	image.parts[1].p_type = PT_LOAD;
	assert_null(find(&image, sizeof(image), rows));
}

/* The state of the module `good`, whose file could not be loaded, with parts of the program. */
static uint32_t state_of_good(const struct pinfold_built_in *among)
{
	const struct registry_services services = { .built_in = among };
	struct text text = { 0 };
	text_addf(&text, "[pinfold]\nplugins = good\nplugin-directories = %s\n", place_path("modules"));
	place_write("site/pinfold.conf", text.data);
	text_release(&text);
	struct config *config = place_expect(NULL);
	struct registry *registry = NULL;
	struct pinfold_error err = { 0 };
	assert_int_equal(registry_new(config, &services, &registry, &err), 0);
	registry_load_all(registry);
	const struct module *module = registry_module(registry, 0);
	uint32_t found = module->state;
	assert_true(found != MODULE_LOADED || module->plugin == &part);
	registry_free(registry);
	config_free(config);
	return found;
}

static void a_part_takes_the_place_of_its_file_and_of_no_other(void **state)
{
	(void)state;
	struct image image = image_make();
	place_write_bytes("modules/good.so", &image, sizeof(image));
	assert_int_equal(state_of_good(rows), MODULE_LOADED);
	assert_int_equal(state_of_good(NULL), MODULE_REFUSED);
	image.content[0]++;
	place_write_bytes("modules/good.so", &image, sizeof(image));
	assert_int_equal(state_of_good(rows), MODULE_REFUSED);
}

static void a_part_whose_file_is_missing_is_not_used(void **state)
{
	(void)state;
	place_write_bytes("modules/another.so", "", 0);
	assert_int_equal(state_of_good(rows), MODULE_REFUSED);
}

static void each_part_of_the_command_was_built_with_its_file(void **state)
{
	(void)state;
	size_t count = 0;
	for (const struct pinfold_built_in *row = built_in_modules(); row->name; row++, count++) {
		char path[4096];
		snprintf(path, sizeof(path), PLUGINS "/%s/.libs/%s.so", row->name, row->name);
		if (access(path, F_OK) < 0)
			snprintf(path, sizeof(path), PLUGINS "/wrappers/.libs/%s.so", row->name);
		const struct module module = { .name = row->name, .path = path };
		assert_ptr_equal(built_in_find(built_in_modules(), &module), row->plugin);
		assert_string_equal(row->plugin->name, row->name);
	}
	assert_true(count > 0);
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, place_set_up, place_tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_file_with_the_id_of_a_part_is_of_its_build),
		TEST(a_file_with_another_id_or_none_is_not),
		TEST(a_file_that_is_cut_anywhere_or_is_no_module_is_not),
		TEST(numbers_that_lead_out_of_the_file_are_not_followed),
		TEST(a_part_takes_the_place_of_its_file_and_of_no_other),
		TEST(a_part_whose_file_is_missing_is_not_used),
		TEST(each_part_of_the_command_was_built_with_its_file),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
