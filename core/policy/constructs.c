/* policy/constructs.c - what of a policy is no path: ports, classes of system calls, declared grants. */
#include "policy/constructs.h"

#include "base/fault.h"
#include "base/path.h"
#include "base/text.h"
#include "config/item.h"

#include <errno.h>
#include <sys/stat.h>

static const char *const networks[] = {
	[PINFOLD_NETWORK_NONE] = "none", [PINFOLD_NETWORK_LOOPBACK] = "loopback",
	[PINFOLD_NETWORK_HOST] = "host", [PINFOLD_NETWORK_PORTS] = "ports",
};

const char *policy_network_name(unsigned network)
{
	return network < N_ELEMENTS(networks) ? networks[network] : NULL;
}

/* The configuration's words stand in the order of what they open. */
static uint32_t read_network(const struct config *config)
{
	static const uint32_t words[] = { PINFOLD_NETWORK_NONE, PINFOLD_NETWORK_LOOPBACK,
					  PINFOLD_NETWORK_PORTS, PINFOLD_NETWORK_HOST };
	return words[config_word(config, "network", "mode")];
}

static int read_ports(const struct config *config, const char *key, struct policy *policy,
		      const uint16_t **ret_ports, size_t *ret_count, struct pinfold_error *err)
{
	const struct list *items = config_list(config, "network", key);
	uint16_t *ports = arena_allocate(policy->arena, CONSTRUCTS_PORTS_MOST * sizeof(*ports));
	size_t count = 0;
	unsigned first, last;
	if (!ports)
		return fault_no_memory(err);
	for (size_t i = 0; i < items->count; i++) {
		item_ports(items->items[i], &first, &last);
		if (last - first >= CONSTRUCTS_PORTS_MOST - count)
			return faultf(err, PINFOLD_E_POLICY, 0, "read the ports of a policy",
				      "name fewer, or open the whole network with [network] mode = host",
				      "[network] %s: more than %d ports", key, CONSTRUCTS_PORTS_MOST - 1);
		for (unsigned port = first; port <= last; port++)
			ports[count++] = (uint16_t)port;
	}
	*ret_ports = ports;
	*ret_count = count;
	return 0;
}

static int read_all_ports(const struct config *config, struct policy *policy, struct pinfold_error *err)
{
	struct pinfold_policy *lowered = &policy->lowered;
	bool named = config_list(config, "network", "connect")->count > 0 ||
		     config_list(config, "network", "listen")->count > 0;
	if (lowered->network != PINFOLD_NETWORK_PORTS)
		return 0;
	if (!named)
		return fault(err, PINFOLD_E_POLICY, 0, "read the ports of a policy",
			     "[network] mode = ports, and neither connect nor listen names any",
			     "name ports, or set mode = none");
	if (read_ports(config, "connect", policy, &lowered->connect_ports, &lowered->connect_count, err) < 0)
		return -1;
	return read_ports(config, "listen", policy, &lowered->listen_ports, &lowered->listen_count, err);
}

static uint64_t read_calls(const struct config *config, const char *key)
{
	const struct list *classes = config_list(config, "kernel", key);
	uint64_t bits = 0;
	for (size_t i = 0; i < classes->count; i++)
		bits |= UINT64_C(1) << item_calls(classes->items[i]);
	return bits;
}

/* A class in both lists is refused: what one layer refuses no other opens. */
int constructs_read(const struct config *config, struct policy *policy, struct pinfold_error *err)
{
	policy->lowered.network = read_network(config);
	policy->lowered.calls_refused = read_calls(config, "refuse");
	policy->lowered.calls_allowed = read_calls(config, "allow") & ~policy->lowered.calls_refused;
	return read_all_ports(config, policy, err);
}

/* What no section may declare for itself: every run has it. */
static const char reserved[] = "tmpdir";

/* What may be read or executed anyway needs no rule; one would close everything else. */
static bool needs_rule(const struct paths *paths, unsigned grant)
{
	if (grant == PINFOLD_GRANT_WRITE)
		return true;
	uint32_t kind = grant == PINFOLD_GRANT_READ ? PINFOLD_PATH_READ : PINFOLD_PATH_EXECUTE;
	for (size_t i = 0; grant != PINFOLD_GRANT_TEMPORARY && i < paths->count; i++)
		if (paths->items[i].path.kind == kind)
			return true;
	return false;
}

static const char action[] = "bind a grant";

/* A secret that the hard tier hides is issued to nobody; so is what is hidden at all, where the grant would
 * have to show it. */
static bool is_hidden(const struct paths *paths, const char *path)
{
	for (size_t i = 0; i < paths->count; i++)
		if (paths->items[i].path.kind == PINFOLD_PATH_HIDE &&
		    path_is_within(path, paths->items[i].path.path))
			return true;
	return false;
}

