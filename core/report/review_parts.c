/* report/review_parts.c - names, notes, and which of a review's changes belong to git. */
#include "config.h"

#include "report/review_parts.h"

#include "base/cleanup.h"
#include "base/fault.h"
#include "base/fd.h"
#include "base/path.h"
#include "report/gitname.h"
#include "tree/git_changes.h"

#include <fcntl.h>
#include <stdlib.h>

char *review_name(const struct review_part *part, const char *path)
{
	if (part->tree)
		return strdup(path[0] ? path : ".");
	struct text text = { 0 };
	text_add(&text, streq(part->path, "/") && path[0] ? "" : part->path);
	text_add(&text, path[0] ? "/" : "");
	text_add(&text, path);
	return text_take(&text);
}

char *review_shown_name(const struct review_part *part, const char *path, bool directory)
{
	auto_free char *name = review_name(part, path);
	struct text text = { 0 };
	if (!name)
		return NULL;
	text_add(&text, name);
	text_add(&text, directory ? "/" : "");
	auto_free char *whole = text_take(&text);
	return whole ? gitname_of("", whole) : NULL;
}

const char review_lost_privileges[] = "without the set-user-ID or set-group-ID bit that the command set";

const struct review_note *review_note_of(const struct review_part *part, size_t index)
{
	static const struct review_note nothing;
	return part->notes ? &part->notes[index] : &nothing;
}

bool review_is_directory(const struct change_side *side)
{
	return side->kind == INDEX_FOLDER;
}

bool review_content_differs(const struct change *change)
{
	return (change->kind != CHANGE_MODIFIED && change->kind != CHANGE_RENAMED) ||
	       (change->what & (CHANGED_CONTENT | CHANGED_TARGET));
}

/* As strcmp of the change's path and `path` with `mark` after it. */
static int compare(const struct change *change, const char *path, char mark)
{
	size_t length = strlen(path);
	int order = strncmp(change->path, path, length);
	return order ? order : (unsigned char)change->path[length] - (unsigned char)mark;
}

/* The first change that is not before `path` and `mark`. */
static size_t first_from(const struct changes *changes, const char *path, char mark)
{
	size_t low = 0, high = changes->count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (compare(&changes->items[middle], path, mark) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

struct review_range review_below(const struct changes *changes, const char *path)
{
	if (!path[0])	/* "" itself comes first */
		return (struct review_range){ first_from(changes, "", 1), changes->count };
	return (struct review_range){ first_from(changes, path, '/'),
				      first_from(changes, path, '/' + 1) };
}

/* Of nested ones the outer: `.git/modules/x` is a part of `.git`. */
size_t review_git_directory(const struct review_part *part, const char *name)
{
	if (part->git)
		return strlen(part->path);
	static const char git[] = ".git";
	for (const char *at = name; at; at = strchr(at, '/')) {
		at += *at == '/';
		if (strncmp(at, git, 4) == 0 && at[4] == '/')
			return (size_t)(at + 4 - name);
	}
	return 0;
}

bool review_is_git(const struct review_part *part, const struct change *change)
{
	auto_free char *name = review_name(part, change->path);
	return name && review_git_directory(part, name) > 0;
}

struct telling {
	const struct review_part *part;
	struct git_summary summary;
	char *directory;	/* whose it is; NULL for none */
	void (*line)(void *context, const char *text);
	void *context;
};

enum { GIT_CONTENT_MOST = 4096, GIT_PACKED_MOST = 8 << 20 };

/* Which refs are new and which only got a file of their own, `packed-refs` tells. */
static int add_packed(struct telling *telling)
{
	const struct review_part *part = telling->part;
	size_t outer = part->tree ? 0 : strlen(part->path);
	auto_free char *path = path_join(telling->directory + outer, "packed-refs");
	auto_free char *content = NULL;
	size_t bytes;
	if (!path)
		return -1;
	auto_close int fd = fd_open_beneath(part->place_fd, path + strspn(path, "/"), O_RDONLY | O_NONBLOCK, 0);
	if (fd < 0 || fd_read_all(fd, GIT_PACKED_MOST, &content, &bytes) < 0)
		return 0;
	return git_summary_add_packed(&telling->summary, content);
}

static int tell(struct telling *telling)
{
	if (telling->directory && git_summary_wants_packed(&telling->summary) && add_packed(telling) < 0)
		return -1;
	struct list lines = { 0 };
	struct text text = { 0 };
	int result = telling->directory ? git_summary_lines(&telling->summary, &lines) : 0;
	for (size_t i = 0; i < lines.count && result == 0; i++) {
		text_release(&text);
		text_addf(&text, "%s: %s", telling->directory, lines.items[i]);
		if (text.failed)
			result = -1;
		else
			telling->line(telling->context, text.data);
	}
	text_release(&text);
	list_release(&lines);
	git_summary_release(&telling->summary);
	free(take_pointer(&telling->directory));
	return result;
}

static int begin_directory(struct telling *telling, const char *name, size_t length)
{
	if (telling->directory && strlen(telling->directory) == length &&
	    strncmp(telling->directory, name, length) == 0)
		return 0;
	if (tell(telling) < 0)
		return -1;
	telling->directory = strndup(name, length);
	return telling->directory ? 0 : -1;
}

static enum git_what what_of(const struct change *change)
{
	if (change->kind == CHANGE_ADDED || change->kind == CHANGE_RENAMED)
		return GIT_ADDED;
	return change->kind == CHANGE_REMOVED ? GIT_REMOVED : GIT_CHANGED;
}

static const char *text_of(const struct content *content)
{
	return content->kind == CONTENT_TEXT ? content->data : NULL;
}

static int tell_change(struct telling *telling, const struct change *change, struct pinfold_error *err)
{
	struct review_contents contents = { 0 };
	auto_free char *name = review_name(telling->part, change->path);
	size_t length = name ? review_git_directory(telling->part, name) : 0;
	if (!name)
		return fault_no_memory(err);
	if (length == 0 || (review_is_directory(&change->before) && change->kind == CHANGE_REMOVED) ||
	    review_is_directory(&change->after))
		return 0;
	const char *rest = name + length + 1;
	if (begin_directory(telling, name, length) < 0)
		return fault_no_memory(err);
	uint64_t most = ends_with(rest, "packed-refs") ? GIT_PACKED_MOST : GIT_CONTENT_MOST;
	if (git_wants_content(rest) && review_read(telling->part, change, most, &contents, err) < 0)
		return -1;
	int result = git_summary_add(&telling->summary, rest, what_of(change), text_of(&contents.before),
				     text_of(&contents.after));
	review_contents_release(&contents);
	return result < 0 ? fault_no_memory(err) : 0;
}

int review_git_lines(const struct review_part *part, void (*line)(void *context, const char *text),
		     void *context, struct pinfold_error *err)
{
	struct telling telling = { .part = part, .line = line, .context = context };
	int result = 0;
	for (size_t i = 0; i < part->changes->count && result == 0; i++)
		result = tell_change(&telling, &part->changes->items[i], err);
	if (tell(&telling) < 0 && result == 0)
		result = fault_no_memory(err);
	return result;
}
