/* tests/seatbelt_mac.c - one run of the arm on the fake of a Mac, step by step. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "seatbelt_mac.h"

#include "sbpl.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

void mac_reset(struct mac *mac)
{
	struct fake *fake = mac->fake;
	memset(fake, 0, sizeof(*fake));
	mac->policy.path_count = mac->policy.grant_count = 0;
}

void mac_fail(struct mac *mac, const char *name)
{
	snprintf(mac->fake->fail_name, sizeof(mac->fake->fail_name), "%s", name);
}

static void begin(struct mac *mac)
{
	mac->policy = (struct pinfold_policy){ .size = sizeof(mac->policy), .paths = mac->paths,
					       .grants = mac->grants };
	mac->shown = (struct pinfold_shown){ .size = sizeof(mac->shown), .tree = mac->place, .source = mac->source,
					     .temporary = mac->temporary, .directory = mac->place };
	test_host_open(&mac->host);
}

int mac_setup(void **state)
{
	struct mac *mac = calloc(1, sizeof(*mac));
	void *library = dlopen(TEST_BUILD "/tests/fakes/.libs/mac.so", RTLD_NOW | RTLD_LOCAL);
	assert_non_null(library);
	fake_state_function *fake_state = NULL;
	void *found = dlsym(library, "fake_state");
	memcpy(&fake_state, &found, sizeof(found));
	mac->fake = fake_state();
	snprintf(mac->place, sizeof(mac->place), "%s/mac.XXXXXX", getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp");
	assert_non_null(mkdtemp(mac->place));
	char *real = realpath(mac->place, NULL);
	snprintf(mac->place, sizeof(mac->place), "%s", real);
	free(real);
	snprintf(mac->source, sizeof(mac->source), "%s.source", mac->place);
	snprintf(mac->temporary, sizeof(mac->temporary), "%s.temporary", mac->place);
	snprintf(mac->granted, sizeof(mac->granted), "%s.granted", mac->place);
	assert_int_equal(mkdir(mac->granted, 0700), 0);
	assert_int_equal(mkdir(mac->source, 0700), 0);
	assert_int_equal(mkdir(mac->temporary, 0700), 0);
	begin(mac);
	mac_reset(mac);
	*state = mac;
	return 0;
}

void mac_open_beside(struct mac *mac, const struct mac *other)
{
	memset(mac, 0, sizeof(*mac));
	mac->fake = other->fake;
	mac->beside = true;
	snprintf(mac->place, sizeof(mac->place), "%s", other->place);
	snprintf(mac->source, sizeof(mac->source), "%s", other->source);
	snprintf(mac->temporary, sizeof(mac->temporary), "%s", other->temporary);
	begin(mac);
}

void mac_close(struct mac *mac)
{
	mac_end(mac);
	test_host_close(&mac->host);
	if (mac->beside)
		return;
	unlink(mac->script);
	unlink(mac->fake->journal);
	rmdir(mac->place);
	rmdir(mac->source);
	rmdir(mac->granted);
	rmdir(mac->temporary);
}

int mac_teardown(void **state)
{
	mac_close(*state);
	free(*state);
	return 0;
}

struct pinfold_offer mac_probe(struct mac *mac)
{
	struct pinfold_offer offer = { .size = sizeof(offer) };
	struct pinfold_error err = { 0 };
	assert_int_equal(seatbelt_arm.probe(&mac->host.table, &offer, &err), 0);
	return offer;
}

struct pinfold_path *mac_path(struct mac *mac, uint32_t kind, const char *path)
{
	struct stat now = { 0 };
	struct pinfold_path *row = &mac->paths[mac->policy.path_count++];
	lstat(path, &now);
	*row = (struct pinfold_path){ .size = sizeof(*row), .kind = kind, .path = path, .device = now.st_dev,
				      .inode = now.st_ino, .mode = now.st_mode };
	return row;
}

void mac_grant(struct mac *mac, const char *name, const char *path)
{
	struct stat now;
	assert_int_equal(lstat(path, &now), 0);
	mac->grants[0] = (struct pinfold_grant){ .size = sizeof(mac->grants[0]), .kind = PINFOLD_GRANT_WRITE,
						 .name = name, .path = path, .device = now.st_dev,
						 .inode = now.st_ino };
	mac->policy.grant_count = 1;
	mac->policy.path_count = 0;
	mac_path(mac, PINFOLD_PATH_WRITE, path);
}

int mac_prepare(struct mac *mac, struct pinfold_error *err)
{
	mac->plan = (struct pinfold_plan){ .size = sizeof(mac->plan), .host = &mac->host.table };
	return seatbelt_arm.prepare(&mac->host.table, &mac->policy, &mac->shown, &mac->plan, err);
}

/* What the child found. */
struct word {
	uint32_t stage;
	int sys, confined;
};

static struct word go_steps(struct mac *mac)
{
	static const uint32_t stages[] = { PINFOLD_STAGE_APPLY, PINFOLD_STAGE_VERIFY, PINFOLD_STAGE_CONSUME };
	for (size_t i = 0; i < 3; i++) {
		int result = seatbelt_arm.enter(&mac->plan, stages[i]);
		if (result < 0)
			return (struct word){ stages[i], -result, 0 };
	}
	return (struct word){ 0, 0, 0 };
}

static bool is_confined(struct mac *mac, pid_t process)
{
	for (size_t i = 0; i < FAKE_PROCESSES; i++)
		if (mac->fake->processes[i].pid == process)
			return true;
	return false;
}

