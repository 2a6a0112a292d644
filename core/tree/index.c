/* tree/index.c - what was known of a tree and its copy when they were last equal. */
#include "config.h"

#include "tree/index.h"

#include "base/cleanup.h"
#include "base/fd.h"
#include "tree/listing.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>

static const char magic[8] = "pinfold";

enum { FORMAT = 4, WRITE_ROOM = 65536, LARGE_PAGE = 2 << 20 };

_Static_assert(sizeof(struct index_entry) == 72 && sizeof(struct index_header) == 72,
	       "the index has no padding");

/* All that follows the sum: entries and names first, as the header is known last. */
static uint64_t sum_end(struct digest *digest, const struct index_header *header)
{
	size_t from = offsetof(struct index_header, tree);
	digest_add(digest, (const char *)header + from, sizeof(*header) - from);
	return digest_end(digest);
}

static bool header_is_sound(const struct index_header *header, size_t bytes)
{
	if (memcmp(header->magic, magic, sizeof(magic)) != 0 || header->version != FORMAT ||
	    header->entry_bytes != sizeof(struct index_entry) || header->count == 0)
		return false;
	uint64_t rest = bytes - sizeof(*header);
	uint64_t entry_bytes = (uint64_t)header->count * sizeof(struct index_entry);
	return entry_bytes <= rest && rest - entry_bytes == header->name_bytes;
}

static bool name_is_sound(const struct index *index, const struct index_entry *entry, uint64_t place)
{
	uint64_t end = place + entry->name_bytes;
	if (entry->name != place || end >= index->header->name_bytes || index->names[end] != '\0')
		return false;
	const char *name = index->names + entry->name;
	size_t bytes = entry->name_bytes;
	bool dots = name[0] == '.' && (bytes == 1 || (bytes == 2 && name[1] == '.'));
	return bytes > 0 && bytes <= 255 && !dots && !memchr(name, '/', bytes) && !memchr(name, '\0', bytes);
}

static bool entries_are_sound(const struct index *index)
{
	uint32_t next = 1, count = index->header->count;
	uint64_t place = 0;
	for (uint32_t i = 0; i < count; i++) {
		const struct index_entry *entry = &index->entries[i];
		if (entry->kind >= INDEX_KINDS || (i == 0 && entry->kind != INDEX_FOLDER))
			return false;
		if (i > 0 && !name_is_sound(index, entry, place))
			return false;
		place += i > 0 ? entry->name_bytes + 1u : 0;
		if (entry->kind != INDEX_FOLDER)
			continue;
		if (entry->children.first != next || entry->children.count > count - next)
			return false;
		next += entry->children.count;
	}
	return next == count && place == index->header->name_bytes;
}

uint64_t index_sum(const struct index *index)
{
	struct digest digest;
	digest_begin(&digest);
	digest_add(&digest, index->entries,
		   index->header->count * sizeof(*index->entries) + index->header->name_bytes);
	return sum_end(&digest, index->header);
}

/* A large index has large pages: to fill thousands of small ones takes longer than to read and check them. */
static char *make_room(size_t bytes)
{
	if (bytes < 2 * LARGE_PAGE)
		return malloc(bytes);
	char *room = aligned_alloc(LARGE_PAGE, (bytes + LARGE_PAGE - 1) / LARGE_PAGE * LARGE_PAGE);
	if (room)
		madvise(room, bytes, MADV_HUGEPAGE);
	return room;
}

