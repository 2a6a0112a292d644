/* macos/symbol.c - whose a module's symbol is, and how long it can be at most.
 *
 * The file does not say how long a symbol is. It ends where the segment of data ends that it lies in: what
 * reaches no further cannot make us read what is not the module's.
 */
#include "config.h"

#include "registry/symbol.h"

#include <dlfcn.h>
#include <mach-o/loader.h>
#include <stdint.h>
#include <string.h>

static const struct segment_command_64 *segment_of(const struct mach_header_64 *head, uintptr_t slide,
						   uintptr_t address)
{
	const char *at = (const char *)(head + 1);
	for (uint32_t i = 0; i < head->ncmds; i++) {
		const struct load_command *command = (const struct load_command *)(const void *)at;
		const struct segment_command_64 *segment = (const void *)at;
		if (command->cmd == LC_SEGMENT_64 && address >= segment->vmaddr + slide &&
		    address < segment->vmaddr + slide + segment->vmsize)
			return segment;
		at += command->cmdsize;
	}
	return NULL;
}

/* A module's own text begins at 0 before it is moved. */
const char *symbol_bytes(void *module, const void *address, size_t *ret_bytes)
{
	Dl_info info;
	if (!dladdr(address, &info) || dlsym(module, "pinfold_plugin") != address ||
	    !info.dli_sname || strcmp(info.dli_sname, "pinfold_plugin") != 0 || info.dli_saddr != address)
		return "it exports no symbol pinfold_plugin";
	uintptr_t slide = (uintptr_t)info.dli_fbase;
	const struct segment_command_64 *segment = segment_of(info.dli_fbase, slide, (uintptr_t)address);
	if (!segment || segment->initprot & 4 /* executable */ || strncmp(segment->segname, "__DATA", 6) != 0)
		return "its symbol pinfold_plugin is not a structure";
	*ret_bytes = segment->vmaddr + slide + segment->vmsize - (uintptr_t)address;
	return NULL;
}
