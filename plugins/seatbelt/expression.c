/* plugins/seatbelt/expression.c - patterns as regular expressions, and patterns moved from the tree to its copy. */
#include "expression.h"

#include <stdlib.h>
#include <string.h>

enum { PARTS_MOST = 64 };

static bool is_plain(char byte)
{
	return byte == '/' || byte & 0x80 || (byte >= '0' && byte <= '9') || ((byte | 0x20) >= 'a' && (byte | 0x20) <= 'z');
}

static char *put_text(char *at, const char *text)
{
	size_t bytes = strlen(text);
	memcpy(at, text, bytes);
	return at + bytes;
}

/* Two letters have a third case beyond ASCII, which the file system takes for the same: the Kelvin sign, and the long s. */
static const char *third_case(char letter)
{
	switch (letter | 0x20) {
	case 'k':
		return "\xe2\x84\xaa";
	case 's':
		return "\xc5\xbf";
	default:
		return NULL;
	}
}

static char *put_letter(char *at, char letter)
{
	const char *third = third_case(letter), cases[] = { '[', letter, (char)(letter ^ 0x20), ']', '\0' };
	if (!third)
		return put_text(at, cases);
	at = put_text(put_text(at, "("), cases);
	return put_text(put_text(put_text(at, "|"), third), ")");
}

enum { BYTES_EACH = 10 };	/* the most that one byte becomes */

/* In brackets nothing has a meaning but these four, which a backslash takes it from: what a backslash
 * gives to other signs differs between one library of expressions and the next. */
static char *put_byte(char *at, char byte, bool folded)
{
	bool letter = !(byte & 0x80) && (byte | 0x20) >= 'a' && (byte | 0x20) <= 'z';
	if (byte == '\\' || byte == '^' || byte == '[' || byte == ']') {
		*at++ = '\\';
		*at++ = byte;
	} else if (is_plain(byte) && !(letter && folded)) {
		*at++ = byte;
	} else if (letter) {
		at = put_letter(at, byte);
	} else {
		*at++ = '[';
		*at++ = byte;
		*at++ = ']';
	}
	return at;
}

/* `**` as a whole part takes its slash with it: "a/<any>/b" is "a/b" as well. */
static const char *put_piece(char **at, const char *pattern, bool folded)
{
	if (strncmp(pattern, "/**", 3) == 0 && (pattern[3] == '/' || pattern[3] == '\0')) {
		*at = put_text(*at, pattern[3] ? "(/[^/]+)*" : "/.*");
		return pattern + 3;
	}
	if (strncmp(pattern, "**", 2) == 0) {
		*at = put_text(*at, ".*");
		return pattern + 2;
	}
	if (*pattern == '*' || *pattern == '?')
		*at = put_text(*at, *pattern == '*' ? "[^/]*" : "[^/]");
	else
		*at = put_byte(*at, *pattern, folded);
	return pattern + 1;
}

const char *expression_of(const struct pinfold_host *host, const char *pattern, bool folded, bool below)
{
	char *text = host->allocate(host, strlen(pattern) * BYTES_EACH + 16), *at = text;
	if (!text)
		return NULL;
	*at++ = '^';
	while (*pattern)
		pattern = put_piece(&at, pattern, folded);
	at = put_text(at, below ? "(/.*)?$" : "$");
	*at = '\0';
	return text;
}

const char *expression_of_path(const struct pinfold_host *host, const char *path, bool below)
{
	char *text = host->allocate(host, strlen(path) * BYTES_EACH + 16), *at = text;
	if (!text)
		return NULL;
	*at++ = '^';
	for (; *path; path++)
		at = put_byte(at, *path, true);
	at = put_text(at, below ? "(/.*)?$" : "$");
	*at = '\0';
	return text;
}

/* One part against one part of a pattern. */
static bool part_matches(const char *pattern, size_t pattern_bytes, const char *part, size_t bytes)
{
	if (pattern_bytes == 0)
		return bytes == 0;
	if (*pattern == '*')
		return part_matches(pattern + 1, pattern_bytes - 1, part, bytes) ||
		       (bytes > 0 && part_matches(pattern, pattern_bytes, part + 1, bytes - 1));
	return bytes > 0 && (*pattern == '?' || (*pattern | 0x20) == (*part | 0x20)) &&
	       part_matches(pattern + 1, pattern_bytes - 1, part + 1, bytes - 1);
}

static size_t split(const char *path, const char **parts)
{
	size_t count = 0;
	for (; *path == '/' && path[1]; path += 1 + strcspn(path + 1, "/"))
		if (count < PARTS_MOST)
			parts[count++] = path + 1;
	return count;
}

static size_t part_bytes(const char *part)
{
	return strcspn(part, "/");
}

static bool is_any_parts(const char *part)
{
	return part_bytes(part) == 2 && part[0] == '*' && part[1] == '*';
}

/* Where in the pattern one may be after the tree's parts: bits by part; `count` means past its end. */
static uint64_t positions_after(const char *const *pattern, size_t count, const char *const *tree, size_t depth)
{
	uint64_t now = 1;
	for (size_t i = 0; i < depth; i++) {
		uint64_t next = 0;
		for (size_t at = 0; at < count; at++) {
			if (!(now >> at & 1))
				continue;
			if (is_any_parts(pattern[at])) {
				next |= UINT64_C(1) << at;
				now |= UINT64_C(1) << (at + 1);
			} else if (part_matches(pattern[at], part_bytes(pattern[at]), tree[i], part_bytes(tree[i]))) {
				next |= UINT64_C(1) << (at + 1);
			}
		}
		/* What is below a match is matched too. */
		next |= now & (UINT64_C(1) << count);
		now = next;
	}
	return now;
}

int expression_moved(const struct pinfold_host *host, const char *pattern, const char *tree, const char *copy,
		     const char **ret_patterns, size_t room)
{
	const char *pattern_parts[PARTS_MOST], *tree_parts[PARTS_MOST];
	size_t count = split(pattern, pattern_parts), depth = split(tree, tree_parts), found = 0;
	if (count >= PARTS_MOST || depth >= PARTS_MOST)
		return EXPRESSION_TOO_DEEP;
	uint64_t after = positions_after(pattern_parts, count, tree_parts, depth);
	for (size_t at = 0; at <= count; at++) {
		if (!(after >> at & 1))
			continue;
		if (found == room)
			return EXPRESSION_TOO_DEEP;
		/* The copy's own path is no pattern: its stars and questions are matched by `?`. */
		char *plain = host->allocate(host, strlen(copy) + strlen(pattern) + 2);
		if (!plain)
			return EXPRESSION_NO_MEMORY;
		strcpy(plain, copy);
		for (char *byte = plain; *byte; byte++)
			if (*byte == '*')
				*byte = '?';
		if (at < count) {
			strcat(plain, "/");
			strcat(plain, pattern_parts[at]);
		}
		ret_patterns[found++] = plain;
	}
	return (int)found;
}
