/* cli/serve_order.c - what one request asks for, checked before anything is done. */
#include "config.h"

#include "serve_order.h"
#include "serve_values.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	CAPTURE_USUAL = 1 << 20,
	CAPTURE_MOST = 64 << 20,
	MOST_MILLISECONDS = 1000 * 1000 * 1000,
	MADE_MOST = 16384	/* settings and variables of one request */
};

/* The order's own texts: they live as long as it does. */
static const char *make(struct order *order, const char *before, const char *between, const char *after)
{
	char **made = order->made, *text;
	if (order->made_count % 16 == 0) {
		made = realloc(made, (order->made_count + 16) * sizeof(*made));
		if (!made)
			return NULL;
		order->made = made;
	}
	if (asprintf(&text, "%s%s%s", before, between, after) < 0)
		return NULL;
	made[order->made_count++] = text;
	return text;
}

/* {"NAME": "value"} as NAME=value. */
static int read_pairs(struct order *order, const char *member, const json_t *value, const char ***ret_pairs,
		      struct pinfold_error *err)
{
	static const char wrong[] = "give an object of strings, with names that have no `=`";
	const char *name;
	json_t *item;
	size_t count = 0;
	if (!json_is_object(value) || json_object_size(value) > MADE_MOST)
		return value_refuse(err, member, wrong);
	const char **pairs = calloc(json_object_size(value) + 1, sizeof(*pairs));
	free(*ret_pairs);
	*ret_pairs = pairs;
	if (!pairs)
		return value_refuse(err, member, "free memory on this machine");
	json_object_foreach((json_t *)value, name, item) {
		const char *text = json_string_value(item);
		if (!text || !name[0] || strchr(name, '='))
			return value_refuse(err, member, wrong);
		pairs[count] = make(order, name, "=", text);
		if (!pairs[count++])
			return value_refuse(err, member, "free memory on this machine");
	}
	return 0;
}

static int read_descriptors(struct order *order, const json_t *value, const int *inherited,
			    struct pinfold_error *err)
{
	size_t index;
	json_t *item;
	order->descriptors = calloc(json_array_size(value) + 1, sizeof(*order->descriptors));
	if (!json_is_array(value) || !order->descriptors)
		return value_refuse(err, "descriptors", "give an array of numbers");
	json_array_foreach(value, index, item)
		if (value_descriptor(item, "descriptors", inherited, &order->descriptors[index], err) < 0)
			return -1;
	order->descriptors[index] = -1;
	return 0;
}

/* --- members -------------------------------------------------------------------------------------- */
#define BIT(kind) (1u << ORDER_##kind)
enum {
	COMMANDS = BIT(RUN) | BIT(EXPLAIN),
	REVIEWS = BIT(DIFF) | BIT(APPLY) | BIT(DISCARD),
	NAMING = BIT(WAIT) | BIT(HAND) | BIT(SIGNAL) | BIT(CANCEL),
	EVERY = ~0u
};

/* X(member, the kinds of request that may have it) */
#define MEMBERS(X)                                                                                     \
	X(id, EVERY) X(do, EVERY) X(argv, COMMANDS) X(directory, COMMANDS | REVIEWS)                       \
	X(session, COMMANDS | REVIEWS) X(environment, COMMANDS) X(grants, COMMANDS) X(env, COMMANDS) X(where, COMMANDS)        \
	X(settings, COMMANDS) X(arm, COMMANDS) X(view, COMMANDS) X(preset, COMMANDS)          \
	X(require, COMMANDS | BIT(PROBE)) X(relax, COMMANDS) X(stdin, BIT(RUN)) X(stdout, BIT(RUN))        \
	X(stderr, BIT(RUN)) X(descriptors, BIT(RUN)) X(capture, BIT(RUN)) X(timeout, BIT(RUN))             \
	X(window, BIT(RUN)) X(background, BIT(RUN)) X(receipt, BIT(RUN)) X(approved, BIT(RUN))             \
	X(run, NAMING) X(limit, BIT(WAIT)) X(signal, BIT(SIGNAL)) X(paths, REVIEWS) X(partial, BIT(APPLY)) \
	X(risky, BIT(APPLY)) X(dry_run, BIT(APPLY))

enum member {
#define MEMBER(name, kinds) MEMBER_##name,
	MEMBERS(MEMBER)
#undef MEMBER
	MEMBER_COUNT
};

