/* plugins/seatbelt/base.c - the curated base, as rows. */
#include "base.h"

#include <stddef.h>

struct row {
	const char *operations;
	const char *filters;	/* as text: all of it is this file's own */
	unsigned count;
};

static void add_rows(struct profile *profile, const struct row *rows, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		profile_allow(profile, rows[i].operations);
		profile_add(profile, rows[i].filters);
		profile_end(profile);
		profile->rules += rows[i].count;
	}
}

static const struct row any_program[] = {
	{ "process-fork", "", 0 },
	{ "signal process-info*", " (target same-sandbox)", 1 },
	{ "file-map-executable", "", 0 },
	{ "file-read* file-write-data", "\n  (literal \"/dev/null\") (literal \"/dev/zero\")", 2 },
	{ "file-read*", "\n  (literal \"/dev/random\") (literal \"/dev/urandom\") (subpath \"/dev/fd\")", 3 },
	{ "file-read-data file-write-data file-ioctl", " (literal \"/dev/dtracehelper\")", 1 },
	{ "file-read-metadata",
	  "\n  (literal \"/\") (literal \"/etc\") (literal \"/tmp\") (literal \"/var\")", 4 },
	{ "sysctl-read",
	  "\n  (sysctl-name-prefix \"hw.\") (sysctl-name-prefix \"machdep.cpu.\")"
	  "\n  (sysctl-name-prefix \"kern.os\") (sysctl-name-prefix \"sysctl.\")"
	  "\n  (sysctl-name \"kern.argmax\") (sysctl-name \"kern.boottime\") (sysctl-name \"kern.hostname\")"
	  "\n  (sysctl-name \"kern.iossupportversion\") (sysctl-name \"kern.maxfilesperproc\")"
	  "\n  (sysctl-name \"kern.maxproc\") (sysctl-name \"kern.ngroups\") (sysctl-name \"kern.secure_kernel\")"
	  "\n  (sysctl-name \"kern.usrstack64\") (sysctl-name \"kern.version\") (sysctl-name \"kern.willshutdown\")"
	  "\n  (sysctl-name \"security.mac.lockdown_mode_state\") (sysctl-name \"vm.loadavg\")", 17 },
	{ "mach-lookup",
	  "\n  (global-name \"com.apple.system.opendirectoryd.libinfo\")"
	  "\n  (global-name \"com.apple.system.opendirectoryd.membership\")"
	  "\n  (global-name \"com.apple.system.notification_center\")"
	  "\n  (global-name \"com.apple.system.logger\")"
	  "\n  (global-name \"com.apple.logd\")"
	  "\n  (global-name \"com.apple.bsd.dirhelper\")", 6 },
	{ "ipc-posix-shm-read*", " (ipc-posix-name \"apple.shm.notification_center\")", 1 },
};

void base_begin(struct profile *profile)
{
	profile_add(profile, "(version 1)\n");
	profile_deny(profile, "default", RULE_DEFAULT);
	profile_end(profile);
	add_rows(profile, any_program, sizeof(any_program) / sizeof(any_program[0]));
}

void base_readable(struct profile *profile)
{
	static const struct row rows[] = {
		{ "file-read*",
		  "\n  (literal \"/\") (subpath \"/usr/lib\") (subpath \"/System/Library\")"
		  "\n  (subpath \"/System/Cryptexes\") (subpath \"/System/Volumes/Preboot/Cryptexes\")"
		  "\n  (subpath \"/private/var/db/dyld\") (subpath \"/private/var/db/timezone\")"
		  "\n  (subpath \"/usr/share/zoneinfo\") (subpath \"/usr/share/icu\")"
		  "\n  (literal \"/private/etc/localtime\") (literal \"/dev\")", 11 },
		{ "file-read-metadata",
		  "\n  (literal \"/usr\") (literal \"/System\") (literal \"/System/Volumes\")"
		  "\n  (literal \"/System/Volumes/Preboot\") (literal \"/private\") (literal \"/private/etc\")"
		  "\n  (literal \"/private/var\") (literal \"/private/var/db\") (literal \"/usr/share\")", 9 },
	};
	add_rows(profile, rows, sizeof(rows) / sizeof(rows[0]));
}

void base_terminals(struct profile *profile, bool inherited, bool control)
{
	static const struct row own[] = {
		{ "pseudo-tty", "", 0 },
		{ "file-read* file-write* file-ioctl",
		  "\n  (literal \"/dev/ptmx\")\n  (require-all (regex #\"^/dev/ttys[0-9]+$\")"
		  " (extension \"com.apple.sandbox.pty\"))", 4 },
	};
	static const struct row callers = { "file-read* file-write-data",
		"\n  (literal \"/dev/tty\") (regex #\"^/dev/ttys[0-9]+$\")", 2 };
	static const struct row controls = { "file-ioctl",
		"\n  (literal \"/dev/tty\") (regex #\"^/dev/ttys[0-9]+$\")", 2 };
	if (inherited)
		add_rows(profile, &callers, 1);
	if (inherited && control)
		add_rows(profile, &controls, 1);
	add_rows(profile, own, sizeof(own) / sizeof(own[0]));
}

void base_network(struct profile *profile)
{
	static const struct row rows[] = {
		{ "network-outbound", " (literal \"/private/var/run/mDNSResponder\")", 1 },
		{ "system-socket", " (socket-domain AF_ROUTE)", 1 },
		{ "mach-lookup",
		  "\n  (global-name \"com.apple.SystemConfiguration.configd\")"
		  "\n  (global-name \"com.apple.SystemConfiguration.DNSConfiguration\")"
		  "\n  (global-name \"com.apple.trustd.agent\") (global-name \"com.apple.trustd\")"
		  "\n  (global-name \"com.apple.networkd\") (global-name \"com.apple.dnssd.service\")", 6 },
	};
	add_rows(profile, rows, sizeof(rows) / sizeof(rows[0]));
}

void base_mark(struct profile *profile)
{
	profile_add(profile, "(deny mach-lookup (with no-log) (global-name-regex (param \"" PARAMETER_MARKS "\")))\n"
			     "(allow mach-lookup (global-name (param \"" PARAMETER_MARK "\")))\n");
	profile->rules += 4;
}
