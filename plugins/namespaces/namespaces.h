/* plugins/namespaces/namespaces.h - the parts of this arm, and what passes between them.
 *
 * layout.c decides which places of the view differ from the host's, and in which order they are laid.
 * prepare.c gathers what that needs and fills the plan. view.c lays it, confine.c gives up privileges
 * and looks whether it worked: both run in the child and call the kernel by the host's table only.
 */
#ifndef NAMESPACES_H
#define NAMESPACES_H

#include "filter/filter.h"
#include "landlock/wall.h"

#include <pinfold/view.h>
#include <linux/stat.h>
#include <stdbool.h>
#include <sys/types.h>

/* What a path led to when it was resolved; inode 0 where that does not matter. */
struct identity {
	uint32_t major, minor;
	uint64_t inode;
};

struct identity identity_of(uint64_t device, uint64_t inode);

enum place_kind {
	PLACE_SHOW = 0,	/* something of the host */
	PLACE_LAYER,	/* the same, below a private layer */
	PLACE_WHOLE,	/* a file system, or a directory that holds no other, below a layer that the host keeps */
	PLACE_OVER,	/* the working tree below an overlay: a layer that the host keeps, or one in memory */
	PLACE_BLANK,	/* a directory of the skeleton, writable */
	PLACE_BARE,	/* the root itself, as a directory of the skeleton: only what is laid is there */
	PLACE_HIDE,	/* an empty directory or file, by what is there */
	PLACE_SOCKET,	/* an empty file, where a socket still is */
	PLACE_PIN,	/* something on itself, so that it cannot be renamed away, or is not as what lies around it */
	PLACE_ABSENT,	/* what does not exist and must not be made: never laid, but a gap where it could be */
	PLACE_PROC,
	PLACE_DEVICES
};

/* Which of two places at one path counts: the lower rank. */
enum place_rank { RANK_TREE = 0, RANK_HIDE, RANK_KERNEL, RANK_WRITE, RANK_OWN, RANK_READ, RANK_MINOR, RANK_MACHINE,
		  RANK_LAST };

/* Where the host keeps what a command changes in a layer. */
struct parts {
	const char *upper, *work;
	struct identity upper_identity, work_identity;
	const struct parts *beneath;	/* what is laid first, and this over it; or NULL */
	bool lasting;	/* it must outlive a crash of the machine */
};

/* Something that is laid over the read-only root. */
struct place {
	uint32_t kind;	/* enum place_kind */
	uint32_t rank;	/* enum place_rank */
	bool read_only;
	bool guarded;	/* the policy protects it: read-only, with all that is laid in it */
	bool held;	/* or at least not to be moved or replaced */
	bool firm;	/* by its hard tier */
	bool executable;	/* where a policy says what can be executed: this, with all that is laid in it */
	bool no_execution;	/* nothing in it can be executed */
	bool needless;	/* to be left out */
	bool device;	/* what is shown is a device that was named */
	bool host;	/* the host keeps what the command changes here */
	bool temporary;	/* shows the private temporary directory */
	bool directory;	/* what is shown is one */
	bool file;	/* what is hidden was none when it was found */
	const char *path;	/* as the command sees it */
	const char *what;	/* for an error: "hide /home/u/.ssh" */
	const char *from;	/* what is shown, in the host's sight */
	struct identity identity;	/* of `from` */
	const char *skeleton;	/* where its directory lies in the skeleton, or NULL */
	const char *upper, *work;	/* of a layer, below the run's temporary directory, or in memory */
	bool keep;	/* of a layer: what the command changes is wanted after the run as well */
	const struct parts *kept;	/* where the host keeps what is changed, or NULL: it ends with the run */
	const char *inside;	/* of a layer that is part of the home's: its path in there, or NULL */
	int below;	/* of what is whole: the file system alone, from the host, or -1 */
	const struct place *around;	/* the nearest place that it lies in, or NULL */
	int tree;	/* in the child: the detached tree that waits to be laid */
	bool looked_at;	/* in the child, of what lies on itself: taken, or to be taken in its turn */
};

/* One step of making an empty file system. */
enum make_kind { MAKE_DIRECTORY = 0, MAKE_FILE, MAKE_LINK };

struct make {
	uint32_t kind;	/* enum make_kind */
	uint32_t mode;
	const char *path;	/* relative */
	const char *target;	/* of a link */
};

struct makes {
	struct make *rows;
	size_t count, room;
	uint32_t *slots;	/* of a table by path: the place of a row and one, or 0 */
	size_t slot_count;
};

/* A part of the machine that is to lie below a layer, or is shown as it is. */
struct region {
	const char *path;
	struct identity identity;
	bool layer, directory;
	int below;	/* the file system alone, without what is mounted in it, or -1 */
};

