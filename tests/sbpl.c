/* tests/sbpl.c - reading a sandbox profile, and judging by it. */
#include "config.h"

#include "sbpl.h"

#include <ctype.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum kind { LIST, WORD, STRING };

struct node {
	enum kind kind;
	char *text;
	struct node *first, *next;	/* of a list; beside it */
	regex_t *compiled;	/* of an expression, once it was used */
};

struct sbpl {
	struct node *forms;
	char **parameters;
	unsigned rules;
	char *reason;
};

static const char *const operations[] = {
	"default", "file*", "file-read*", "file-read-data", "file-read-metadata", "file-read-xattr", "file-write*",
	"file-write-data", "file-write-create", "file-write-unlink", "file-write-mode", "file-write-owner",
	"file-write-flags", "file-write-times", "file-write-xattr", "file-ioctl", "file-map-executable",
	"process*", "process-exec*", "process-exec", "process-exec-interpreter", "process-fork", "process-info*",
	"process-info-pidinfo", "signal", "network*", "network-outbound", "network-inbound", "network-bind",
	"mach-lookup", "mach-register", "mach-priv-task-port", "sysctl-read", "sysctl-write", "ipc-posix-sem",
	"ipc-posix-shm*", "ipc-posix-shm-read*", "ipc-posix-shm-read-data", "ipc-posix-shm-write-data",
	"ipc-sysv*", "ipc-sysv-shm", "pseudo-tty", "system-socket", NULL,
};
static const char *const filters[] = {
	"literal", "subpath", "regex", "require-all", "require-any", "require-not", "global-name", "global-name-regex",
	"sysctl-name", "sysctl-name-prefix", "ipc-posix-name", "target", "remote", "local", "extension",
	"socket-domain", NULL,
};

static bool is_known(const char *const *words, const char *word)
{
	for (size_t i = 0; words[i]; i++)
		if (strcmp(words[i], word) == 0)
			return true;
	return false;
}

static void complain(struct sbpl *sbpl, const char *what, const char *about)
{
	if (!sbpl->reason && asprintf(&sbpl->reason, "%s: %s", what, about) < 0)
		abort();
}

static struct node *node_new(enum kind kind, const char *text, size_t length)
{
	struct node *node = calloc(1, sizeof(*node));
	if (!node || (text && !(node->text = strndup(text, length))))
		abort();
	node->kind = kind;
	return node;
}

static void skip_blanks(const char **at)
{
	for (;; ++*at) {
		if (**at == ';')
			*at += strcspn(*at, "\n");
		if (!isspace((unsigned char)**at))
			return;
	}
}

/* In an ordinary string a backslash takes the next byte as it is; in `#"…"` it stays. */
static struct node *read_string(struct sbpl *sbpl, const char **at, bool raw)
{
	struct node *node = node_new(STRING, *at, strlen(*at));
	char *to = node->text;
	const char *from = *at;
	while (*from && *from != '"') {
		if (*from == '\\' && !raw)
			from++;
		*to++ = *from++;
	}
	if (*from != '"')
		complain(sbpl, "a string without end", node->text);
	*to = '\0';
	*at = *from ? from + 1 : from;
	return node;
}

static struct node *read_node(struct sbpl *sbpl, const char **at)
{
	skip_blanks(at);
	if (**at == '"')
		return ++*at, read_string(sbpl, at, false);
	if (**at == '#' && (*at)[1] == '"')
		return *at += 2, read_string(sbpl, at, true);
	if (**at != '(') {
		size_t length = strcspn(*at, " \t\n()\"");
		struct node *word = node_new(WORD, *at, length);
		*at += length;
		return word;
	}
	struct node *list = node_new(LIST, NULL, 0), **last = &list->first;
	for (++*at, skip_blanks(at); **at && **at != ')'; skip_blanks(at)) {
		*last = read_node(sbpl, at);
		last = &(*last)->next;
	}
	if (**at != ')')
		complain(sbpl, "a list without end", list->first ? list->first->text : "");
	else
		++*at;
	return list;
}

static const char *head(const struct node *node)
{
	return node && node->kind == LIST && node->first && node->first->kind == WORD ? node->first->text : "";
}

/* A string, or the value of a parameter. */
static const char *value(struct sbpl *sbpl, const struct node *node)
{
	if (node && node->kind == STRING)
		return node->text;
	if (strcmp(head(node), "param") != 0 || !node->first->next) {
		complain(sbpl, "no string", node && node->text ? node->text : head(node));
		return "";
	}
	for (char **row = sbpl->parameters; *row; row += 2)
		if (strcmp(row[0], node->first->next->text) == 0)
			return row[1];
	complain(sbpl, "a parameter that nobody gave", node->first->next->text);
	return "";
}

static void check_filter(struct sbpl *sbpl, struct node *filter);

