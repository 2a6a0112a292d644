# tests/suite/own_terminal.sh - terminal = new: the command has one of its own, which is relayed.
# every arm

at_its_own() { at_a_terminal 'RUN += " --set pinfold.terminal=new"'; }

a_terminal_of_its_own_is_another_one_and_reads_writes_and_controls() {
	keep_tree
	at_its_own <<'END'
before = t.settings()
t.ask("stat -Lc caller=%t:%T /proc/self/fd/0", "caller=(\\w+:\\w+)")
caller = t.ask("stat -Lc caller=%t:%T /proc/self/fd/0", "caller=(\\w+:\\w+)").group(1)
t.line(RUN + """ -- sh -c 'echo up; for n in 0 1 2; do stat -Lc "device=%t:%T" /proc/self/fd/$n; done; read x; echo "got $x" >/dev/tty; stty size; stty -a | grep -o " icanon"'""")
t.expect("up\r?\n")
for _ in range(3):
    if t.expect("device=(\\w+:\\w+)").group(1) == caller:
        sys.exit("it is the caller's")
t.send("these\n")
t.expect("these\r?\n")
t.expect("got these")
t.expect("33 111")
t.expect("icanon")
t.expect("READY>")
same(t.foreground(), t.pid, "the foreground group")
same(t.settings(), before, "the settings")
t.line(RUN + " -- sh -c 'stty raw -echo; exit 3'")
t.expect("READY>")
t.ask("echo status=$?", "status=3")
same(t.settings(), before, "the settings")
t.line(RUN + " -- sh -c 'head -c 300000 /dev/zero | tr \"\\0\" x; echo; echo la''st'")
t.expect("last\r?\n")
t.expect("READY>")
t.alive()
END
}

nothing_typed_by_the_command_reaches_the_callers_terminal() {
	cat >typing.py <<'END'
import fcntl, os, termios
for path in ("/dev/tty", "/proc/self/fd/0"):
    try:
        fd = os.open(path, os.O_RDWR)
    except OSError:
        continue
    for byte in b"echo TY''PED\n":
        try:
            fcntl.ioctl(fd, termios.TIOCSTI, bytes([byte]))
        except OSError:
            pass
modes = termios.tcgetattr(0)
modes[3] &= ~termios.ECHO
termios.tcsetattr(0, termios.TCSANOW, modes)
fcntl.ioctl(0, termios.TIOCEXCL)
print("done")
END
	at_its_own <<'END'
before = t.settings()
t.line(RUN + " -- /usr/bin/python3 typing.py")
seen = t.expect("done\r?\n").string
seen += t.expect("READY>").string
same(t.settings(), before, "the settings")
t.send("echo al''ive\n")
seen += t.expect("alive\r?\n").string
if "TYPED" in seen:
    sys.exit(seen)
t.alive()
END
}

its_size_follows_the_callers() {
	at_its_own <<'END'
t.line(RUN + " -- sh -c 'trap \"stty size\" WINCH; echo up; read x; read y'")
t.expect("up\r?\n")
fcntl.ioctl(t.fd, termios.TIOCSWINSZ, struct.pack("HHHH", 44, 122, 0, 0))
t.expect("44 122")
t.send("\n\n")
t.expect("READY>")
t.alive()
END
}

keys_that_signal_and_stop_act_in_a_terminal_of_its_own() {
	keep_tree
	at_its_own <<'END'
before = t.settings()
t.line(RUN + """ -- sh -c 'trap "echo caught; exit 9" INT; echo up; while :; do sleep 0.1; done'""")
t.expect("up\r?\n")
t.send("\x03")
t.expect("caught")
t.expect("READY>")
t.ask("echo status=$?", "status=9")
t.line(RUN + " -- sh -c 'echo up; exec sleep 60'")
t.expect("up\r?\n")
t.send("\x1c")
t.expect("READY>", 5)
t.ask("echo status=$?", "status=131")
for _ in range(2):
    t.line(RUN + " -- sh -c 'echo up; sleep 0.7; echo done; exit 5'")
    t.expect("up\r?\n")
    time.sleep(0.2)
    t.send("\x1a")
    t.expect("Stopped")
    same(t.foreground(), t.pid, "the foreground group")
    same(t.settings(), before, "the settings")
    t.line("fg")
    t.expect("done\r?\n")
    t.expect("READY>")
    t.ask("echo status=$?", "status=5")
t.line(RUN + " -- bash --norc -i")
time.sleep(0.5)
t.line("PS1=INNER'''>'")
t.expect("INNER>")
t.line("sleep 60")
time.sleep(0.3)
t.send("\x1a")
t.expect("Stopped")
t.line("exit 4; exit 4")
t.expect("READY>")
same(t.settings(), before, "the settings")
t.alive()
END
}

a_background_job_shows_what_it_writes_and_reads_when_it_is_in_front() {
	at_its_own <<'END'
t.line(RUN + " -- sh -c 'sleep 0.3; echo from behind; read x; echo got $x' &")
t.expect("READY>")
t.alive()
t.expect("from behind")
t.line("fg")
t.expect("read x")
time.sleep(0.5)
t.send("that\n")
t.expect("got that")
t.expect("READY>")
t.alive()
END
}

modes_are_given_back_when_pinfold_is_killed_or_hung_up() {
	at_its_own <<'END'
t.line(f"sh -c 'stty -g >../before; {RUN} -- sh -c \"echo up; exec sleep 60\"; sleep 0.5; stty -g >../after; stty sane'")
t.expect("up\r?\n")
shell = open(f"/proc/{t.pid}/task/{t.pid}/children").read().split()[-1]
time.sleep(0.2)
os.kill(int(open(f"/proc/{shell}/task/{shell}/children").read().split()[0]), signal.SIGKILL)
t.expect("READY>")
t.ask("cmp ../before ../after && echo sa''me", "same")
t.expect("READY>")
t.line(RUN + " --timeout 1s -- sleep 60")
t.expect("READY>")
t.ask("echo status=$?", "status=124")
t.line(RUN + " -- sh -c 'echo up; sleep 60'")
t.expect("up\r?\n")
END
	nothing_runs
}

without_a_terminal_to_relay_the_command_still_has_one() {
	run -q --set pinfold.terminal=new -- sh -c 'test -t 0 || echo file; echo lost >/dev/tty && echo has' <one
	out_is $'file\nhas'
	exec 5<>/dev/ptmx
	run --set pinfold.terminal=new --keep-fds 5 -- echo ran
	refused E_POLICY
	err_has "descriptor 5"
}