/* What there is to decide from. All paths are canonical. */
struct scene {
	const struct pinfold_policy *policy;
	const struct pinfold_shown *shown;
	const char *private_source;	/* the directory that private temporary places show */
	struct identity private_identity;
	const char *temporary[2];	/* directories that become private, or NULL */
	const char *blank[2];	/* directories that are shown empty, or NULL */
	const char *resolver;	/* a file to show although it lies in one of those, or NULL */
	const char *const *sockets;
	size_t socket_count;
	const struct region *regions;	/* with the scope of the machine: what lies beside the tree */
	size_t region_count;
	bool whole;	/* the root is one of them */
	bool bare;	/* the policy says what can be read, and nothing else is there */
	bool bounded;	/* it says what can be executed */
	const struct pinfold_link *links;	/* of the root directory, which stay in a bare one */
	size_t link_count;
	bool fresh_proc;
	bool root;
};

struct layout {
	struct place *places;	/* each after the one that it lies in */
	size_t count, room;
	struct makes skeleton;	/* of the tmpfs that holds devices and everything empty */
	struct makes mount_points;	/* in the private temporary directory */
	const char *temporary;	/* TMPDIR as the command sees it */
	struct place *absent;	/* what could be made, and must not be */
	size_t absent_count;
};

int layout_make(const struct pinfold_host *host, const struct scene *scene,
		struct layout *ret_layout, struct pinfold_error *err);

/* Paths of unix sockets in the text of /proc/net/unix: absolute ones, each once, sorted. */
int sockets_parse(const struct pinfold_host *host, char *text, const char *const **ret_paths,
		  size_t *ret_count);
/* The same, of this machine now, without those below a directory of `blank` or `temporary`. */
int sockets_read(const struct pinfold_host *host, struct scene *scene);

enum { DEVICE_COUNT = 6 };

/* What the init has made before the view was known; descriptors of its own, or negative. */
struct ahead {
	bool done;
	int skeleton;	/* a tmpfs with the first rows in it, not yet laid */
	int devices[DEVICE_COUNT];
	int terminals, processes;	/* new file systems, not yet laid */
};

/* A plan's own. Shared with the child until the command runs. */
struct state {
	const char *failed;	/* what the child was doing when it failed */
	struct ahead ahead;
	bool fresh_proc, root;
	bool bare, bounded;	/* as in the scene */
	const struct pinfold_policy *ports;	/* the host's network for its ports alone, or NULL */
	uint64_t refused_calls;	/* classes, as bits */
	bool tells;	/* what is refused as a whole waits for a listener, and is unknown until there is one */
	bool keys;	/* the policy leaves the command the kernel's keyrings */
	bool lays_early;	/* the view may be entered again, long after it was laid: */
	uint64_t laid_at;	/* CLOCK_MONOTONIC, nanoseconds; 0: it is not laid */
	int skeleton;	/* what covers are taken from, then */
	int devices;	/* in the child, while it takes the places: the host's /dev, which is covered early */
	bool walled;	/* Landlock's rules are laid as well */
	struct wall_rights wall;	/* all that they can be about here */
	bool machine;	/* all that can be lies below layers that are kept */
	bool whole;	/* the root is among it, and the command has root's power over files */
	const int *inherit;	/* the host's descriptors for it, to be closed */
	bool rehearsal;	/* what the host keeps is only shown: its parts are for the run alone */
	struct layout layout;
	struct sock_fprog filter;
	const char *run_temporary;	/* the run's temporary directory, with the layers in it */
	struct identity run_identity;
	const char *tree;
	struct identity tree_identity;	/* of what the command must find there; an overlay's is known when it is laid */
	bool layers;	/* there are private layers */
	const char *layers_stamp;	/* of the record of how they are made, or NULL */
	bool memory;	/* their upper parts lie in memory, not in the run's temporary directory */
	/* One layer over the caller's home serves all that lie in it, or NULL: an overlay costs several
	 * times what showing a part of one does. */
	const char *shared;
	const struct parts *shared_kept;
	struct identity shared_identity;
	const char *shared_what;	/* for an error */
};

/* What the section [arm:namespaces] says. */
struct settings {
	bool nested, fresh_proc;
	const char *wrapper;	/* NULL: the arm makes everything itself */
};
struct settings settings_read(const struct pinfold_host *host);

int prepare_plan(const struct pinfold_host *host, const struct pinfold_policy *policy,
		 const struct pinfold_shown *shown, struct pinfold_plan *plan,
		 struct pinfold_error *err);
int prepare_settle(const struct pinfold_host *host, struct pinfold_plan *plan,
		   struct pinfold_error *err);

void prepare_release(const struct pinfold_host *host, struct pinfold_plan *plan);
int prepare_foresee(const struct pinfold_host *host, const struct pinfold_policy *policy,
		    struct pinfold_plan *plan, struct pinfold_error *err);

long view_enter(const struct pinfold_host *host, struct state *state);
long view_ahead(const struct pinfold_host *host, struct state *state);
long confine_apply(const struct pinfold_host *host, struct state *state);
long confine_verify(const struct pinfold_host *host, struct state *state);
/* A second wall of Landlock's rules, where the kernel has them and nothing stands against it. */
bool wall_is_wanted(const struct pinfold_host *host, const struct pinfold_policy *policy,
		    const struct filter_wants *wants);