static int bind(struct paths *paths, const char *path, struct pinfold_grant *grant, struct pinfold_error *err)
{
	static const uint32_t kinds[] = { [PINFOLD_GRANT_READ] = PINFOLD_PATH_READ,
					  [PINFOLD_GRANT_WRITE] = PINFOLD_PATH_WRITE,
					  [PINFOLD_GRANT_EXECUTE] = PINFOLD_PATH_EXECUTE };
	struct stat status;
	if (grant->kind == PINFOLD_GRANT_TEMPORARY)
		return faultf(err, PINFOLD_E_POLICY, 0, action, "leave the path out: it is made for each run",
			      "%s is a temporary directory, and was to be %s", grant->name, path);
	if (path[0] != '/')
		return faultf(err, PINFOLD_E_POLICY, 0, action, "name an absolute path", "%s: %s", grant->name,
			      path);
	grant->path = paths_canonical(paths, path);
	if (!grant->path || stat(grant->path, &status) < 0)
		return faultf(err, PINFOLD_E_POLICY, errno, action, "make it, or name another path",
			      "%s: %s does not exist, or cannot be reached", grant->name, path);
	if (is_hidden(paths, grant->path))
		return faultf(err, PINFOLD_E_POLICY, 0, action,
			      "name another path, or take this one out of [filesystem] hidden",
			      "%s: %s is hidden from every command", grant->name, path);
	grant->device = status.st_dev;
	grant->inode = status.st_ino;
	if (!needs_rule(paths, grant->kind))
		return 0;
	struct paths_request request = { .kind = kinds[grant->kind], .text = grant->path, .asked = path };
	return paths_add_one(paths, &request, err);
}

/* What this spawn binds the name to, or NULL. */
static const char *binding_of(const char *const *bindings, const char *name)
{
	size_t length = strlen(name);
	for (; bindings && *bindings; bindings++)
		if (strncmp(*bindings, name, length) == 0 && (*bindings)[length] == '=')
			return *bindings + length + 1;
	return NULL;
}

static bool is_declared(const struct config *config, const char *name, size_t length)
{
	struct config_grant declared;
	for (size_t i = 0; config_grant_at(config, i, &declared); i++)
		if (strlen(declared.name) == length && memcmp(declared.name, name, length) == 0)
			return true;
	return false;
}

/* Every binding is of a grant that is declared, and no two are of the same. */
static int check_bindings(const struct config *config, const char *const *bindings, struct pinfold_error *err)
{
	for (size_t i = 0; bindings && bindings[i]; i++) {
		size_t length = strcspn(bindings[i], "=");
		if (!bindings[i][length] || length == 0)
			return fault(err, PINFOLD_E_USAGE, 0, action, bindings[i], "give it as NAME=PATH");
		if (length == strlen(reserved) && memcmp(bindings[i], reserved, length) == 0)
			return fault(err, PINFOLD_E_POLICY, 0, action, reserved,
				     "leave it out: it is the private temporary directory, which each run gets");
		if (!is_declared(config, bindings[i], length))
			return faultf(err, PINFOLD_E_POLICY, 0, action,
				      "declare it, in a section [grant:NAME] of the configuration",
				      "no grant %.*s is declared", (int)length, bindings[i]);
		for (size_t j = 0; j < i; j++)
			if (strncmp(bindings[i], bindings[j], length + 1) == 0)
				return faultf(err, PINFOLD_E_USAGE, 0, action, "bind it once", "%.*s is bound twice",
					      (int)length, bindings[i]);
	}
	return 0;
}

int constructs_read_grants(const struct config *config, struct policy *policy, struct paths *paths,
			   struct pinfold_error *err)
{
	struct config_grant declared;
	const char *const *bindings = paths->caller->bindings;
	size_t count = 0;
	if (check_bindings(config, bindings, err) < 0)
		return -1;
	while (config_grant_at(config, count, &declared))
		count++;
	struct pinfold_grant *grants = count ? arena_allocate(policy->arena, count * sizeof(*grants)) : NULL;
	if (count > 0 && !grants)
		return fault_no_memory(err);
	for (size_t i = 0; config_grant_at(config, i, &declared); i++) {
		grants[i] = (struct pinfold_grant){ .size = sizeof(*grants), .kind = declared.kind };
		grants[i].name = arena_copy(policy->arena, declared.name);
		if (!grants[i].name)
			return fault_no_memory(err);
		const char *bound = binding_of(bindings, declared.name);
		const char *path = bound ? bound : declared.path;
		if (path && bind(paths, path, &grants[i], err) < 0)
			return -1;
	}
	policy->lowered.grants = grants;
	policy->lowered.grant_count = count;
	return 0;
}
