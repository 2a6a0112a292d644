/* wrappers/sccache.c - the preparer of sccache, whose client starts a server that runs the compilers.
 *
 * A server outside would compile the original tree, and run whatever a confined client names. So a
 * confined client gets an endpoint of its own, behind which the first that comes starts one, inside.
 */
#include "config.h"

#include "cache.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum { TRIES_MOST = 16 };	/* for a port that nobody has */

static const struct pinfold_key keys[] = {
	{ sizeof(struct pinfold_key), PINFOLD_KEY_PATH, "program", "/usr/bin/sccache", NULL,
	  "the program that starts the server where nothing is confined" },
	{ sizeof(struct pinfold_key), PINFOLD_KEY_PATH, "directory", NULL, NULL,
	  "the host's cache, where sccache's own configuration puts it elsewhere" },
	{ .size = sizeof(struct pinfold_key) },
};

static const struct cache_rule rule = { .variable = "SCCACHE_DIR", .name = "sccache" };

/* All that a server outside gets: nothing that names a file to be written or a configuration. */
static const char *const passed[] = {
	"HOME", "PATH", "USER", "LOGNAME", "LANG", "LC_ALL", "TZ", "XDG_CACHE_HOME", "XDG_RUNTIME_DIR",
	"CARGO_HOME", "RUSTUP_HOME", "RUSTUP_TOOLCHAIN", "SCCACHE_DIR", "SCCACHE_CACHE_SIZE",
	"SCCACHE_IDLE_TIMEOUT", "SCCACHE_SERVER_PORT", "SCCACHE_SERVER_UDS", NULL,
};

/* Several versions may lie side by side: sccache, sccache-0.8, but not sccache-dist. */
static int sccache_matches(const struct pinfold_host *host, const char *file_name)
{
	(void)host;
	if (strncmp(file_name, "sccache", 7) != 0)
		return 0;
	return file_name[7] == '\0' ||
	       (file_name[7] == '-' && file_name[8] >= '0' && file_name[8] <= '9');
}