static void check_address(struct sbpl *sbpl, const struct node *filter)
{
	const char *address = value(sbpl, filter->first->next ? filter->first->next->next : NULL);
	if (strncmp(address, "*:", 2) != 0 && strncmp(address, "localhost:", 10) != 0)
		complain(sbpl, "an address must be of * or localhost", address);
}

static void check_expression(struct sbpl *sbpl, struct node *node)
{
	const char *text = value(sbpl, node);
	regex_t *compiled = malloc(sizeof(*compiled));
	if (!compiled)
		abort();
	if (regcomp(compiled, text, REG_EXTENDED | REG_NOSUB) != 0) {
		complain(sbpl, "no expression", text);
		free(compiled);
		return;
	}
	node->compiled = compiled;
}

static void check_values(struct sbpl *sbpl, struct node *filter)
{
	const char *name = head(filter);
	bool expressions = strstr(name, "regex") != NULL;
	if (!filter->first->next)
		complain(sbpl, "a filter of nothing", name);
	for (struct node *node = filter->first->next; node; node = node->next) {
		if (expressions)
			check_expression(sbpl, node);
		else if ((strcmp(name, "literal") == 0 || strcmp(name, "subpath") == 0) && *value(sbpl, node) != '/')
			complain(sbpl, "a path that is not absolute", value(sbpl, node));
		else
			value(sbpl, node);
	}
}

static void check_filter(struct sbpl *sbpl, struct node *filter)
{
	const char *name = head(filter);
	sbpl->rules++;
	if (strcmp(name, "with") == 0) {
		sbpl->rules--;
		const struct node *what = filter->first->next;
		if (!what || (strcmp(what->text, "no-log") != 0 && strcmp(what->text, "message") != 0))
			complain(sbpl, "an unknown modifier", what ? what->text : "");
		else if (strcmp(what->text, "message") == 0)
			value(sbpl, what->next);
		return;
	}
	if (!is_known(filters, name))
		return complain(sbpl, "an unknown filter", name);
	if (strncmp(name, "require-", 8) == 0) {
		for (struct node *node = filter->first->next; node; node = node->next)
			check_filter(sbpl, node);
	} else if (strcmp(name, "remote") == 0 || strcmp(name, "local") == 0) {
		check_address(sbpl, filter);
	} else if (strcmp(name, "target") != 0 && strcmp(name, "socket-domain") != 0) {
		check_values(sbpl, filter);
	}
}

static void check_rule(struct sbpl *sbpl, struct node *rule)
{
	const char *verb = head(rule);
	if (strcmp(verb, "version") == 0)
		return;
	if (strcmp(verb, "allow") != 0 && strcmp(verb, "deny") != 0)
		return complain(sbpl, "an unknown form", verb);
	bool filtered = false;
	size_t count = 0;
	sbpl->rules++;
	for (struct node *node = rule->first->next; node; node = node->next) {
		filtered |= node->kind == LIST;
		if (node->kind == LIST)
			check_filter(sbpl, node);
		else if (filtered || !is_known(operations, node->text))
			complain(sbpl, "an unknown operation", node->text);
		else
			count++;
	}
	if (count == 0)
		complain(sbpl, "a rule of no operation", verb);
}

struct sbpl *sbpl_read(const char *text, const char *const *parameters, char **ret_reason)
{
	struct sbpl *sbpl = calloc(1, sizeof(*sbpl));
	size_t count = 0;
	while (parameters[count])
		count++;
	if (!sbpl || !(sbpl->parameters = calloc(count + 1, sizeof(char *))))
		abort();
	for (size_t i = 0; i < count; i++)
		sbpl->parameters[i] = strdup(parameters[i]);
	struct node **last = &sbpl->forms;
	for (skip_blanks(&text); *text && !sbpl->reason; skip_blanks(&text)) {
		*last = read_node(sbpl, &text);
		check_rule(sbpl, *last);
		last = &(*last)->next;
	}
	if (strcmp(head(sbpl->forms), "version") != 0)
		complain(sbpl, "a profile without its version", "");
	if (!sbpl->reason)
		return sbpl;
	*ret_reason = strdup(sbpl->reason);
	sbpl_free(sbpl);
	return NULL;
}

static void node_free(struct node *node)
{
	while (node) {
		struct node *next = node->next;
		node_free(node->first);
		if (node->compiled)
			regfree(node->compiled);
		free(node->compiled);
		free(node->text);
		free(node);
		node = next;
	}
}

void sbpl_free(struct sbpl *sbpl)
{
	if (!sbpl)
		return;
	node_free(sbpl->forms);
	for (char **row = sbpl->parameters; *row; row++)
		free(*row);
	free(sbpl->parameters);
	free(sbpl->reason);
	free(sbpl);
}