/* Is the policy one of ports, and can it be had here? */
bool ports_can(const struct pinfold_host *host, const struct pinfold_policy *policy);
/* Lays what the state says of both. Once new privileges are forbidden, and the view is laid. */
long wall_lay(const struct pinfold_host *host, const struct state *state);
int stage_enter(const struct pinfold_plan *plan, uint32_t stage);

/* Tells the person who runs pinfold that a layered path cannot be written. */
void say_not_layered(const struct pinfold_host *host, const char *path, const char *why);

/* The upper parts of private layers lie in memory, or on disk beside the private temporary directory. */
enum upper_kind {
	UPPER_MEMORY = 'm',
	UPPER_SHARED = 's',	/* in memory, those in the home as one */
	UPPER_DISK = 'd'
};
struct uppers {
	const char *stamp;	/* what the answer depends on; NULL for no layers */
	char known;	/* what a trial has shown (enum upper_kind), 0 for nothing yet */
	bool apart;	/* the run's temporary directory may have to hold them */
};
struct uppers upper_recall(const struct pinfold_host *host, const struct pinfold_policy *policy,
			   const struct pinfold_shown *shown);
/* Makes them, and tries once whether they work; a layer that does not is left out. -1 with errno. In a
 * session one over the home is shared whatever lies in it, so that the next command finds it again. */
int upper_make(const struct pinfold_host *host, int run, const struct uppers *uppers,
	       const char *home, bool session, struct pinfold_plan *plan);
/* After a run that failed: what is known of them may be true no longer. */
void upper_forget(const struct pinfold_host *host, const struct state *state);
/* Gives their owner the permissions to remove what the kernel left in them. */
void upper_open_up(int run, const struct state *state);
void upper_open_work(int base, const char *work);

/* Finds out where the host keeps what the command changes in layers, of a session or by wish. What cannot be
 * kept is said, or refused where a session needs it. */
int kept_attach(const struct pinfold_host *host, const struct pinfold_shown *shown, struct state *state,
		struct pinfold_error *err);
bool kept_is_session(const struct pinfold_shown *shown);
/* Can upper parts lie in the scratch directory? */
bool kept_can(const struct pinfold_host *host, const struct pinfold_shown *shown);
/* The parts that a view or the host named. */
struct parts *kept_parts(const struct pinfold_host *host, const struct pinfold_layer *layer, bool lasting);

/* With the scope of the machine: finds what is to lie below layers. As root that is the root and every file
 * system in it; else every directory of the root in which nothing is mounted. */
int machine_find(const struct pinfold_host *host, struct scene *scene, struct pinfold_error *err);
/* Of the text of /proc/self/mountinfo: what is mounted where, in the order of paths, without what the view
 * makes anew; `id` is the mount's. */
struct mounted {
	const char *path, *type;
	uint64_t id;
};
int machine_parse(const struct pinfold_host *host, char *table, const struct scene *scene,
		  struct mounted **ret_mounts, size_t *ret_count);
/* Can it lie below a layer? */
bool machine_is_layerable(const char *type);
/* Hands the host's descriptors to the plan. */
int machine_plan(const struct pinfold_host *host, const struct scene *scene, struct state *state,
		 struct pinfold_plan *plan);
void machine_release(struct state *state);

#define UPPER_DIRECTORY "layers"	/* below the run's temporary directory, or in memory */

/* In the child: what a path led to when it was resolved; -ESTALE where something else has taken its place. */
long known_open(const struct pinfold_host *host, const struct state *state, const char *path,
		const struct identity *known);
struct identity known_status(const struct statx *status);

/* An overlay that is not laid anywhere: a descriptor or a negative errno. Nothing of one that is not
 * `lasting` may outlive a crash. */
long layer_open(const struct pinfold_host *host, int lower, int upper, int work, bool lasting);
/* In the child: where the upper parts lie, a descriptor or a negative errno. In memory that is the
 * skeleton: an overlay accepts only what is laid somewhere, and that is, where no command gets. */
long layer_base(const struct pinfold_host *host, const struct state *state, int skeleton);
/* In the child, before the root becomes read-only: a detached tree, or a negative errno. */
long layer_make(const struct pinfold_host *host, const struct place *place, int base, int lower);
/* The same where the host keeps what is changed; and in memory of its own, in the skeleton. */
long layer_keep(const struct pinfold_host *host, const struct state *state, const struct parts *kept, int lower);
long layer_remember(const struct pinfold_host *host, int lower, int skeleton);
/* The layer over the caller's home, laid where the command cannot get; its root, or a negative errno. */
long layer_share(const struct pinfold_host *host, const struct state *state, const struct parts *kept, int base,
		 int lower);
/* In the child: a new file system with one option, not laid anywhere, or a negative errno. */
long system_make(const struct pinfold_host *host, const char *type, const char *key, const char *value,
		 uint64_t attributes);
/* The same: the one for devices and everything empty, the terminals', the processes'. */
long system_skeleton(const struct pinfold_host *host);
long system_terminals(const struct pinfold_host *host);
long system_processes(const struct pinfold_host *host, bool read_only);
/* In the child: makes what the rows say, below the root of a file system. */
long system_fill(const struct pinfold_host *host, int root, const struct make *rows, size_t count);

#endif