static const struct {
	const char *name;
	unsigned kinds;
} members[] = {
#define MEMBER(name, kinds) { #name, kinds },
	MEMBERS(MEMBER)
#undef MEMBER
};

static int find_member(const char *name, enum order_kind kind, struct pinfold_error *err)
{
	const char *names[MEMBER_COUNT + 1];
	size_t count = 0;
	for (int i = 0; i < MEMBER_COUNT; i++) {
		if (!(members[i].kinds & 1u << kind))
			continue;
		if (strcmp(members[i].name, name) == 0)
			return i;
		names[count++] = members[i].name;
	}
	names[count] = NULL;
	char recovery[96];
	const char *nearest = pinfold_nearest(name, names);
	snprintf(recovery, sizeof(recovery), nearest ? "did you mean \"%s\"?" :
		 "leave it out: such a request has no member of this name", nearest);
	return value_refuse(err, name, recovery);
}

static int add_setting(struct order *order, const char *setting, const char *member, struct pinfold_error *err)
{
	size_t count = 0;
	while (order->settings && order->settings[count])
		count++;
	const char **settings = setting ? realloc(order->settings, (count + 2) * sizeof(*settings)) : NULL;
	if (!settings)
		return value_refuse(err, member, "free memory on this machine");
	settings[count] = setting;
	settings[count + 1] = NULL;
	order->settings = settings;
	return 0;
}

static int read_settings(struct order *order, const json_t *value, struct pinfold_error *err)
{
	size_t index;
	json_t *item;
	const char *setting;
	if (!json_is_array(value) || json_array_size(value) > MADE_MOST)
		return value_refuse(err, "settings", "give an array of strings, each SECTION.KEY=VALUE");
	json_array_foreach(value, index, item)
		if (value_text(item, "settings", &setting, err) < 0 ||
		    add_setting(order, setting, "settings", err) < 0)
			return -1;
	return 0;
}

/* "arm": the same as a setting of the key. */
static int read_shorthand(struct order *order, enum member member, const json_t *value,
			  struct pinfold_error *err)
{
	const char *key = member == MEMBER_arm ? "pinfold.arm" : member == MEMBER_view ? "pinfold.view" :
			  member == MEMBER_require ? "pinfold.require" :
			  member == MEMBER_relax ? "pinfold.relax" : "pinfold.preset=default, ";
	const char *text;
	if (value_text(value, members[member].name, &text, err) < 0)
		return -1;
	if (order->kind == ORDER_PROBE) {
		order->require = text;
		return 0;
	}
	return add_setting(order, make(order, key, strchr(key, '=') ? "" : "=", text), members[member].name, err);
}

static int read_member(struct order *order, enum member member, const json_t *value, const int *inherited,
		       struct pinfold_error *err)
{
	const char *text = NULL;
	switch (member) {
	case MEMBER_argv:
		return value_texts(value, "argv", &order->argv, err);
	case MEMBER_directory:
		return value_text(value, "directory", &order->directory, err);
	case MEMBER_session:
		return value_text(value, "session", &order->session, err);
	case MEMBER_environment:
		return read_pairs(order, "environment", value, &order->environment, err);
	case MEMBER_grants:
		return read_pairs(order, "grants", value, &order->grants, err);
	case MEMBER_env:
		return value_texts(value, "env", &order->set, err);
	case MEMBER_paths:
		return value_texts(value, "paths", &order->paths, err);
	case MEMBER_where:
		return value_text(value, "where", &text, err) < 0 ? -1 : value_where(text, &order->where, err);
	case MEMBER_arm:
	case MEMBER_view:
	case MEMBER_preset:
	case MEMBER_require:
	case MEMBER_relax:
		return read_shorthand(order, member, value, err);
	case MEMBER_settings:
		return read_settings(order, value, err);
	case MEMBER_stdin:
	case MEMBER_stdout:
	case MEMBER_stderr:
		return value_stream(value, (int)member - MEMBER_stdin, inherited,
				   &order->streams[member - MEMBER_stdin], err);
	case MEMBER_descriptors:
		return read_descriptors(order, value, inherited, err);
	case MEMBER_capture:
		return value_number(value, "capture", CAPTURE_MOST, &order->capture, err);
	case MEMBER_timeout:
		return value_number(value, "timeout", MOST_MILLISECONDS, &order->most, err);
	case MEMBER_window:
	case MEMBER_limit:
		order->limited = true;
		return value_number(value, members[member].name, MOST_MILLISECONDS, &order->limit, err);
	case MEMBER_background:
		return value_flag(value, "background", &order->background, err);
	case MEMBER_receipt:
		return value_flag(value, "receipt", &order->receipt, err);
	case MEMBER_approved:
		return value_flag(value, "approved", &order->approved, err);
	case MEMBER_partial:
		return value_flag(value, "partial", &order->partial, err);
	case MEMBER_risky:
		return value_flag(value, "risky", &order->risky, err);
	case MEMBER_dry_run:
		return value_flag(value, "dry_run", &order->dry_run, err);
	case MEMBER_signal:
		return value_signal(value, &order->signal_number, err);
	case MEMBER_run:
		order->run = (json_t *)value;
		return 0;
	default:
		return 0;
	}
}

