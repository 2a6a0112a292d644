/* plugins/seatbelt/compile.c - compiling profiles, and keeping what was compiled. */
#include "compile.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* The key is text, then each parameter's name and value, each ended by a NUL. */
struct kept {
	char *key;
	size_t key_bytes;
	void *data;
	size_t size;
	unsigned uses;
	unsigned long last;	/* when it was last asked for */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct kept rows[COMPILE_KEPT];
static unsigned long now;

static char *key_of(const struct profile *profile, size_t *ret_bytes)
{
	size_t bytes = strlen(profile->text) + 1;
	for (size_t i = 0; i < profile->parameter_count; i++)
		bytes += strlen(profile->parameters[i].name) + strlen(profile->parameters[i].value) + 2;
	char *key = malloc(bytes), *at = key;
	if (!key)
		return NULL;
	at = stpcpy(at, profile->text) + 1;
	for (size_t i = 0; i < profile->parameter_count; i++) {
		at = stpcpy(at, profile->parameters[i].name) + 1;
		at = stpcpy(at, profile->parameters[i].value) + 1;
	}
	*ret_bytes = bytes;
	return key;
}

/* The lock is held. */
static struct kept *find(const char *key, size_t bytes)
{
	for (size_t i = 0; i < COMPILE_KEPT; i++)
		if (rows[i].key && rows[i].key_bytes == bytes && memcmp(rows[i].key, key, bytes) == 0)
			return &rows[i];
	return NULL;
}

static bool recall(const char *key, size_t bytes, struct bytecode *ret_bytecode)
{
	pthread_mutex_lock(&lock);
	struct kept *row = find(key, bytes);
	if (row) {
		row->uses++;
		row->last = ++now;
		*ret_bytecode = (struct bytecode){ row->data, row->size, false };
	}
	pthread_mutex_unlock(&lock);
	return row != NULL;
}

/* The lock is held. A free row, or the one that was not asked for the longest; NULL when all are in use. */
static struct kept *make_room(void)
{
	struct kept *oldest = NULL;
	for (size_t i = 0; i < COMPILE_KEPT; i++) {
		if (!rows[i].key)
			return &rows[i];
		if (rows[i].uses == 0 && (!oldest || rows[i].last < oldest->last))
			oldest = &rows[i];
	}
	if (oldest) {
		free(oldest->key);
		free(oldest->data);
		*oldest = (struct kept){ 0 };
	}
	return oldest;
}

/* Takes the key and the data. Without room they belong to the caller's bytecode alone. */
static void keep(char *take_key, size_t bytes, void *take_data, size_t size, struct bytecode *ret_bytecode)
{
	pthread_mutex_lock(&lock);
	struct kept *row = find(take_key, bytes) ? NULL : make_room();
	if (row)
		*row = (struct kept){ take_key, bytes, take_data, size, 1, ++now };
	pthread_mutex_unlock(&lock);
	if (!row)
		free(take_key);
	*ret_bytecode = (struct bytecode){ take_data, size, true };
}

void compile_release(struct bytecode *bytecode)
{
	bool kept = false;
	pthread_mutex_lock(&lock);
	for (size_t i = 0; bytecode->data && i < COMPILE_KEPT; i++) {
		if (rows[i].data != bytecode->data)
			continue;
		rows[i].uses--;
		kept = true;
	}
	pthread_mutex_unlock(&lock);
	if (!kept)
		free((void *)bytecode->data);
	*bytecode = (struct bytecode){ 0 };
}

static int refuse(const struct pinfold_host *host, const struct calls *calls, char *why, struct pinfold_error *err)
{
	const char *subject = host->print(host, "%s (macOS build %s)", why ? why : "it gave no reason", calls->build);
	if (why)
		calls->free_error(why);
	return host->fail(err, PINFOLD_E_SANDBOX_DENIED, 0, "compile the profile", subject ? subject : "",
			  "report this with the profile that pinfold explain --arm seatbelt shows");
}

static void *set_parameters(const struct calls *calls, const struct profile *profile)
{
	void *parameters = calls->create_params();
	for (size_t i = 0; parameters && i < profile->parameter_count; i++) {
		if (calls->set_param(parameters, profile->parameters[i].name, profile->parameters[i].value) == 0)
			continue;
		calls->free_params(parameters);
		return NULL;
	}
	return parameters;
}

/* A copy of what the library compiled. */
static int make(const struct pinfold_host *host, const struct calls *calls, const struct profile *profile,
		void **ret_data, size_t *ret_size, struct pinfold_error *err)
{
	char *why = NULL;
	void *parameters = set_parameters(calls, profile);
	if (!parameters)
		return host->fail(err, PINFOLD_E_NO_MEMORY, 0, "give the profile its parameters", NULL, NULL);
	struct sandbox_profile *made = calls->compile(profile->text, parameters, &why);
	calls->free_params(parameters);
	if (!made)
		return refuse(host, calls, why, err);
	void *data = malloc(made->size ? made->size : 1);
	if (data)
		memcpy(data, made->data, made->size);
	*ret_data = data;
	*ret_size = made->size;
	calls->free_profile(made);
	return data ? 0 : host->fail(err, PINFOLD_E_NO_MEMORY, 0, "keep the compiled profile", NULL, NULL);
}

int compile(const struct pinfold_host *host, const struct calls *calls, const struct profile *profile,
	    struct bytecode *ret_bytecode, struct pinfold_error *err)
{
	size_t bytes, size = 0;
	void *data = NULL;
	char *key = key_of(profile, &bytes);
	if (!key)
		return host->fail(err, PINFOLD_E_NO_MEMORY, 0, "compile the profile", NULL, NULL);
	if (recall(key, bytes, ret_bytecode)) {
		free(key);
		return 0;
	}
	if (make(host, calls, profile, &data, &size, err) < 0) {
		free(key);
		return -1;
	}
	keep(key, bytes, data, size, ret_bytecode);
	return 0;
}