/* Read, not mapped: whoever can write the file could change or cut it after it was checked. */
static void *read_file(int dir, const char *name, size_t *ret_bytes)
{
	auto_close int fd = openat(dir, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	struct stat found;
	if (fd < 0 || fstat(fd, &found) < 0)
		return NULL;
	errno = EBADMSG;
	if (!S_ISREG(found.st_mode) || found.st_size <= 0)
		return NULL;
	auto_free char *memory = make_room((size_t)found.st_size);
	for (off_t at = 0; memory && at < found.st_size;) {
		ssize_t got = pread(fd, memory + at, (size_t)(found.st_size - at), at);
		if (got == 0)
			errno = EBADMSG;
		if (got <= 0)
			return NULL;
		at += got;
	}
	*ret_bytes = (size_t)found.st_size;
	return take_pointer(&memory);
}

int index_read_header(int fd, struct index_header *ret_header)
{
	struct index_header header;
	if (pread(fd, &header, sizeof(header), 0) != sizeof(header) ||
	    memcmp(header.magic, magic, sizeof(magic)) != 0 || header.version != FORMAT)
		return -1;
	*ret_header = header;
	return 0;
}

int index_load(int dir, const char *name, struct index *ret_index)
{
	size_t bytes = 0;
	auto_free char *memory = read_file(dir, name, &bytes);
	if (!memory)
		return -1;
	errno = EBADMSG;
	if (bytes < sizeof(struct index_header))
		return -1;
	struct index index = { .header = (const struct index_header *)memory };
	if (!header_is_sound(index.header, bytes))
		return -1;
	index.entries = (const struct index_entry *)(memory + sizeof(*index.header));
	index.names = (const char *)(index.entries + index.header->count);
	if (!entries_are_sound(&index) || index_sum(&index) != index.header->checksum)
		return -1;
	index.memory = take_pointer(&memory);
	*ret_index = index;
	return 0;
}

int index_load_any(int dir, const char *name, struct index *ret_index)
{
	if (index_load(dir, name, ret_index) == 0)
		return 0;
	/* What else the command has put in its place is none either. */
	bool none = errno == ENOENT || errno == EBADMSG || errno == ELOOP || errno == ENXIO || errno == EISDIR;
	return none ? 0 : -1;
}

void index_release(struct index *index)
{
	free(index->memory);
	*index = (struct index){ 0 };
}

const struct index_entry *index_child(const struct index *index, const struct index_entry *folder,
				      const char *name, size_t bytes)
{
	if (folder->kind != INDEX_FOLDER)
		return NULL;
	uint32_t low = folder->children.first, end = low + folder->children.count, high = end;
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		const struct index_entry *entry = &index->entries[middle];
		if (listing_compare(index_name(index, entry), entry->name_bytes, name, bytes) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	const struct index_entry *entry = &index->entries[low];
	return low < end && entry->name_bytes == bytes &&
			       memcmp(index_name(index, entry), name, bytes) == 0 ?
		       entry : NULL;
}

const struct index_entry *index_find(const struct index *index, const char *path)
{
	const struct index_entry *at = index->memory ? index->entries : NULL;
	while (at && *path) {
		size_t bytes = strcspn(path, "/");
		at = index_child(index, at, path, bytes);
		path += bytes;
		path += *path == '/';
	}
	return at;
}

int index_begin(struct index_writer *writer, int dir, const char *name)
{
	auto_free char *room = malloc(WRITE_ROOM);
	if (!room)
		return -1;
	int flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
	if (unlinkat(dir, name, 0) < 0 && errno != ENOENT)
		return -1;
	int fd = openat(dir, name, flags, 0600);
	if (fd < 0)
		return -1;
	memcpy(writer->header.magic, magic, sizeof(magic));
	writer->header.version = FORMAT;
	writer->header.entry_bytes = sizeof(struct index_entry);
	digest_begin(&writer->digest);
	writer->fd = fd;
	writer->failed = lseek(fd, sizeof(writer->header), SEEK_SET) < 0 ? errno : 0;
	writer->used = 0;
	writer->room = take_pointer(&room);
	return 0;
}

static void flush(struct index_writer *writer)
{
	digest_add(&writer->digest, writer->room, writer->used);
	if (!writer->failed && fd_write_all(writer->fd, writer->room, writer->used) < 0)
		writer->failed = errno;
	writer->used = 0;
}

static void put(struct index_writer *writer, const void *bytes, size_t count)
{
	if (count > WRITE_ROOM - writer->used)
		flush(writer);
	memcpy(writer->room + writer->used, bytes, count);
	writer->used += count;
}

void index_add_entry(struct index_writer *writer, const struct index_entry *entry)
{
	put(writer, entry, sizeof(*entry));
}

void index_add_name(struct index_writer *writer, const char *name, size_t bytes)
{
	put(writer, name, bytes + 1);
}

int index_end(struct index_writer *writer)
{
	flush(writer);
	writer->header.checksum = sum_end(&writer->digest, &writer->header);
	ssize_t bytes = sizeof(writer->header);
	if (!writer->failed && pwrite(writer->fd, &writer->header, (size_t)bytes, 0) != bytes)
		writer->failed = errno ? errno : EIO;
	if (!writer->failed && writer->durable && fdatasync(writer->fd) < 0)
		writer->failed = errno;
	close(writer->fd);
	free(writer->room);
	writer->fd = -1;
	writer->room = NULL;
	errno = writer->failed;
	return writer->failed ? -1 : 0;
}

void index_give_up(struct index_writer *writer)
{
	cleanup_fd(&writer->fd);
	free(writer->room);
	writer->fd = -1;
	writer->room = NULL;
}

int index_write_again(const struct index *index, int dir, const char *name)
{
	struct index_writer writer = { .fd = -1, .durable = true };
	const struct index_header *header = index->header;
	if (index_begin(&writer, dir, name) < 0)
		return -1;
	writer.header.tree = header->tree;
	writer.header.bond = header->bond;
	writer.header.copy_device = header->copy_device;
	writer.header.began = header->began;
	writer.header.ended = header->ended;
	writer.header.count = header->count;
	writer.header.name_bytes = header->name_bytes;
	for (uint32_t i = 0; i < header->count; i++)
		index_add_entry(&writer, &index->entries[i]);
	for (uint32_t i = 1; i < header->count; i++)
		index_add_name(&writer, index_name(index, &index->entries[i]), index->entries[i].name_bytes);
	return index_end(&writer);
}
