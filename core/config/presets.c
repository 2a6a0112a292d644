/* config/presets.c - which presets there are. */
#include "config.h"

#include "config/presets.h"

#include "base/cleanup.h"
#include "base/fault.h"
#include "base/path.h"
#include "base/text.h"
#include "config/effective.h"
#include "config/source.h"

#include <fcntl.h>

static const char SUFFIX[] = ".conf";

static int list_directory(int at, const char *directory, struct list *names, struct pinfold_error *err)
{
	auto_close int fd = -1;
	auto_list struct list files = { 0 };
	if (at < 0)
		return 0;
	auto_free char *path = path_join(directory, "presets");
	if (!path)
		return fault_no_memory(err);
	int result = source_open_directory(at, "presets", path, &fd, err);
	if (result > 0)
		result = source_list(fd, path, &files, err);
	for (size_t i = 0; result >= 0 && i < files.count; i++) {
		files.items[i][strlen(files.items[i]) - strlen(SUFFIX)] = '\0';
		if (!list_has(names, files.items[i]) && list_add(names, files.items[i]) < 0)
			result = fault_no_memory(err);
	}
	return result < 0 ? -1 : 0;
}

int presets_list(const struct gathered *gathered, struct list *names, struct pinfold_error *err)
{
	if (list_directory(gathered->site_fd, gathered->site, names, err) < 0)
		return -1;
	return list_directory(gathered->vendor_fd, gathered->vendor, names, err);
}

int presets_refuse(const struct gathered *gathered, const char *name, struct place asked, struct pinfold_error *err)
{
	auto_list struct list names = { 0 };
	if (presets_list(gathered, &names, err) < 0)
		return -1;
	struct text choice = { 0 };
	text_add(&choice, "choose a preset that is there");
	for (size_t i = 0; i < names.count; i++) {
		text_addf(&choice, "%s%s", i ? ", " : ": ", names.items[i]);
		if (!strchr(name, '@'))
			names.items[i][strcspn(names.items[i], "@")] = '\0';
	}
	auto_free char *otherwise = text_take(&choice);
	if (!otherwise)
		return fault_no_memory(err);
	return place_fault_unknown(asked, err, name, (const char *const *)names.items, names.count,
				   otherwise,
				   "there is no preset `%s`: neither %s/presets/%s.conf nor %s/presets/%s.conf",
				   name, gathered->site, name, gathered->vendor, name);
}

/* The directories are opened anew: a configuration holds nothing open. */
int config_presets(const struct config *config, struct list *names, struct pinfold_error *err)
{
	struct gathered gathered = { .vendor = config->vendor, .site = config->site, .vendor_fd = -1, .site_fd = -1 };
	int result = 0;
	if (gathered.site[0])
		result = source_open_directory(AT_FDCWD, gathered.site, gathered.site, &gathered.site_fd, err);
	if (result >= 0 && gathered.vendor[0])
		result = source_open_directory(AT_FDCWD, gathered.vendor, gathered.vendor, &gathered.vendor_fd, err);
	if (result >= 0)
		result = presets_list(&gathered, names, err);
	gather_release(&gathered);
	return result < 0 ? -1 : 0;
}
