/* cli/relay.c - between the caller's terminal and the one of the command's own. Neither end may block: signals and
 * the time limit are waited for beside them. */
#include "config.h"

#include "relay.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum {
	BEHIND_MILLISECONDS = 200,	/* no event tells that a shell has brought us to the front */
	LAST_MILLISECONDS = 2000	/* how long a terminal that takes nothing is waited for at the end */
};

static void ignore_in_guard(void)
{
	static const int numbers[] = { SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP, SIGTTIN, SIGTTOU, SIGPIPE };
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		signal(numbers[i], SIG_IGN);
}

/* A shell that has the terminal back may have other modes there by now. */
static bool is_still(int fd, const struct termios *modes)
{
	struct termios now;
	return tcgetattr(fd, &now) == 0 && now.c_iflag == modes->c_iflag && now.c_oflag == modes->c_oflag &&
	       now.c_cflag == modes->c_cflag && now.c_lflag == modes->c_lflag;
}

/* Whatever becomes of us, the terminal must not stay raw: a process in a session of its own, which no kill of our
 * group reaches, waits for our end. A byte tells it that we have done it ourselves. */
_Noreturn static void be_guard(const struct terminal *terminal, const struct termios *raw, int from)
{
	char done;
	ssize_t got;
	ignore_in_guard();
	setsid();
	if (dup2(from, STDIN_FILENO) < 0 || dup2(terminal->fd, STDOUT_FILENO) < 0 ||
	    dup2(terminal->fd, STDERR_FILENO) < 0)
		_exit(1);
	for (int fd = STDERR_FILENO + 1; fd < 1024; fd++)
		close(fd);
	do
		got = read(STDIN_FILENO, &done, 1);
	while (got < 0 && errno == EINTR);
	if (got == 0 && is_still(STDOUT_FILENO, raw))
		tcsetattr(STDOUT_FILENO, TCSANOW, &terminal->modes);
	_exit(0);
}

static int start_guard(const struct terminal *terminal, const struct termios *raw)
{
	int ends[2];
	if (pipe(ends) < 0)
		return -1;
	fcntl(ends[1], F_SETFD, FD_CLOEXEC);
	pid_t pid = fork();
	if (pid == 0) {
		close(ends[1]);
		be_guard(terminal, raw, ends[0]);
	}
	close(ends[0]);
	if (pid > 0)
		return ends[1];
	close(ends[1]);
	return -1;
}

static void end_guard(struct relay *relay)
{
	if (relay->guard < 0)
		return;
	ssize_t told = write(relay->guard, "", 1);
	(void)told;
	close(relay->guard);
	relay->guard = -1;
}

/* Without a guard the terminal stays as it is: what is typed is then edited and echoed twice, and a kill leaves
 * nothing behind. */
void relay_resume(struct relay *relay)
{
	const struct terminal *terminal = relay->terminal;
	if (relay->other < 0 || relay->raw || !terminal_is_ours(terminal))
		return;
	relay_size(relay);
	struct termios raw;
	if (!terminal->remembered || tcgetattr(terminal->fd, &raw) < 0)
		return;
	cfmakeraw(&raw);
	end_guard(relay);
	if ((relay->guard = start_guard(terminal, &raw)) < 0)
		return;
	relay->raw = tcsetattr(terminal->fd, TCSADRAIN, &raw) == 0;
}

void relay_pause(struct relay *relay)
{
	if (relay->raw)
		tcsetattr(relay->terminal->fd, TCSADRAIN, &relay->terminal->modes);
	relay->raw = false;
	end_guard(relay);
}

void relay_begin(struct relay *relay, const struct terminal *terminal, int other)
{
	*relay = (struct relay){ .terminal = terminal, .other = other, .guard = -1 };
	if (other < 0)
		return;
	relay->hung_up = terminal->fd < 0;
	if (terminal->fd >= 0)	/* opened by us: nobody else's blocking changes */
		fcntl(terminal->fd, F_SETFL, fcntl(terminal->fd, F_GETFL) | O_NONBLOCK);
	relay_resume(relay);
}

void relay_size(const struct relay *relay)
{
	struct winsize size;
	if (relay->other >= 0 && relay->terminal->fd >= 0 && ioctl(relay->terminal->fd, TIOCGWINSZ, &size) == 0)
		ioctl(relay->other, TIOCSWINSZ, &size);
}

void relay_wanted(struct relay *relay, struct pollfd on[RELAY_POLLS], int *milliseconds)
{
	on[0] = (struct pollfd){ .fd = relay->other };
	on[1] = (struct pollfd){ .fd = -1 };
	*milliseconds = -1;
	if (relay->other < 0)
		return;
	bool ours = !relay->hung_up && terminal_is_ours(relay->terminal);
	if (ours)
		relay_resume(relay);
	else if (!relay->hung_up)
		*milliseconds = BEHIND_MILLISECONDS;
	relay->raw = relay->raw && ours;	/* a shell that has taken it has its own modes there */
	on[0].events = (short)((relay->out.length == 0 ? POLLIN : 0) | (relay->in.length ? POLLOUT : 0));
	on[1].events = (short)((ours && relay->in.length == 0 ? POLLIN : 0) | (relay->out.length ? POLLOUT : 0));
	if (!relay->hung_up && on[1].events)
		on[1].fd = relay->terminal->fd;
}

/* -1: that end has gone. */
static int fill(struct flow *flow, int from)
{
	if (flow->length > 0)
		return 0;
	ssize_t got = read(from, flow->data, sizeof(flow->data));
	if (got <= 0)
		return got < 0 && (errno == EAGAIN || errno == EINTR) ? 0 : -1;
	flow->length = (size_t)got;
	flow->sent = 0;
	return 0;
}

static int drain(struct flow *flow, int to)
{
	if (flow->length == 0)
		return 0;
	ssize_t sent = write(to, flow->data + flow->sent, flow->length - flow->sent);
	if (sent < 0)
		return errno == EAGAIN || errno == EINTR ? 0 : -1;
	flow->sent += (size_t)sent;
	if (flow->sent == flow->length)
		flow->length = 0;
	return 0;
}

/* Where there is nobody to show it to, what the command writes is read and lost. */
static void move_out(struct relay *relay)
{
	fill(&relay->out, relay->other);
	if (!relay->hung_up && drain(&relay->out, relay->terminal->fd) < 0)
		relay->hung_up = true;
	if (relay->hung_up)
		relay->out.length = 0;
}

void relay_move(struct relay *relay)
{
	if (relay->other < 0)
		return;
	bool ours = !relay->hung_up && terminal_is_ours(relay->terminal);
	if (ours && fill(&relay->in, relay->terminal->fd) < 0)
		relay->hung_up = true;
	drain(&relay->in, relay->other);
	move_out(relay);
}

static void bring_last(struct relay *relay)
{
	for (;;) {
		fill(&relay->out, relay->other);
		if (relay->out.length == 0)
			return;
		struct pollfd on = { .fd = relay->terminal->fd, .events = POLLOUT };
		if (!relay->hung_up && poll(&on, 1, LAST_MILLISECONDS) <= 0)
			return;
		move_out(relay);
	}
}

void relay_end(struct relay *relay)
{
	if (relay->other < 0)
		return;
	bring_last(relay);
	relay_pause(relay);
	relay->other = -1;
}
