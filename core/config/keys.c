/* config/keys.c - the one table of keys. */
#include "config/keys.h"

#include "config/preference.h"

#include "base/text.h"

#define LIST(item_, initial_) .type = KEY_LIST, .item = ITEM_##item_, .initial = initial_
#define TYPE(type_, initial_) .type = KEY_##type_, .initial = initial_
#define WORD(words_, initial_) .type = KEY_WORD, .words = words_, .initial = initial_
#define APPEND .merge = MERGE_APPEND
#define OPERATOR .setter = SET_BY_OPERATOR
#define LOOSENS(how) .loosening = LOOSENS_##how

const struct key key_table[] = {
	{ "pinfold", "arms", LIST(NAME, PREFERENCE),
	  LOOSENS(BY_CHANGE),
	  .help = "arms in order of preference: the first that keeps all of `require` is taken" },
	{ "pinfold", "arm", TYPE(TEXT, ""), .item = ITEM_NAME, LOOSENS(BY_CHANGE),
	  .help = "the one arm that is wanted, nothing else will do; empty: choose by `arms`" },
	{ "pinfold", "view", LIST(NAME, "copy, overlay"), LOOSENS(BY_CHANGE),
	  .help = "views in order of preference: how the working tree appears to the command" },
	{ "pinfold", "plugins", LIST(NAME, "copytree, namespaces, landlock, seatbelt, jobobject, "
				     "sccache, ccache, distcc, generic"),
	  LOOSENS(BY_ADDING), .help = "modules that may be loaded, by bare name, in the order in which parts are looked for" },
	{ "pinfold", "plugin-directories", LIST(PATH, ""), APPEND, OPERATOR, LOOSENS(BY_ADDING),
	  .help = "further directories of modules; vendor and site files only" },
	{ "pinfold", "require", LIST(AXIS, ""), APPEND, LOOSENS(BY_REMOVING),
	  .help = "promises that the arm must keep, or the run is refused" },
	{ "pinfold", "relax", LIST(ANY, ""), APPEND, LOOSENS(BY_ADDING),
	  .help = "gaps that are accepted by name" },
	{ "pinfold", "preset", LIST(PRESET, "default"), LOOSENS(BY_CHANGE),
	  .help = "presets that are laid below all files, in this order" },
	{ "pinfold", "probe-timeout", TYPE(DURATION, "2s"),
	  .help = "how long one arm may take to look at the machine" },
	{ "pinfold", "terminal", WORD("inherit new none", "inherit"), LOOSENS(DOWNWARD),
	  .help = "the caller's terminal (`inherit`), one of its own that is relayed (`new`), or `none`" },
	{ "pinfold", "denials", WORD("no yes", "no"),
	  .help = "whether what a command tries is watched, and what is refused of it told" },
	{ "pinfold", "stdin", WORD("inherit null", "inherit"), LOOSENS(DOWNWARD),
	  .help = "`null`: the command reads nothing" },
	{ "pinfold", "final", LIST(KEY, ""), APPEND, OPERATOR,
	  .help = "keys (section.key) that later layers may not loosen; vendor and site files only" },

	{ "placement", "host", WORD("never ask always", "ask"), LOOSENS(UPWARD),
	  .help = "whether a command may run on the host, unconfined" },

	{ "filesystem", "hidden", LIST(PATH_RULE, ""), APPEND, LOOSENS(BY_REMOVING),
	  .help = "paths that the command cannot read, with what is below them" },
	{ "filesystem", "readable", LIST(PATH_RULE, ""), APPEND, LOOSENS(BY_ADDING_OR_EMPTYING),
	  .help = "where it names any: the paths that the command can read, and no others" },
	{ "filesystem", "executable", LIST(PATH_RULE, ""), APPEND, LOOSENS(BY_ADDING_OR_EMPTYING),
	  .help = "where it names any: the paths from which programs can be executed, and no others" },
	{ "filesystem", "writable", LIST(PATH_RULE, ""), APPEND, LOOSENS(BY_ADDING),
	  .help = "paths outside the working tree that the command may write; `-` before one: may be missing" },
	{ "filesystem", "tree", WORD("writable readable", "writable"), LOOSENS(DOWNWARD),
	  .help = "`readable`: nothing in the working tree can be written, in no view of it" },
	{ "filesystem", "protected", LIST(PATH_RULE, ""), APPEND, LOOSENS(BY_REMOVING),
	  .help = "paths that cannot be written, nor replaced, wherever they lie" },
	{ "filesystem", "layered", LIST(PATH_RULE, ""), APPEND,
	  .help = "paths written in a private layer that ends with the run or session; `-`: may be missing" },
	{ "filesystem", "scope", WORD("tree machine", "tree"), LOOSENS(UPWARD),
	  .help = "`machine`: all of it can be written, below layers whose changes are kept" },
	{ "filesystem", "scratch", TYPE(PATH, ""), LOOSENS(BY_CHANGE),
	  .help = "directory of copies and private layers; empty: below the user's cache directory" },

	{ "hard", "hidden", LIST(PATH_RULE, ""), APPEND, LOOSENS(BY_REMOVING),
	  .help = "hidden paths, and sockets that cannot be reached, whatever else allows it" },
	{ "hard", "protected", LIST(PATH_RULE, ""), APPEND, LOOSENS(BY_REMOVING),
	  .help = "paths that cannot be written where writes reach the machine, whatever else allows it" },

	{ "network", "mode", WORD("none loopback ports host", "none"), LOOSENS(UPWARD),
	  .help = "`none`, its own `loopback`, the host's for the named `ports` alone, or the whole `host`" },
	{ "network", "connect", LIST(PORTS, ""), APPEND, LOOSENS(BY_ADDING),
	  .help = "with `ports`: TCP ports, of any machine, that can be connected to, as 443 or 8000-8010" },
	{ "network", "listen", LIST(PORTS, ""), APPEND, LOOSENS(BY_ADDING),
	  .help = "with `ports`: TCP ports of this machine that can be bound and listened on" },
	{ "network", "sockets", LIST(PATH_RULE, ""), APPEND, LOOSENS(BY_ADDING),
	  .help = "unix sockets of the host, and directories of them, that can be connected to" },

	{ "kernel", "allow", LIST(CALLS, ""), APPEND, LOOSENS(BY_ADDING),
	  .help = "classes of system calls that are let through although the arm refuses them by itself" },
	{ "kernel", "refuse", LIST(CALLS, ""), APPEND, LOOSENS(BY_REMOVING),
	  .help = "classes of system calls that are refused although the arm lets them through by itself" },

	{ "environment", "mode", WORD("allowlist passthrough", "passthrough"), LOOSENS(UPWARD),
	  .help = "`passthrough`: all but what is dropped; `allowlist`: only what `allow` names" },
	{ "environment", "allow", LIST(VARIABLE, ""), APPEND, LOOSENS(BY_ADDING),
	  .help = "variables that are passed on; `*` may stand at either end" },
	{ "environment", "drop", LIST(VARIABLE, ""), APPEND, LOOSENS(BY_REMOVING),
	  .help = "variables that are kept from the command; `*` may stand at either end" },
	{ "environment", "set", LIST(SETTING, ""), APPEND, LOOSENS(BY_ADDING),
	  .help = "variables that are set, as NAME=VALUE" },

	{ "limits", "timeout", TYPE(DURATION, "0"), LOOSENS(UPWARD_OR_ZERO),
	  .help = "time after which the command and all it started is ended; 0: none" },
	{ "limits", "open-files", TYPE(NUMBER, "0"), LOOSENS(UPWARD_OR_ZERO),
	  .help = "open files of one process; 0: as the caller's" },
	{ "limits", "processes", TYPE(NUMBER, "0"), LOOSENS(UPWARD_OR_ZERO),
	  .help = "processes; 0: as the caller's" },
	{ "limits", "file-size", TYPE(SIZE, "0"), LOOSENS(UPWARD_OR_ZERO),
	  .help = "size of one written file; 0: as the caller's" },
	{ "limits", "address-space", TYPE(SIZE, "0"), LOOSENS(UPWARD_OR_ZERO),
	  .help = "memory that one process may map; 0: as the caller's" },
	{ "limits", "core-size", TYPE(SIZE, "0"), LOOSENS(UPWARD),
	  .help = "size of a core file; 0: no core files" },
	{ "limits", "cpu-time", TYPE(DURATION, "0"), LOOSENS(UPWARD_OR_ZERO),
	  .help = "processor time of one process; 0: as the caller's" },
	{ "limits", "nice", TYPE(NUMBER, "0"), LOOSENS(DOWNWARD), .most = 19,
	  .help = "how much the command yields to others, up to 19" },
	{ "limits", "memory", TYPE(SIZE, "0"), LOOSENS(UPWARD_OR_ZERO),
	  .help = "memory of everything that the command starts, together; 0: no ceiling" },
	{ "limits", "tasks", TYPE(NUMBER, "0"), LOOSENS(UPWARD_OR_ZERO),
	  .help = "processes and threads of the whole run, together; 0: no ceiling" },
	{ "limits", "processors", TYPE(SHARE, "0"), LOOSENS(UPWARD_OR_ZERO),
	  .help = "processors of the whole run, together, as 2 or 0.5; 0: no ceiling" },
	{ "limits", "step-aside", WORD("no yes", "no"), LOOSENS(UPWARD),
	  .help = "whether all processes in the delegated cgroup may be moved into one below, to make room" },

	{ "copy", "max-files", TYPE(NUMBER, "1000000"), LOOSENS(UPWARD),
	  .help = "files, directories and links in a tree that is still copied" },
	{ "copy", "max-bytes", TYPE(SIZE, "4G"), LOOSENS(UPWARD),
	  .help = "bytes in a tree that is still copied, not counting what the file system shares" },
	{ "copy", "max-depth", TYPE(NUMBER, "256"), LOOSENS(UPWARD),
	  .help = "levels of directories in a tree that is still copied" },
	{ "copy", "kept", TYPE(NUMBER, "8"), LOOSENS(UPWARD),
	  .help = "idle copies that are kept for one tree; those past the first only of "
		  "up to 10,000 entries" },
	{ "copy", "threads", TYPE(NUMBER, "0"), .most = 64,
	  .help = "threads that copy; 0: by the number of processors" },
	{ "copy", "keep-days", TYPE(NUMBER, "30"), .most = 100000, LOOSENS(UPWARD_OR_ZERO),
	  .help = "days after which `pinfold gc` removes what a run left; 0: never" },
	{ "copy", "keep-count", TYPE(NUMBER, "0"), LOOSENS(UPWARD_OR_ZERO),
	  .help = "copies and layers of runs that `pinfold gc` leaves, in all trees; 0: any number" },
	{ "copy", "keep-bytes", TYPE(SIZE, "0"), LOOSENS(UPWARD_OR_ZERO),
	  .help = "room on disk that `pinfold gc` leaves to them; 0: any" },

	{ "session", "keep-days", TYPE(NUMBER, "0"), .most = 100000, LOOSENS(UPWARD_OR_ZERO),
	  .help = "days unused after which `pinfold gc` removes a session, changes or not; 0: never" },
	{ "session", "keep-count", TYPE(NUMBER, "0"), LOOSENS(UPWARD_OR_ZERO),
	  .help = "sessions that `pinfold gc` leaves; those with changes stay; 0: any number" },
	{ "session", "keep-bytes", TYPE(SIZE, "0"), LOOSENS(UPWARD_OR_ZERO),
	  .help = "room on disk that `pinfold gc` leaves to sessions, likewise; 0: any" },
	{ "session", "risky", LIST(ANY, ""), APPEND, LOOSENS(BY_REMOVING),
	  .help = "further places that `pinfold apply` does not write unless they are named" },
	{ "session", "diff-max-bytes", TYPE(SIZE, "16M"),
	  .help = "size of a file whose content `pinfold diff` compares; larger ones are noted" },

	{ "wrappers", "measure", WORD("auto never always", "auto"),
	  .help = "when a compiler wrapper is tried: once, `never` (then it is off), or `always` anew" },
	{ "wrappers", "cache", WORD("off layered shared", "layered"), LOOSENS(UPWARD),
	  .help = "compiler caches: below private layers, written as they are (`shared`), or none (`off`)" },
	{ "wrappers", "deadline", TYPE(DURATION, "30s"),
	  .help = "how long the throwaway builds that try a wrapper may take together" },
};
const size_t key_count = N_ELEMENTS(key_table);

