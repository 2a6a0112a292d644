/* macos/group.c - the system has ceilings for each process, and none for several of them together. */
#include "config.h"

#include "cgroup/group.h"

#include <stdio.h>

int group_refuse(struct group_refusal *refusal, const char *why, const char *lift)
{
	snprintf(refusal->why, sizeof(refusal->why), "%s", why);
	snprintf(refusal->lift, sizeof(refusal->lift), "%s", lift);
	return -1;
}

static int refuse(struct group_refusal *refusal)
{
	return group_refuse(refusal, "macOS has no ceilings on what several processes use together",
			    "leave out [limits] memory, tasks and processors, or run it on Linux");
}

int group_make(const struct policy_ceilings *ceilings, struct group **ret_group, struct group_refusal *refusal)
{
	(void)ceilings;
	(void)ret_group;
	return refuse(refusal);
}

int group_foresee(const struct policy_ceilings *ceilings, struct group_refusal *refusal)
{
	(void)ceilings;
	return refuse(refusal);
}

int group_try(bool step_aside, struct group_refusal *refusal)
{
	(void)step_aside;
	return refuse(refusal);
}

int group_entry(const struct group *group)
{
	(void)group;
	return 0;
}

int group_places(struct list *ret_points)
{
	(void)ret_points;
	return 0;
}

void group_read(struct group *group, struct group_hits *ret_hits)
{
	(void)group;
	if (ret_hits)
		*ret_hits = (struct group_hits){ 0 };
}

void group_free(struct group *group)
{
	(void)group;
}

void group_abandon(struct group *group)
{
	(void)group;
}
