/* report/hunks.c - in which lines two contents differ, by libgit2. */
#include "config.h"

#include "report/hunks.h"

#include "base/cleanup.h"
#include "base/fault.h"
#include "base/text.h"
#include "report/coarse.h"

#include <dlfcn.h>
#include <git2.h>
#include <stdio.h>

struct hunks {
	void *object;
	__typeof__(git_libgit2_init) *init;
	__typeof__(git_libgit2_shutdown) *shutdown;
	__typeof__(git_diff_buffers) *diff_buffers;
	__typeof__(git_diff_options_init) *options_init;
	__typeof__(git_error_last) *error_last;
	__typeof__(git_oid_tostr) *oid_tostr;
	__typeof__(git_odb_hash) *odb_hash;
};

static const char library[] = "libgit2.so." LIBGIT2_SOVERSION;
static const char recovery[] = "install the package of libgit2 that pinfold was built with, or ask "
			       "for --summary or --json, which do without";

static const char *find_calls(struct hunks *hunks)
{
	static const struct { const char *name; size_t offset; } calls[] = {
		{ "git_libgit2_init", offsetof(struct hunks, init) },
		{ "git_libgit2_shutdown", offsetof(struct hunks, shutdown) },
		{ "git_diff_buffers", offsetof(struct hunks, diff_buffers) },
		{ "git_diff_options_init", offsetof(struct hunks, options_init) },
		{ "git_error_last", offsetof(struct hunks, error_last) },
		{ "git_oid_tostr", offsetof(struct hunks, oid_tostr) },
		{ "git_odb_hash", offsetof(struct hunks, odb_hash) },
	};
	for (size_t i = 0; i < N_ELEMENTS(calls); i++) {
		void *call = dlsym(hunks->object, calls[i].name);
		if (!call)
			return calls[i].name;
		memcpy((char *)hunks + calls[i].offset, &call, sizeof(call));
	}
	return NULL;
}

static int refuse(const char *why, struct pinfold_error *err)
{
	return faultf(err, PINFOLD_E_SYSTEM, 0, "show what differs in files", recovery,
		      "%s: %s", library, why ? why : "no reason given");
}

int hunks_open(struct hunks **ret_hunks, struct pinfold_error *err)
{
	auto_free struct hunks *hunks = calloc(1, sizeof(*hunks));
	if (!hunks)
		return fault_no_memory(err);
	hunks->object = dlopen(library, RTLD_NOW | RTLD_LOCAL);
	if (!hunks->object)
		return refuse(dlerror(), err);
	const char *missing = find_calls(hunks);
	if (missing || hunks->init() < 0) {
		refuse(missing ? missing : "it cannot be made ready", err);
		dlclose(hunks->object);
		return -1;
	}
	*ret_hunks = take_pointer(&hunks);
	return 0;
}

/* It stays loaded: what it has registered with the program's end could not be called otherwise. */
void hunks_close(struct hunks *hunks)
{
	if (hunks)
		hunks->shutdown();
	free(hunks);
}

struct taking {
	hunks_take *take;
	void *context;
	struct hunks_line last;	/* kept until it is known whether a newline ends it */
	bool any;
};

static int hand_over(struct taking *taking)
{
	bool any = taking->any;
	taking->any = false;
	return any ? taking->take(taking->context, &taking->last) : 0;
}

static int take_line(const git_diff_delta *delta, const git_diff_hunk *hunk,
		     const git_diff_line *line, void *context)
{
	struct taking *taking = context;
	(void)delta;
	(void)hunk;
	if (strchr("=<>", line->origin)) {
		taking->last.open = true;
		return hand_over(taking);
	}
	if (hand_over(taking) != 0)
		return GIT_EUSER;
	size_t count = line->content_len;
	if (count > 0 && line->content[count - 1] == '\n')
		count--;
	taking->last = (struct hunks_line){ .sign = line->origin, .bytes = line->content, .count = count };
	taking->any = true;
	return 0;
}

