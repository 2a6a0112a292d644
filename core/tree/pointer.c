/* tree/pointer.c - files of git that say where something lies, for arms in which git would write there. */
#include "config.h"

#include "tree/pointer.h"

#include "base/cleanup.h"
#include "base/fd.h"
#include "base/path.h"
#include "policy/git_files.h"
#include "tree/follow.h"

#include <fcntl.h>
#include <sys/mman.h>

/* Git itself takes no longer file for one. */
enum { POINTER_MOST = 1 << 20 };

struct writer {
	struct worker *worker;
	struct text text;
	bool differs, failed;
};

enum lead_kind { LEAD_USED, LEAD_READ };

/* Where `path`, as it is read in the worker's folder, leads in the copy. What is only read may lie
 * anywhere. NULL without memory. */
static char *lead(struct worker *worker, const char *path, enum lead_kind kind)
{
	auto_close int fd = openat(worker->source_fd, path, O_PATH | O_CLOEXEC);
	auto_free char *canonical = NULL;
	if (path[0] != '/' && !follow_leaves(worker, path))
		return strdup(path);
	bool there = fd >= 0 && path_of_fd(fd, &canonical) == 0;
	bool copied;
	char *in_copy = follow_in_copy(worker, there ? canonical : path, &copied);
	if (copied || !in_copy)
		return in_copy;
	if (kind == LEAD_USED)
		return in_copy;
	free(in_copy);
	return strdup(there ? canonical : path);
}

static void add_lead(struct writer *writer, const char *head, const char *path, enum lead_kind kind,
		     const char *tail)
{
	auto_free char *led = lead(writer->worker, path, kind);
	writer->failed |= !led;
	writer->differs |= led && !streq(led, path);
	text_addf(&writer->text, "%s%s%s", head, led ? led : "", tail);
}

static void write_git(struct writer *writer, char *content)
{
	char *path = git_files_gitdir(content);
	if (path)
		add_lead(writer, "gitdir: ", path, LEAD_USED, "\n");
}

static void write_common(struct writer *writer, char *content)
{
	char *path = git_files_path(content);
	if (path)
		add_lead(writer, "", path, LEAD_USED, "\n");
}

/* Where a linked worktree is. Those that are not copied stay known, so that nobody prunes them. */
static void write_worktree(struct writer *writer, char *content)
{
	char *path = git_files_path(content);
	if (path)
		add_lead(writer, "", path, LEAD_READ, "\n");
}

/* These are read from the directory above. */
static void write_alternates(struct writer *writer, char *content)
{
	for (char *line; (line = git_files_alternate(&content));) {
		auto_free char *here = line[0] == '/' ? strdup(line) : path_join("..", line);
		auto_free char *led = here ? lead(writer->worker, here, LEAD_READ) : NULL;
		bool same = led && streq(led, here);
		writer->failed |= !led;
		writer->differs |= !same;
		text_addf(&writer->text, "%s\n", same ? line : led ? led : "");
	}
}

/* The last value counts, so one is added to what is there. */
static void write_config(struct writer *writer, char *content)
{
	auto_free char *path = git_files_worktree(content);
	auto_free char *led = path ? lead(writer->worker, path, LEAD_USED) : NULL;
	if (!path || (led && streq(led, path)))
		return;
	writer->failed |= !led;
	writer->differs = true;
	text_addf(&writer->text, "%s\n[core]\n\tworktree = \"", content);
	for (const char *at = led; at && *at; at++)
		text_addf(&writer->text, *at == '"' || *at == '\\' ? "\\%c" : *at == '\n' ? "\\n" : "%c", *at);
	text_add(&writer->text, "\"\n");
}

/* In `worktrees/NAME`. */
static bool is_of_worktree(const char *folder)
{
	const char *slash = strrchr(folder, '/');
	static const char parent[] = "worktrees";
	size_t length = slash ? (size_t)(slash - folder) : 0, wanted = strlen(parent);
	return length >= wanted && memcmp(slash - wanted, parent, wanted) == 0 &&
	       (length == wanted || slash[-(ptrdiff_t)wanted - 1] == '/');
}

static void (*writer_of(const char *folder, const char *name))(struct writer *, char *)
{
	if (streq(name, ".git"))
		return write_git;
	if (streq(name, "config") || streq(name, "config.worktree"))
		return write_config;
	if (streq(name, "alternates"))
		return ends_with(folder, "objects/info") ? write_alternates : NULL;
	if (!is_of_worktree(folder))
		return NULL;
	return streq(name, "commondir") ? write_common : streq(name, "gitdir") ? write_worktree : NULL;
}

/* As git reads it: up to the first NUL. */
static char *read_source(const struct worker *worker, const char *name)
{
	auto_close int fd = openat(worker->source_fd, name,
				   O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	char *data = NULL;
	size_t bytes;
	return fd >= 0 && fd_read_all(fd, POINTER_MOST, &data, &bytes) == 0 ? data : NULL;
}

int pointer_follow(struct worker *worker, const char *name, struct sides *sides)
{
	void (*write)(struct writer *, char *) = writer_of(worker->path.data, name);
	if (!write || !S_ISREG(sides->source.mode))
		return 0;
	auto_free char *content = read_source(worker, name);
	if (!content)
		return 0;	/* it is looked at once more when it is copied */
	struct writer writer = { .worker = worker };
	write(&writer, content);
	auto_free char *text = text_take(&writer.text);
	if (writer.failed || !text)
		return trouble_memory(worker->mirror);
	if (!writer.differs)
		return 0;
	sides->flags |= INDEX_FOLLOWED;
	sides->text = take_pointer(&text);
	return 0;
}

int pointer_open_text(const char *text)
{
	auto_close int fd = memfd_create("pointer", MFD_CLOEXEC);
	if (fd < 0 || fd_write_all(fd, text, strlen(text)) < 0 || lseek(fd, 0, SEEK_SET) < 0)
		return -1;
	return take_fd(&fd);
}
