/* policy/model.c - what a resolved policy decides. Pure: it looks at nothing but what it is given. */
#include "policy/model.h"

#include "base/path.h"
#include "base/text.h"

#define KIND(name) (1u << PINFOLD_PATH_##name)
#define OPENING (KIND(WRITE) | KIND(LAYER) | KIND(READ) | KIND(SOCKET))

static bool covers(const struct pinfold_path *rule, const char *path)
{
	return rule->match == PINFOLD_MATCH_LITERAL ? streq(rule->path, path) : path_is_within(path, rule->path);
}

static bool is_longer(const struct pinfold_path *rule, const struct pinfold_path *found)
{
	return !found || strlen(rule->path) > strlen(found->path);
}

/* Of these kinds the rule with the longest path that covers this one; the hard ones alone, or all. */
static const struct pinfold_path *longest(const struct model *model, uint32_t kinds, bool hard, const char *path)
{
	const struct pinfold_path *found = NULL;
	for (size_t i = 0; i < model->policy->path_count; i++) {
		const struct pinfold_path *rule = &model->policy->paths[i];
		if (kinds >> rule->kind & 1 && rule->hard >= hard && covers(rule, path) && is_longer(rule, found))
			found = rule;
	}
	return found;
}

static bool has_any(const struct model *model, uint32_t kind)
{
	for (size_t i = 0; i < model->policy->path_count; i++)
		if (model->policy->paths[i].kind == kind)
			return true;
	return false;
}

static struct model_decision decided(enum model_answer answer, const struct pinfold_path *rule, const char *why)
{
	return (struct model_decision){ answer, rule, why };
}

static bool is_in_tree(const struct model *model, const char *path)
{
	return model->tree && path_is_within(path, model->tree);
}

/* The directory of the command's own that a path is in, unless a rule or the tree brings something of the host's
 * back into it. */
static bool is_own(const struct model *model, const char *path)
{
	for (const char *const *own = model->own; own && *own; own++) {
		if (!path_is_within(path, *own))
			continue;
		const struct pinfold_path *rule = longest(model, OPENING, false, path);
		bool back = rule && path_is_within(rule->path, *own) && strlen(rule->path) > strlen(*own);
		bool tree = is_in_tree(model, path) && path_is_within(model->tree, *own);
		if (!back && !tree)
			return true;
	}
	return false;
}

static struct model_decision decide_reading(const struct model *model, const char *path)
{
	if (!has_any(model, PINFOLD_PATH_READ))
		return decided(MODEL_ALLOWED, NULL, "everything can be read that is not hidden");
	if (is_in_tree(model, path))
		return decided(MODEL_ALLOWED, NULL, "it is in the working tree");
	const struct pinfold_path *rule = longest(model, OPENING, false, path);
	if (rule)
		return decided(MODEL_ALLOWED, rule, "it is readable, or what may be written or connected to");
	return decided(MODEL_DENIED, NULL, "it is under none of the readable paths");
}

static struct model_decision decide_writing(const struct model *model, const char *path)
{
	const struct pinfold_path *rule = longest(model, KIND(PROTECT), true, path);
	if (!rule)
		rule = longest(model, KIND(PROTECT), false, path);
	if (rule)
		return decided(MODEL_DENIED, rule, "it is protected");
	if (is_in_tree(model, path))
		return decided(MODEL_ALLOWED, NULL, "it is in the working tree");
	rule = longest(model, KIND(WRITE) | KIND(LAYER), false, path);
	if (rule)
		return decided(MODEL_ALLOWED, rule, "it may be written");
	return model->policy->machine ? decided(MODEL_ALLOWED, NULL, "the whole machine lies below layers")
				      : decided(MODEL_DENIED, NULL, "nothing lets it be written");
}

/* Where something may be written, only what is below a path that says so is the command's to replace. */
static bool is_edge(const struct model *model, const char *path)
{
	bool edge = is_in_tree(model, path);
	if (edge && !streq(model->tree, path))
		return false;
	for (size_t i = 0; i < model->policy->path_count; i++) {
		const struct pinfold_path *rule = &model->policy->paths[i];
		bool lets = (KIND(WRITE) | KIND(LAYER)) >> rule->kind & 1;
		if (!lets || !covers(rule, path))
			continue;
		if (!streq(rule->path, path))
			return false;
		edge = true;
	}
	return edge;
}

static struct model_decision decide_replacing(const struct model *model, const char *path)
{
	struct model_decision written = decide_writing(model, path);
	if (written.answer != MODEL_ALLOWED)
		return written;
	for (size_t i = 0; i < model->policy->path_count; i++) {
		const struct pinfold_path *rule = &model->policy->paths[i];
		if (rule->kind == PINFOLD_PATH_PROTECT && path_is_within(rule->path, path))
			return decided(MODEL_DENIED, rule, "it holds what is protected");
	}
	if (is_edge(model, path))
		return decided(MODEL_DENIED, written.rule, "what lies in it may be written, not it itself");
	return written;
}

static struct model_decision decide_executing(const struct model *model, const char *path)
{
	struct model_decision readable = decide_reading(model, path);
	if (readable.answer != MODEL_ALLOWED || !has_any(model, PINFOLD_PATH_EXECUTE))
		return readable;
	const struct pinfold_path *rule = longest(model, KIND(EXECUTE), false, path);
	return rule ? decided(MODEL_ALLOWED, rule, "it is executable")
		    : decided(MODEL_DENIED, NULL, "it is under none of the executable paths");
}

static struct model_decision decide_connecting(const struct model *model, const char *path)
{
	const struct pinfold_path *rule = longest(model, KIND(SOCKET), false, path);
	return rule ? decided(MODEL_ALLOWED, rule, "it is among the sockets")
		    : decided(MODEL_DENIED, NULL, "it is not among the sockets");
}

struct model_decision model_decide(const struct model *model, enum model_operation operation, const char *path)
{
	static struct model_decision (*const deciders[])(const struct model *, const char *) = {
		[MODEL_READ] = decide_reading,	     [MODEL_WRITE] = decide_writing,
		[MODEL_REPLACE] = decide_replacing,  [MODEL_EXECUTE] = decide_executing,
		[MODEL_CONNECT] = decide_connecting,
	};
	if (is_own(model, path))
		return decided(MODEL_OWN, NULL, "it is the command's own");
	const struct pinfold_path *rule = longest(model, KIND(HIDE), true, path);
	if (!rule)
		rule = longest(model, KIND(HIDE), false, path);
	if (rule)
		return decided(MODEL_DENIED, rule, "it is hidden");
	return deciders[operation](model, path);
}
