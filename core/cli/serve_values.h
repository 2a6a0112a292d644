/* cli/serve_values.h - what the members of a request may be. Each fails with an error that names the member. */
#ifndef CLI_SERVE_VALUES_H
#define CLI_SERVE_VALUES_H

#include "serve_order.h"

/* Fills the error and returns -1. */
int value_refuse(struct pinfold_error *err, const char *member, const char *recovery);
/* The array is to be freed, its strings are the value's; what was in its place is freed. */
int value_texts(const json_t *value, const char *name, const char ***ret_texts, struct pinfold_error *err);
int value_text(const json_t *value, const char *name, const char **ret_text, struct pinfold_error *err);
int value_flag(const json_t *value, const char *name, bool *ret_flag, struct pinfold_error *err);
int value_number(const json_t *value, const char *name, uint64_t most, uint64_t *ret_number,
		 struct pinfold_error *err);
int value_where(const char *where, uint32_t *ret_where, struct pinfold_error *err);
int value_signal(const json_t *value, int *ret_number, struct pinfold_error *err);
/* One of `inherited`. */
int value_descriptor(const json_t *value, const char *name, const int *inherited, int *ret_descriptor,
		     struct pinfold_error *err);
/* Standard input, output, error are the numbers 0, 1, 2. */
int value_stream(const json_t *value, int number, const int *inherited, struct stream_order *stream,
		 struct pinfold_error *err);

#endif