_Static_assert(N_ELEMENTS(key_table) <= KEY_NAMES_MOST, "room for the names of all keys");

const struct key *key_find(const char *section, const char *name)
{
	for (size_t i = 0; i < key_count; i++) {
		const struct key *key = &key_table[i];
		if (key->name[0] == name[0] && streq(key->name, name) && streq(key->section, section))
			return key;
	}
	return NULL;
}

bool key_is_section(const char *section)
{
	for (size_t i = 0; i < key_count; i++)
		if (streq(key_table[i].section, section))
			return true;
	return false;
}

bool key_is_name(const char *text)
{
	if (text[0] < 'a' || text[0] > 'z')
		return false;
	size_t length = strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789-");
	return length <= KEY_NAME_MOST && text[length] == '\0';
}

bool key_is_plugin_section(const char *section)
{
	static const char *const kinds[] = { "arm:", "view:", "wrapper:" };
	for (size_t i = 0; i < N_ELEMENTS(kinds); i++)
		if (starts_with(section, kinds[i]))
			return key_is_name(section + strlen(kinds[i]));
	return false;
}

static const struct key grant_keys[] = {
	{ "grant:NAME", "kind", WORD("read write execute temporary", "read"), LOOSENS(BY_CHANGE) },
	{ "grant:NAME", "path", TYPE(PATH, ""), LOOSENS(BY_CHANGE) },
};

