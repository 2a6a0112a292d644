/* registry/vet.c - is what a module exports what it says, as far as looking can tell? */
#include "registry/modules.h"

#include "base/fault.h"
#include "base/text.h"

#include <stdio.h>

enum { NAME_MOST = 48, PARTS_MOST = 64, KEYS_MOST = 256 };

bool module_name_is_plain(const char *name)
{
	size_t length = strnlen(name, NAME_MOST + 1);
	if (length == 0 || length > NAME_MOST || name[0] < 'a' || name[0] > 'z')
		return false;
	return strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-") == length;
}

/* Whose tables are looked at, for the words of a refusal. */
struct subject {
	const char *path;
	uint16_t minor;
	struct pinfold_error *err;
};

#define refuse(subject, recovery, ...) \
	faultf((subject)->err, PINFOLD_E_PLUGIN, 0, "use the plugin", recovery, __VA_ARGS__)
static const char ask_author[] =
	"install another version of it, or take it out of [pinfold] plugins";

/* A part must have these hooks; the others may be absent. */
static const struct part_rule {
	const char *kind;
	size_t least, whole;
	struct {
		const char *name;
		size_t offset;
	} hooks[4];
} rules[PART_KINDS] = {
	[PART_ARM] = { "arm", PINFOLD_ARM_LEAST, sizeof(struct pinfold_arm),
		       { { "probe", offsetof(struct pinfold_arm, probe) },
			 { "prepare", offsetof(struct pinfold_arm, prepare) },
			 { "enter", offsetof(struct pinfold_arm, enter) } } },
	[PART_VIEW] = { "view", PINFOLD_VIEW_LEAST, sizeof(struct pinfold_view),
			{ { "open", offsetof(struct pinfold_view, open) },
			  { "sync", offsetof(struct pinfold_view, sync) },
			  { "close", offsetof(struct pinfold_view, close) } } },
	[PART_WRAPPER] = { "wrapper", PINFOLD_WRAPPER_LEAST, sizeof(struct pinfold_wrapper),
			   { { "matches", offsetof(struct pinfold_wrapper, matches) } } },
};

#define SAME_HEAD(type)                                                                            \
	_Static_assert(offsetof(struct type, name) == offsetof(struct part_head, name) &&          \
			       offsetof(struct type, keys) == offsetof(struct part_head, keys),    \
		       "every part begins alike")
SAME_HEAD(pinfold_arm);
SAME_HEAD(pinfold_view);
SAME_HEAD(pinfold_wrapper);

const char *part_kind_name(enum part_kind kind)
{
	return rules[kind].kind;
}

const struct part_head *const *part_list(const struct pinfold_plugin *plugin, enum part_kind kind)
{
	switch (kind) {
	case PART_ARM:
		return PINFOLD_HAS(plugin, arms) ? (const struct part_head *const *)plugin->arms : NULL;
	case PART_VIEW:
		return PINFOLD_HAS(plugin, views) ? (const struct part_head *const *)plugin->views :
						    NULL;
	case PART_WRAPPER:
		return PINFOLD_HAS(plugin, wrappers) ?
			       (const struct part_head *const *)plugin->wrappers :
			       NULL;
	default:
		return NULL;
	}
}

/* A structure of this interface's minor version, or an older one, cannot be longer than ours; one of
 * a newer can, within reason. */
static int vet_size(const struct subject *subject, const char *what, size_t size, size_t least,
		    size_t whole)
{
	size_t most = subject->minor > PINFOLD_PLUGIN_MINOR ? 65536 : whole;
	if (size >= least && size <= most)
		return 0;
	return refuse(subject, ask_author, "%s: %s says that it is %zu bytes long, not %zu to %zu",
		      subject->path, what, size, least, most);
}

static int vet_key(const struct subject *subject, const char *what, const struct pinfold_key *key,
		   size_t size)
{
	if (vet_size(subject, what, key->size, PINFOLD_KEY_LEAST, sizeof(*key)) < 0)
		return -1;
	if (key->size != size)
		return refuse(subject, ask_author, "%s: the keys of %s differ in size",
			      subject->path, what);
	if (!module_name_is_plain(key->name) || streq(key->name, "plugin"))
		return refuse(subject, ask_author, "%s: %s has a key with an impossible name",
			      subject->path, what);
	if (key->type == PINFOLD_KEY_WORD && !PINFOLD_HAS(key, words))
		return refuse(subject, ask_author, "%s: the key %s of %s has no words to choose from",
			      subject->path, key->name, what);
	return 0;
}

