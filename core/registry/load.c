/* registry/load.c - opening a shared object and finding its one symbol: all of libltdl.
 *
 * Only absolute names come here, so that nothing is ever searched: neither libltdl's paths and its
 * LTDL_LIBRARY_PATH nor the linker's have a say.
 */
#include "config.h"

#include "registry/modules.h"

#include "base/fault.h"
#include "base/text.h"

#include <dlfcn.h>
#include <link.h>
#include <ltdl.h>

static const char ask_package[] =
	"install the package that it needs, or take it out of [pinfold] plugins";

static int refuse(const char *path, const char *reason, struct pinfold_error *err)
{
	/* The linker often begins with the path itself. */
	if (reason && starts_with(reason, path))
		return fault(err, PINFOLD_E_PLUGIN, 0, "load the plugin", reason, ask_package);
	return faultf(err, PINFOLD_E_PLUGIN, 0, "load the plugin", ask_package, "%s: %s", path,
		      reason ? reason : "no reason was given");
}

/* Opens by libltdl what the linker has opened already: resident, and its symbols its own. */
static lt_dlhandle open_counted(const char *path)
{
	lt_dladvise advise;
	if (lt_dladvise_init(&advise) != 0)
		return NULL;
	lt_dlhandle handle = NULL;
	if (lt_dladvise_resident(&advise) == 0 && lt_dladvise_local(&advise) == 0)
		handle = lt_dlopenadvise(path, advise);
	lt_dladvise_destroy(&advise);
	return handle;
}

/* The symbol must be the module's own: a lookup goes on into the libraries that it needs. And the
 * file knows how long the symbol is: who claims more would have us read past it. */
static int check_symbol(void *object, const struct pinfold_plugin *plugin, const char *path,
			struct pinfold_error *err)
{
	struct link_map *own = NULL, *found = NULL;
	const ElfW(Sym) *symbol = NULL;
	Dl_info info;
	if (dlinfo(object, RTLD_DI_LINKMAP, &own) < 0 ||
	    !dladdr1(plugin, &info, (void **)&found, RTLD_DL_LINKMAP) || own != found)
		return refuse(path, "it exports no symbol pinfold_plugin", err);
	if (!dladdr1(plugin, &info, (void **)&symbol, RTLD_DL_SYMENT) || !symbol ||
	    ELF64_ST_TYPE(symbol->st_info) != STT_OBJECT)
		return refuse(path, "its symbol pinfold_plugin is not a structure", err);
	if (symbol->st_size < PINFOLD_PLUGIN_LEAST || plugin->size > symbol->st_size)
		return faultf(err, PINFOLD_E_PLUGIN, 0, "use the plugin",
			      "install another version of it, or take it out of [pinfold] plugins",
			      "%s: its structure says that it is %u bytes long, but has %zu", path,
			      plugin->size, (size_t)symbol->st_size);
	return 0;
}

int load_object(const char *path, const struct pinfold_plugin **ret_plugin,
		struct pinfold_error *err)
{
	static bool started;
	if (path[0] != '/')
		return refuse(path, "it is not an absolute path", err);
	if (!started && lt_dlinit() != 0)
		return refuse(path, lt_dlerror(), err);
	started = true;
	/* libltdl binds lazily and calls every failure "file not found": ask the linker first, for all
	 * symbols now and for the true reason. */
	void *object = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	if (!object)
		return refuse(path, dlerror(), err);
	lt_dlhandle handle = open_counted(path);
	if (!handle)
		return refuse(path, lt_dlerror(), err);
	const struct pinfold_plugin *plugin = lt_dlsym(handle, "pinfold_plugin");
	if (!plugin)
		return refuse(path, "it exports no symbol pinfold_plugin", err);
	if (check_symbol(object, plugin, path, err) < 0)
		return -1;
	*ret_plugin = plugin;
	return 0;
}
