/* tests/fuzz/files.c - what pinfold and git keep in files that a command may have been able to write. */
#include "config.h"

#include "fuzz.h"

#include "arms/offer.h"
#include "policy/git_index.h"
#include "tree/apply_steps.h"
#include "tree/index.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The sum is no secret: who can write the file writes that as well. */
static void mend_index(char *data, size_t bytes)
{
	struct index_header *header = (struct index_header *)(void *)data;
	struct index index = { .header = header };
	uint64_t rest = bytes - sizeof(*header), entries = (uint64_t)header->count * sizeof(struct index_entry);
	if (entries > rest || header->name_bytes != rest - entries)
		return;
	index.entries = (const struct index_entry *)(void *)(data + sizeof(*header));
	index.names = data + sizeof(*header) + entries;
	header->checksum = index_sum(&index);
}

/* Every entry but the first is some folder's child, found there by its name. */
static void walk(const struct index *index)
{
	for (uint32_t i = 0; i < index->header->count; i++) {
		const struct index_entry *folder = &index->entries[i];
		if (folder->kind != INDEX_FOLDER)
			continue;
		for (uint32_t k = 0; k < folder->children.count; k++) {
			const struct index_entry *child = &index->entries[folder->children.first + k];
			const char *name = index_name(index, child);
			FUZZ_HOLDS(strlen(name) == child->name_bytes);
			index_child(index, folder, name, child->name_bytes);
		}
	}
	index_find(index, "a/b");
	index_find(index, "");
}

void fuzz_index(const uint8_t *data, size_t bytes)
{
	struct index index;
	char *copy = fuzz_text(data, bytes);
	if (bytes >= sizeof(struct index_header))
		mend_index(copy, bytes);
	fuzz_put("index", copy, bytes);
	if (index_load(fuzz_directory(), "index", &index) == 0) {
		walk(&index);
		index_release(&index);
	}
	free(copy);
}

#define JOURNAL_MAGIC "pfapply2"

/* Nothing leads out of the tree, nor back into it. */
static void check_below(const char *path)
{
	FUZZ_HOLDS(path[0] != '/');
	for (size_t bytes; *path; path += bytes + (path[bytes] == '/')) {
		bytes = strcspn(path, "/");
		FUZZ_HOLDS(bytes > 0 && (bytes > 2 || strncmp(path, "..", bytes) != 0));
	}
}

void fuzz_journal(const uint8_t *data, size_t bytes)
{
	static const struct apply_part part = { .path = "/home/somebody/tree", .place_fd = -1, .held_fd = -1, .slot_fd = -1 };
	struct steps steps = { 0 };
	struct pinfold_error err = { 0 };
	enum journal_stage stage;
	uint64_t sum = digest_of((const char *)data, bytes);
	char *whole = malloc(sizeof(JOURNAL_MAGIC) - 1 + sizeof(sum) + bytes);
	FUZZ_HOLDS(whole);
	memcpy(whole, JOURNAL_MAGIC, sizeof(JOURNAL_MAGIC) - 1);
	memcpy(whole + sizeof(JOURNAL_MAGIC) - 1, &sum, sizeof(sum));
	memcpy(whole + sizeof(JOURNAL_MAGIC) - 1 + sizeof(sum), data, bytes);
	mkdirat(fuzz_directory(), "apply", 0700);
	fuzz_put("apply/valid", whole, sizeof(JOURNAL_MAGIC) - 1 + sizeof(sum) + bytes);
	free(whole);
	if (journal_read(fuzz_directory(), &part, 1, &steps, &stage, &err) < 0) {
		FUZZ_HOLDS(err.code == PINFOLD_E_TREE);
		return;
	}
	for (size_t i = 0; i < steps.area_count; i++)
		check_below(steps.areas[i].path);
	for (size_t i = 0; i < steps.touched_count; i++) {
		check_below(steps.touched[i].before);
		check_below(steps.touched[i].after);
	}
	for (size_t i = 0; i < steps.count; i++) {
		const struct step *step = &steps.items[i];
		FUZZ_HOLDS(step->kind < STEP_KINDS && step->part < 1 && step->from < steps.count);
		check_below(step->path);
	}
	steps_release(&steps);
}

void fuzz_git_index(const uint8_t *data, size_t bytes)
{
	fuzz_put("index", data, bytes);
	git_index_knows(fuzz_directory(), fuzz_directory());
}

void fuzz_offer(const uint8_t *data, size_t bytes)
{
	struct arena *arena = arena_new();
	struct pinfold_offer offer = { .size = sizeof(offer) };
	FUZZ_HOLDS(arena);
	if (offer_read(arena, data, bytes, &offer) == 0) {
		offer_settle(arena, &offer, "some");
		FUZZ_HOLDS(offer.available || (offer.missing && offer.lift && !offer.kept));
		FUZZ_HOLDS(!(offer.kept & ~offer.answered) && !(offer.kept & ~OFFER_AXES));
	}
	arena_free(arena);
}
