/* tests/config_final.c - what a site has made final can be tightened by later layers, not loosened. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "config_place.h"

#include "base/text.h"
#include "config/keys.h"

#include <stdio.h>
#include <stdlib.h>

/* For one key: what the site says, what is then still taken, and what is refused. */
static const struct bound {
	const char *section, *key, *site, *tighter, *looser;
} bounds[] = {
	{ "pinfold", "arms", "namespaces, landlock", "namespaces, landlock",
	  "landlock, namespaces" },
	{ "pinfold", "arms", "namespaces", "namespaces", "namespaces, copytree" },
	{ "pinfold", "arm", "namespaces", "namespaces", "copytree" },
	{ "pinfold", "arm", "namespaces", "namespaces", "" },
	{ "pinfold", "view", "copy", "copy", "direct" },
	{ "pinfold", "plugins", "namespaces, copytree", "namespaces", "namespaces, other" },
	{ "pinfold", "require", "network", "writes", NULL },
	{ "pinfold", "relax", "network", "network", "writes" },
	{ "pinfold", "preset", "default", "default", "" },
	{ "pinfold", "preset", "default", "default", "default, other" },
	{ "pinfold", "probe-timeout", "2s", "9s", NULL },
	{ "pinfold", "terminal", "none", "none", "inherit" },
	{ "pinfold", "terminal", "inherit", "none", NULL },
	{ "pinfold", "terminal", "new", "none", "inherit" },
	{ "pinfold", "denials", "yes", "no", NULL },
	{ "pinfold", "stdin", "null", "null", "inherit" },
	{ "placement", "host", "ask", "never", "always" },
	{ "placement", "host", "never", "never", "ask" },
	{ "filesystem", "hidden", "/a", "/b", NULL },
	{ "filesystem", "writable", "/a", "/a", "/b" },
	{ "filesystem", "readable", "/a, /b", "/a", "/c" },
	{ "filesystem", "readable", "", "/a", NULL },
	{ "filesystem", "executable", "/a", "/a", "/b" },
	{ "filesystem", "tree", "readable", "readable", "writable" },
	{ "filesystem", "protected", "/a", "/b", NULL },
	{ "hard", "hidden", "/a", "/b", NULL },
	{ "hard", "protected", "/a", "/b", NULL },
	{ "network", "connect", "443", "443", "80" },
	{ "network", "listen", "8000-8010", "8000-8010", "1" },
	{ "network", "sockets", "/a", "/a", "/b" },
	{ "network", "mode", "ports", "loopback", "host" },
	{ "network", "mode", "none", "none", "ports" },
	{ "kernel", "allow", "debug", "debug", "keyring" },
	{ "kernel", "refuse", "debug", "keyring", NULL },
	{ "filesystem", "layered", "/a", "/b", NULL },
	{ "filesystem", "scope", "tree", "tree", "machine" },
	{ "filesystem", "scope", "machine", "tree", NULL },
	{ "filesystem", "scratch", "/a", "/a", "/b" },
	{ "network", "mode", "loopback", "none", "host" },
	{ "environment", "mode", "allowlist", "allowlist", "passthrough" },
	{ "environment", "allow", "A", "A", "B" },
	{ "environment", "drop", "A", "B", NULL },
	{ "environment", "set", "A=1", "A=1", "A=2" },
	{ "limits", "timeout", "10s", "9999ms", "11s" },
	{ "limits", "timeout", "10s", "10s", "0" },
	{ "limits", "timeout", "0", "5h", NULL },
	{ "limits", "open-files", "10", "9", "11" },
	{ "limits", "processes", "10", "9", "0" },
	{ "limits", "file-size", "1M", "1K", "1025K" },
	{ "limits", "address-space", "1G", "1M", "0" },
	{ "limits", "core-size", "1M", "0", "2M" },
	{ "limits", "cpu-time", "1m", "1s", "2m" },
	{ "limits", "nice", "5", "6", "4" },
	{ "limits", "memory", "1G", "1M", "0" },
	{ "limits", "tasks", "10", "9", "11" },
	{ "limits", "tasks", "10", "10", "0" },
	{ "limits", "processors", "1.5", "0.25", "1.75" },
	{ "limits", "processors", "0.5", "0.5", "0" },
	{ "limits", "step-aside", "no", "no", "yes" },
	{ "copy", "max-files", "10", "9", "11" },
	{ "copy", "max-bytes", "10", "9", "1K" },
	{ "copy", "max-depth", "10", "9", "11" },
	{ "copy", "kept", "2", "1", "3" },
	{ "copy", "threads", "1", "9", NULL },
	{ "copy", "keep-days", "2", "1", "3" },
	{ "copy", "keep-count", "2", "1", "0" },
	{ "copy", "keep-bytes", "2K", "1K", "1M" },
	{ "session", "keep-days", "2", "1", "0" },
	{ "session", "keep-count", "2", "1", "3" },
	{ "session", "keep-bytes", "2K", "1K", "0" },
	{ "session", "risky", "a", "b", NULL },
	{ "session", "diff-max-bytes", "1K", "1M", NULL },
	{ "wrappers", "measure", "never", "always", NULL },
	{ "wrappers", "cache", "layered", "off", "shared" },
	{ "wrappers", "deadline", "2s", "9s", NULL },
};

