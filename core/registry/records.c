/* registry/records.c - small private records kept between runs, in the caller's cache directory. */
#include "config.h"

#include "registry/records.h"

#include "base/cleanup.h"
#include "base/private.h"
#include "base/text.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/utsname.h>

enum { RECORD_MOST = 1 << 20 };
static const uint64_t hash_start = 0xcbf29ce484222325u;

/* A file is this, then the complete stamp, then the data. */
struct header {
	char magic[8];
	uint64_t stamp_bytes, data_bytes;
	uint64_t sum;		/* of stamp and data */
};
static const char magic[8] = "pinfold1";

static uint64_t hash(uint64_t sum, const void *bytes, size_t count)
{
	const unsigned char *at = bytes;
	for (size_t i = 0; i < count; i++)
		sum = (sum ^ at[i]) * 0x100000001b3u;
	return sum;
}

/* What is the same for every record of this process: pinfold, kernel and boot; empty when unknown. */
static char machine[256];
static pthread_once_t machine_once = PTHREAD_ONCE_INIT;

static void describe_machine(void)
{
	struct utsname kernel;
	char boot[64];
	auto_close int fd = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
	ssize_t length = fd < 0 ? -1 : read(fd, boot, sizeof(boot) - 1);
	if (length <= 0 || uname(&kernel) < 0)
		return;
	boot[length] = '\0';
	snprintf(machine, sizeof(machine), "pinfold %s\nkernel %s\nboot %s", PACKAGE_VERSION,
		 kernel.release, boot);
}

/* The complete stamp, or NULL: then nothing is found and nothing is kept. */
static char *complete_stamp(const struct pinfold_scope *scope, const char *name, const char *stamp)
{
	pthread_once(&machine_once, describe_machine);
	if (!machine[0] || scope->quiet_records)
		return NULL;
	struct text text = { 0 };
	text_addf(&text, "%suser %u %u\nmodule %s\nname %s\n%s", machine, (unsigned)geteuid(),
		  (unsigned)getegid(), scope->identity ? scope->identity : "none", name, stamp);
	return text_take(&text);
}

static const char directory[] = "records";

static void file_name(const char *name, char *room, size_t bytes)
{
	snprintf(room, bytes, "%016llx",
		 (unsigned long long)hash(hash_start, name, strlen(name)));
}

/* Reads a whole file that only we can have written. */
static int read_file(const char *file, struct header **ret_header)
{
	struct stat status;
	auto_close int dir = private_open_directory(directory, O_PATH, false);
	auto_close int fd = dir < 0 ? -1 : private_open_file(dir, file, &status);
	if (fd < 0 || status.st_size < (off_t)sizeof(struct header) ||
	    status.st_size > RECORD_MOST)
		return -1;
	size_t bytes = (size_t)status.st_size;
	auto_free struct header *header = malloc(bytes);
	if (!header || read(fd, header, bytes) != status.st_size)
		return -1;
	if (memcmp(header->magic, magic, sizeof(magic)) != 0 || header->stamp_bytes > bytes ||
	    header->data_bytes > bytes ||
	    sizeof(*header) + header->stamp_bytes + header->data_bytes != bytes ||
	    header->sum != hash(hash_start, header + 1, bytes - sizeof(*header)))
		return -1;
	*ret_header = take_pointer(&header);
	return 0;
}

int records_recall(const struct pinfold_scope *scope, const char *name, const char *stamp,
		   const void **ret_data, size_t *ret_bytes)
{
	char file[32];
	auto_free struct header *header = NULL;
	file_name(name, file, sizeof(file));
	/* Nearly always there is none of some, and then the machine need not be described. */
	if (scope->quiet_records || read_file(file, &header) < 0)
		return 0;
	auto_free char *complete = complete_stamp(scope, name, stamp);
	if (!complete)
		return 0;
	const char *stored = (const char *)(header + 1);
	if (header->stamp_bytes != strlen(complete) ||
	    memcmp(stored, complete, header->stamp_bytes) != 0)
		return 0;
	char *data = arena_allocate(scope->arena, header->data_bytes + 1);
	if (!data)
		return 0;
	memcpy(data, stored + header->stamp_bytes, header->data_bytes);
	*ret_data = data;
	*ret_bytes = header->data_bytes;
	return 1;
}

void records_keep(const struct pinfold_scope *scope, const char *name, const char *stamp,
		  const void *data, size_t bytes)
{
	char file[32];
	auto_free char *complete = complete_stamp(scope, name, stamp);
	bool fits = complete && bytes < RECORD_MOST / 2;
	auto_close int dir = fits ? private_open_directory(directory, O_PATH, true) : -1;
	if (dir < 0)
		return;
	struct header header = { .stamp_bytes = strlen(complete), .data_bytes = bytes };
	memcpy(header.magic, magic, sizeof(magic));
	header.sum = hash(hash(hash_start, complete, header.stamp_bytes), data, bytes);
	struct text content = { 0 };
	text_add_bytes(&content, &header, sizeof(header));
	text_add(&content, complete);
	text_add_bytes(&content, data, bytes);
	file_name(name, file, sizeof(file));
	if (!content.failed && content.length <= RECORD_MOST)
		private_write_file(dir, file, content.data, content.length);
	text_release(&content);
}

void records_forget(const char *name)
{
	char file[32];
	auto_close int dir = private_open_directory(directory, O_PATH, false);
	file_name(name, file, sizeof(file));
	if (dir >= 0)
		unlinkat(dir, file, 0);
}