static int take_hunk(const git_diff_delta *delta, const git_diff_hunk *hunk, void *context)
{
	struct taking *taking = context;
	(void)delta;
	if (hand_over(taking) != 0)
		return GIT_EUSER;
	size_t count = hunk->header_len;
	while (count > 0 && strchr("\r\n", hunk->header[count - 1]))
		count--;
	struct hunks_line line = { .sign = '@', .bytes = hunk->header, .count = count };
	return taking->take(taking->context, &line) == 0 ? 0 : GIT_EUSER;
}

static int explain(const struct hunks *hunks, int failed, struct pinfold_error *err)
{
	const git_error *last = hunks->error_last();
	if (failed == GIT_EUSER || failed == 0)
		return 0;
	return refuse(last ? last->message : NULL, err);
}

static const char *data_of(const struct content *content)
{
	return content->kind == CONTENT_NONE ? NULL : content->data;
}

static size_t newlines_in(const struct content *content)
{
	const char *at = content->data, *end = at ? at + content->bytes : at;
	size_t count = 0;
	for (; at && at < end && (at = memchr(at, '\n', (size_t)(end - at))); at++)
		count++;
	return count;
}

int hunks_find(struct hunks *hunks, const struct content *before, const struct content *after,
	       uint32_t around, hunks_take *take, void *context, struct pinfold_error *err)
{
	struct taking taking = { .take = take, .context = context };
	git_diff_options options;
	if (newlines_in(before) + newlines_in(after) > HUNKS_LINES_MOST) {
		coarse_find(before, after, around, take, context);
		return 0;
	}
	hunks->options_init(&options, GIT_DIFF_OPTIONS_VERSION);
	options.flags = GIT_DIFF_FORCE_TEXT | GIT_DIFF_INDENT_HEURISTIC;
	options.context_lines = around;
	int failed = hunks->diff_buffers(data_of(before), before->bytes, NULL, data_of(after),
					 after->bytes, NULL, &options, NULL, NULL, take_hunk,
					 take_line, &taking);
	if (failed == 0 && hand_over(&taking) != 0)
		failed = GIT_EUSER;
	return explain(hunks, failed, err);
}

int hunks_name(struct hunks *hunks, const struct content *content, char *ret_id,
	       struct pinfold_error *err)
{
	git_oid id = { { 0 } };
	int failed = content->kind == CONTENT_NONE ? 0
		: hunks->odb_hash(&id, content->data, content->bytes, GIT_OBJECT_BLOB);
	if (failed)
		return explain(hunks, failed, err);
	hunks->oid_tostr(ret_id, HUNKS_ID_ROOM, &id);
	return 0;
}

struct packing {
	hunks_take_binary *take;
	void *context;
};

static struct hunks_packed packed_of(const git_diff_binary_file *file)
{
	return (struct hunks_packed){
		.delta = file->type == GIT_DIFF_BINARY_DELTA,
		.data = file->data, .bytes = file->datalen, .unpacked_bytes = file->inflatedlen,
	};
}

static int take_packed(const git_diff_delta *delta, const git_diff_binary *from, void *context)
{
	const struct packing *packing = context;
	struct hunks_binary binary = { .forward = packed_of(&from->new_file),
				       .reverse = packed_of(&from->old_file) };
	(void)delta;
	packing->take(packing->context, &binary);
	return 0;
}

int hunks_pack(struct hunks *hunks, const struct content *before, const struct content *after,
	       hunks_take_binary *take, void *context, struct pinfold_error *err)
{
	struct packing packing = { .take = take, .context = context };
	git_diff_options options;
	hunks->options_init(&options, GIT_DIFF_OPTIONS_VERSION);
	options.flags = GIT_DIFF_FORCE_BINARY | GIT_DIFF_SHOW_BINARY;
	int failed = hunks->diff_buffers(data_of(before), before->bytes, NULL, data_of(after),
					 after->bytes, NULL, &options, NULL, take_packed, NULL, NULL,
					 &packing);
	return explain(hunks, failed, err);
}
