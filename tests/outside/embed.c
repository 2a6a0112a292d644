/* tests/outside/embed.c - a program that runs commands through libpinfold: embed TREE.
 *
 * One handle, one cage, three commands side by side; their receipts go to standard output, a JSON object
 * each. Build it with `cc embed.c $(pkg-config --cflags --libs pinfold)`.
 */
#include <pinfold/pinfold.h>
#include <stdio.h>
#include <stdlib.h>

enum { RUNS = 3 };

/* The library neither prints nor exits: that is for the program to decide. */
static void give_up(const struct pinfold_error *err)
{
	char *text = pinfold_error_text(err);
	fputs(text ? text : "memory is gone\n", stderr);
	free(text);
	exit(pinfold_exit_code(err));
}

static struct pinfold_run *start(struct pinfold_cage *cage, int number)
{
	char code[16];
	snprintf(code, sizeof(code), "%d", number);
	const char *const argv[] = { "sh", "-c", "echo changed >file && exit $0", code, NULL };
	const struct pinfold_command command = {
		.size = sizeof(command), .argv = argv, .streams = { -1, -1, -1 },
	};
	struct pinfold_error err = { 0 };
	struct pinfold_run *run;
	if (pinfold_cage_start(cage, &command, &run, &err) < 0)
		give_up(&err);
	return run;
}

static void finish(struct pinfold_run *run, int number)
{
	struct pinfold_result result = { .size = sizeof(result) };
	struct pinfold_error err = { 0 };
	uint32_t state;
	char *receipt;
	if (pinfold_run_wait(run, -1, &state, &err) < 0 || pinfold_run_result(run, &result, &err) < 0 ||
	    pinfold_run_receipt(run, &receipt, &err) < 0)
		give_up(&err);
	puts(receipt);
	free(receipt);
	pinfold_run_free(run);
	if (result.exit_code != (uint32_t)number) {
		fprintf(stderr, "embed: exit code %u in place of %d\n", result.exit_code, number);
		exit(EXIT_FAILURE);
	}
}

int main(int argc, char **argv)
{
	static const char *const settings[] = { "network.mode=none", "limits.timeout=60s", NULL };
	const struct pinfold_cage_order order = {
		.size = sizeof(order), .settings = settings, .directory = argc > 1 ? argv[1] : ".",
	};
	struct pinfold_options options = { .size = sizeof(options) };
	struct pinfold_error err = { 0 };
	struct pinfold_run *runs[RUNS];
	struct pinfold_cage *cage;
	struct pinfold *pinfold;
	if (pinfold_new(&options, &pinfold, &err) < 0 || pinfold_cage_open(pinfold, &order, &cage, &err) < 0)
		give_up(&err);
	for (int i = 0; i < RUNS; i++)
		runs[i] = start(cage, i + 1);
	for (int i = 0; i < RUNS; i++)
		finish(runs[i], i + 1);
	pinfold_cage_close(cage);
	pinfold_free(pinfold);
	return 0;
}