static bool is_below(const char *path, const char *root)
{
	size_t length = strlen(root);
	if (!path)
		return false;
	if (length == 1)
		return true;
	return strncmp(path, root, length) == 0 && (path[length] == '/' || path[length] == '\0');
}

/* "*:443" against "example.org:443". */
static bool address_matches(const char *rule, const char *address)
{
	if (!address)
		return false;
	const char *rule_port = strrchr(rule, ':'), *port = strrchr(address, ':');
	if (strcmp(rule_port, ":*") != 0 && strcmp(rule_port, port) != 0)
		return false;
	return rule[0] == '*' || strncmp(address, "localhost:", 10) == 0;
}

static bool protocol_matches(const char *rule, const char *protocol)
{
	return protocol && (strcmp(rule, "ip") == 0 || strcmp(rule, protocol) == 0);
}

static bool extension_matches(const char *class, const struct sbpl_question *question)
{
	for (size_t i = 0; question->extensions && question->extensions[i]; i += 2)
		if (strcmp(question->extensions[i], class) == 0 && is_below(question->path, question->extensions[i + 1]))
			return true;
	return false;
}

static bool value_matches(struct sbpl *sbpl, const char *filter, const struct node *node,
			  const struct sbpl_question *question)
{
	const char *text = value(sbpl, node), *path = question->path, *name = question->name;
	if (strcmp(filter, "literal") == 0)
		return path && strcmp(path, text) == 0;
	if (strcmp(filter, "subpath") == 0)
		return is_below(path, text);
	if (strcmp(filter, "regex") == 0)
		return path && regexec(node->compiled, path, 0, NULL, 0) == 0;
	if (strcmp(filter, "global-name-regex") == 0)
		return name && regexec(node->compiled, name, 0, NULL, 0) == 0;
	if (strcmp(filter, "sysctl-name-prefix") == 0)
		return name && strncmp(name, text, strlen(text)) == 0;
	if (strcmp(filter, "extension") == 0)
		return extension_matches(text, question);
	return name && strcmp(name, text) == 0;
}

static bool matches(struct sbpl *sbpl, const struct node *filter, const struct sbpl_question *question)
{
	const char *name = head(filter);
	const struct node *first = filter->first->next;
	if (strcmp(name, "target") == 0)
		return !question->outside;
	if (strcmp(name, "socket-domain") == 0)
		return question->name && strcmp(first->text, question->name) == 0;
	if (strcmp(name, "remote") == 0 || strcmp(name, "local") == 0)
		return protocol_matches(first->text, question->protocol) &&
		       address_matches(value(sbpl, first->next), name[0] == 'r' ? question->remote : question->local);
	bool all = strcmp(name, "require-all") == 0, not = strcmp(name, "require-not") == 0;
	bool nested = all || not || strcmp(name, "require-any") == 0;
	for (const struct node *node = first; node; node = node->next) {
		bool one = nested ? matches(sbpl, node, question) : value_matches(sbpl, name, node, question);
		if (one != all)
			return one != not;
	}
	return all || not;
}

static bool is_operation(const char *rule, const char *operation)
{
	size_t length = strlen(rule);
	if (rule[length - 1] == '*')
		return strncmp(rule, operation, length - 1) == 0;
	return strcmp(rule, operation) == 0 || strcmp(rule, "default") == 0;
}

static bool rule_matches(struct sbpl *sbpl, const struct node *rule, const struct sbpl_question *question,
			 const char **ret_message)
{
	bool named = false, filtered = false, matched = false;
	*ret_message = NULL;
	for (const struct node *node = rule->first->next; node; node = node->next) {
		if (node->kind == WORD) {
			named |= is_operation(node->text, question->operation);
		} else if (strcmp(head(node), "with") == 0) {
			if (strcmp(node->first->next->text, "message") == 0)
				*ret_message = value(sbpl, node->first->next->next);
		} else {
			filtered = true;
			matched = matched || matches(sbpl, node, question);
		}
	}
	return named && (matched || !filtered);
}

struct sbpl_answer sbpl_ask(const struct sbpl *asked, const struct sbpl_question *question)
{
	struct sbpl *sbpl = (struct sbpl *)asked;
	struct sbpl_answer answer = { .allowed = true };
	const char *message;
	if (!is_known(operations, question->operation))
		abort();
	for (const struct node *rule = sbpl->forms; rule; rule = rule->next)
		if (strcmp(head(rule), "version") != 0 && rule_matches(sbpl, rule, question, &message))
			answer = (struct sbpl_answer){ strcmp(head(rule), "allow") == 0, message };
	return answer;
}

bool sbpl_allows(const struct sbpl *sbpl, const char *operation, const char *path)
{
	return sbpl_ask(sbpl, &(struct sbpl_question){ .operation = operation, .path = path }).allowed;
}

unsigned sbpl_rules(const struct sbpl *sbpl)
{
	return sbpl->rules;
}
