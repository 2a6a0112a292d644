/* plugins/common/bait/bait.h - what a probe lays out: a tree with its copy and a secret, and servers outside. */
#ifndef BAIT_BAIT_H
#define BAIT_BAIT_H

#include <pinfold/arm.h>

#include <netinet/in.h>
#include <stdbool.h>
#include <sys/socket.h>
#include <sys/un.h>

/* What lies outside and must be out of reach. */
struct bait {
	char base[48];	/* everything on disk lies in it; locked while it is in use */
	int lock;
	const char *tree, *copy, *temporary;
	const char *secret;	/* in the tree, hidden by the policy */
	const char *copied_secret;
	const char *marker;	/* in the tree, what the command makes */
	const char *socket;
	const char *pipe;	/* a named pipe of the caller's */
	struct sockaddr_un abstract, path;
	socklen_t abstract_length;
	struct sockaddr_in loopback;
	int listeners[3];
	uint32_t reached;	/* bits by listener: it can be reached from outside */
};

#define BAIT_NONE { .lock = -1, .listeners = { -1, -1, -1 } }

/* Lays it all out, and removes what probes that were killed have left. */
bool bait_lay(const struct pinfold_host *host, struct bait *bait);
void bait_take_away(struct bait *bait);

/* From where the caller is: can this server be reached, this file be made, this one be read? */
bool bait_reaches(const struct bait *bait, int which);
bool bait_creates(const char *path);
bool bait_reads(const char *path);

#endif
