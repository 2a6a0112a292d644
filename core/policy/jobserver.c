/* policy/jobserver.c - taking a build's job server out of the flags that announce it. */
#include "policy/jobserver.h"

#include "base/text.h"

bool jobserver_is_announced_in(const char *name, size_t length)
{
	static const char *const names[] = { "MAKEFLAGS", "MFLAGS", "GNUMAKEFLAGS",
					     "CARGO_MAKEFLAGS" };
	for (size_t i = 0; i < N_ELEMENTS(names); i++)
		if (strlen(names[i]) == length && strncmp(names[i], name, length) == 0)
			return true;
	return false;
}

/* Words are separated by spaces; make writes a space within a word as "\ ". */
static size_t word_length(const char *at)
{
	size_t length = 0;
	while (at[length] && at[length] != ' ')
		length += at[length] == '\\' && at[length + 1] ? 2 : 1;
	return length;
}

static bool is_announcement(const char *word, size_t length)
{
	static const char *const options[] = { "--jobserver-auth=", "--jobserver-fds=" };
	for (size_t i = 0; i < N_ELEMENTS(options); i++)
		if (length >= strlen(options[i]) && starts_with(word, options[i]))
			return true;
	return false;
}

static bool is_word(const char *word, size_t length, const char *expected)
{
	return strlen(expected) == length && strncmp(word, expected, length) == 0;
}

/* Past "--" come variables of the makefile's, which may hold anything. */
static bool announces(const char *flags)
{
	for (const char *at = flags; *at;) {
		size_t length = word_length(at);
		if (is_word(at, length, "--"))
			return false;
		if (is_announcement(at, length))
			return true;
		at += length ? length : 1;
	}
	return false;
}

char *jobserver_removed(const char *flags)
{
	struct text kept = { 0 };
	bool variables = !announces(flags);
	for (const char *at = flags; *at;) {
		size_t length = word_length(at);
		variables = variables || is_word(at, length, "--");
		if (length == 0)
			text_add_bytes(&kept, at, 1);
		else if (variables || (!is_announcement(at, length) && !is_word(at, length, "-j")))
			text_add_bytes(&kept, at, length);
		at += length ? length : 1;
	}
	return text_take(&kept);
}
