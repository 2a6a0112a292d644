/* plugins/common/filter/tell.c - the filter's refusals for whoever tells of them. */
#include "config.h"

#include "refused.h"
#include "library.h"

#include <errno.h>
#include <sys/socket.h>

/* What this processor does not have has no number. */
static void tell_one(const struct named_call *named, const char *lift, struct pinfold_told_call *told, size_t *count)
{
	if (named->call >= 0)
		told[(*count)++] = (struct pinfold_told_call){
			.size = sizeof(*told), .number = named->call, .name = named->name, .lift = lift,
		};
}

static void tell_condition(const struct told_condition *row, struct pinfold_told_call *told, size_t *count)
{
	if (row->condition.call >= 0)
		told[(*count)++] = (struct pinfold_told_call){
			.size = sizeof(*told), .number = row->condition.call, .name = row->name, .lift = row->lift,
			.error = (uint32_t)row->condition.error, .argument = row->condition.argument,
			.mask = (uint32_t)row->condition.mask, .value = (uint32_t)row->condition.value,
		};
}

static void tell_namespaces(const char *lift, struct pinfold_told_call *told, size_t *count)
{
	for (size_t i = 0; i < new_namespace_count; i++) {
		const struct new_namespace *new = &new_namespaces[i];
		const struct told_condition rows[] = {
			{ 0, { SCMP_SYS(unshare), EPERM, 0, new->flag, new->flag }, new->unshared, lift },
			{ 0, { SCMP_SYS(clone), EPERM, CLONE_FLAGS_ARGUMENT, new->flag, new->flag }, new->cloned, lift },
		};
		tell_condition(&rows[0], told, count);
		if (new->flag > 0xff)
			tell_condition(&rows[1], told, count);
	}
}

static void tell_not_streams(struct pinfold_told_call *told, size_t *count)
{
	for (size_t i = 0; i < 2 * not_stream_count; i++) {
		const struct not_stream *other = &not_streams[i / 2];
		told[(*count)++] = (struct pinfold_told_call){
			.size = sizeof(*told), .number = SCMP_SYS(socket), .name = i % 2 ? other->six : other->four,
			.lift = "set [network] mode = host", .error = EPROTONOSUPPORT, .mask = 0xffffffff,
			.value = i % 2 ? AF_INET6 : AF_INET, .other_argument = 1, .other_mask = 0xf, .other_value = other->kind,
		};
	}
}

int filter_tell(const struct pinfold_host *host, const struct filter_wants *wants,
		const struct pinfold_told_call **ret_told, size_t *ret_count, struct pinfold_error *err)
{
	static const char *const lifts[] = {
#define CALL_LIFT(NAME, name, what) "set [kernel] allow = " name,
		PINFOLD_CALLS(CALL_LIFT)
#undef CALL_LIFT
	};
	const size_t most = refused_call_count + class_call_count + told_condition_count +
			    2 * new_namespace_count +
			    2 * not_stream_count;
	uint64_t classes = filter_refuses(wants);
	size_t count = 0;
	struct pinfold_told_call *told = host->allocate(host, most * sizeof(*told));
	if (!told)
		return host->fail(err, PINFOLD_E_NO_MEMORY, ENOMEM, "list what is refused", NULL,
				  "free memory on this machine and try again");
	for (size_t i = 0; i < refused_call_count; i++)
		tell_one(&refused_calls[i], NO_LIFT, told, &count);
	for (size_t i = 0; i < class_call_count; i++)
		if (classes >> class_calls[i].class & 1)
			tell_one(&class_calls[i].named, lifts[class_calls[i].class], told, &count);
	for (size_t i = 0; i < told_condition_count; i++)
		if (told_condition_applies(&told_conditions[i], wants->parts))
			tell_condition(&told_conditions[i], told, &count);
	if (classes & FILTER_CLASS(NAMESPACES))
		tell_namespaces(lifts[PINFOLD_CALL_NAMESPACES], told, &count);
	if (wants->parts & FILTER_TCP_ONLY)
		tell_not_streams(told, &count);
	*ret_told = told;
	*ret_count = count;
	return 0;
}
