/* registry/symbol.c - whose a module's symbol is, and how long. */
#include "config.h"

#include "registry/symbol.h"

#include <dlfcn.h>
#include <link.h>

/* A lookup goes on into the libraries that a module needs. */
const char *symbol_bytes(void *module, const void *address, size_t *ret_bytes)
{
	struct link_map *own = NULL, *found = NULL;
	const ElfW(Sym) *symbol = NULL;
	Dl_info info;
	if (dlinfo(module, RTLD_DI_LINKMAP, &own) < 0 ||
	    !dladdr1(address, &info, (void **)&found, RTLD_DL_LINKMAP) || own != found)
		return "it exports no symbol pinfold_plugin";
	if (!dladdr1(address, &info, (void **)&symbol, RTLD_DL_SYMENT) || !symbol ||
	    ELF64_ST_TYPE(symbol->st_info) != STT_OBJECT)
		return "its symbol pinfold_plugin is not a structure";
	*ret_bytes = symbol->st_size;
	return NULL;
}
