/* cage/powers.c - gives up, lays down and takes up the capabilities of the calling thread. */
#include "config.h"

#include "cage/powers.h"

#include <errno.h>
#include <linux/capability.h>
#include <sys/syscall.h>
#include <unistd.h>

static struct __user_cap_header_struct own(void)
{
	return (struct __user_cap_header_struct){ .version = _LINUX_CAPABILITY_VERSION_3 };
}

int powers_give_up(void)
{
	struct __user_cap_header_struct header = own();
	const struct __user_cap_data_struct none[2] = { 0 };
	return syscall(SYS_capset, &header, none) < 0 ? -errno : 0;
}

int powers_lay_down(struct powers *ret_powers)
{
	struct __user_cap_header_struct header = own();
	struct __user_cap_data_struct data[2];
	if (syscall(SYS_capget, &header, data) < 0)
		return -errno;
	*ret_powers = (struct powers){ { data[0].effective, data[1].effective } };
	data[0].effective = data[1].effective = 0;
	return syscall(SYS_capset, &header, data) < 0 ? -errno : 0;
}

void powers_take_up(const struct powers *powers)
{
	struct __user_cap_header_struct header = own();
	struct __user_cap_data_struct data[2];
	if (syscall(SYS_capget, &header, data) < 0)
		return;
	data[0].effective = powers->effective[0];
	data[1].effective = powers->effective[1];
	syscall(SYS_capset, &header, data);
}
