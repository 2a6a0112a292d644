/* plugins/landlock/promise.c - what was seen, in promises and words. */
#include "config.h"

#include "landlock.h"

#include <errno.h>

static const char beside_hidden[] =
	"beside a hidden path, what is made outside during a run cannot be read either, and a directory on the way "
	"to a hidden one cannot be listed; a hidden file with another name, or that is made or replaced outside "
	"where nothing was hidden, can be read there; what is hidden can be looked at: its size and its times";

/* What holds with every version. */
static const char *const notes[PINFOLD_AXIS_COUNT] = {
	[PINFOLD_AXIS_FILESYSTEM] = "an absolute path still leads to the original tree, which can be read but not written",
	[PINFOLD_AXIS_SECRETS] = beside_hidden,
	[PINFOLD_AXIS_NETWORK] = "there is no loopback of the command's own: with the network closed, nothing of TCP and UDP",
	[PINFOLD_AXIS_PROCESSES] =
		"the command sees your processes in /proc, with their names and arguments",
	[PINFOLD_AXIS_USER] = "the command runs as you, without any capability and without new privileges",
	[PINFOLD_AXIS_RESOURCES] = "no ceiling on all processes together is configured or required, so none was looked for",
};

static const char attributes[] =
	"content and names outside are kept, but the command can change modes, times and extended attributes of "
	"your own files everywhere";

static void note_processes(uint32_t sights, struct pinfold_offer *offer)
{
	if (sights & SIGHT_MEMORY)
		offer->note[PINFOLD_AXIS_PROCESSES] =
			"the command sees your processes in /proc, and what they hold in memory";
	else if (sights & SIGHT_SIGNALS)
		offer->note[PINFOLD_AXIS_PROCESSES] =
			"the command sees your processes in /proc, and can signal them: this kernel's Landlock has no rule "
			"for signals (Linux 6.12)";
}

static void promise_tree(uint32_t sights, const char *trouble, struct pinfold_offer *offer)
{
	if (!trouble)
		offer->kept |= PINFOLD_BIT(PROCESS_TREE);
	offer->note[PINFOLD_AXIS_PROCESS_TREE] = trouble ? trouble : !(sights & SIGHT_SIGNALS) ? NULL :
		"a command that kills its supervisor leaves processes behind, which are counted: this kernel's Landlock "
		"has no rule for signals (Linux 6.12)";
}

static void promise_sockets(const struct settings *settings, int abi, uint32_t sights, struct pinfold_offer *offer)
{
	bool rules = wall_rights_of(abi).files & WALL_RESOLVE_UNIX;
	if (!(sights & (SIGHT_ABSTRACT | SIGHT_SOCKET)) && (rules || !settings->sockets))
		offer->kept |= PINFOLD_BIT(SOCKETS);
	if (!rules)
		offer->note[PINFOLD_AXIS_SOCKETS] = settings->sockets ?
			"[arm:landlock] sockets = open leaves the services that listen at a path: this kernel's Landlock has no "
			"rule for them (Linux 7.1)" :
			"the command can make no unix socket but connected pairs: this kernel's Landlock has no rule for them "
			"(Linux 7.1)";
}

static void promise_writes(int abi, uint32_t sights, struct pinfold_offer *offer)
{
	if (!(sights & (SIGHT_ATTRIBUTES | SIGHT_TRUNCATES)))
		offer->kept |= PINFOLD_BIT(WRITES);
	if (sights & SIGHT_ATTRIBUTES)
		offer->note[PINFOLD_AXIS_WRITES] = attributes;
	else if (abi < 3)
		offer->note[PINFOLD_AXIS_WRITES] =
			"a file can be cut only where it is open for writing, in the copy as well: this kernel's Landlock has "
			"no rule for that (Linux 6.2)";
}

void promise_fill(const struct settings *settings, int abi, uint32_t sights, bool root,
		  const char *strays_trouble, struct pinfold_offer *offer)
{
	offer->available = 1;
	offer->missing = offer->lift = NULL;
	offer->answered = (UINT64_C(1) << PINFOLD_AXIS_COUNT) - 1;
	offer->kept = PINFOLD_BIT(FILESYSTEM) | PINFOLD_BIT(SECRETS) | PINFOLD_BIT(TERMINAL) | PINFOLD_BIT(KERNEL);
	for (unsigned axis = 0; axis < PINFOLD_AXIS_COUNT; axis++)
		offer->note[axis] = notes[axis];
	if (!(sights & SIGHT_NETWORK))
		offer->kept |= PINFOLD_BIT(NETWORK);
	if (abi < 4)
		offer->note[PINFOLD_AXIS_NETWORK] =
			"all of the network or none, and no loopback of the command's own: this kernel's Landlock has no rules "
			"for ports (Linux 6.7)";
	if (!(sights & SIGHT_RENAMES))
		offer->note[PINFOLD_AXIS_FILESYSTEM] =
			"an absolute path still leads to the original tree, which can be read but not written; no file can be "
			"renamed or linked into another directory, as between file systems: this kernel's Landlock has no rule "
			"for that (Linux 5.19)";
	if (root)
		offer->note[PINFOLD_AXIS_USER] =
			"the caller is root: without any capability, but as the owner of root's files it reads what root alone "
			"may read";
	promise_writes(abi, sights, offer);
	/* The file system of cgroups cannot be written, and the filter refuses the call that could begin in another one. */
	if (PINFOLD_REACHES(offer, holds_group))
		offer->holds_group = 1;
	promise_sockets(settings, abi, sights, offer);
	promise_tree(sights, strays_trouble, offer);
	note_processes(sights, offer);
}

void promise_refuse(int error, struct pinfold_offer *offer)
{
	if (error == EOPNOTSUPP) {
		offer->missing = "Landlock: this kernel has it, but it was not enabled when the machine started";
		offer->lift = "add landlock to the kernel's parameter lsm= (or to CONFIG_LSM) and start the machine anew";
	} else if (error == ENOSYS) {
		offer->missing = "Landlock: not in this kernel, or hidden by an enclosing sandbox";
		offer->lift = "use Linux 5.13 or later with CONFIG_SECURITY_LANDLOCK; in a container, a profile that lets "
			      "its calls through";
	} else {
		offer->missing = "Landlock: refused, as an old container profile does";
		offer->lift = "let the container's profile of system calls through what begins with landlock_";
	}
}
