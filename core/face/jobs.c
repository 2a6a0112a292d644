/* face/jobs.c - what still runs: the members of one run, and the runs of this machine that can be seen. */
#include "config.h"

#include "base/cleanup.h"
#include "base/fault.h"
#include "base/text.h"
#include "cage/processes.h"
#include "face/face.h"
#include "face/present.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static int look(struct process **ret_processes, size_t *ret_count, struct pinfold_error *err)
{
	if (processes_read(ret_processes, ret_count) == 0)
		return 0;
	return fault(err, PINFOLD_E_SYSTEM, errno, "look at the processes of this machine", "/proc",
		     "check that /proc is mounted");
}

/* --- members -------------------------------------------------------------------------------------- */
/* Of every run the supervisor is a child of ours, and an ancestor of all that the command started: of a pid
 * namespace it is the first process, and elsewhere what lost its parent comes to it. */
int pinfold_run_members(struct pinfold_run *run, int32_t *pids, size_t room, size_t *ret_count,
			struct pinfold_error *err)
{
	auto_free struct process *processes = NULL;
	size_t count = 0, found = 0;
	if (run->over || !run->child) {
		*ret_count = 0;
		return 0;
	}
	if (look(&processes, &count, err) < 0)
		return -1;
	processes_mark(processes, count, child_supervisor(run->child));
	for (size_t i = 0; i < count; i++) {
		if (!processes[i].below)
			continue;
		if (found < room)
			pids[found] = processes[i].pid;
		found++;
	}
	*ret_count = found;
	return 0;
}

/* --- jobs ----------------------------------------------------------------------------------------- */
/* One run: the oldest process that carries its mark is its command, or what is left of it. */
struct job {
	char run[NONCE_LETTERS + 1];
	const struct process *first;
	size_t processes;
};

static struct job *find_job(struct job *jobs, size_t count, const char *run)
{
	for (size_t i = 0; i < count; i++)
		if (streq(jobs[i].run, run))
			return &jobs[i];
	return NULL;
}

static int find_jobs(const struct process *processes, size_t count, struct job **ret_jobs, size_t *ret_count)
{
	struct job *jobs = calloc(count + 1, sizeof(*jobs));
	size_t found = 0;
	for (size_t i = 0; jobs && i < count; i++) {
		char run[NONCE_LETTERS + 1];
		if (!process_run(processes[i].pid, run, sizeof(run)))
			continue;
		struct job *job = find_job(jobs, found, run);
		if (!job)
			memcpy((job = &jobs[found++])->run, run, sizeof(run));
		job->processes++;
		if (!job->first || processes[i].ticks < job->first->ticks ||
		    (processes[i].ticks == job->first->ticks && processes[i].pid < job->first->pid))
			job->first = &processes[i];
	}
	*ret_jobs = jobs;
	*ret_count = found;
	return jobs ? 0 : -1;
}

static uint64_t seconds_of(const struct process *process)
{
	struct timespec now;
	long ticks = sysconf(_SC_CLK_TCK);
	clock_gettime(CLOCK_BOOTTIME, &now);
	uint64_t began = ticks > 0 ? process->ticks / (uint64_t)ticks : 0;
	return (uint64_t)now.tv_sec > began ? (uint64_t)now.tv_sec - began : 0;
}

/* The command's parent is the supervisor, and that one's the program that asked for the run. */
static pid_t owner_of(const struct process *processes, size_t count, const struct job *job)
{
	const struct process *supervisor = processes_find(processes, count, job->first->parent);
	return supervisor ? supervisor->parent : 0;
}

static struct document job_facts(const struct process *processes, size_t count, const struct job *job)
{
	struct document facts = document_object();
	pid_t owner = owner_of(processes, count, job);
	auto_free char *command = process_command(job->first->pid), *directory = process_directory(job->first->pid);
	auto_free char *program = owner > 0 ? process_command(owner) : NULL;
	document_put(&facts, "run", document_text(job->run));
	document_put(&facts, "pid", document_number((uint64_t)job->first->pid));
	document_put(&facts, "processes", document_number(job->processes));
	document_put(&facts, "seconds", document_number(seconds_of(job->first)));
	document_put(&facts, "directory", document_text(directory));
	document_put(&facts, "command", document_text(command));
	document_put(&facts, "owner", owner > 0 ? document_number((uint64_t)owner) : json_null());
	document_put(&facts, "owner_command", document_text(program));
	return facts;
}

static void add_number(struct table *table, const json_t *job, const char *member, const char *unit)
{
	char cell[48];
	snprintf(cell, sizeof(cell), "%lld%s", (long long)json_integer_value(json_object_get(job, member)), unit);
	table_add(table, PAINT_PLAIN, cell);
}

static void render(struct text *text, const json_t *facts, bool colour)
{
	static const char *const heads[] = { "pid", "processes", "since", "asked by", "directory", "command" };
	const json_t *jobs = json_object_get(facts, "jobs");
	struct table table = { .columns = N_ELEMENTS(heads) };
	struct text room = { 0 };
	size_t index;
	json_t *job;
	if (json_array_size(jobs) == 0) {
		text_add(text, "nothing runs\n");
		return;
	}
	for (size_t i = 0; i < table.columns; i++)
		table_add(&table, PAINT_FAINT, heads[i]);
	json_array_foreach(jobs, index, job) {
		add_number(&table, job, "pid", "");
		add_number(&table, job, "processes", "");
		add_number(&table, job, "seconds", " s");
		add_number(&table, job, "owner", "");
		table_add(&table, PAINT_PLACE, present_member(&room, job, "directory"));
		table_add(&table, PAINT_STRONG, present_member(&room, job, "command"));
	}
	table_draw(&table, colour, text);
	table_release(&table);
	text_release(&room);
}

int pinfold_describe_jobs(struct pinfold *pinfold, uint32_t form, char **ret_document,
			  struct pinfold_error *err)
{
	auto_free struct process *processes = NULL;
	auto_free struct job *jobs = NULL;
	size_t count = 0, found = 0;
	(void)pinfold;
	if (look(&processes, &count, err) < 0)
		return -1;
	if (find_jobs(processes, count, &jobs, &found) < 0)
		return fault_no_memory(err);
	struct document facts = document_object(), list = document_list();
	for (size_t i = 0; i < found; i++) {
		struct document job = job_facts(processes, count, &jobs[i]);
		document_add_document(&list, &job);
	}
	document_put_document(&facts, "jobs", &list);
	return present(&facts, form, render, ret_document, err);
}