bool key_is_grant_section(const char *section)
{
	return starts_with(section, "grant:") && key_is_name(section + strlen("grant:"));
}

const struct key *key_find_of_grant(const char *name)
{
	for (size_t i = 0; i < N_ELEMENTS(grant_keys); i++)
		if (streq(grant_keys[i].name, name))
			return &grant_keys[i];
	return NULL;
}

size_t key_names_of_grant(const char **names)
{
	for (size_t i = 0; i < N_ELEMENTS(grant_keys); i++)
		names[i] = grant_keys[i].name;
	return N_ELEMENTS(grant_keys);
}

bool key_is_for_presets(const struct key *key)
{
	if (streq(key->section, "pinfold"))
		return streq(key->name, "require") || streq(key->name, "terminal");
	return !streq(key->section, "placement");
}

size_t key_sections(const char **names)
{
	size_t count = 0;
	for (size_t i = 0; i < key_count; i++)
		if (count == 0 || !streq(names[count - 1], key_table[i].section))
			names[count++] = key_table[i].section;
	return count;
}

size_t key_names(const char *section, const char **names)
{
	size_t count = 0;
	for (size_t i = 0; i < key_count; i++)
		if (streq(key_table[i].section, section))
			names[count++] = key_table[i].name;
	return count;
}

const char *key_home(const char *name)
{
	for (size_t i = 0; i < key_count; i++)
		if (streq(key_table[i].name, name))
			return key_table[i].section;
	return NULL;
}
