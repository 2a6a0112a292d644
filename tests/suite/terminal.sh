# tests/suite/terminal.sh - job control, and the terminal that the shell has back afterwards.
# every arm

an_interrupt_reaches_the_command_and_the_shell_has_its_terminal() {
	keep_tree
	at_a_terminal <<'END'
before = t.settings()
t.line(RUN + """ -- sh -c 'trap "echo caught; exit 9" INT; echo up; while :; do sleep 0.1; done'""")
t.expect("up\r?\n")
t.send("\x03")
t.expect("caught")
t.expect("READY>")
t.ask("echo status=$?", "status=9")
same(t.foreground(), t.pid, "the foreground group")
same(t.settings(), before, "the settings")
t.line(RUN + " -- sh -c 'echo up; exec sleep 60'")
t.expect("up\r?\n")
t.send("\x03")
t.expect("READY>", 5)
t.ask("echo status=$?", "status=130")
t.alive()
END
}

a_quit_reaches_the_command() {
	at_a_terminal <<'END'
t.line(RUN + " -- sh -c 'echo up; exec sleep 60'")
t.expect("up\r?\n")
t.send("\x1c")
t.expect("READY>", 5)
t.ask("echo status=$?", "status=131")
END
}

a_suspended_command_is_a_stopped_job_and_fg_continues_it() {
	keep_tree
	at_a_terminal <<'END'
before = t.settings()
for _ in range(3):
    t.line(RUN + " -- sh -c 'echo up; sleep 0.7; echo done; exit 5'")
    t.expect("up\r?\n")
    time.sleep(0.2)  # a shell that has forked by vfork and not yet executed cannot be stopped
    t.send("\x1a")
    t.expect("Stopped")
    same(t.foreground(), t.pid, "the foreground group")
    t.ask("jobs", r"\[1\]\+ +Stopped")
    t.line("fg")
    t.expect("done\r?\n")
    t.expect("READY>")
    t.ask("echo status=$?", "status=5")
same(t.settings(), before, "the settings")
t.alive()
END
}

a_command_that_stops_itself_is_a_stopped_job() {
	at_a_terminal <<'END'
t.line(RUN + " -- sh -c 'echo up; kill -STOP $$; echo continued'")
t.expect("Stopped")
t.line("fg")
t.expect("continued\r?\n")
t.line(RUN + " -- sh -c 'echo up; kill -TSTP $$; echo continued; read x; echo got $x'")
t.expect("Stopped")
t.line("fg")
t.expect("continued\r?\n")
t.send("this\n")
t.expect("got this")
t.alive()
END
}

a_background_read_stops_the_job_until_it_is_in_front() {
	at_a_terminal <<'END'
t.line(RUN + " -- sh -c 'read x; echo got $x' &")
t.expect("READY>")
t.line("sleep 0.5; jobs")
t.expect(r"Stopped")
t.line("fg")
t.expect("read x")
t.send("that\n")
t.expect("got that")
t.alive()
END
}

a_background_job_runs_and_leaves_the_terminal_alone() {
	at_a_terminal <<'END'
t.line(RUN + " -- sh -c 'sleep 0.3; echo from behind' &")
t.expect("READY>")
t.alive()
t.expect("from behind")
same(t.foreground(), t.pid, "the foreground group")
t.ask("wait; echo status=$?", "status=0")
END
}

a_command_in_front_reads_and_writes_the_terminal() {
	at_a_terminal <<'END'
t.line(RUN + """ -- sh -c 'echo up; read x; echo "got $x" >/dev/tty; stty size; test -t 0 && test -t 1 && echo tty'""")
t.expect("up\r?\n")
t.send("these\n")
t.expect("got these")
t.expect("33 111")
t.expect("tty\r?\n")
t.alive()
END
}

the_terminals_settings_are_put_back() {
	at_a_terminal <<'END'
t.line(f"sh -c 'stty -g >../before; {RUN} -- sh -c \"stty raw -echo; exit 3\"; echo status=$? >../status; stty -g >../after; stty sane'")
t.expect("READY>")
t.ask("cat ../status", "status=3")
t.ask("cmp ../before ../after && echo sa''me", "same")
END
}

