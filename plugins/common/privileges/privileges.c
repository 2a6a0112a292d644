/* plugins/common/privileges/privileges.c - giving up privileges in the command's task, by the host's table alone. */
#include "privileges.h"

#include <linux/capability.h>
#include <sys/syscall.h>

long privileges_keep(const struct pinfold_host *host, uint64_t capabilities)
{
	const uint32_t low = (uint32_t)capabilities, high = (uint32_t)(capabilities >> 32);
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	const struct __user_cap_data_struct held[2] = {
		{ .effective = low, .permitted = low },
		{ .effective = high, .permitted = high },
	};
	return host->call(SYS_capset, (long)&header, (long)held, 0, 0, 0, 0);
}

bool privileges_are_within(const struct pinfold_host *host, uint64_t capabilities)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct held[2];
	if (host->call(SYS_capget, (long)&header, (long)held, 0, 0, 0, 0) < 0)
		return false;
	return !((held[0].effective | held[0].permitted | held[0].inheritable) & ~(uint32_t)capabilities) &&
	       !((held[1].effective | held[1].permitted | held[1].inheritable) & ~(uint32_t)(capabilities >> 32));
}
