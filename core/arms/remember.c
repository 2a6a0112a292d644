/* arms/remember.c - offers of earlier probes on this boot, by the same caller. */
#include "config.h"

#include "arms/remember.h"

#include "arms/offer.h"
#include "base/cleanup.h"
#include "config/scope.h"
#include "registry/records.h"

#include <fcntl.h>
#include <linux/capability.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static void record_name(const char *arm, char *room, size_t bytes)
{
	snprintf(room, bytes, "offer of arm:%s", arm);
}

static void add_root(struct text *stamp)
{
	struct stat status;
	if (stat("/", &status) < 0)
		text_add(stamp, "/ none\n");
	else
		text_addf(stamp, "/ %llu:%llu\n", (unsigned long long)status.st_dev,
			  (unsigned long long)status.st_ino);
}

/* "user:[4026531837]": a name says which it is without the kernel's having to open it. */
static void add_space(struct text *stamp, int directory, const char *name)
{
	char space[64];
	ssize_t length = readlinkat(directory, name, space, sizeof(space));
	text_add(stamp, name);
	text_add(stamp, " ");
	text_add_bytes(stamp, space, length < 0 ? 0 : (size_t)length);
	text_add(stamp, "\n");
}

/* What confines the caller itself, or lets it confine others. */
static void add_caller(struct text *stamp)
{
	static const char *const spaces[] = { "user", "mnt", "pid", "net" };
	auto_close int directory = open("/proc/self/ns", O_PATH | O_DIRECTORY | O_CLOEXEC);
	struct __user_cap_header_struct head = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct caps[2] = { 0 };
	for (size_t i = 0; i < N_ELEMENTS(spaces); i++)
		add_space(stamp, directory, spaces[i]);
	add_root(stamp);
	syscall(SYS_capget, &head, caps);
	text_addf(stamp, "users %u %u, no new privileges %d, seccomp %d, capabilities %x %x\n",
		  (unsigned)getuid(), (unsigned)getgid(), prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0),
		  prctl(PR_GET_SECCOMP, 0, 0, 0, 0), caps[0].effective, caps[1].effective);
}

static char *make_stamp(const struct pinfold_host *host)
{
	struct text stamp = { 0 };
	add_caller(&stamp);
	for (const struct pinfold_key *key = host->scope->keys; key && key->name; key++) {
		const char *value = host->setting(host, key->name);
		text_addf(&stamp, "%s=%zu:%s\n", key->name, value ? strlen(value) : 0,
			  value ? value : "");
	}
	return text_take(&stamp);
}

bool remember_recall(const struct pinfold_host *host, const char *name,
		     struct pinfold_offer *ret_offer)
{
	char record[80];
	const void *bytes;
	size_t count;
	auto_free char *stamp = make_stamp(host);
	record_name(name, record, sizeof(record));
	struct pinfold_offer offer;
	if (!stamp || !records_recall(host->scope, record, stamp, &bytes, &count) ||
	    offer_read(host->scope->arena, bytes, count, &offer) < 0)
		return false;
	offer_settle(host->scope->arena, &offer, name);
	if (!offer.available)
		return false;
	*ret_offer = offer;
	return true;
}

void remember_keep(const struct pinfold_host *host, const char *name,
		   const struct pinfold_offer *offer)
{
	char record[80];
	struct text bytes = { 0 };
	auto_free char *stamp = make_stamp(host);
	if (!offer->available || !stamp)
		return;
	record_name(name, record, sizeof(record));
	offer_write(&bytes, offer);
	if (!bytes.failed)
		records_keep(host->scope, record, stamp, bytes.data, bytes.length);
	text_release(&bytes);
}

void remember_forget(const char *name)
{
	char record[80];
	record_name(name, record, sizeof(record));
	records_forget(record);
}
