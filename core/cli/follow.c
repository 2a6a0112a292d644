/* cli/follow.c - a running command is followed to its end: signals, job control, time limit. */
#include "config.h"

#include "follow.h"
#include "signals.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>

/* A terminal of the command's own tells of its size itself. */
static void hand_on_signals(struct pinfold_run *run, const struct relay *relay)
{
	for (int signal_number; (signal_number = signals_next()) != 0;) {
		if (signal_number == SIGWINCH && relay->other >= 0)
			relay_size(relay);
		else
			pinfold_run_signal(run, signal_number);
	}
}

static void go_on(struct pinfold_run *run, const struct terminal *terminal)
{
	if (terminal_is_ours(terminal))
		pinfold_run_foreground(run);
	else
		pinfold_run_signal(run, SIGCONT);
}

/* The command has stopped. One that only wanted the terminal gets it, where we have it to give;
 * otherwise whoever started us must see us stop, as if we were the command. */
static void stop_with(struct pinfold_run *run, const struct terminal *terminal, struct relay *relay,
		      int signal_number)
{
	if (terminal->fd < 0)
		return;
	relay_move(relay);
	relay_pause(relay);
	bool had_it = terminal_is_ours(terminal);
	pinfold_run_background(run);
	bool wanted = signal_number == SIGTTIN || signal_number == SIGTTOU;
	if (!(wanted && had_it))
		signals_stop_group(signal_number);
	relay_resume(relay);
	go_on(run, terminal);
}

static int wait_for_news(struct pinfold_run *run, struct relay *relay, struct pinfold_error *err)
{
	int most, deadline = pinfold_run_deadline(run);
	struct pollfd on[2 + RELAY_POLLS] = {
		{ .fd = pinfold_run_descriptor(run), .events = POLLIN },
		{ .fd = signals_descriptor(), .events = POLLIN },
	};
	relay_wanted(relay, on + 2, &most);
	if (most < 0 || (deadline >= 0 && deadline < most))
		most = deadline;
	int ready = poll(on, 2 + RELAY_POLLS, most);
	if (ready > 0 && (on[2].revents || on[3].revents))
		relay_move(relay);
	if (ready < 0 && errno != EINTR)
		return pinfold_fail(err, PINFOLD_E_SYSTEM, errno, "wait for the command",
				    "its descriptors cannot be polled",
				    "free memory on this machine and try again");
	return 0;
}

int follow(struct pinfold_run *run, const struct terminal *terminal, struct relay *relay,
	   struct pinfold_error *err)
{
	for (;;) {
		uint32_t state;
		int signal_number = 0;
		if (pinfold_run_poll(run, &state, &signal_number, err) < 0)
			return -1;
		if (state == PINFOLD_OVER)
			break;
		if (state == PINFOLD_STOPPED)
			stop_with(run, terminal, relay, signal_number);
		hand_on_signals(run, relay);
		if (wait_for_news(run, relay, err) < 0)
			return -1;
	}
	pinfold_run_background(run);
	return 0;
}
