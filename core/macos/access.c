/* macos/access.c - lists of who else may use a file, as what is applied gets them.
 *
 * A Mac's lists are of another kind: the kernel itself gives what is made in a directory its inherited
 * entries.
 */
#include "config.h"

#include "tree/access.h"

#include <errno.h>
#include <sys/acl.h>

int access_keep(int from, int to)
{
	acl_t list = acl_get_fd_np(from, ACL_TYPE_EXTENDED);
	if (!list)
		return errno == ENOENT || errno == ENOTSUP ? 0 : -1;
	int result = acl_set_fd_np(to, list, ACL_TYPE_EXTENDED), why = errno;
	acl_free(list);
	errno = why;
	return result < 0 && why != ENOTSUP ? -1 : 0;
}

int access_inherit(int dir, int to, uint32_t *mode)
{
	(void)dir;
	(void)to;
	(void)mode;
	return 0;
}
