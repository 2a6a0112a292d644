/* wrappers/cargo_output.c - the wrapper in what Cargo says of a build.
 *
 * Cargo shows a command as a shell would have it, between backticks. The compiler is the word before the
 * first of its own arguments, whatever its name: all words before that are wrappers.
 */
#include "config.h"

#include "wrappers/cargo_output.h"

#include "base/cleanup.h"
#include "base/list.h"
#include "base/text.h"
#include "wrappers/words.h"

enum { ERROR_MOST = 400 };

static const char *next_line(const char *line)
{
	const char *end = strchr(line, '\n');
	return end ? end + 1 : NULL;
}

static bool line_has(const char *line, const char *what)
{
	const char *end = strchrnul(line, '\n'), *found = strstr(line, what);
	return found && found < end;
}

/* What stands before the compiler; `first` begins the word that follows it. */
static char *before_compiler(const char *command, const char *first)
{
	auto_list struct list words = { 0 };
	if (words_split(command, '`', &words) < 0)
		return NULL;
	for (size_t i = 2; i < words.count; i++)
		if (starts_with(words.items[i], first))
			return words_join(&words, i - 1);
	return NULL;
}

char *cargo_used(const char *output)
{
	static const char running[] = "Running `";
	for (const char *line = output; line; line = next_line(line))
		if (line_has(line, running) && line_has(line, "--crate-name " CARGO_PROBE))
			return before_compiler(strstr(line, running) + strlen(running),
					       "--crate-name");
	return NULL;
}

char *cargo_tried(const char *output)
{
	static const char *const markers[] = { "could not execute process `",
					       "process didn't exit successfully: `" };
	for (const char *line = output; line; line = next_line(line))
		for (size_t i = 0; i < N_ELEMENTS(markers); i++)
			if (line_has(line, markers[i]))
				return before_compiler(strstr(line, markers[i]) + strlen(markers[i]),
						       "-");
	return NULL;
}

static const char *find_error(const char *output)
{
	const char *last = output;
	for (const char *line = output; line; line = next_line(line)) {
		const char *word = line + strspn(line, " \t\r");
		if (starts_with(word, "error"))
			return word;
		if (*word && *word != '\n')
			last = word;
	}
	return last;
}

/* Cargo only tells the status of a program that failed; what that said follows under a line of its own. */
static const char *find_cause(const char *error)
{
	static const char heading[] = "--- stderr";
	for (const char *line = next_line(error); line; line = next_line(line))
		if (starts_with(line, heading))
			return next_line(line);
	return NULL;
}

static void add_line(struct text *text, const char *line, size_t most)
{
	size_t length = strcspn(line, "\r\n");
	text_add_bytes(text, line, length < most ? length : most);
}

char *output_error(const char *output)
{
	struct text said = { 0 }, text = { 0 };
	const char *line = find_error(output), *cause = find_cause(line);
	add_line(&said, line, cause ? ERROR_MOST / 2 : ERROR_MOST);
	if (cause && *cause && *cause != '\n') {
		text_add(&said, ": ");
		add_line(&said, cause, ERROR_MOST / 2);
	}
	auto_free char *cut = text_take(&said);
	if (!cut)
		return NULL;
	text_add_quoted(&text, cut[0] ? cut : "it said nothing");
	return text_take(&text);
}