/* --- requests ------------------------------------------------------------------------------------- */
static int read_kind(const json_t *message, enum order_kind *ret_kind, struct pinfold_error *err)
{
	static const char *const names[] = {
		[ORDER_RUN] = "run", [ORDER_EXPLAIN] = "explain", [ORDER_WAIT] = "wait",
		[ORDER_HAND] = "background", [ORDER_REAP] = "reap", [ORDER_SIGNAL] = "signal",
		[ORDER_CANCEL] = "cancel", [ORDER_LIST] = "list", [ORDER_PROBE] = "probe",
		[ORDER_DIFF] = "diff", [ORDER_APPLY] = "apply", [ORDER_DISCARD] = "discard", NULL,
	};
	const char *wanted = json_string_value(json_object_get(message, "do"));
	for (int i = 0; wanted && names[i]; i++)
		if (strcmp(names[i], wanted) == 0) {
			*ret_kind = (enum order_kind)i;
			return 0;
		}
	char recovery[128];
	const char *nearest = wanted ? pinfold_nearest(wanted, names) : NULL;
	snprintf(recovery, sizeof(recovery), nearest ? "did you mean \"%s\"?" :
		 "say in \"do\" what is wanted, such as \"run\": see pinfold-serve(1)", nearest);
	return value_refuse(err, wanted ? wanted : "it has no \"do\"", recovery);
}

static int read_id(struct order *order, struct pinfold_error *err)
{
	json_t *id = json_object_get(order->message, "id");
	if (json_is_integer(id) || (json_is_string(id) && json_string_length(id) <= 256)) {
		order->id = id;
		return 0;
	}
	return value_refuse(err, "it has no \"id\"", "give it a string or a whole number, and each request its own");
}

static int check(const struct order *order, struct pinfold_error *err)
{
	bool command = order->kind == ORDER_RUN || order->kind == ORDER_EXPLAIN;
	if (command && (!order->argv || !order->argv[0]))
		return value_refuse(err, "argv", "give at least the program's name");
	if (1u << order->kind & NAMING && !order->run)
		return value_refuse(err, "run", "name the run by the id of its request");
	if (order->kind == ORDER_SIGNAL && !order->signal_number)
		return value_refuse(err, "signal", "say which one");
	return 0;
}

static int read_members(struct order *order, const int *inherited, struct pinfold_error *err)
{
	const char *name;
	json_t *value;
	json_object_foreach(order->message, name, value) {
		int member = find_member(name, order->kind, err);
		if (member < 0 || read_member(order, (enum member)member, value, inherited, err) < 0)
			return -1;
	}
	return check(order, err);
}

int order_read(json_t *message, const int *inherited, struct order *ret_order, struct pinfold_error *err)
{
	struct order order = {
		.message = message,
		.capture = CAPTURE_USUAL,
		.streams = { { .source = SOURCE_NULL }, { .source = SOURCE_CAPTURE }, { .source = SOURCE_CAPTURE } },
	};
	int result = json_is_object(message) ? read_id(&order, err) :
					       value_refuse(err, "it is no object", "send a JSON object in each line");
	if (result == 0)
		result = read_kind(message, &order.kind, err);
	if (result == 0)
		result = read_members(&order, inherited, err);
	*ret_order = order;
	return result;
}

void order_release(struct order *order)
{
	for (size_t i = 0; i < order->made_count; i++)
		free(order->made[i]);
	const void *lists[] = { order->argv, order->environment, order->grants, order->set, order->settings, order->paths,
				order->descriptors, order->made };
	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++)
		free((void *)(uintptr_t)lists[i]);
	json_decref(order->message);
	*order = (struct order){ 0 };
}
