/* registry/load.c - opening a shared object and finding its one symbol: all of libltdl.
 *
 * Only absolute names come here, so that nothing is ever searched: neither libltdl's paths and its
 * LTDL_LIBRARY_PATH nor the linker's have a say.
 */
#include "config.h"

#include "registry/modules.h"

#include "base/fault.h"
#include "base/text.h"
#include "registry/symbol.h"

#include <dlfcn.h>
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

/* Who claims to be longer than the file says would have us read past the end. */
static int check_symbol(void *object, const struct pinfold_plugin *plugin, const char *path,
			struct pinfold_error *err)
{
	size_t bytes;
	const char *why = symbol_bytes(object, plugin, &bytes);
	if (why)
		return refuse(path, why, err);
	if (bytes < PINFOLD_PLUGIN_LEAST || plugin->size > bytes)
		return faultf(err, PINFOLD_E_PLUGIN, 0, "use the plugin",
			      "install another version of it, or take it out of [pinfold] plugins",
			      "%s: its structure says that it is %u bytes long, but has %zu", path,
			      plugin->size, bytes);
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
