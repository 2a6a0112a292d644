/* plugins/namespaces/systems.c - in the child: the new file systems of a view, not yet laid anywhere. */
#include "config.h"

#include "calls.h"
#include "layout.h"

#include <sys/stat.h>

/* A new file system with at most one option, not yet laid anywhere. */
long system_make(const struct pinfold_host *host, const char *type, const char *key, const char *value,
		 uint64_t attributes)
{
	long context = call(host, SYS_fsopen, type, FSOPEN_CLOEXEC);
	if (context < 0)
		return context;
	long result = call(host, SYS_fsconfig, context, FSCONFIG_SET_STRING, key, value, 0);
	if (result == 0)
		result = call(host, SYS_fsconfig, context, FSCONFIG_CMD_CREATE, 0, 0, 0);
	if (result == 0)
		result = call(host, SYS_fsmount, context, FSMOUNT_CLOEXEC, attributes);
	call_close(host, context);
	return result;
}

static long make_row(const struct pinfold_host *host, int root, const struct make *row)
{
	long result = 0;
	if (row->kind == MAKE_DIRECTORY)
		result = call(host, SYS_mkdirat, root, row->path, row->mode);
	else if (row->kind == MAKE_FILE)
		result = call(host, SYS_mknodat, root, row->path, S_IFREG | row->mode, 0);
	else
		result = call(host, SYS_symlinkat, row->target, root, row->path);
	return result == -EEXIST ? 0 : result;
}

long system_fill(const struct pinfold_host *host, int root, const struct make *rows, size_t count)
{
	long result = 0, mask = call(host, SYS_umask, 0);
	for (size_t i = 0; result == 0 && i < count; i++)
		result = make_row(host, root, &rows[i]);
	call(host, SYS_umask, mask);
	return result;
}

long system_skeleton(const struct pinfold_host *host)
{
	return system_make(host, "tmpfs", "mode", "0755", MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV);
}

long system_terminals(const struct pinfold_host *host)
{
	return system_make(host, "devpts", "ptmxmode", "0666", MOUNT_ATTR_NOSUID | MOUNT_ATTR_NOEXEC);
}

/* The init has capabilities that the command lacks, so the command cannot see it there. A root's is
 * read-only: much of it is root's to change. */
long system_processes(const struct pinfold_host *host, bool read_only)
{
	return system_make(host, "proc", "hidepid", "ptraceable",
			   MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV | MOUNT_ATTR_NOEXEC |
				   (read_only ? MOUNT_ATTR_RDONLY : 0));
}