static int vet_keys(const struct subject *subject, const char *what, const struct pinfold_key *keys)
{
	size_t size = keys->size;
	for (size_t i = 0; i < KEYS_MOST; i++) {
		const struct pinfold_key *key = (const void *)((const char *)keys + i * size);
		if (!key->name)
			return 0;
		if (vet_key(subject, what, key, size) < 0)
			return -1;
	}
	return refuse(subject, ask_author, "%s: the keys of %s have no end", subject->path, what);
}

static int vet_hooks(const struct subject *subject, const struct part_rule *rule,
		     const struct part_head *head, const char *what)
{
	for (size_t i = 0; i < N_ELEMENTS(rule->hooks) && rule->hooks[i].name; i++) {
		void (*hook)(void);
		memcpy(&hook, (const char *)head + rule->hooks[i].offset, sizeof(hook));
		if (!hook)
			return refuse(subject, ask_author, "%s: %s has no hook %s", subject->path,
				      what, rule->hooks[i].name);
	}
	return 0;
}

static int vet_part(const struct subject *subject, enum part_kind kind, const struct part_head *head)
{
	const struct part_rule *rule = &rules[kind];
	char what[128];
	snprintf(what, sizeof(what), "the structure of its %s", rule->kind);
	if (vet_size(subject, what, head->size, rule->least, rule->whole) < 0)
		return -1;
	if (!head->name || !module_name_is_plain(head->name))
		return refuse(subject, ask_author, "%s: its %s has no name of a-z, 0-9 and -",
			      subject->path, rule->kind);
	snprintf(what, sizeof(what), "its %s %s", rule->kind, head->name);
	if (kind == PART_ARM && head->second > PINFOLD_PLACING_IDENTITY)
		return refuse(subject, ask_author, "%s: %s shows the tree in an unknown way (%u)",
			      subject->path, what, head->second);
	if (vet_hooks(subject, rule, head, what) < 0)
		return -1;
	return head->keys ? vet_keys(subject, what, head->keys) : 0;
}

static int vet_parts(const struct subject *subject, enum part_kind kind,
		     const struct part_head *const *parts)
{
	for (size_t i = 0; parts && parts[i]; i++) {
		if (i == PARTS_MOST)
			return refuse(subject, ask_author, "%s: its list of %ss has no end",
				      subject->path, rules[kind].kind);
		if (vet_part(subject, kind, parts[i]) < 0)
			return -1;
		for (size_t j = 0; j < i; j++)
			if (streq(parts[i]->name, parts[j]->name))
				return refuse(subject, ask_author, "%s: it has two %ss named %s",
					      subject->path, rules[kind].kind, parts[i]->name);
	}
	return 0;
}

static int vet_name(const struct subject *subject, const struct pinfold_plugin *plugin,
		    const char *name)
{
	if (!plugin->name || !module_name_is_plain(plugin->name))
		return refuse(subject, ask_author, "%s: it has no name of a-z, 0-9 and -",
			      subject->path);
	if (!streq(plugin->name, name))
		return refuse(subject, "give the file the name of the plugin",
			      "%s: it calls itself %s", subject->path, plugin->name);
	if (!plugin->version || !plugin->summary)
		return refuse(subject, ask_author, "%s: it has no %s", subject->path,
			      plugin->version ? "summary" : "version");
	return 0;
}

int vet_plugin(const struct pinfold_plugin *plugin, const char *path, const char *name,
	       struct pinfold_error *err)
{
	const struct subject subject = { path, plugin->minor, err };
	if (plugin->major != PINFOLD_PLUGIN_MAJOR)
		return refuse(&subject,
			      plugin->major > PINFOLD_PLUGIN_MAJOR ? "install a newer pinfold" :
								     "install a newer version of it",
			      "%s: it was built for interface %u.%u; this pinfold has %u.%u", path,
			      plugin->major, plugin->minor, PINFOLD_PLUGIN_MAJOR,
			      PINFOLD_PLUGIN_MINOR);
	if (vet_size(&subject, "its structure", plugin->size, PINFOLD_PLUGIN_LEAST,
		     sizeof(*plugin)) < 0 ||
	    vet_name(&subject, plugin, name) < 0)
		return -1;
	for (enum part_kind kind = 0; kind < PART_KINDS; kind++)
		if (vet_parts(&subject, kind, part_list(plugin, kind)) < 0)
			return -1;
	return 0;
}