int mac_child(struct mac *mac, uint32_t *ret_stage)
{
	int ends[2];
	struct word word = { 0, EIO, 0 };
	assert_int_equal(pipe(ends), 0);
	pid_t child = fork();
	if (child == 0) {
		word = go_steps(mac);
		word.confined = is_confined(mac, getpid());
		_exit(write(ends[1], &word, sizeof(word)) != sizeof(word));
	}
	close(ends[1]);
	assert_int_equal(read(ends[0], &word, sizeof(word)), sizeof(word));
	close(ends[0]);
	waitpid(child, NULL, 0);
	for (size_t i = 0; i < FAKE_PROCESSES; i++)
		if (mac->fake->processes[i].pid == child)
			mac->fake->processes[i].pid = 0;
	mac->confined = word.confined;
	if (ret_stage)
		*ret_stage = word.stage;
	return word.sys;
}

static bool judge(struct mac *mac, const char *operation, const char *path)
{
	const char *rows[512] = { NULL }, *tokens[3] = { NULL };
	size_t count = 0;
	char *reason = NULL;
	for (size_t i = 0; i < FAKE_PROCESSES; i++) {
		const struct fake_process *process = &mac->fake->processes[i];
		if (process->pid != getpid())
			continue;
		const char *text = mac->fake->store + process->profile, *end = text + process->bytes;
		for (const char *at = text + strlen(text) + 1; at < end; at += strlen(at) + 1)
			rows[count++] = at;
		if (process->token_count) {
			tokens[0] = mac->fake->store + process->tokens[0];
			tokens[1] = tokens[0] + strlen(tokens[0]) + 1;
		}
		struct sbpl *sbpl = sbpl_read(text, rows, &reason);
		return sbpl && sbpl_ask(sbpl, &(struct sbpl_question){
			.operation = operation, .path = path, .extensions = tokens }).allowed;
	}
	return true;
}

bool mac_child_allows(struct mac *mac, const char *operation, const char *path, const char *below)
{
	int status;
	pid_t child = fork();
	if (child == 0) {
		char whole[1024];
		snprintf(whole, sizeof(whole), "%s%s", path, below);
		struct word word = go_steps(mac);
		_exit(word.sys ? 2 : !judge(mac, operation, whole));
	}
	waitpid(child, &status, 0);
	for (size_t i = 0; i < FAKE_PROCESSES; i++)
		if (mac->fake->processes[i].pid == child)
			mac->fake->processes[i].pid = 0;
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) < 2);
	return WEXITSTATUS(status) == 0;
}

void mac_refused_in_child(struct mac *mac)
{
	int status;
	pid_t child = fork();
	if (child == 0) {
		struct word word = go_steps(mac);
		_exit(word.sys ? 2 : calls_get()->signal_process(getppid(), 0) == 0);
	}
	waitpid(child, &status, 0);
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

pid_t mac_escape(struct mac *mac)
{
	int ends[2];
	pid_t escaped = -1;
	assert_int_equal(pipe(ends), 0);
	pid_t child = fork();
	if (child == 0) {
		struct word word = go_steps(mac);
		pid_t stray = word.sys ? -1 : calls_get()->fork_process();
		if (stray != 0)
			_exit(write(ends[1], &stray, sizeof(stray)) != sizeof(stray));
		setsid();
		close(ends[0]);
		close(ends[1]);
		sleep(60);
		_exit(0);
	}
	close(ends[1]);
	assert_int_equal(read(ends[0], &escaped, sizeof(escaped)), sizeof(escaped));
	close(ends[0]);
	waitpid(child, NULL, 0);
	for (size_t i = 0; i < FAKE_PROCESSES; i++)
		if (mac->fake->processes[i].pid == child)
			mac->fake->processes[i].pid = 0;
	assert_true(escaped > 0);
	for (int i = 0; i < 200 && !is_confined(mac, escaped); i++)
		usleep(5000);
	assert_true(is_confined(mac, escaped));
	return escaped;
}

static bool is_zombie(pid_t process)
{
	char path[64], text[256] = "";
	snprintf(path, sizeof(path), "/proc/%d/stat", process);
	int fd = open(path, O_RDONLY);
	ssize_t got = fd < 0 ? 0 : read(fd, text, sizeof(text) - 1);
	if (fd >= 0)
		close(fd);
	return got > 0 && strstr(text, ") Z ") != NULL;
}

void mac_must_end(pid_t process)
{
	for (int i = 0; i < 6000 && kill(process, 0) == 0 && !is_zombie(process); i++)
		usleep(5000);
	assert_true(kill(process, 0) < 0 || is_zombie(process));
}

void mac_journal(struct mac *mac, const char *script)
{
	snprintf(mac->fake->journal, sizeof(mac->fake->journal), "%s.journal", mac->place);
	close(open(mac->fake->journal, O_CREAT | O_WRONLY | O_TRUNC, 0600));
	snprintf(mac->script, sizeof(mac->script), "%s.script", mac->place);
	FILE *file = fopen(mac->script, "w");
	assert_non_null(file);
	fputs("#!/bin/sh\n", file);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
	fprintf(file, script, mac->fake->journal);
#pragma GCC diagnostic pop
	fputs("\n", file);
	fclose(file);
	assert_int_equal(chmod(mac->script, 0755), 0);
	denials_from(mac->script, 600);
}

void mac_end(struct mac *mac)
{
	struct pinfold_error err = { 0 };
	seatbelt_arm.settle(&mac->host.table, &mac->plan, &err);
	seatbelt_arm.release(&mac->host.table, &mac->plan);
	mac->plan.state = NULL;
}