static void write_key(const char *file, const struct bound *bound, const char *value, bool final)
{
	char text[512];
	snprintf(text, sizeof(text), "[%s]\n%s = %s\n[pinfold]\n%s%s%s%s\n", bound->section,
		 bound->key,
		 value, final ? "final = " : "", final ? bound->section : "", final ? "." : "",
		 final ? bound->key : "");
	place_write(file, text);
}

static void a_later_layer_may_tighten_what_is_final_but_not_loosen_it(void **state)
{
	(void)state;
	static const char *const later[] = { "user.conf", "--set" };
	place_write("vendor/presets/other.conf", "# nothing\n");
	for (size_t i = 0; i < N_ELEMENTS(bounds); i++)
		for (size_t j = 0; j < N_ELEMENTS(later); j++) {
			const struct bound *bound = &bounds[i];
			char setting[256], what[512];
			const char *const *settings = j ? SETTINGS(setting) : NULL;
			place_write("user.conf", "");
			write_key("site/conf.d/a.conf", bound, bound->site, true);
			snprintf(setting, sizeof(setting), "%s.%s=%s", bound->section, bound->key,
				 bound->tighter);
			if (!j)
				write_key("user.conf", bound, bound->tighter, false);
			config_free(place_expect(settings));
			if (!bound->looser)
				continue;
			snprintf(setting, sizeof(setting), "%s.%s=%s", bound->section, bound->key,
				 bound->looser);
			if (!j)
				write_key("user.conf", bound, bound->looser, false);
			snprintf(what, sizeof(what), "it loosens %s.%s, which is final by %s:4",
				 bound->section, bound->key, place_path("site/conf.d/a.conf"));
			place_refuses_settings(settings, later[j], j ? 1 : 2, what,
					       "ask the administrator");
		}
}

static void every_key_that_can_loosen_is_tried_here(void **state)
{
	(void)state;
	for (size_t i = 0; i < key_count; i++) {
		const struct key *key = &key_table[i];
		bool tried = key->setter == SET_BY_OPERATOR;
		for (size_t j = 0; j < N_ELEMENTS(bounds); j++)
			tried = tried || (streq(bounds[j].section, key->section) &&
					  streq(bounds[j].key, key->name));
		if (!tried)
			fail_msg("%s.%s is in no row", key->section, key->name);
	}
}

static void without_final_every_layer_may_loosen(void **state)
{
	(void)state;
	place_write("site/pinfold.conf", "[network]\nmode = none\n[placement]\nhost = never\n"
					 "[pinfold]\nfinal = placement.host\n");
	struct config *config = place_expect(SETTINGS("network.mode=host"));
	assert_string_equal(config_text(config, "network", "mode"), "host");
	config_free(config);
}

static void a_vendors_final_binds_the_site_and_a_sites_own_files_are_free(void **state)
{
	(void)state;
	place_write("vendor/a.conf",
		    "[limits]\nprocesses = 10\n[pinfold]\nfinal = limits.processes\n");
	place_write("site/pinfold.conf", "[limits]\nprocesses = 11\n");
	place_refuses("site/pinfold.conf", 2, "it loosens limits.processes", NULL);
	place_write("site/pinfold.conf",
		    "[limits]\nprocesses = 5\n[pinfold]\nfinal = limits.processes\n");
	place_write("site/conf.d/a.conf", "[limits]\nprocesses = 7\n");
	config_free(place_expect(NULL));
	place_write("user.conf", "[limits]\nprocesses = 8\n");
	place_refuses("user.conf", 2, "final by", NULL);
}

static void the_built_in_value_can_be_made_final(void **state)
{
	(void)state;
	place_write("site/pinfold.conf", "[pinfold]\nfinal = network.mode,\n  copy.max-files\n");
	place_refuses_settings(SETTINGS("network.mode=host"), "--set", 1, "it loosens network.mode",
			       NULL);
	place_refuses_settings(SETTINGS("limits.nice=1", "copy.max-files=2000000"), "--set", 2,
			       "it loosens copy.max-files", NULL);
	config_free(place_expect(SETTINGS("copy.max-files=5")));
}

