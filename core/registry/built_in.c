/* registry/built_in.c - is a module's file of one build with a part of this program? */
#include "config.h"

#include "registry/modules.h"

#include "base/cleanup.h"
#include "base/text.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <unistd.h>

enum { BEGINNING = 4096 };	/* linkers put the notes right behind the headers */

/* A file's first bytes, aligned for what lies in them. */
struct beginning {
	_Alignas(8) unsigned char bytes[BEGINNING];
	size_t count;
};

static const void *within(const struct beginning *file, uint64_t at, uint64_t bytes)
{
	return at <= file->count && bytes <= file->count - at ? file->bytes + at : NULL;
}

static size_t padded(size_t bytes)
{
	return (bytes + 3) / 4 * 4;
}

static bool spells(const unsigned char *bytes, size_t count, const char *wanted)
{
	static const char digits[] = "0123456789abcdef";
	if (strlen(wanted) != 2 * count)
		return false;
	for (size_t i = 0; i < count; i++)
		if (wanted[2 * i] != digits[bytes[i] >> 4] || wanted[2 * i + 1] != digits[bytes[i] & 15])
			return false;
	return true;
}

/* Is the build id among these notes, and this one? */
static bool has_id(const unsigned char *notes, size_t bytes, const char *wanted)
{
	static const char owner[4] = "GNU";
	ElfW(Nhdr) note;
	while (bytes >= sizeof(note)) {
		memcpy(&note, notes, sizeof(note));
		size_t name = sizeof(note), content = name + padded(note.n_namesz);
		size_t whole = content + padded(note.n_descsz);
		if (note.n_namesz > bytes || note.n_descsz > bytes || whole > bytes)
			return false;
		if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == sizeof(owner) &&
		    memcmp(notes + name, owner, sizeof(owner)) == 0)
			return spells(notes + content, note.n_descsz, wanted);
		notes += whole;
		bytes -= whole;
	}
	return false;
}

static bool is_of_build(const struct beginning *file, const char *wanted)
{
	const ElfW(Ehdr) *head = within(file, 0, sizeof(*head));
	if (!head || memcmp(head->e_ident, ELFMAG, SELFMAG) != 0 || head->e_phentsize != sizeof(ElfW(Phdr)))
		return false;
	for (size_t i = 0; i < head->e_phnum; i++) {
		ElfW(Phdr) part;
		const void *row = within(file, head->e_phoff + i * sizeof(part), sizeof(part));
		if (!row)
			return false;
		memcpy(&part, row, sizeof(part));
		const void *notes = part.p_type == PT_NOTE ? within(file, part.p_offset, part.p_filesz) : NULL;
		if (notes && has_id(notes, part.p_filesz, wanted))
			return true;
	}
	return false;
}

static bool read_beginning(const char *path, struct beginning *ret_file)
{
	auto_close int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	ssize_t got = fd < 0 ? -1 : read(fd, ret_file->bytes, sizeof(ret_file->bytes));
	ret_file->count = got < 0 ? 0 : (size_t)got;
	return got > 0;
}

const struct pinfold_plugin *built_in_find(const struct pinfold_built_in *built_in, const struct module *module)
{
	struct beginning file;
	for (const struct pinfold_built_in *row = built_in; row && row->name; row++)
		if (row->id[0] && streq(row->name, module->name))
			return read_beginning(module->path, &file) && is_of_build(&file, row->id) ? row->plugin : NULL;
	return NULL;
}