/* Whoever listens there would be taken for the server where the network is open. */
static bool is_free(unsigned port)
{
	struct sockaddr_in local = { .sin_family = AF_INET, .sin_port = htons((uint16_t)port),
				     .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	int fd = socket(AF_INET, SOCK_STREAM, 0);	/* macOS has no flag for that */
	bool taken = fd >= 0 && fcntl(fd, F_SETFD, FD_CLOEXEC) == 0 &&
		     bind(fd, (const struct sockaddr *)&local, sizeof(local)) < 0 && errno == EADDRINUSE;
	if (fd >= 0)
		close(fd);
	return !taken;
}

/* Below the ports that the kernel gives away, and not to be guessed. */
static unsigned choose_port(unsigned other)
{
	unsigned short random;
	unsigned port = other;
	for (int i = 0; i < TRIES_MOST && (port == other || !is_free(port)); i++) {
		if (getentropy(&random, sizeof(random)) < 0)
			return 0;
		port = 20000U + random % 12000U;
	}
	return port == other ? 0 : port;
}

/* A server of our own: older ones know a port only, newer ones take the socket where there is one. Where its path would be
 * too long they take the port, unless the command names a socket: an empty name is none, and newer clients fail by it. */
static const char *add_endpoint(struct words *words, unsigned port, const struct pinfold_wrapper_context *context,
				const char *name)
{
	const struct pinfold_host *host = words->host;
	struct sockaddr_un address;
	const char *socket = host->print(host, "%s/%s", context->temporary, name);
	if (!socket || port == 0) {
		words->failed = true;
		return NULL;
	}
	bool fits = strlen(socket) < sizeof(address.sun_path);
	const char *by_port = host->print(host, "SCCACHE_SERVER_PORT=%u", port);
	words_add(words, by_port);
	if (fits || words_value(context->environment, "SCCACHE_SERVER_UDS"))
		words_add(words, words_set(host, "SCCACHE_SERVER_UDS", fits ? socket : ""));
	return fits ? socket : by_port;
}

/* It is the server itself, in the foreground: `--start-server` waits for the server's word, and older versions of that
 * can miss it. */
static void add_server(const struct pinfold_host *host, const struct pinfold_wrapper_context *context, unsigned port,
		       struct words *imposed, struct pinfold_preparation *preparation)
{
	struct words inside = { .host = host }, behind = { .host = host }, own = { .host = host };
	words_add(&inside, host->print(host, "%s", context->wrapper));
	add_endpoint(&behind, choose_port(port), context, "sccache.server");
	words_add(&own, "SCCACHE_START_SERVER=1");
	words_add(&own, "SCCACHE_NO_DAEMON=1");
	words_give_behind(&inside, &behind, &own, preparation);
	imposed->failed |= inside.failed || behind.failed || own.failed;
}

static int begin_inside(const struct pinfold_host *host, const struct pinfold_wrapper_context *context,
			const struct cache_found *found, struct pinfold_preparation *preparation)
{
	struct words imposed = { .host = host }, layers = { .host = host }, writable = { .host = host };
	unsigned port = choose_port(0);
	preparation->endpoint = add_endpoint(&imposed, port, context, "sccache.socket");
	add_server(host, context, port, &imposed, preparation);
	if (found->fresh)
		words_add(&imposed, found->fresh);
	else
		words_add(&imposed, words_set(host, "SCCACHE_DIR", found->directory));
	if (found->layer)
		words_add(&layers, found->layer);
	if (found->writable)
		words_add(&writable, found->writable);
	bool only_read = found->layer && context->bare;
	if (only_read)	/* versions from 0.8 on know it; older ones have no hits then */
		words_add(&imposed, "SCCACHE_LOCAL_RW_MODE=READ_ONLY");
	preparation->imposed = words_give(&imposed);
	preparation->layers = words_give(&layers);
	preparation->writable = words_give(&writable);
	preparation->note = only_read ? cache_read_only : found->note;
	return imposed.failed || layers.failed || writable.failed ? -1 : 0;
}

/* Nothing is confined: the server is started as the person's own build would start it. It is not ended:
 * it may have run before, and ends when nobody used it for a while. */
static int begin_outside(const struct pinfold_host *host, const struct pinfold_wrapper_context *context,
			 const struct cache_found *found, struct pinfold_preparation *preparation)
{
	struct words start = { .host = host }, environment = { .host = host }, imposed = { .host = host };
	if (found->fresh) {
		/* A cache that ends with the run has a server that no other run meets. */
		preparation->endpoint = add_endpoint(&imposed, choose_port(0), context, "sccache.socket");
		words_add(&imposed, found->fresh);
	} else {
		const char *socket = words_value(context->environment, "SCCACHE_SERVER_UDS");
		const char *port = words_value(context->environment, "SCCACHE_SERVER_PORT");
		const char *program = host->setting(host, "program");
		/* Client and server of different versions do not understand each other. */
		if (words_is_program(host, context, program)) {
			words_add(&start, program);
			words_add(&start, "--start-server");
			words_pass(&environment, context->environment, passed);
		}
		preparation->endpoint = socket ? host->print(host, "%s", socket) :
						 host->print(host, "port %s", port ? port : "4226");
	}
	preparation->imposed = words_give(&imposed);
	preparation->start = words_give(&start);
	preparation->start_environment = words_give(&environment);
	preparation->note = start.count || found->fresh ?
		"a server outside runs the compilers that its clients name, for this tree and for others" :
		"no server is started outside for it: [wrapper:sccache] program names another one";
	return imposed.failed || start.failed || environment.failed ? -1 : 0;
}

static int sccache_ready(const struct pinfold_host *host, const struct pinfold_wrapper_context *context,
			 struct pinfold_preparation *ret_preparation, void **ret_state,
			 struct pinfold_error *err)
{
	struct cache_found found;
	*ret_state = NULL;
	if (cache_find(host, context, &rule, &found) < 0)
		return words_no_memory(host, err);
	if (!context->confined && !found.fresh &&
	    words_check_program(host, context, host->setting(host, "program"), err) < 0)
		return -1;
	int result = context->confined ? begin_inside(host, context, &found, ret_preparation) :
					 begin_outside(host, context, &found, ret_preparation);
	return result < 0 ? words_no_memory(host, err) : 0;
}

static const struct pinfold_wrapper wrapper = {
	.size = sizeof(wrapper),
	.name = "sccache",
	.summary = "sccache: its server inside, the host's cache below a private layer",
	.keys = keys,
	.matches = sccache_matches,
	.ready = sccache_ready,
};
static const struct pinfold_wrapper *const wrappers[] = { &wrapper, NULL };

const struct pinfold_plugin pinfold_plugin = {
	.size = sizeof(pinfold_plugin),
	.major = PINFOLD_PLUGIN_MAJOR,
	.minor = PINFOLD_PLUGIN_MINOR,
	.name = "sccache",
	.version = "0.1.0",
	.summary = "prepares the wrapper sccache",
	.wrappers = wrappers,
	.manual = "pinfold-wrappers(7)",
};