static void other_presets_cannot_take_away_what_is_final(void **state)
{
	(void)state;
	place_write("vendor/presets/default.conf", "[filesystem]\nhidden = /keys\n"
						   "[environment]\ndrop = TOKEN\n"
						   "[pinfold]\nrequire = secrets\n"
						   "[copy]\nmax-files = 10\n");
	place_write("vendor/presets/open.conf", "[filesystem]\nwritable = /\n");
	place_write("vendor/presets/more.conf", "[filesystem]\nhidden = /more\n");
	static const char *const keys[] = { "filesystem.hidden", "environment.drop",
					    "pinfold.require",
					    "copy.max-files" };
	for (size_t i = 0; i < N_ELEMENTS(keys); i++) {
		char text[128];
		snprintf(text, sizeof(text), "[pinfold]\nfinal = %s\n", keys[i]);
		place_write("site/pinfold.conf", text);
		place_refuses_settings(SETTINGS("limits.nice=1", "pinfold.preset=open"), "--set", 2,
				       keys[i],
				       NULL);
		place_refuses_settings(SETTINGS("pinfold.preset="), "--set", 1, keys[i], NULL);
		config_free(place_expect(SETTINGS("pinfold.preset=more, default")));
	}
	place_write("site/pinfold.conf", "[pinfold]\nfinal = filesystem.hidden\n"
					 "[filesystem]\nhidden = /site\n");
	place_refuses_settings(SETTINGS("pinfold.preset=open"), "--set", 1, "filesystem.hidden",
			       NULL);
	place_write("site/pinfold.conf", "[pinfold]\nfinal = filesystem.writable\n");
	place_refuses_settings(SETTINGS("pinfold.preset=default, open"), "--set", 1,
			       "filesystem.writable",
			       NULL);
}

static void a_named_file_is_a_later_layer(void **state)
{
	(void)state;
	struct config *config = NULL;
	struct pinfold_error err = { 0 };
	place_write("site/pinfold.conf", "[pinfold]\nfinal = network.mode\n");
	place_write("named.conf", "[network]\nmode = host\n");
	assert_int_equal(place_load_file("named.conf", NULL, &config, &err), -1);
	assert_non_null(strstr(err.subject, "named.conf:2: it loosens network.mode"));
}

static void a_plugins_key_that_is_final_keeps_its_value(void **state)
{
	(void)state;
	place_write("site/pinfold.conf", "[arm:namespaces]\nwrapper = /usr/bin/bwrap\n"
					 "[pinfold]\nfinal = arm:namespaces.wrapper, arm:other.key\n");
	config_free(place_expect(SETTINGS("arm:namespaces.wrapper=/usr/bin/bwrap")));
	config_free(place_expect(SETTINGS("arm:namespaces.more=1")));
	place_refuses_settings(SETTINGS("arm:namespaces.wrapper=/tmp/bwrap"), "--set", 1,
			       "it loosens arm:namespaces.wrapper", NULL);
	place_refuses_settings(SETTINGS("arm:other.key=1"), "--set", 1, "it loosens arm:other.key",
			       NULL);
}

static void a_final_that_names_no_key_is_an_error(void **state)
{
	(void)state;
	static const struct {
		const char *item, *what, *recovery;
	} cases[] = {
		{ "mode", "`mode` is not a key", "section.key" },
		{ "network.moed", "there is no key `network.moed`", "`mode`" },
		{ "arm:.x", "there is no key `arm:.x`", NULL },
		{ "arm:x.Y", "there is no key `arm:x.Y`", NULL },
	};
	for (size_t i = 0; i < N_ELEMENTS(cases); i++) {
		char text[128];
		snprintf(text, sizeof(text), "[pinfold]\nfinal = %s\n", cases[i].item);
		place_write("site/pinfold.conf", text);
		place_refuses("site/pinfold.conf", 2, cases[i].what, cases[i].recovery);
	}
}

static void entries_say_which_keys_are_final(void **state)
{
	(void)state;
	place_write("site/pinfold.conf",
		    "[pinfold]\nfinal = network.mode, arm:x.key\n[arm:x]\nkey = 1\n");
	struct config *config = place_expect(NULL);
	for (size_t i = 0; i < config_entry_count(config); i++) {
		struct config_entry entry = config_entry_at(config, i);
		bool expected = (streq(entry.section, "network") && streq(entry.key, "mode")) ||
				streq(entry.section, "arm:x");
		assert_int_equal(entry.final, expected);
	}
	config_free(config);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, place_set_up, place_tear_down)
	const struct CMUnitTest tests[] = {
		TEST(a_later_layer_may_tighten_what_is_final_but_not_loosen_it),
		TEST(every_key_that_can_loosen_is_tried_here),
		TEST(without_final_every_layer_may_loosen),
		TEST(a_vendors_final_binds_the_site_and_a_sites_own_files_are_free),
		TEST(the_built_in_value_can_be_made_final),
		TEST(other_presets_cannot_take_away_what_is_final),
		TEST(a_named_file_is_a_later_layer),
		TEST(a_plugins_key_that_is_final_keeps_its_value),
		TEST(a_final_that_names_no_key_is_an_error),
		TEST(entries_say_which_keys_are_final),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