the_shell_has_its_terminal_when_pinfold_was_killed() {
	keep_tree
	at_a_terminal <<'END'
import subprocess
before = t.settings()
for command in ("exec sleep 60", "sleep 60 & setsid sleep 60 & sleep 60"):
    t.line(RUN + f" -- sh -c 'echo up; {command}'")
    t.expect("up\r?\n")
    children = open(f"/proc/{t.pid}/task/{t.pid}/children").read().split()
    os.kill(int(children[-1]), signal.SIGKILL)
    t.expect("Killed")
    t.expect("READY>")
    t.alive()
    same(t.foreground(), t.pid, "the foreground group")
    same(t.settings(), before, "the settings")
END
	nothing_runs
}

a_script_reads_on_after_an_interactive_shell_inside() {
	at_a_terminal <<'END'
t.line(f"sh -c '{RUN} -- bash --norc -ic exit; echo after; read x; echo got $x'")
t.expect("after\r?\n")
t.send("those\n")
t.expect("got those")
t.alive()
END
}

job_control_works_in_an_interactive_shell_inside() {
	at_a_terminal <<'END'
t.line(RUN + " -- bash --norc -i")
time.sleep(0.3)
t.line("PS1=INNER'''>'")
t.expect("INNER>")
t.line("sleep 60")
time.sleep(0.3)
t.send("\x1a")
t.expect("Stopped")
t.line("fg")
t.expect("sleep 60")
time.sleep(0.3)
t.send("\x03")
t.expect("INNER>")
t.line("exit 4")
t.expect("READY>")
t.ask("echo status=$?", "status=4")
t.alive()
END
}

nothing_can_be_typed_into_the_callers_terminal() {
	keeps terminal || skip "this arm does not promise it"
	cat >tiocsti.py <<'END'
import fcntl, termios
for request, data in ((termios.TIOCSTI, b"!"), (0x541C, b"\x03\x00"), (termios.TIOCSTI | 0x100000000, b"!")):
    try:
        fcntl.ioctl(0, request & 0xffffffff, data)
        print("TYPED")
    except OSError as error:
        print("refused", error.errno)
END
	at_a_terminal <<'END'
t.line(RUN + " -- /usr/bin/python3 tiocsti.py")
t.expect("refused")
t.expect("refused")
t.expect("READY>")
if "TYPED" in t.text or "!" in t.text:
    sys.exit(t.text)
t.alive()
END
}

without_a_terminal_the_command_has_a_session_of_its_own() {
	at_a_terminal <<'END'
t.line(RUN + """ --set pinfold.terminal=none -- sh -c '{ true </dev/tty; } 2>/dev/null && echo has || echo has''not; [ "$(ps -o sid= -p $$ | tr -d " ")" ] && echo end'""")
t.expect("hasnot")
t.alive()
t.line(RUN + " --set pinfold.terminal=none -- sh -c 'echo up; exec sleep 60'")
t.expect("up\r?\n")
t.send("\x03")
t.expect("READY>", 5)
t.ask("echo status=$?", "status=130")
END
}

a_hang_up_of_the_terminal_ends_the_run() {
	at_a_terminal <<'END'
t.line(RUN + " -- sh -c 'echo up; sleep 60'")
t.expect("up\r?\n")
END
	nothing_runs
}

what_is_guaranteed_is_said_before_the_commands_first_word_and_once() {
	keep_tree
	at_a_terminal <<'END'
loud = RUN.replace(" -q", "")
t.line(loud + " -- echo wo''rd")
t.expect("it guarantees (.|\r|\n)*word\r?\n")
t.expect("READY>")
t.line(loud + " -- echo wo''rd")
said = t.expect("(?s)(.*)word\r?\n").group(1)
assert "guarantees" not in said, said
t.expect("READY>")
END
}
